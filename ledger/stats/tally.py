"""Tallies: the counts of a sheet, filtered by a query and summed by player and dimension."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ledger.errors import StoreError
from ledger.measures import MATCHES
from ledger.stats.query import DIMENSIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ledger.stats.query import Query
    from ledger.stats.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Basis:
    """What numbers were computed from.

    `position` is that in the ledger up to which events count, `rules` are the editions played under. Of the hands
    counted, `score_only` are known by their points alone and `hidden` had a deal nobody recorded; not counted are
    `under_way` in open matches and `abandoned` ones.
    """

    position: int
    rules: tuple[str, ...]
    matches: int
    hands: int
    score_only: int
    hidden: int
    under_way: int
    abandoned: int


class Tally:
    """The rows of a sheet that a query lets through: players of matches, `player` alone if one is given.

    `rows` are their places in `sheet.seats`; `of(name)` is a count for each of them.
    """

    def __init__(self, sheet: Sheet, query: Query, player: str | None = None) -> None:
        self.sheet = sheet
        self.query = query
        seats = _seats(sheet, query, player)
        self.rows = np.flatnonzero(seats)

    @cached_property
    def hands(self) -> NDArray[Any]:
        """Whether each row of the hands counts."""
        sheet, query = self.sheet, self.query
        chosen = np.zeros(len(sheet.seats["row"]), dtype=bool)
        chosen[self.rows] = True
        hands = chosen[sheet.hands["row"]]
        return hands if query.turn is None else hands & (sheet.hands["turn"] == query.turn)

    def of(self, name: str) -> NDArray[Any]:
        """Return a count for each row, summed over its hands."""
        if self.query.turn is None or name in MATCHES:
            return self.sheet.of(name)[self.rows]
        weights = self.sheet.hands[name][self.hands]
        sums: NDArray[Any] = np.bincount(self.sheet.hands["row"][self.hands], weights, len(self.sheet.seats["row"]))
        return sums[self.rows]

    def basis(self) -> Basis:
        """Return what the tally rests on."""
        sheet, chosen = self.sheet, np.unique(self.sheet.seats["row"][self.rows])
        missing = sheet.matches["begun"][chosen] - sheet.matches["complete"][chosen]
        status, rules = sheet.texts["status"], sheet.text("rules")
        left = {what: missing[sheet.matches["status"][chosen] == status.get(what)] for what in ("open", "ended")}
        return Basis(
            position=sheet.position,
            rules=tuple(sorted(rules[code] for code in np.unique(sheet.matches["rules"][chosen]))),
            matches=len(chosen),
            hands=int(sheet.matches["complete"][chosen].sum()),
            score_only=int(sheet.matches["score_only"][chosen].sum()),
            hidden=int(sheet.matches["hidden"][chosen].sum()),
            under_way=int(left["open"].sum()),
            abandoned=int(left["ended"].sum()),
        )


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows split by a dimension: for each cell the row it is a part of (`at`, a place in `Tally.rows`) and its group.

    `labels` are the values of the dimension, `group[cell]` the place of the cell's value among them.
    """

    tally: Tally
    at: NDArray[Any]
    group: NDArray[Any]
    labels: list[Any]
    by_hand: NDArray[Any] | None

    def of(self, name: str) -> NDArray[Any]:
        """Return a count for each cell."""
        if self.by_hand is None:
            counts: NDArray[Any] = self.tally.of(name)[self.at]
            return counts
        weights = self.tally.sheet.hands[name][self.tally.hands]
        sums: NDArray[Any] = np.bincount(self.by_hand, weights, len(self.at))
        return sums


