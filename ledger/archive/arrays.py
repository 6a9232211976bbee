"""Arrays of Arrow as numpy and plain lists, in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.readmodels.arrow_tables import arrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.integer[Any]]
    Flags = NDArray[np.bool_]
    Codes = tuple[Ints, list[Any]]

_MOST = 2**22
"""Below this number of values a look-up table is faster than hashing."""


def codes(array: Any) -> Codes:
    """Encode values as numbers; return the numbers and their values, None last."""
    if not arrow().types.is_dictionary(array.type):
        array = array.dictionary_encode()
    words = [*array.dictionary.to_pylist(), None]
    numbers = array.indices.fill_null(len(words) - 1) if array.null_count else array.indices
    return numbers.to_numpy(zero_copy_only=False), words


def joined(columns: Sequence[Codes], items: int) -> tuple[Ints, list[tuple[Any, ...]]]:
    """Encode the combinations of several columns as numbers."""
    numbers: Ints = np.zeros(items, dtype=np.int32)
    combinations: list[tuple[Any, ...]] = [()]
    for other, words in columns:
        if len(words) == 1:
            combinations = [(*some, words[0]) for some in combinations]
            continue
        pairs = numbers.astype(np.int64) * len(words) + other
        numbers, distinct = numbered(pairs, len(combinations) * len(words))
        combinations = [(*combinations[pair // len(words)], words[pair % len(words)]) for pair in distinct.tolist()]
    return numbers, combinations


def numbered(values: Ints, below: int) -> tuple[Ints, Ints]:
    """Return values below a bound as indices into the distinct values, and the distinct values."""
    if below > _MOST:
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
