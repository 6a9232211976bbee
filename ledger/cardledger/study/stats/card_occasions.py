"""Occasions on which cards come to players: hands dealt, leads, cards played, tricks won; as columns over a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress, islice, repeat
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cardledger.companion import Companion
from cardledger.record.readmodels.questions.card_in_hand import (
    IN_TRICKS,
    TAKEN_UP,
    arrivals_shown,
    deals_shown,
    tricks_shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels
    from cardledger.study.stats.measures.sheet import Sheet

_AT_ONCE = 100_000
"""How many rows are read before they become columns: the rows of a large club would fill the memory."""
_MOST_KEPT = 8_000_000
"""How many cards are kept for the next question: some 150,000 hands of 52 cards, or 130 megabytes."""
_MOST = 64
"""More than there are players at a table."""
_strings = msgspec.json.Decoder(list[str]).decode
_numbers = msgspec.json.Decoder(list[int]).decode


@dataclass(frozen=True, slots=True)
class Occasions:
    """Occasions on which cards came to players, and the cards of each.

    `row` is the row of `Sheet.hands`, so the player's hand, of each occasion. `moment` is a number for what is known of
    it before the card: how many cards were dealt, which trick it is, and the player's place in it. `occasion` and
    `card` have a row for each card: the position of its occasion, and of the card among those asked for.
    """

    row: NDArray[np.int32]
    moment: NDArray[np.int32]
    occasion: NDArray[np.int32]
    card: NDArray[np.int32]

    def only(self, chosen: NDArray[np.bool_]) -> Occasions:
        """Return those of the chosen rows of `Sheet.hands`."""
        stays = chosen[self.row]
        place = np.cumsum(stays, dtype=np.int32) - 1
        kept = stays[self.occasion]
        return Occasions(self.row[stays], self.moment[stays], place[self.occasion[kept]], self.card[kept])


_latest: Companion[tuple[tuple[object, ...], NDArray[Any], Occasions]] = Companion("card occasions")
"""What was read last, and for which rows of a sheet: the next question is often of the same game and way."""


def occasions(
    views: ReadModels, sheet: Sheet, chosen: NDArray[np.bool_], how: str, faces: Mapping[str, int]
) -> Occasions:
    """Return the occasions of the chosen rows of `sheet.hands` on which a card can come in a way.

    Hands whose cards another table has yet to play are left out, even if they are asked for.

    Args:
        views: The read models that the sheet was read from.
        sheet: The hands of a game.
        chosen: Whether each row of `sheet.hands` counts.
        how: One of `cardledger.record.readmodels.questions.card_in_hand.WAYS`.
        faces: The position of each card by its face; cards with other faces are left out.
    """
    question = sheet.game, how, sheet.stamp, *faces
    rows, before = sheet.hands["row"], _latest.get(views)
    if before is not None and before[0] == question and before[1] is rows:
        every = before[2]
    else:
        every = _read(views, sheet, how, faces)
        if len(every.card) <= _MOST_KEPT:
            _latest.put(views, (question, rows, every))
    return every.only(chosen & (sheet.hands["played"] > 0))


def _read(views: ReadModels, sheet: Sheet, how: str, faces: Mapping[str, int]) -> Occasions:
    """Read the occasions of all hands that readers may see."""
    code = _codes_of_matches(views, sheet)
    size = _deal_sizes(views, sheet, code)
    if how in IN_TRICKS:
        return _in_tricks(views, sheet, code, how, faces, size)
    row, card, known = (_held if how == "held" else _dealt)(views, sheet, code, faces)
    shown = np.flatnonzero(known).astype(np.int32)
    return Occasions(shown, size[shown], (np.cumsum(known, dtype=np.int32) - 1)[row], card)


def _codes_of_matches(views: ReadModels, sheet: Sheet) -> NDArray[np.int64]:
    """Return the code of each match of the sheet by its position in the ledger, −1 for other positions."""
    found = views.current.execute("SELECT position, match FROM matches WHERE game = ?", (sheet.game,)).fetchall()
    code = np.full(max((position for position, _ in found), default=0) + 1, -1, dtype=np.int64)
    codes = sheet.texts["match"]
    for position, match in found:
        code[position] = codes.get(match, -1)
    return code


def _deal_sizes(views: ReadModels, sheet: Sheet, code: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return for each row of the hands a number that grows with that of the cards dealt; 0 if it is not known."""
    size = np.zeros(len(sheet.hands["row"]), dtype=np.int32)
    for at, hand, spaces in _parts(deals_shown(views, sheet.game)):
        found, first = _find(sheet, code, at, hand)
        rows, number = _seats(sheet, first)
        size[rows] = np.repeat(_ints(spaces)[found] + 1, number)
    return size


