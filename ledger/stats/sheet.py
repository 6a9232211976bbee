"""Sheets: the counts of a game's hands as columns in memory, kept as current as the read models."""

from __future__ import annotations

import threading
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import json
from numpy.typing import NDArray

from ledger.games import game
from ledger.measures import COMMON
from ledger.measures import MATCHES as BY_MATCH
from ledger.readmodels.ratings import touched

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from ledger.readmodels import ReadModels

Columns = dict[str, NDArray[Any]]
CODED = frozenset({"match", "date", "event", "rules", "status", "policy", "options", "player", "lead"})
"""Columns of texts: they hold the places of the texts in `Sheet.texts`."""
MATCHES = (
    "match", "date", "event", "rules", "status", "policy", "size", "options", "begun", "complete", "hidden", "score_only",
)  # fmt: skip
SEATS = ("row", "seat", "player", "place", "won")
HANDS = ("row", "turn", "lead")
_MANY = 500
"""Changed matches from which on a sheet is read anew rather than mended."""
# The plus and CROSS JOIN: by match id, in the order in which the rows lie, whether few or all are wanted.
_MATCHES = """SELECT match, date, event, rules, status, policy, seats, options, hands, hands_complete
    FROM matches AS m WHERE +m.game = ? AND {} ORDER BY m.match"""
_SEATS = """SELECT m.match, p.seat, p.player, p.place, p.won FROM matches AS m CROSS JOIN players AS p USING (match)
    WHERE +m.game = ? AND {} ORDER BY m.match, p.seat"""
_HANDS = """SELECT m.match, h.dealer, c.lead, h.hidden, c.played, c.counts FROM matches AS m
    CROSS JOIN counts AS c USING (match) CROSS JOIN hands AS h USING (match, hand) WHERE +m.game = ? AND {}
    ORDER BY m.match, c.hand"""
_decode = json.Decoder(dict[str, list[int]]).decode


