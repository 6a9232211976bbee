"""A hand on one line, as players write its result: a part of a game that has such a way of writing."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from cardledger.sentence import Sentence


_SIGNS: Final = str.maketrans({"\u2212": "-", "\xd7": "x", "\u2715": "x", "œ": "oe"})


@lru_cache(1024)
def plain_line(text: str) -> str:
    """Return a line in small letters, without accents and marks that only change its looks, and with plain signs.

    What phones and programs put in place of a dash, a digit or a blank is the same line.

    >>> plain_line(" 4\u2665\ufe0f\xa0Süd \u20131"), plain_line("2 Cœur \xd7 W ="), plain_line("\uff13NT")
    ('4♥ sud -1', '2 coeur x w =', '3nt')
    """
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_SIGNS))
    kinds = [(letter, unicodedata.category(letter)) for letter in letters]
    plain = "".join("-" if kind == "Pd" else letter for letter, kind in kinds if kind not in {"Mn", "Cf"})
    return " ".join(plain.split())


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
