"""A hand on one line, as players write its result: a part of a game that has such a way of writing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cardledger.sentence import Sentence


class LineWords(NamedTuple):
    """What else the words of a line may mean: the `players` at the table by seat, and the `language` it is written in.

    The language is `de` or `fr`; English is always read.
    """

    players: Sequence[str] = ()
    language: str = ""


class HandOnLine(NamedTuple):
    """What a line says of a hand: keys of its deal, the calls from the dealer on, and the tricks by seat, none if unsaid."""

    deal: Mapping[str, Any]
    calls: tuple[str, ...] = ()
    tricks: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class LineRules:
    """How a hand of a game is written on one line."""

    title: Sentence
    """What such a line is called."""
    help: Sentence
    """Says how to write it, with examples."""
    read: Callable[[str, LineWords], HandOnLine]
    """Reads a line. Raises FormatError `format.value` for what it cannot read, and for what can be read in two ways."""
    write: Callable[[Any], str]
    """Writes a hand that is over as `read` reads it, in English; "" for one with points and no more."""
