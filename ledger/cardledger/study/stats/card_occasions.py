"""Occasions on which cards come to players: hands dealt, leads, cards played, tricks won; as columns over a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cardledger.record.readmodels.questions.card_in_hand import (
    IN_TRICKS,
    TAKEN_UP,
    arrivals_shown,
    deals_shown,
    tricks_shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels
    from cardledger.study.stats.measures.sheet import Sheet

_AT_ONCE = 100_000
"""How many rows are read before they become columns: the rows of a large club would fill the memory."""
_MOST = 64
"""More than there are players at a table."""
_strings = msgspec.json.Decoder(list[str]).decode
_numbers = msgspec.json.Decoder(list[int]).decode


@dataclass(frozen=True, slots=True)
class Occasions:
    """The occasions of some hands, and the cards of each.

    `row` is the row of `Sheet.hands`, so the player's hand, of each occasion. `moment` is a number for what is known of
    it before the card: how many cards were dealt, which trick it is, and the player's place in it. `occasion` and
    `card` have a row for each card: the position of its occasion, and of the card among those asked for.
    """

    row: NDArray[Any]
    moment: NDArray[Any]
    occasion: NDArray[Any]
    card: NDArray[Any]


def occasions(
    views: ReadModels, sheet: Sheet, chosen: NDArray[np.bool_], how: str, faces: Mapping[str, int]
) -> Occasions:
    """Return the occasions of the chosen rows of `sheet.hands` on which a card can come in a way.

    Args:
        views: The read models that the sheet was read from.
        sheet: The hands of a game.
        chosen: Whether each row of `sheet.hands` counts.
        how: One of `cardledger.record.readmodels.questions.card_in_hand.WAYS`.
        faces: The position of each card by its face; cards with other faces are left out.
    """
    size = _deal_sizes(views, sheet)
    if how in IN_TRICKS:
        return _in_tricks(views, sheet, chosen, how, faces, size)
    row, card, known = (_held if how == "held" else _dealt)(views, sheet, faces)
    known &= chosen
    kept = known[row]
    shown = np.flatnonzero(known)
    place = np.cumsum(known) - 1
    return Occasions(shown, size[shown], place[row[kept]], card[kept])


def _deal_sizes(views: ReadModels, sheet: Sheet) -> NDArray[np.int64]:
    """Return for each row of the hands a number that grows with that of the cards dealt; 0 if it is not known."""
    size = np.zeros(len(sheet.hands["row"]), dtype=np.int64)
    for match, hand, spaces in _parts(deals_shown(views, sheet.game)):
        found, first = sheet.hands_at(match, np.array(hand, dtype=np.int64))
        rows, number = _seats(sheet, first)
        size[rows] = np.repeat(np.array(spaces, dtype=np.int64)[found] + 1, number)
    return size


def _dealt(
    views: ReadModels, sheet: Sheet, faces: Mapping[str, int]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
    """Return row of the hands and position of each card dealt, and which rows are of known deals."""
    row, card, step, _, known = _arrived(views, sheet, faces)
    first = step == 1
    return row[first], card[first], known


def _held(
    views: ReadModels, sheet: Sheet, faces: Mapping[str, int]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_]]:
    """Return row of the hands and position of each card held at last, and which rows are of known deals."""
    row, card, step, took_up, known = _arrived(views, sheet, faces)
    if not len(row) or int(step.max()) == 1:
        return row, card, known
    begin = row - sheet.seats["seat"][sheet.hands["row"][row]]
    key = begin.astype(np.int64) * len(faces) + card
    order = np.lexsort((step, key))
    last = np.flatnonzero(np.diff(key[order], append=-1))
    latest = np.repeat(step[order][last], np.diff(last, prepend=-1))
    stayed = np.zeros(len(row), dtype=bool)
    stayed[order] = step[order] == latest
    if took_up.any():  # one of these cards was laid away, and the tricks tell which were not
        every = np.ones(len(known), dtype=bool)
        played = [_in_tricks(views, sheet, every, how, faces, np.zeros(len(known))) for how in ("led", "played")]
        seen = np.concatenate([each.row[each.occasion].astype(np.int64) * len(faces) + each.card for each in played])
        stayed &= ~took_up[row] | np.isin(row.astype(np.int64) * len(faces) + card, seen)
    return row[stayed], card[stayed], known


def _arrived(
    views: ReadModels, sheet: Sheet, faces: Mapping[str, int]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return row of the hands, position and step of each card that came into a hand.

    With it for each row of the hands, whether a card was picked up, and whether the deal is known.
    """
    rows, cards, steps = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)]
    took_up, known = (np.zeros(len(sheet.hands["row"]), dtype=bool) for _ in range(2))
    for match, hand, step, came, texts in _parts(arrivals_shown(views, sheet.game)):
        found, first = sheet.hands_at(match, np.array(hand, dtype=np.int64))
        seats, number = _seats(sheet, first)
        known[seats] = True
        of_seat = [given.split() for text, shown in zip(texts, found.tolist(), strict=True) if shown
                   for given in _strings(text)]  # fmt: skip
        each = np.fromiter(map(len, of_seat), np.int64, len(of_seat))
        up = np.repeat(np.array([how == TAKEN_UP for how in came], dtype=bool)[found], number)
        took_up[seats[up & (each > 0)]] = True
        code = _codes(of_seat, faces)
        kept = code >= 0
        rows.append(np.repeat(seats, each)[kept].astype(np.int32))
        cards.append(code[kept])
        steps.append(np.repeat(np.repeat(np.array(step, dtype=np.int32)[found], number), each)[kept])
    return np.concatenate(rows), np.concatenate(cards), np.concatenate(steps), took_up, known


