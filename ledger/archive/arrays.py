"""Arrays of Arrow as numpy and plain lists, in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ledger.archive.columns import arrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.integer[Any]]
    Flags = NDArray[np.bool_]
    Codes = tuple[Ints, list[Any]]

_MOST = 2**22
"""Values up to which looking them up in a table is faster than hashing them."""


def codes(array: Any) -> Codes:
    """Return values as numbers, and what each number stands for, None last."""
    if not arrow().types.is_dictionary(array.type):
        array = array.dictionary_encode()
    words = [*array.dictionary.to_pylist(), None]
    numbers = array.indices.fill_null(len(words) - 1) if array.null_count else array.indices
    return numbers.to_numpy(zero_copy_only=False), words


def joined(columns: Sequence[Codes], items: int) -> tuple[Ints, list[tuple[Any, ...]]]:
    """Return what several columns say together, as numbers of what they say at all."""
    numbers: Ints = np.zeros(items, dtype=np.int32)
    said: list[tuple[Any, ...]] = [()]
    for other, words in columns:
        if len(words) == 1:
            said = [(*some, words[0]) for some in said]
            continue
        pairs = numbers.astype(np.int64) * len(words) + other
        numbers, found = _numbered(pairs, len(said) * len(words))
        said = [(*said[pair // len(words)], words[pair % len(words)]) for pair in found.tolist()]
    return numbers, said


def _numbered(values: Ints, below: int) -> tuple[Ints, Ints]:
    """Return values below a bound as numbers of those that occur, and these."""
    if below > _MOST:
        encoded = arrow().array(values).dictionary_encode()
        return encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_numpy(zero_copy_only=False)
    occurs = np.zeros(below, dtype=bool)
    occurs[values] = True
    found = np.flatnonzero(occurs)
    number = np.zeros(below, dtype=np.int32)
    number[found] = np.arange(len(found), dtype=np.int32)
    return number[values], found


def decoded(numbers: Ints, words: Sequence[Any]) -> list[Any]:
    """Return the values that numbers stand for."""
    values = np.empty(len(words), dtype=object)
    values[:] = words
    found: list[Any] = values[numbers].tolist()
    return found


def lengths(lists: Any) -> Ints:
    """Return how long lists are; 0 for null."""
    found: Ints = arrow().compute.list_value_length(lists).cast("int64").fill_null(0).to_numpy(zero_copy_only=False)
    return found


def valid(array: Any) -> Flags:
    """Return which values are not null."""
    found: Flags = array.is_valid().to_numpy(zero_copy_only=False)
    return found


def spread(lists: Any, sizes: Ints) -> Flags:
    """Return for every item of lists of these sizes whether it is there: a list is null, or of its size.

    Raises ValueError for a list of another size.
    """
    there = valid(lists)
    if (lengths(lists) != sizes * there).any():
        raise ValueError("the lists of a row differ in length")
    return np.repeat(there, sizes)


def plain(array: Any) -> list[Any]:
    """Return values as Python has them, lists as tuples; texts and lists of them faster than Arrow does."""
    types = arrow().types
    if types.is_list(array.type):
        items, there = plain(array.flatten()), valid(array).tolist()
        ends = np.cumsum(lengths(array)).tolist()
        return [
            tuple(items[start:end]) if known else None
            for start, end, known in zip([0, *ends], ends, there, strict=False)
        ]
    if types.is_dictionary(array.type) or types.is_string(array.type):
        return decoded(*codes(array))
    values: list[Any] = array.to_pylist()
    return values