def _find(
    sheet: Sheet, code: NDArray[np.int64], position: Sequence[int], hand: Sequence[int]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Tell for each hand, given by the position of its match, whether the sheet has it, and where those begin."""
    at = _ints(position)
    return sheet.hands_at(np.where(at < len(code), code[np.minimum(at, len(code) - 1)], -1), _ints(hand))


def _dealt(
    views: ReadModels, sheet: Sheet, code: NDArray[np.int64], faces: Mapping[str, int]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
    """Return row of the hands and position of each card dealt, and which rows are of known deals."""
    row, card, step, _, known = _arrived(views, sheet, code, faces)
    first = step == 1
    return row[first], card[first], known


def _held(
    views: ReadModels, sheet: Sheet, code: NDArray[np.int64], faces: Mapping[str, int]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
    """Return row of the hands and position of each card held at last, and which rows are of known deals."""
    row, card, step, took_up, known = _arrived(views, sheet, code, faces)
    if int(step.max(initial=1)) == 1:
        return row, card, known
    begin = row - sheet.seats["seat"][sheet.hands["row"][row]]
    key = begin.astype(np.int64) * len(faces) + card
    order = np.lexsort((step, key))
    last = np.flatnonzero(np.diff(key[order], append=-1))
    latest = np.repeat(step[order][last], np.diff(last, prepend=-1))
    stayed = np.zeros(len(row), dtype=bool)
    stayed[order] = step[order] == latest
    if took_up.any():  # one of these cards was laid away, and the tricks tell which were not
        size = np.zeros(len(took_up), dtype=np.int32)
        played = [_in_tricks(views, sheet, code, how, faces, size).only(took_up) for how in ("led", "played")]
        seen = np.concatenate([each.row[each.occasion].astype(np.int64) * len(faces) + each.card for each in played])
        stayed &= ~took_up[row] | np.isin(row.astype(np.int64) * len(faces) + card, seen)
    return row[stayed], card[stayed], known


def _arrived(
    views: ReadModels, sheet: Sheet, code: NDArray[np.int64], faces: Mapping[str, int]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return row of the hands, position and step of each card that came into a hand.

    With it for each row of the hands, whether a card was picked up, and whether the deal is known.
    """
    columns: list[tuple[NDArray[Any], ...]] = [(np.zeros(0, dtype=np.int32),) * 3]
    took_up, known = (np.zeros(len(sheet.hands["row"]), dtype=bool) for _ in range(2))
    for at, hand, steps, came, texts in _parts(arrivals_shown(views, sheet.game)):
        found, first = _find(sheet, code, at, hand)
        seats, number = _seats(sheet, first)
        known[seats] = True
        card, each = _cards([given for text in compress(texts, found) for given in _strings(text)], faces)
        up = np.repeat(np.array([how == TAKEN_UP for how in came], dtype=bool)[found], number)
        took_up[seats[up & (each > 0)]] = True
        kept = card >= 0
        step = np.repeat(np.repeat(_ints(steps)[found], number), each)
        columns.append((np.repeat(seats, each)[kept].astype(np.int32), card[kept], step[kept].astype(np.int32)))
    row, card, step = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return row, card, step, took_up, known


def _in_tricks(
    views: ReadModels,
    sheet: Sheet,
    code: NDArray[np.int64],
    how: str,
    faces: Mapping[str, int],
    size: NDArray[np.int32],
) -> Occasions:
    """Return the leads, the cards played to the leads of others, or the tricks won, each with its cards."""
    columns: list[tuple[NDArray[Any], ...]] = [(np.zeros(0, dtype=np.int32),) * 4]
    before = 0
    for at, hand, *part in _parts(tricks_shown(views, sheet.game)):
        found, first = _find(sheet, code, at, hand)
        row, moment, occasion, card = _of_part(how, faces, found, first, part)
        known = card >= 0
        numbers = row, moment, occasion[known] + before, card[known]
        columns.append(tuple(each.astype(np.int32) for each in numbers))
        before += len(row)
    row, moment, occasion, card = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return Occasions(row, size[row] * (int(moment.max(initial=0)) + 1) + moment, occasion, card)


def _of_part(
    how: str, faces: Mapping[str, int], found: NDArray[np.bool_], first: NDArray[Any], part: Sequence[Sequence[Any]]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the columns of `Occasions` for some tricks; a card that is not among the faces is −1.

    `found` tells for each trick whether its hand counts, `first` are the rows in which those hands begin. `part` has
    number, size of the table, leader, taker, order of the seats and cards of each trick.
    """
    number, size, leader, taker = (_ints(column)[found] for column in part[:4])
    card, each = _cards([*compress(part[5], found)], faces)
    of = np.repeat(np.arange(len(each)), each)
    place = np.arange(len(of)) - np.repeat(np.cumsum(each) - each, each)
    if how == "won":
        taken = taker >= 0
        at = np.cumsum(taken) - 1
        kept = taken[of]
        return (first + taker)[taken], number[taken], at[of[kept]], card[kept]
    seat = (leader[of] + place) % size[of]
    starts = np.cumsum(each) - each
    for trick, order in enumerate(compress(part[4], found)):
        if order is not None:
            seat[starts[trick] : starts[trick] + each[trick]] = _numbers(order)
    kept = (place == 0) == (how == "led")
    moment = number[of[kept]] * _MOST + place[kept]
    return first[of[kept]] + seat[kept], moment, np.arange(len(moment)), card[kept]


def _parts(rows: Iterator[Sequence[Any]]) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield rows as columns, so many at once."""
    while part := [*islice(rows, _AT_ONCE)]:
        yield tuple(zip(*part, strict=True))


def _seats(sheet: Sheet, first: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the rows of all seats of hands, given by where they begin, and the number of seats of each hand."""
    number = sheet.matches["size"][sheet.seats["row"][sheet.hands["row"][first]]].astype(np.int64)
    within = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
    return np.repeat(first, number) + within, number


def _cards(texts: Sequence[str], faces: Mapping[str, int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the positions of the faces of texts, −1 for others, and how many each text has."""
    each = np.fromiter((text.count(" ") + bool(text) for text in texts), np.int64, len(texts))
    every = " ".join(texts).split()
    return np.fromiter(map(faces.get, every, repeat(-1)), np.int32, len(every)), each


def _ints(numbers: Sequence[int]) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)