def _in_tricks(
    views: ReadModels,
    sheet: Sheet,
    chosen: NDArray[np.bool_],
    how: str,
    faces: Mapping[str, int],
    size: NDArray[Any],
) -> Occasions:
    """Return the leads, the cards played to the leads of others, or the tricks won, each with its cards."""
    found: list[tuple[NDArray[Any], ...]] = [(np.zeros(0, dtype=np.int64),) * 4]
    before = 0
    for part in _parts(tricks_shown(views, sheet.game)):
        row, moment, occasion, card = _of_part(sheet, how, faces, part)
        counts = chosen[row]
        place = np.cumsum(counts) - 1
        kept = counts[occasion] & (card >= 0)
        found.append((row[counts], moment[counts], place[occasion[kept]] + before, card[kept]))
        before += int(counts.sum())
    row, moment, occasion, card = (np.concatenate(columns) for columns in zip(*found, strict=True))
    return Occasions(row, size[row] * (int(moment.max(initial=0)) + 1) + moment, occasion, card)


def _of_part(
    sheet: Sheet, how: str, faces: Mapping[str, int], part: Sequence[tuple[Any, ...]]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the columns of `Occasions` for some tricks; a card that is not among the faces is −1."""
    match, hand, trick, n, leader, taker, played_by, cards = part
    shown, first = sheet.hands_at(match, np.array(hand, dtype=np.int64))
    number, size, lead, took = (np.array(column, dtype=np.int64)[shown] for column in (trick, n, leader, taker))
    texts = [text.split() for text, one in zip(cards, shown.tolist(), strict=True) if one]
    each = np.fromiter(map(len, texts), np.int64, len(texts))
    code = _codes(texts, faces)
    of = np.repeat(np.arange(len(texts)), each)
    place = np.arange(len(of)) - np.repeat(np.cumsum(each) - each, each)
    if how == "won":
        taken = took >= 0
        at = np.cumsum(taken) - 1
        kept = taken[of]
        return (first + took)[taken], number[taken], at[of[kept]], code[kept]
    seat = (lead[of] + place) % size[of]
    orders = [text for text, one in zip(played_by, shown.tolist(), strict=True) if one]
    starts = np.cumsum(each) - each
    for at in [at for at, text in enumerate(orders) if text is not None]:
        seat[starts[at] : starts[at] + each[at]] = _numbers(orders[at])
    kept = (place == 0) == (how == "led")
    moment = number[of[kept]] * _MOST + place[kept]
    return first[of[kept]] + seat[kept], moment, np.arange(int(kept.sum())), code[kept]


def _parts(rows: Iterator[Sequence[Any]]) -> Iterator[tuple[tuple[Any, ...], ...]]:
    """Yield rows as columns, so many at once."""
    while part := [*islice(rows, _AT_ONCE)]:
        yield tuple(zip(*part, strict=True))


def _seats(sheet: Sheet, first: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the rows of all seats of hands, given by where they begin, and the number of seats of each hand."""
    number = sheet.matches["size"][sheet.seats["row"][sheet.hands["row"][first]]].astype(np.int64)
    within = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
    return np.repeat(first, number) + within, number


def _codes(texts: Iterable[Sequence[str]], faces: Mapping[str, int]) -> NDArray[np.int32]:
    """Return the positions of the faces of lists, −1 for others."""
    return np.array([faces.get(face, -1) for face in chain.from_iterable(texts)], dtype=np.int32)
