"""Searches by a part of a name: players, the texts of matches, and matches by them or by the beginning of their id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import combining, normalize

from ledger.readmodels.matchlist import list_matches, match_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.ledger import Ledger

TEXTS = ("event", "board", "place")
"""The free texts of a match: columns of the read models."""
LONGEST = 200
"""Characters of what can be a name; who writes more into a field has written something else."""
_ID = re.compile(r"[0-9a-f][0-9a-f-]{2,35}")
_MOST_TEXTS = 20


class Named(NamedTuple):
    """A name or text, and how many matches have it."""

    name: str
    matches: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: `texts` by the column they stand in; `matches` are the newest that fit."""

    players: list[Named]
    texts: dict[str, list[Named]]
    matches: list[dict[str, Any]]


def search(ledger: Ledger, text: str, limit: int) -> Found:
    """Return whatever has every word of a text in its name, up to `limit` of a kind; capitals and accents do not matter."""
    words = fold(text).split()
    if not words:
        return Found([], {}, [])
    texts = {column: _fitting(named(ledger, column), words)[:limit] for column in TEXTS}
    found = {}
    id = text.strip().lower()
    if _ID.fullmatch(id):
        ids = "SELECT match FROM matches WHERE match >= ? AND match < ? ORDER BY match LIMIT ?"
        rows = ledger.views.reader.execute(ids, (id, f"{id}\x7f", limit)).fetchall()
        found = {match: match_row(ledger, match) for (match,) in rows}
    for column, some in texts.items():
        for name, _ in some[:_MOST_TEXTS]:
            found |= {row["match"]: row for row in list_matches(ledger, limit, None, **{column: name}).matches}
    newest = sorted(found.values(), key=lambda row: -row["position"])
    return Found(_fitting(players(ledger), words, names_of(ledger))[:limit], texts, newest[:limit])


def players(ledger: Ledger) -> list[Named]:
    """Return every player with the number of their matches, most first."""
    rows = ledger.views.reader.execute(
        "SELECT player, sum(matches) AS number FROM standings GROUP BY player ORDER BY number DESC, player"
    )
    return [Named(*row) for row in rows]


def names_of(ledger: Ledger) -> Callable[[str], str]:
    """Return what tells by which words a player is found: what they are called, and every id that means them."""
    people = ledger.people()
    if not people.events:
        return fold
    several = {people.person(id) for id in people.merged()} | people.named().keys()
    return lambda player: fold(" ".join((people.name(player), *people.ids(player))) if player in several else player)


def named(ledger: Ledger, column: str) -> list[Named]:
    """Return the different texts of a column of `TEXTS` with the number of their matches, most first; no essays."""
    rows = ledger.views.reader.execute(
        f"SELECT {column}, matches FROM named_{column}s WHERE length({column}) BETWEEN 1 AND {LONGEST} ORDER BY matches DESC, {column}"
    )
    return [Named(*row) for row in rows]


def fold(text: str) -> str:
    """Return a text as it is compared: without capitals and accents.

    >>> fold("ZOË Straße")
    'zoe strasse'
    """
    if text.isascii():
        return text.lower()
    return "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c)).casefold()


def _fitting(some: Iterable[Named], words: list[str], known: Callable[[str], str] | None = None) -> list[Named]:
    """Return those that have all the words: whole names first, then beginnings, then the others, each as they came.

    `known` says by which words each is known, if not by the name alone.
    """
    known = known or fold
    whole = " ".join(words)
    found: tuple[list[Named], ...] = ([], [], [])
    for one in some:
        name = known(one.name)
        if all(word in name for word in words):
            found[0 if name == whole else 1 if name.startswith(whole) else 2].append(one)
    return [one for part in found for one in part]
