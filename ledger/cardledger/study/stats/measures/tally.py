"""Tallies: the counts of a sheet, filtered by a query and summed by player and dimension."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cardledger.errors import StoreError
from cardledger.rules.engine.measures import MATCHES
from cardledger.rules.engine.situations import OF_HAND, codes_of
from cardledger.sentence import Sentence, advising, choosing
from cardledger.study.stats.measures.evening_of import evenings_of
from cardledger.study.stats.measures.of_game import sides_of
from cardledger.study.stats.query import BY_HAND, DIMENSIONS, OTHERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query


Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Basis:
    """What the numbers were computed from.

    `position` is that of the last event in the ledger that counts, `rules` are the editions played under. Of the hands
    counted, the deal of `valued` ones is known and its luck taken off; `score_only` have points but no plays, `held`
    count by their points alone until another table has played the same cards, and `hidden` have no recorded deal. Not
    counted are hands `under_way` in open matches and `abandoned` ones. What goes by days leaves out `undated` hands,
    those of an unknown day.
    """

    position: int
    rules: tuple[str, ...]
    matches: int
    hands: int
    valued: int
    score_only: int
    held: int
    hidden: int
    under_way: int
    abandoned: int
    undated: int


class Tally:
    """The rows of a sheet that pass a query: players of matches, or those of one `player`.

    `rows` are positions in `sheet.seats`; `of(name)` is a count for each of them.
    """

    def __init__(self, sheet: Sheet, query: Query, player: str | None = None) -> None:
        if (query.scale or "points") != sheet.scale:
            raise StoreError(
                "store.unknown",
                advising("only comparisons of strength have another scale than points: leave out the scale"),
            )
        self.sheet = sheet
        self.query = query
        self._player = player
        seats = _seats(sheet, query, player)
        self.rows = np.flatnonzero(seats)

    @cached_property
    def hands(self) -> NDArray[Any]:
        """Whether each row of the hands counts."""
        sheet, query = self.sheet, self.query
        chosen = np.zeros(len(sheet.seats["row"]), dtype=bool)
        chosen[self.rows] = True
        hands = chosen[sheet.hands["row"]]
        if query.turn is not None:
            hands = hands & (sheet.hands["turn"] == query.turn)
        for name, value in query.where:
            hands = hands & _found(sheet, name, value)
        return hands

    def of(self, name: str) -> NDArray[Any]:
        """Return a count for each row, summed over its hands."""
        if not self.query.of_hands or name in MATCHES:
            return self.sheet.of(name)[self.rows]
        weights = self.sheet.hands[name][self.hands]
        sums: NDArray[Any] = np.bincount(self.sheet.hands["row"][self.hands], weights, len(self.sheet.seats["row"]))
        return sums[self.rows]

    def basis(self, *, by_day: bool = False) -> Basis:
        """Return what the tally was computed from; `by_day` if what follows from it goes by days in any case."""
        sheet, chosen = self.sheet, numbered(self.sheet.seats["row"][self.rows])[0]
        missing = sheet.matches["begun"][chosen] - sheet.matches["complete"][chosen]
        status, rules = sheet.texts["status"], sheet.text("rules")
        left = {what: missing[sheet.matches["status"][chosen] == status.get(what)] for what in ("open", "ended")}
        return Basis(
            position=sheet.position,
            rules=tuple(sorted(rules[code] for code in np.unique(sheet.matches["rules"][chosen]))),
            matches=len(chosen),
            hands=int(sheet.matches["complete"][chosen].sum()),
            valued=0 if sheet.doubtful else int(sheet.matches["valued"][chosen].sum()),
            score_only=int(sheet.matches["score_only"][chosen].sum()),
            held=int(sheet.matches["held"][chosen].sum()),
            hidden=int(sheet.matches["hidden"][chosen].sum()),
            under_way=int(left["open"].sum()),
            abandoned=int(left["ended"].sum()),
            undated=self._undated() if by_day or self.query.by_day else 0,
        )

    def _undated(self) -> int:
        """Return how many complete hands of an unknown day there are, whatever days are asked for."""
        sheet = self.sheet
        chosen = _seats(sheet, replace(self.query, since=None, until=None, by=None), self._player)
        matches = numbered(sheet.seats["row"][np.flatnonzero(chosen)])[0]
        return int(sheet.matches["complete"][matches][sheet.matches["date"][matches] < 0].sum())


@dataclass(frozen=True)
class Cells:
    """Rows split by a dimension or two: for each cell its row (`at`, a position in `Tally.rows`) and its group.

    `labels` are the values of the dimension, `group[cell]` the position of the cell's value among them; with two
    dimensions a label is a pair. `by_hand` is the cell of each counted hand, or of those listed in `hand`.
    """

    tally: Tally
    at: NDArray[Any]
    group: NDArray[Any]
    labels: list[Any]
    by_hand: NDArray[Any] | None = None
    hand: NDArray[Any] | None = None

    @cached_property
    def evenings(self) -> NDArray[Any] | None:
        """A number for what a player did in one evening, by cell; None if nobody has several cells of one in a group.

        A player's matches of one event and day are one observation, for a player has good evenings and bad ones.
        """
        sheet = self.tally.sheet
        rows = self.tally.rows[self.at]
        evening = evenings_of(sheet)[sheet.seats["row"][rows]].astype(np.int64)
        number = numbered(evening * len(sheet.texts["player"]) + sheet.seats["player"][rows])[1]
        return (
            number if len(number) and len(numbered(number * len(self.labels) + self.group)[0]) < len(number) else None
        )

    @cached_property
    def tables(self) -> NDArray[Any]:
        """A number for the evening of each cell, no matter who played.

        What those of one table share is one observation.
        """
        sheet = self.tally.sheet
        evening: NDArray[Any] = evenings_of(sheet)[sheet.seats["row"][self.tally.rows[self.at]]].astype(np.int64)
        return evening

    @cached_property
    def _made(self) -> dict[tuple[Any, ...], tuple[Any, Any]]:
        return {}

    def once(self, what: str, given: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """Return what follows from these cells and what is `given`, made once: the measures of a table ask again and again.

        Arrays are given as objects that nobody changes.
        """
        key = (what, *(id(one) if isinstance(one, np.ndarray) else one for one in given))
        if key not in self._made:
            self._made[key] = (given, make())  # what is given is kept, so that its ids stay its own
        made: Made = self._made[key][1]
        return made

    def of(self, name: str) -> NDArray[Any]:
        """Return a count for each cell."""
        if self.by_hand is None:
            counts: NDArray[Any] = self.tally.of(name)[self.at]
            return counts
        weights = self.tally.sheet.hands[name][self.tally.hands]
        if self.hand is not None:
            weights = weights[self.hand]
        sums: NDArray[Any] = np.bincount(self.by_hand, weights, len(self.at))
        return sums


def parts_hands(sheet: Sheet, query: Query) -> bool:
    """Tell whether a query separates hands of the same match; then measures of whole matches are not available."""
    return query.by_hand or ("partner" in query.splits and "side" in sheet.names)


def cells(tally: Tally, by: str | None) -> Cells:
    """Split a tally by a dimension, or two with a comma between; None leaves it whole.

    Raises StoreError `store.unknown` for an unknown dimension, or for two that each count a hand several times.
    """
    sheet, rows = tally.sheet, tally.rows
    every = np.arange(len(rows))
    if by is None:
        return Cells(tally, every, np.zeros(len(rows), dtype=np.int64), [None])
    parts = by.split(",")
    for part in parts:
        if part not in DIMENSIONS and part not in sheet.splits():
            raise _unknown(part, sheet)
    if len(OTHERS.intersection(parts)) > 1:
        raise StoreError("store.unknown", "statistics are split by opponent or by partner, not by both")
    if not len(rows):
        return Cells(tally, every, every, [])
    at = other = every
    for part in OTHERS.intersection(parts):
        at, other = _others(tally, part)
    of_rows: dict[str, Values] = {}
    of_hands: dict[str, Values] = {}
    for part in parts:
        if part in OTHERS:
            of_rows[part] = _recoded(sheet.text("player"), sheet.seats["player"][other])
        elif part in BY_HAND or part not in DIMENSIONS:
            of_hands[part] = _by_hand(tally, part)
        else:
            labels, codes = _by_row(tally, part)
            of_rows[part] = labels, codes[at]
    if not of_hands and not ("partner" in parts and "side" in sheet.names):
        return Cells(tally, at, *_crossed([of_rows[part] for part in parts])[::-1])
    # The rows of a hand: one, or one for each of the other players.
    place = np.full(len(sheet.seats["row"]), -1)
    place[rows] = every
    own = place[sheet.hands["row"][tally.hands]]
    hand, entry = None, own
    if OTHERS.intersection(parts):
        number = np.bincount(at, minlength=len(rows))
        hand = np.repeat(np.arange(len(own)), number[own])
        within = np.arange(len(hand)) - np.repeat(np.cumsum(number[own]) - number[own], number[own])
        entry = (np.cumsum(number) - number)[own[hand]] + within
        if "partner" in parts and "side" in sheet.names:
            together = _partnered(tally, hand, other[entry])
            hand, entry = hand[together], entry[together]
    valued = [
        (of_rows[part][0], of_rows[part][1][entry])
        if part in of_rows
        else (of_hands[part][0], of_hands[part][1] if hand is None else of_hands[part][1][hand])
        for part in parts
    ]
    labels, codes = _crossed(valued)
    keys, cell = numbered(entry * len(labels) + codes)
    return Cells(tally, at[keys // len(labels)], keys % len(labels), labels, cell, hand)


Values = tuple[list[Any], "NDArray[Any]"]
"""The values of a dimension, and the position of a value among them for each row or hand."""
_SPARSE = 20
"""If keys may be so many times as many as there are, sorting them is quicker than a table of all."""


def _crossed(values: list[Values]) -> Values:
    """Return the values of one dimension, or the pairs of two."""
    if len(values) == 1:
        return values[0]
    (labels, codes), (more, others) = values
    return [(one, other) for one in labels for other in more], codes.astype(np.int64) * len(more) + others


def numbered(wanted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the distinct keys in order, and for each key its position among them."""
    if wanted.max(initial=0) > _SPARSE * len(wanted):
        keys, number = np.unique(wanted, return_inverse=True)
        return keys, number
    keys = np.flatnonzero(np.bincount(wanted))
    position = np.empty(keys.max(initial=0) + 1, dtype=np.int64)
    position[keys] = np.arange(len(keys))
    return keys, position[wanted]


