"""Columns as numbers: combinations of columns, and look-ups of single bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger.study.archive.arrays import joined, picked


@given(st.data())
def test_combinations_are_those_of_the_columns(data: st.DataObject) -> None:
    """However many there are: more than a table holds are numbered in parts."""
    items = data.draw(st.integers(0, 30))
    columns = []
    for _ in range(data.draw(st.integers(0, 6))):
        words = [*range(data.draw(st.sampled_from([1, 2, 9, 3_000])))]
        of_item = st.lists(st.integers(0, len(words) - 1), min_size=items, max_size=items)
        columns.append((np.array(data.draw(of_item), np.int32), words))
    numbers, combinations = joined(columns, items)
    said = [tuple(words[other[item]] for other, words in columns) for item in range(items)]
    assert [combinations[number] for number in numbers.tolist()] == said
    assert len({*combinations}) == len(combinations) == len({*said}) or not items


@given(st.lists(st.integers(0, 200)), st.sampled_from([np.uint8, np.int32]))
def test_bytes_are_looked_up_as_other_numbers_are(numbers: list[int], kind: type) -> None:
    table = np.arange(201, dtype=np.uint8)[::-1].copy()
    assert picked(table, np.array(numbers, kind)).tolist() == [200 - number for number in numbers]
    with pytest.raises(IndexError):
        picked(table[:200], np.array([*numbers, 200], kind))
