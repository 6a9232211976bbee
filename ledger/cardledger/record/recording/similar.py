"""Similar matches: a file that was corrected and imported again is recognised, whatever ids its matches have."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from cardledger.errors import LedgerError, SimilarError, UnusableError
from cardledger.record.matches.matchfile import MatchInFile, Problem
from cardledger.record.matches.missing_days import dated
from cardledger.record.readmodels import ReadModels
from cardledger.record.readmodels.tables.matches import as_json, beginning
from cardledger.record.recording.loaded_match import bare
from cardledger.record.recording.match_cache import Memory
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import DayOfPlay, known_day
from cardledger.rules.engine.match import Match
from cardledger.rules.stream import Stream, unroll
from cardledger.sentence import Sentence

Answer = Literal["replace", "anyway", "leave"]
"""The decisions about a similar match: replace the stored one, store both, or leave it out."""
SAME_OCCASION = Sentence("the same game, players, event, table and date")
SAME_BEGINNING = Sentence("the same beginning")
SAME_ID = Sentence("the same id, but different events")
_MOST = 20
"""The number of latest stored matches to compare with."""
_TRICKS = 4
"""Number of equal tricks from which two hands count as the same hand, and of tricks that tell two matches apart."""
_HANDS = 2
"""Number of hands whose points tell two matches apart, where cards are missing."""
_SAME_TABLE = "players = :players AND event IS :event AND table_name IS :board"
QUERIES = tuple(
    f"""SELECT match, date, players, (date = :date OR date IS NULL OR :date IS NULL) AND event IS :event AND table_name IS :board AS there FROM matches
    WHERE position <= :before AND status <> 'void' AND +game = :game AND seats = :seats AND {alike} ORDER BY position DESC LIMIT :most"""
    for alike in (
        f"{_SAME_TABLE} AND date IS :date",
        f"{_SAME_TABLE} AND date IS NULL",
        f"{_SAME_TABLE} AND date > iif(:date IS NULL, '', NULL)",
        "beginning = :beginning",
    )
)
"""The questions that find similar matches, each answered by an index: the same occasion, where an unknown day may be any
other, and the same beginning. The plus keeps SQLite from looking at all matches of a game."""


class Similar(NamedTuple):
    """A match of a file, the similar stored match, its day, and the similarity.

    `alike` is the number of equal counting events.
    """

    item: MatchInFile
    match: str
    date: DayOfPlay = None
    shared: str = ""
    alike: int = 0

    @property
    def refusal(self) -> SimilarError:
        """The message if no decision was given."""
        return SimilarError(
            self.match,
            Sentence(
                "match {match} of {day} has {shared}: replace that one, or store both anyway",
                match=self.match,
                day=self.date or Sentence("an unknown day"),
                shared=self.shared,
            ),
        )


Ask = Callable[[Similar], Answer]


class SimilarMatch(NamedTuple):
    """A match of a file with its future id, and the similar stored matches, the most similar first.

    `problem` is the message if it is left out.
    """

    id: str
    item: MatchInFile
    found: list[Similar]
    problem: Problem | None = None


class Lookout:
    """Finds matches of a file that are similar to stored ones."""

    def __init__(self, views: ReadModels, memory: Memory, day: str, ask: Ask, replace: Collection[str] = ()) -> None:
        """`day` is that of matches without one; `ask` decides about a similar match.

        `replace` names stored matches to replace.
        """
        with suppress(sqlite3.Error, UnusableError):  # then the known ones are searched
            views.catch_up()
        self._reader = views.file.reader
        self._before = views.position
        self._memory = memory
        self._day = day
        self._ask = ask
        self._wanted = {*replace}
        self._met: set[str] = set()
        self._doubts: list[SimilarMatch] = []

    def meets(self, ids: Collection[str]) -> None:
        """Note the ids of matches in the file: no other match of it may replace them."""
        self._met.update(ids)

    def look(self, id: str, item: MatchInFile) -> str | None:
        """Check a match that is not stored; return an equal stored match, or its own id to store it.

        None means that it is held back until the whole file is read.
        """
        alike = self._alike(item)
        for similar, stream in alike:
            if item.events[0].id is None and _says_all(stream, item.stream):
                self._met.add(similar.match)
                return similar.match
        if alike or self._wanted:
            self._doubts.append(SimilarMatch(id, item, [similar for similar, _ in alike]))
            return None
        return id

    def holds(self, id: str, item: MatchInFile, problem: Problem) -> None:
        """Hold back a match that differs from the one stored under its id."""
        row = self._reader.execute("SELECT date FROM matches WHERE match = ?", (id,)).fetchone()
        similar = Similar(item, id, row and row[0], SAME_ID)
        self._doubts.append(SimilarMatch(id, item, [similar], problem))

    def held(self) -> list[MatchInFile]:
        """Return the matches that were held back."""
        return [doubt.item for doubt in self._doubts]

    def decisions(self) -> Iterator[tuple[SimilarMatch, Answer, Similar | None]]:
        """Yield the decision about each match that was held back, with the stored match concerned."""
        alone: list[SimilarMatch] = []
        closest = self._closest()
        for doubt in self._doubts:
            left = [
                similar
                for similar in doubt.found
                if (doubt.problem or similar.match not in self._met)
                and closest.get(similar.match, doubt.id) == doubt.id
            ]
            if not left:
                alone.append(doubt)
                continue
            best = next((similar for similar in left if similar.match in self._wanted), left[0])
            answer = "replace" if best.match in self._wanted else self._ask(best)
            if answer == "replace":
                self._met.add(best.match)
            yield doubt, "leave" if doubt.problem and answer == "anyway" else answer, best
        wanted = sorted(self._wanted - self._met)
        for doubt in alone:
            if not wanted:
                yield doubt, "anyway", None
                continue
            similar = Similar(doubt.item, wanted[0])
            if len(alone) == len(wanted) == 1:
                yield doubt, "replace", similar
            else:
                # It is unclear which match replaces which: store none rather than a duplicate.
                message = Sentence(
                    "it is not similar to match {match}: import the match that replaces it in a separate file",
                    match=wanted[0],
                )
                problem = Problem(doubt.item.file, doubt.item.line, SimilarError(wanted[0], message))
                yield doubt._replace(problem=problem), "leave", similar
        self._doubts = []

    def _closest(self) -> dict[str, str]:
        """Return for each stored match to replace the id of the most similar match of the file."""
        most: dict[str, tuple[int, str]] = {}
        for doubt in self._doubts:
            for similar in doubt.found:
                if similar.match in self._wanted and similar.alike > most.get(similar.match, (-1, ""))[0]:
                    most[similar.match] = similar.alike, doubt.id
        return {match: id for match, (_, id) in most.items()}

    def _alike(self, item: MatchInFile) -> list[tuple[Similar, Stream]]:
        """Return the stored matches similar to one of the file, the most similar first."""
        table = item.stream.table
        opening = dated(table.opening, self._day)
        given = {
            "game": table.game.id,
            "seats": table.n,
            "players": as_json(table.players),
            "date": known_day(opening.date or (opening.at and opening.at[:10])),
            "event": opening.event,
            "board": opening.table,
            "beginning": beginning(table),
            "before": self._before,
            "most": _MOST,
        }
        rows = {row for query in QUERIES for row in self._reader.execute(query, given).fetchall()}
        ranked = []
        for match, date, players, there in rows:
            stream = self._stream(match)
            if stream is None or _other_board(stream.table, table) or _nothing_shared(stream.table, table):
                continue
            begins = beginning(stream.table) == given["beginning"] is not None
            if players == given["players"]:
                # Matches with given ids are identified by them.
                shared = SAME_OCCASION if there and item.events[0].id is None else SAME_BEGINNING if begins else None
            else:
                shared = SAME_BEGINNING if begins and _same_hand(stream.table, table, there) else None
            if shared is not None:
                pairs = zip(_counting(stream), _counting(item.stream), strict=False)
                alike = sum(old == new for old, new in pairs)
                ranked.append((alike, match, Similar(item, match, date, shared, alike), stream))
        return [(similar, stream) for *_, similar, stream in sorted(ranked, key=lambda row: row[:2], reverse=True)]

    def _stream(self, match: str) -> Stream | None:
        with suppress(LedgerError), self._memory.lock:  # `verify` names one that does not fold
            live = self._memory.find(match)
            return None if live is None else live.folded.stream
        return None


def _counting(stream: Stream) -> list[ev.Event]:
    """Return the counting events of a match, without time and recorder."""
    return [bare(event) for _, event in unroll(stream.heads[-1])]


def _says_all(stored: Stream, other: Stream) -> bool:
    """Tell whether a stored match holds all of another: the same counting events, and no new note."""
    if _counting(stored) != _counting(other):
        return False
    notes, new = ({event.text for event in stream.events if isinstance(event, ev.Note)} for stream in (stored, other))
    return new <= notes


def _other_board(one: Match[Any], other: Match[Any]) -> bool:
    """Tell whether two matches begin with boards of different numbers, which four people play one after the other."""
    boards = [getattr(match.hands[0], "board", 0) if match.hands else 0 for match in (one, other)]
    return 0 not in boards and boards[0] != boards[1]


def _nothing_shared(one: Match[Any], other: Match[Any]) -> bool:
    """Tell whether two matches have no trick in common, or no hand's points where cards are missing, and enough of them to tell.

    Then they are two matches of one evening (two rubbers, say): a correction changes a trick or a hand, not all of
    them. Under other options, half of the tricks have to be common: one deal may have been played twice.
    """
    tricks, points = ([what(match) for match in (one, other)] for what in (_tricks, _points))
    fewest, common = min(map(len, tricks)), len(tricks[0] & tricks[1])
    if fewest >= _TRICKS:
        return 2 * common < fewest if one.options != other.options else not common
    return min(map(len, points)) >= _HANDS and not points[0] & points[1]


def _tricks(match: Match[Any]) -> set[tuple[object, ...]]:
    return {tuple(trick) for hand in match.hands for trick in hand.tricks}


def _points(match: Match[Any]) -> set[tuple[int, ...]]:
    return {tuple(hand.scores) for hand in match.hands if hand.scores is not None}


def _same_hand(one: Match[Any], other: Match[Any], there: bool) -> bool:
    """Tell whether two matches share their first hand, though not all players: a name was corrected.

    One deal may be played at several tables, but never card by card the same. Points alone are often the same.
    """
    first, second = one.hands[0], other.hands[0]
    both = min(len(first.tricks), len(second.tricks))
    if both:
        whole = first.scores is not None and first.scores == second.scores
        return first.tricks[:both] == second.tricks[:both] and (whole or both >= _TRICKS)
    return there and sum(a != b for a, b in zip(one.players, other.players, strict=True)) == 1
