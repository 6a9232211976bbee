"""How much of a person's name is shown in what is published: all of it, the first name, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable

HowShown = Literal["full", "first", "none"]
"""The whole name, its first word, or a word that says nothing."""
HOW_SHOWN: tuple[HowShown, ...] = get_args(HowShown)
"""All of them, from the most that is shown to the least."""
ALL: HowShown = HOW_SHOWN[0]


def least(several: Iterable[HowShown]) -> HowShown:
    """Return the one that shows least.

    >>> least(["first", "none", "full"])
    'none'
    """
    return max(several, key=HOW_SHOWN.index)
