"""Lists of events as text: a letter for each event, or for each card dealt.

Parquet reads such a text ten times as fast as a list, and every tool reads it. What the letters mean stands in the
file's metadata.
"""

from __future__ import annotations

from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import standard_pack
from cardledger.study.archive.arrays import picked
from cardledger.study.archive.columns import ALPHABETS, COLUMNS, schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardledger.study.archive.arrays import Codes, Ints

NOTHING, SEVERAL = " ", "&"
"""The letter of an event without a value, and that of several cards, which stand in the column `several`."""
_MARKS = "!#$%()*+,-./:;<=>?@[]^_`{|}~"
_NAMED = ascii_uppercase + ascii_lowercase + digits + _MARKS
_COUNTED = digits + ascii_letters + _MARKS
_NONE = 0xFF
_MORE = 0x100
"""The letters after those of ASCII are the characters from here on; no file needs them all."""
_SEEDS: dict[str, Sequence[Any]] = {
    "types": [str(cls.__struct_config__.tag) for cls in ev.OURS],
    "seats": range(10),
    "amounts": range(14),
    "cards": standard_pack().faces,
}
"""Meanings that have the same letters in every file: the cards of the usual pack are A to Z and a to z."""


class Alphabet(dict[Any, str]):
    """The letters of some columns by what they mean; what is new gets the next letter."""

    def __init__(self, name: str) -> None:
        super().__init__({None: NOTHING, SEVERAL: SEVERAL} if name == "cards" else {None: NOTHING})
        self._fixed = len(self)
        self._order = _COUNTED if name in ("seats", "amounts") else _NAMED
        for meaning in _SEEDS.get(name, ()):
            self[meaning]

    def __missing__(self, meaning: Any) -> str:
        place = len(self) - self._fixed
        letter = self[meaning] = self._order[place] if place < len(self._order) else chr(_MORE + place)
        return letter

    def write(self, values: Iterable[Any] | None) -> str | None:
        """Return values as text."""
        return None if values is None else "".join(map(self.__getitem__, values))


class Alphabets:
    """The letters that a file is written with."""

    def __init__(self) -> None:
        self._of = {name: Alphabet(name) for name in ALPHABETS.values()}

    def meanings(self) -> dict[str, dict[str, Any]]:
        """Return what each letter means, by alphabet."""
        return {
            name: {letter: meaning for meaning, letter in some.items() if meaning is not None}
            for name, some in self._of.items()
        }

    def table(self, rows: Iterable[Mapping[str, Any]]) -> Any:
        """Return rows of columns (`cardledger.study.archive.packing.rows_of`) as a table of Arrow."""
        return arrow().Table.from_pylist([self._written(row) for row in rows], schema())

    def _written(self, row: Mapping[str, Any]) -> dict[str, Any]:
        written = dict(row)
        several = [card for card in row["cards"] or () if _are_several(card)]
        if several:
            written["several"] = several
            written["cards"] = [SEVERAL if _are_several(card) else card for card in row["cards"]]
        for name, alphabet in ALPHABETS.items():
            write = self._of[alphabet].write
            if COLUMNS[name][0].endswith("[]"):
                written[name] = None if row[name] is None else [*map(write, row[name])]
            else:
                written[name] = write(written[name])
        return written


class Meanings:
    """What the letters of a file mean."""

    def __init__(self, meanings: Mapping[str, Mapping[str, Any]]) -> None:
        """Take the meanings of `Alphabets.meanings`; raises KeyError, TypeError for others."""
        self._known: dict[str, tuple[Ints, list[Any]]] = {}
        for name in {*ALPHABETS.values()}:
            places = [*map(ord, meanings[name]), ord(NOTHING)]
            small = len(places) <= _NONE
            table: Ints = np.full(max(0x80, *places) + 1, _NONE if small else -1, np.uint8 if small else np.int32)
            table[places] = np.arange(len(places))
            self._known[name] = table, [*meanings[name].values(), None]

    def codes(self, name: str, texts: Any) -> Codes:
        """Return the meanings of the letters in texts of a column as numbers, and what these stand for, None last.

        Raises ValueError, IndexError for a letter without a meaning.
        """
        table, words = self._known[ALPHABETS[name]]
        numbers = picked(table, _letters(texts))
        if numbers.max(initial=0) >= len(words) or numbers.min(initial=0) < 0:
            raise ValueError(f"a letter of {name} means nothing")
        return numbers, words


def _are_several(card: str | None) -> bool:
    return card is not None and (NOTHING in card or card == SEVERAL)


def _letters(texts: Any) -> Ints:
    """Return the letters of all texts, one after the other, as numbers."""
    _, ends, data = texts.buffers()
    if data is None or not len(texts):
        return np.zeros(0, np.uint8)
    bounds = np.frombuffer(ends, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters: Ints = np.frombuffer(data, np.uint8)[bounds[0] : bounds[-1]]
    if letters.max(initial=0) < 0x80:
        return letters
    return np.frombuffer(letters.tobytes().decode().encode("utf-32-le"), np.uint32)
