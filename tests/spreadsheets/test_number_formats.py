"""Formats of numbers: which show days and times, as another reader of spreadsheets finds too."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some
from openpyxl.styles.numbers import builtin_format_code, is_date_format, is_timedelta_format
from openpyxl.utils.datetime import from_excel

from cardledger.formats.spreadsheets.number_formats import built_in, day_of, shows_days

EPOCHS = (datetime(1899, 12, 30), datetime(1904, 1, 1))  # noqa: DTZ001 # spreadsheets know no time zones
PARTS = (
    "d", "dd", "M", "mmm", "yy", "yyyy", "h", "[h]", "[mm]", "[s]", ":", ".", "0", "#", '"days"', "\\d", "_d", " ",
    "[Red]", "[$-409]", "General", "@", "AM/PM", ";", "-", "/", ",", "E+00",
)  # fmt: skip


@pytest.mark.parametrize("number", range(200))
def test_formats_that_files_need_not_write_down(number: int) -> None:
    code = builtin_format_code(number)
    assert shows_days(built_in(number)) == (is_date_format(code), is_timedelta_format(code))


@given(some.lists(some.sampled_from(PARTS), max_size=8).map("".join))
def test_formats_of_files(code: str) -> None:
    assert shows_days(code) == (is_date_format(code), is_timedelta_format(code))


@given(some.floats(0, 60_000), some.sampled_from(EPOCHS), some.booleans())
def test_days_and_times_are_those_of_the_number_to_the_millisecond(
    value: float, epoch: datetime, elapsed: bool
) -> None:
    ours, theirs = day_of(value, epoch, elapsed=elapsed), from_excel(value, epoch, timedelta=elapsed)
    assert type(ours) is type(theirs)
    if elapsed:
        assert abs(ours - theirs) <= timedelta(milliseconds=1)
    else:
        assert ours == theirs


@pytest.mark.parametrize("value", [1e12, -1e12, float("inf"), float("nan")])
def test_a_number_that_is_no_day_is_refused(value: float) -> None:
    with pytest.raises((OverflowError, ValueError)):
        day_of(value, EPOCHS[0], elapsed=False)