def cells(tally: Tally, by: str | None) -> Cells:
    """Split a tally by a dimension; None leaves it whole. Raises StoreError `store.unknown` for one it has not."""
    sheet, rows = tally.sheet, tally.rows
    every = np.arange(len(rows))
    if by is None or not len(rows):
        if by is not None and by not in DIMENSIONS and by not in sheet.names:
            raise _unknown(by, sheet)
        return Cells(tally, every, np.zeros(len(rows), dtype=np.int64), [None], None)
    match = sheet.seats["row"][rows]
    if by in ("month", "year"):
        length = 7 if by == "month" else 4
        return _labelled(
            tally, every, _recoded([text[:length] for text in sheet.text("date")], sheet.matches["date"][match])
        )
    if by in ("event", "options"):
        return _labelled(tally, every, _recoded(sheet.text(by), sheet.matches[by][match]))
    if by in ("seat", "place", "size"):
        column = sheet.matches["size"][match] if by == "size" else sheet.seats[by][rows]
        return _labelled(tally, every, (list(range(int(column.max()) + 1)), column))
    if by == "opponent":
        others = sheet.matches["size"][match] - 1
        at = np.repeat(every, others)
        step = np.arange(len(at)) - np.repeat(np.cumsum(others) - others, others) + 1
        seat, size = sheet.seats["seat"][rows][at], others[at] + 1
        other = rows[at] - seat + (seat + step) % size
        return _labelled(tally, at, _recoded(sheet.text("player"), sheet.seats["player"][other]))
    hands = tally.hands
    if by == "turn":
        values: tuple[list[Any], NDArray[Any]] = (list(range(10)), sheet.hands["turn"][hands])
    elif by == "lead":
        values = _recoded(sheet.text("lead"), sheet.hands["lead"][hands])
    elif by in sheet.names:
        numbers = sheet.hands[by][hands]
        found, codes = np.unique(numbers, return_inverse=True)
        values = ([int(number) for number in found], codes)
    else:
        raise _unknown(by, sheet)
    # A hand belongs to the cell of its row and its value.
    place = np.full(len(sheet.seats["row"]), -1)
    place[rows] = every
    labels, codes = values
    wanted = place[sheet.hands["row"][hands]] * len(labels) + codes
    keys = np.flatnonzero(np.bincount(wanted))
    number = np.empty(keys.max(initial=0) + 1, dtype=np.int64)
    number[keys] = np.arange(len(keys))
    cell = number[wanted]
    split = _labelled(tally, keys // len(labels), (labels, keys % len(labels)))
    return Cells(tally, split.at, split.group, split.labels, cell)


def _labelled(tally: Tally, at: NDArray[Any], values: tuple[list[Any], NDArray[Any]]) -> Cells:
    labels, codes = values
    return Cells(tally, at, codes, labels, None)


def _recoded(texts: list[Any], codes: NDArray[Any]) -> tuple[list[Any], NDArray[Any]]:
    """Return the different texts in order, and codes that stand for them; what has none comes last, as None."""
    labels = sorted(set(texts))
    place = {text: code for code, text in enumerate(labels)}
    table = np.array([*(place[text] for text in texts), len(labels)], dtype=np.int64)
    return [*labels, None], table[codes]


def _unknown(by: str, sheet: Sheet) -> StoreError:
    known = ", ".join((*DIMENSIONS, *sheet.names[2:]))
    return StoreError("store.unknown", f"{sheet.game} is not split by {by!r} (there are {known})")


def _matches(sheet: Sheet, query: Query) -> NDArray[Any]:
    """Tell for each match whether the query lets it through."""
    columns = sheet.matches
    chosen = columns["begun"] > 0
    if query.since is not None or query.until is not None:
        days = [(query.since or "") <= day <= (query.until or "9999-12-31") for day in sheet.text("date")]
        chosen &= np.array(days, dtype=bool)[columns["date"]]
    if query.event is not None:
        chosen &= columns["event"] == sheet.texts["event"].get(query.event, -2)
    if query.policy is not None:
        chosen &= columns["policy"] == sheet.texts["policy"].get(query.policy, -2)
    if query.size is not None:
        chosen &= columns["size"] == query.size
    if query.option:
        wanted = dict(query.option).items()
        fits = [wanted <= json.loads(options).items() for options in sheet.text("options")]
        chosen &= np.array(fits, dtype=bool)[columns["options"]]
    for player in query.against:
        at = np.zeros(len(chosen), dtype=bool)
        at[sheet.seats["row"][sheet.seats["player"] == sheet.texts["player"].get(player, -2)]] = True
        chosen &= at
    return chosen


def _seats(sheet: Sheet, query: Query, player: str | None) -> NDArray[Any]:
    """Tell for each player of each match whether the query lets them through."""
    chosen = _matches(sheet, query)[sheet.seats["row"]]
    if player is not None:
        chosen &= sheet.seats["player"] == sheet.texts["player"].get(player, -2)
    if query.seat is not None:
        chosen &= sheet.seats["seat"] == query.seat
    for other in query.against:
        chosen &= sheet.seats["player"] != sheet.texts["player"].get(other, -2)
    return chosen
