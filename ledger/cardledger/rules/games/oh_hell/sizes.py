"""The sizes of the hands of Oh Hell, and which hands have the same size."""

from __future__ import annotations

from typing import Any

from cardledger.rules import Hand, Match


def sizes(match: Match[Any]) -> list[int]:
    """The sizes of the hands, in order."""
    most, order = match.options["most"], match.options["order"]
    if order == "fixed":
        return [most] * match.n
    up, down = [*range(1, most + 1)], [*range(most, 0, -1)]
    return {"down-up": down + up[1:], "up-down": up + down[1:], "down": down, "up": up}[order]


def size(match: Match[Any], number: int) -> int:
    """The size of a hand by its number."""
    due = sizes(match)
    return due[(number - 1) % len(due)]


def first_of_size(match: Match[Any], hand: Hand) -> tuple[int]:
    """The number of the first hand of the same size: hands of one size begin alike."""
    return (sizes(match).index(hand.each) + 1,)