def grouped(evenings: NDArray[Any], group: NDArray[Any], groups: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the group of each observation, and for each cell the number of its observation."""
    keys, number = numbered(evenings * groups + group)
    return keys % groups, number


def _by_row(tally: Tally, by: str) -> Values:
    """Return the values of a dimension that is the same in all hands of a match, by row."""
    sheet = tally.sheet
    match = sheet.seats["row"][tally.rows]
    if by in ("month", "year"):
        length = 7 if by == "month" else 4
        return _recoded([text[:length] for text in sheet.text("date")], sheet.matches["date"][match])
    if by in ("event", "options"):
        return _recoded(sheet.text(by), sheet.matches[by][match])
    column = sheet.matches["size"][match] if by == "size" else sheet.seats[by][tally.rows]
    return list(range(int(column.max()) + 1)), column


def _by_hand(tally: Tally, by: str) -> Values:
    """Return the values of a dimension that differs between hands, by counted hand."""
    sheet, hands = tally.sheet, tally.hands
    if by == "turn":
        return list(range(10)), sheet.hands["turn"][hands]
    if by == "lead":
        return _recoded(sheet.text("lead"), sheet.hands["lead"][hands])
    distinct, codes = np.unique(sheet.hands[by][hands], return_inverse=True)
    if by in OF_HAND:
        return [OF_HAND[by].word(int(code)) for code in distinct], codes
    return [int(number) for number in distinct], codes


def _others(tally: Tally, by: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return each row once for each other player at the table, or each partner, and the row of that player.

    Where sides change from hand to hand, each other player may be a partner: the hands tell (`_partnered`).
    """
    sheet, rows = tally.sheet, tally.rows
    sizes = sheet.matches["size"][sheet.seats["row"][rows]]
    others = sizes - 1
    at = np.repeat(np.arange(len(rows)), others)
    step = np.arange(len(at)) - np.repeat(np.cumsum(others) - others, others) + 1
    seat, size = sheet.seats["seat"][rows][at], sizes[at]
    there = (seat + step) % size
    other = rows[at] - seat + there
    if by == "opponent" or "side" in sheet.names:
        return at, other
    side = np.full((int(sizes.max()) + 1, int(sizes.max())), -1)
    for n in np.unique(sizes).tolist():
        side[n, :n] = sides_of(sheet.game)(n)
    together = side[size, seat] == side[size, there]
    return at[together], other[together]


def _partnered(tally: Tally, hand: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Tell whether a player, given by the row, was a partner in a counted hand, given by its place."""
    sheet = tally.sheet
    at = np.flatnonzero(tally.hands)[hand]
    row, side = sheet.hands["row"], sheet.hands["side"]
    partnered: NDArray[Any] = side[at - sheet.seats["seat"][row[at]] + sheet.seats["seat"][other]] == side[at]
    return partnered


def _recoded(texts: list[Any], codes: NDArray[Any]) -> Values:
    """Return the distinct texts in order, None last, and the new codes."""
    labels = sorted(set(texts))
    place = {text: code for code, text in enumerate(labels)}
    table = np.array([*(place[text] for text in texts), len(labels)], dtype=np.int64)
    return [*labels, None], table[codes]


def _found(sheet: Sheet, name: str, value: str) -> NDArray[Any]:
    """Tell for each row of hands whether a situation or a count has a value, or one of a span."""
    if name not in sheet.splits():
        raise _unknown(name, sheet)
    codes = codes_of(name, value)
    column = sheet.hands[name]
    found: NDArray[Any] = (
        np.zeros(len(column), dtype=bool) if codes is None else (codes[0] <= column) & (column <= codes[1])
    )
    return found


def _unknown(by: str, sheet: Sheet) -> StoreError:
    why = Sentence("{game} cannot be split by {by!r}", game=sheet.game, by=by)
    return StoreError("store.unknown", choosing(why, by, dict.fromkeys((*DIMENSIONS, *sheet.splits()))))


def _matches(sheet: Sheet, query: Query) -> NDArray[Any]:
    """Tell for each match whether it passes the query."""
    columns = sheet.matches
    chosen = columns["begun"] > 0
    if query.by_day:
        chosen &= columns["date"] >= 0
    if query.since is not None or query.until is not None:
        days = [(query.since or "") <= day <= (query.until or "9999-12-31") for day in sheet.text("date")]
        chosen &= np.array([*days, False], dtype=bool)[columns["date"]]  # the last one stands for an unknown day
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
    """Tell for each player of each match whether they pass the query."""
    chosen = _matches(sheet, query)[sheet.seats["row"]]
    if player is not None:
        chosen &= sheet.seats["player"] == sheet.texts["player"].get(player, -2)
    if query.seat is not None:
        chosen &= sheet.seats["seat"] == query.seat
    for other in query.against:
        chosen &= sheet.seats["player"] != sheet.texts["player"].get(other, -2)
    return chosen
