"""Arrays of Arrow as numpy and plain lists, in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.record.readmodels.arrow_tables import arrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.integer[Any]]
    Flags = NDArray[np.bool_]
    Codes = tuple[Ints, list[Any]]

_MOST = 2**22
_FEW, _EACH = 4096, 4
"""So large may a look-up table be: at most, for a few values, and for each further value.

Otherwise hashing is faster.
"""


def codes(array: Any) -> Codes:
    """Encode values as numbers; return the numbers and their values, None last."""
    if not arrow().types.is_dictionary(array.type):
        array = array.dictionary_encode()
    words = [*array.dictionary.to_pylist(), None]
    numbers = array.indices.fill_null(len(words) - 1) if array.null_count else array.indices
    return numbers.to_numpy(zero_copy_only=False), words


def joined(columns: Sequence[Codes], items: int) -> tuple[Ints, list[tuple[Any, ...]]]:
    """Encode the combinations of several columns as numbers."""
    numbers: Ints = np.zeros(items, dtype=np.int64)
    combinations: list[tuple[Any, ...]] = [()]
    below, waiting = 1, list[list[Any]]()
    for other, words in columns:
        if below > len(combinations) and below * len(words) > _MOST:
            numbers, combinations = _combined(numbers, below, combinations, waiting)
            numbers, below, waiting = numbers.astype(np.int64), len(combinations), []
        if len(words) > 1:
            numbers *= len(words)
            numbers += other
        below *= len(words)
        waiting.append(words)
    return _combined(numbers, below, combinations, waiting)


def _combined(
    numbers: Ints, below: int, combinations: list[tuple[Any, ...]], waiting: Sequence[list[Any]]
) -> tuple[Ints, list[tuple[Any, ...]]]:
    """Number what numbers below a bound stand for: a combination, and a word of each of the columns that wait."""
    numbers, distinct = numbered(numbers, below)
    said: list[list[Any]] = []
    for words in reversed(waiting):
        distinct, places = np.divmod(distinct, len(words))
        said.append([words[place] for place in places.tolist()])
    before = [combinations[number] for number in distinct.tolist()]
    return numbers, [(*some, *more) for some, *more in zip(before, *reversed(said), strict=True)]


def numbered(values: Ints, below: int) -> tuple[Ints, Ints]:
    """Return values below a bound as indices into the distinct values, and the distinct values."""
    if below > min(_MOST, _FEW + _EACH * len(values)):
        encoded = arrow().array(values).dictionary_encode()
        return encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_numpy(zero_copy_only=False)
    occurs = np.zeros(below, dtype=bool)
    occurs[values] = True
    distinct = np.flatnonzero(occurs)
    number = np.zeros(below, dtype=np.int32)
    number[distinct] = np.arange(len(distinct), dtype=np.int32)
    return number[values], distinct


def decoded(numbers: Ints, words: Sequence[Any]) -> list[Any]:
    """Return the values behind the numbers."""
    table = np.empty(len(words), dtype=object)
    table[:] = words
    values: list[Any] = table[numbers].tolist()
    return values


def picked(table: Ints, numbers: Ints) -> Ints:
    """Return `table[numbers]`; numbers and values of a byte each are translated, which is several times as fast."""
    if numbers.dtype != np.uint8 or table.dtype.itemsize != 1:
        return table[numbers]
    if len(table) < numbers.max(initial=0) + 1:
        raise IndexError("a number is too large for the table")
    whole: Ints = np.frombuffer(bytearray(numbers).translate(table[:256].tobytes().ljust(256)), table.dtype)
    return whole


def lengths(lists: Any) -> Ints:
    """Return the lengths of lists, or of texts in letters; 0 for null."""
    compute = arrow().compute
    length = compute.utf8_length if arrow().types.is_string(lists.type) else compute.list_value_length
    sizes: Ints = length(lists).cast("int64").fill_null(0).to_numpy(zero_copy_only=False)
    return sizes


def valid(array: Any) -> Flags:
    """Return which values are not null."""
    flags: Flags = array.is_valid().to_numpy(zero_copy_only=False)
    return flags


def spread(lists: Any, sizes: Ints) -> Flags:
    """Return for every item of lists of these sizes whether it is there: a list is null, or of its size.

    Raises ValueError for a list of another size.
    """
    there = valid(lists)
    if (lengths(lists) != sizes * there).any():
        raise ValueError("the lists of a row differ in length")
    return np.repeat(there, sizes)


def plain(array: Any) -> list[Any]:
    """Return values as Python objects, lists as tuples; texts and lists of them faster than Arrow does."""
    types = arrow().types
    if types.is_list(array.type):
        return cut(plain(array.flatten()), array)
    if types.is_dictionary(array.type) or types.is_string(array.type):
        return decoded(*codes(array))
    values: list[Any] = array.to_pylist()
    return values


def cut(items: list[Any], lists: Any) -> list[tuple[Any, ...] | None]:
    """Return the items of all lists, or texts in letters, as a tuple for each; None for null."""
    ends = np.cumsum(lengths(lists)).tolist()
    return [
        tuple(items[start:end]) if present else None
        for start, end, present in zip([0, *ends], ends, valid(lists).tolist(), strict=False)
    ]