class Sheet:
    """Everything statistics know of one game, up to a position in the ledger.

    `matches` has a row for each match; `seats` one for each player of a match, whose `row` is that of the match;
    `hands` one for each player of a complete hand, whose `row` is that in `seats`; `names` are its columns of counts.
    `texts` are the texts that codes stand for.
    """

    def __init__(self, game: str, base: Sheet | None = None) -> None:
        """Begin with no match, or with those of another sheet, which stays as it is."""
        self.game = game
        self.names: tuple[str, ...] = base.names if base else names_of(game)
        self.texts: dict[str, dict[str, int]] = base.texts if base else {name: {} for name in CODED}
        self.position = 0
        self.matches: Columns = base.matches if base else _empty(MATCHES)
        self.seats: Columns = base.seats if base else _empty(SEATS)
        self.hands: Columns = base.hands if base else _empty((*HANDS, *self.names))
        self._sums: Columns = base._sums.copy() if base else {}

    def code(self, column: str, texts: Iterable[str | None]) -> NDArray[Any]:
        """Return the codes of texts, new ones for those not met before; −1 where there is none."""
        codes = self.texts[column]
        found = [-1 if text is None else codes.setdefault(text, len(codes)) for text in texts]
        return np.array(found, dtype=np.int32)

    def text(self, column: str) -> list[str]:
        """Return the texts of a column by code."""
        return list(self.texts[column])

    def of(self, name: str) -> NDArray[Any]:
        """Return a count for each row of `seats`."""
        if name == "complete":
            return (self.seats["place"] > 0).astype(np.int64)
        if name in BY_MATCH:
            return self.seats[name]
        if name not in self._sums:
            self._sums[name] = np.bincount(self.hands["row"], self.hands[name], len(self.seats["row"]))
        return self._sums[name]

    def without(self, gone: NDArray[Any]) -> None:
        """Drop matches, given by their codes, with all that belongs to them."""
        kept = ~np.isin(self.matches["match"], gone)
        seats = kept[self.seats["row"]]
        hands = seats[self.hands["row"]]
        self.hands = _only(self.hands, hands, seats)
        self._sums = _only(self._sums, seats)
        self.seats = _only(self.seats, seats, kept)
        self.matches = _only(self.matches, kept)

    def read(self, reader: sqlite3.Connection, matches: Sequence[str] | None = None) -> None:
        """Add matches as the read models have them; None: all of the game."""
        where, given = "TRUE", [self.game]
        if matches is not None:
            where, given = "m.match IN (SELECT value FROM json_each(?))", [self.game, json.encode(matches).decode()]
        of_matches, of_seats, of_hands = (
            reader.execute(question.format(where), given).fetchall() for question in (_MATCHES, _SEATS, _HANDS)
        )
        at = {row[0]: place for place, row in enumerate(of_matches)}
        found = self._columns(MATCHES, of_matches)
        seats = self._columns(SEATS, ((at[match], *rest) for match, *rest in of_seats))
        # One row for each seat of each hand: those of a hand follow one another.
        match = np.array([at[row[0]] for row in of_hands], dtype=np.int32)
        size = found["size"][match]
        hand = np.repeat(np.arange(len(of_hands)), size)
        seat = np.arange(len(hand)) - np.repeat(np.cumsum(size) - size, size)
        told = self._columns(("dealer", "lead", "hidden", "played"), (row[1:5] for row in of_hands))
        for name, counted in (("hidden", told["hidden"]), ("score_only", 1 - told["played"])):
            found[name] = np.bincount(match, counted, len(at)).astype(np.int64)
        hands = {
            "row": np.searchsorted(seats["row"], np.arange(len(at)))[match][hand] + seat,
            "turn": (seat - told["dealer"][hand] - 1) % size[hand] + 1,
            "lead": told["lead"][hand],
        }
        hands |= {"hands": np.ones(len(hand), dtype=np.int32), "played": told["played"][hand]}
        told_counts = [_decode(row[5]) for row in of_hands]
        zeros = [[0] * n for n in size.tolist()]
        for name in self.names[2:]:
            lists = (some.get(name, none) for some, none in zip(told_counts, zeros, strict=True))
            wide = np.int64 if name == "points" else np.int32
            hands[name] = np.fromiter(chain.from_iterable(lists), wide, len(hand))
        self._add(found, seats, hands)

    def _columns(self, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Columns:
        """Return columns of rows, texts as codes; names beyond the width of the rows are left to be filled in."""
        values = list(zip(*rows, strict=True)) or [()] * len(names)
        return {
            name: self.code(name, column) if name in CODED else np.array(column, dtype=np.int32)
            for name, column in zip(names, values, strict=False)
        }

    def _add(self, matches: Columns, seats: Columns, hands: Columns) -> None:
        """Put more rows below those there are."""
        for name in self._sums:
            more = np.bincount(hands["row"], hands[name], len(seats["row"]))
            self._sums[name] = np.concatenate((self._sums[name], more))
        hands["row"] = hands["row"] + len(self.seats["row"])
        seats["row"] = seats["row"] + len(self.matches["match"])
        self.matches, self.seats, self.hands = (
            {name: np.concatenate((old[name], more[name])) for name in old}
            for old, more in ((self.matches, matches), (self.seats, seats), (self.hands, hands))
        )


def _empty(names: Sequence[str]) -> Columns:
    """Return a table without rows."""
    return dict.fromkeys(names, np.zeros(0, dtype=np.int32))


def _only(columns: Columns, kept: NDArray[Any], above: NDArray[Any] | None = None) -> Columns:
    """Return the rows of a table that are kept, their `row` counted among the kept rows of the table above."""
    left = {name: column[kept] for name, column in columns.items()}
    if above is not None:
        left["row"] = (np.cumsum(above) - 1)[left["row"]]
    return left


class Sheets:
    """The sheets of a ledger by game, read when first asked for and mended match by match from then on.

    Safe to share between threads: a sheet given out is never changed.
    """

    def __init__(self, views: ReadModels) -> None:
        self.views = views
        self._sheets: dict[str, Sheet] = {}
        self._lock = threading.Lock()

    def sheet(self, id: str) -> Sheet:
        """Return the sheet of a game as of now; raises FormatError `format.game`."""
        game(id)
        with self._lock:
            known = self._sheets.get(id)
            reader = self.views.reader
            reader.execute("BEGIN")  # one state of the read models for all that is read
            try:
                upto = self.views.position
                if known is None or known.position != upto:
                    known = self._sheets[id] = self._caught_up(id, known, reader, upto)
            finally:
                reader.execute("COMMIT")
            return known

    def _caught_up(self, id: str, known: Sheet | None, reader: sqlite3.Connection, upto: int) -> Sheet:
        changed = touched(self.views, known.position, upto) if known else None
        if changed is None or len(changed) > _MANY:
            sheet = Sheet(id)
            sheet.read(reader)
        else:
            sheet = Sheet(id, known)
            codes = sheet.texts["match"]
            if gone := [codes[match] for match in changed if match in codes]:
                sheet.without(np.array(gone))
            sheet.read(reader, sorted(changed))
        sheet.position = upto
        return sheet


def names_of(id: str) -> tuple[str, ...]:
    """Return the counts of a game by hand, those of all games first."""
    used = (name for measure in (*COMMON, *game(id).measures) for name in (measure.amount, measure.of))
    return tuple(dict.fromkeys(("hands", "played", *(name for name in used if name not in BY_MATCH))))
