"""Searches by part of a name.

Players, texts of matches, and matches with such texts or by the beginning of their id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardledger.record.people.spelling import fold
from cardledger.record.readmodels.questions.evening_list import CAME
from cardledger.record.readmodels.questions.match_list import list_matches, match_row
from cardledger.record.readmodels.tables.occasions import NAMED, OCCASIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardledger.record.readmodels.readable import ReadableLedger

LONGEST = 200
"""The longest text that counts as a name."""
_ID = re.compile(r"[0-9a-f][0-9a-f-]{2,35}")
_MOST_TEXTS = 20
_PLAYERS = f"""SELECT player, coalesce((SELECT sum(matches) FROM standings AS s WHERE s.player = who.player), 0) AS sat,
    (SELECT count(DISTINCT evening) FROM ({CAME}) AS came WHERE came.player = who.player) AS came
    FROM people AS who WHERE sat > 0 OR came > 0 ORDER BY sat DESC, came DESC, player"""


class NameCount(NamedTuple):
    """A text, and the number of its matches."""

    name: str
    matches: int


class PlayerCount(NamedTuple):
    """A player by id, and the numbers of the matches and evenings that name the player."""

    name: str
    matches: int
    evenings: int


_Counted = TypeVar("_Counted", NameCount, PlayerCount)


@dataclass(frozen=True, slots=True)
class Found:
    """The results of a search: `texts` by `NAMED`; `matches` are the newest ones."""

    players: list[PlayerCount]
    texts: dict[str, list[NameCount]]
    matches: list[dict[str, Any]]


def search(ledger: ReadableLedger, text: str, limit: int) -> Found:
    """Return the entries whose names contain every word of a text, up to `limit` of a kind.

    Case and accents do not matter.
    """
    words = fold(text).split()
    if not words:
        return Found([], {}, [])
    texts = {name: _fitting(named(ledger, name), words)[:limit] for name in NAMED}
    matches = {}
    id = text.strip().lower()
    if _ID.fullmatch(id):
        ids = "SELECT match FROM matches WHERE match >= ? AND match < ? ORDER BY match LIMIT ?"
        rows = ledger.views.reader.execute(ids, (id, f"{id}\x7f", limit)).fetchall()
        matches = {match: match_row(ledger, match) for (match,) in rows}
    for column, some in texts.items():
        for name, _ in some[:_MOST_TEXTS]:
            matches |= {row["match"]: row for row in list_matches(ledger, limit, None, **{column: name}).matches}
    newest = sorted(matches.values(), key=lambda row: -row["position"])
    return Found(_fitting(players(ledger), words, names_of(ledger))[:limit], texts, newest[:limit])


def players(ledger: ReadableLedger) -> list[PlayerCount]:
    """Return everybody who sat in a match or came to an evening, with the number of both; most matches first."""
    return [PlayerCount(*row) for row in ledger.views.reader.execute(_PLAYERS)]


def names_of(ledger: ReadableLedger) -> Callable[[str], str]:
    """Return a function that gives the search words of a player: the name, and every id."""
    people = ledger.people()
    if not people.events:
        return fold
    several = {people.person(id) for id in people.merged()} | people.named().keys()
    return lambda player: fold(" ".join((people.name(player), *people.ids(player))) if player in several else player)


def named(ledger: ReadableLedger, name: str) -> list[NameCount]:
    """Return the distinct texts of one of `NAMED` with the number of their matches, most first.

    Very long ones are left out.
    """
    column = NAMED[name]
    rows = ledger.views.reader.execute(
        f"SELECT {column}, matches FROM {OCCASIONS[column].name} WHERE "
        f"matches > 0 AND length({column}) BETWEEN 1 AND {LONGEST}"
        f" ORDER BY matches DESC, {column}"
    )
    return [NameCount(*row) for row in rows]


def _fitting(
    some: Iterable[_Counted], words: list[str], words_of: Callable[[str], str] | None = None
) -> list[_Counted]:
    """Return the entries that contain all words.

    Whole names first, then beginnings, then the others, each in the given order.

    `words_of` gives the words of an entry, if they are more than its name.
    """
    words_of = words_of or fold
    whole = " ".join(words)
    by_rank: tuple[list[_Counted], ...] = ([], [], [])
    for one in some:
        name = words_of(one.name)
        if all(word in name for word in words):
            by_rank[0 if name == whole else 1 if name.startswith(whole) else 2].append(one)
    return [one for part in by_rank for one in part]
