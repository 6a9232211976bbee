"""Sittings: who sat where, and on which sides; a match is one, or each part of it in which the sides are the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.strength.company import Sides


@dataclass(frozen=True)
class Sittings:
    """The sittings of a sheet.

    `of` is the sitting of each place, `player` who sits there; the places of a sitting are consecutive, by seat, and
    begin at `first`. `match` is the row of the match of each sitting, `pattern` its number among the `sides`. `place`
    is the place of each row of the hands, `role` how many partners play on its side in that hand, and `share` its part
    in the mean of the sides.
    """

    of: NDArray[Any]
    player: NDArray[Any]
    first: NDArray[Any]
    match: NDArray[Any]
    pattern: NDArray[Any]
    sides: tuple[tuple[int, ...], ...]
    place: NDArray[Any]
    role: NDArray[Any]
    share: NDArray[Any]


def sittings(sheet: Sheet, sides: Sides) -> Sittings:
    """Return the sittings of a sheet.

    `sides(n)` gives each of n seats its side where sides do not change from hand to hand.
    """
    if "side" in sheet.names:
        return _by_hand(sheet, sides)
    size, row = sheet.matches["size"], sheet.hands["row"]
    sizes = np.unique(size)
    every = tuple(sides(int(n)) for n in sizes)
    share = np.zeros((int(size.max(initial=0)) + 1, 16))
    for n, of in zip(sizes.tolist(), map(np.array, every), strict=True):
        share[n, :n] = 1 / (np.bincount(of)[of] * (of.max() + 1))
    match = sheet.seats["row"]
    return Sittings(
        match, sheet.seats["player"], np.searchsorted(match, np.arange(len(size))), np.arange(len(size)),
        np.searchsorted(sizes, size), every, row, np.zeros(len(row), dtype=np.int64),
        share[size[match[row]], sheet.seats["seat"][row]],
    )  # fmt: skip


def _by_hand(sheet: Sheet, sides: Sides) -> Sittings:
    """Return the sittings of a game whose sides change from hand to hand."""
    row = sheet.hands["row"]
    begins = np.flatnonzero(sheet.seats["seat"][row] == 0)
    match = sheet.seats["row"][row[begins]]
    size = sheet.matches["size"][match]
    ends = begins + size
    found = [tuple(sheet.hands["side"][start:end].tolist()) for start, end in zip(begins, ends, strict=True)]
    # Of a hand of which only the points may be known, nobody knows the sides.
    patterns = [of if any(of) else sides(len(of)) for of in found]
    every = tuple(sorted({*patterns}, key=lambda of: (len(of), of)))
    number = {of: place for place, of in enumerate(every)}
    pattern = np.array([number[of] for of in patterns], dtype=np.int64)
    keys, sitting = np.unique(match.astype(np.int64) * max(len(every), 1) + pattern, return_inverse=True)
    of_match, of_pattern = keys // max(len(every), 1), keys % max(len(every), 1)
    sizes = sheet.matches["size"][of_match].astype(np.int64)
    first = np.cumsum(sizes) - sizes
    of = np.repeat(np.arange(len(keys)), sizes)
    seat = np.arange(len(of)) - first[of]
    table = np.searchsorted(sheet.seats["row"], of_match)
    hand = np.repeat(np.arange(len(begins)), size)
    at = np.arange(len(row)) - begins[hand]
    role, share = np.zeros((len(every), 16), dtype=np.int64), np.zeros((len(every), 16))
    for place, one in enumerate(map(np.array, every)):
        role[place, : len(one)] = np.bincount(one)[one]
        share[place, : len(one)] = 1 / (np.bincount(one)[one] * (one.max() + 1))
    return Sittings(
        of, sheet.seats["player"][table[of] + seat], first, of_match, of_pattern, every, first[sitting[hand]] + at,
        role[pattern[hand], at], share[pattern[hand], at],
    )  # fmt: skip
