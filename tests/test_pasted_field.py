"""A field that is pasted: lines with names, with numbers or not, and what is refused."""

from __future__ import annotations

import pytest

from cardledger.errors import LedgerError
from cardledger.record.people.pasted_field import MOST_LINES, PastedLine, pasted_field


def test_names_come_one_a_line_and_partners_with_a_sign_between() -> None:
    text = "Ann Smith / Bob Jones\r\n\n  Cleo &  Dev \nEmil\tFay\nGus + Hal\nIvo"
    assert [each.names for each in pasted_field(text)] == [
        ("Ann Smith", "Bob Jones"), ("Cleo", "Dev"), ("Emil", "Fay"), ("Gus", "Hal"), ("Ivo",),
    ]  # fmt: skip
    assert pasted_field("  \n") == []


@pytest.mark.parametrize("line", ["12 Ann / Bob", "12. Ann / Bob", "12) Ann / Bob", "12: Ann / Bob", "12\tAnn\tBob"])
def test_a_number_may_stand_before_the_names(line: str) -> None:
    assert pasted_field(line) == [PastedLine(1, 12, ("Ann", "Bob"))]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("Ann\nSmith, Bob", "format.value", "line 2 has a comma"),
        ("1 Ann\nBob", "format.value", "line 2 has no number"),
        ("1 Ann\n1 Bob", "format.value", "number 1 is in lines 1 and 2"),
        ("Ann / Bob\nCleo / ann", "session.player", "lines 1 and 2"),
        ("Ann\n3.", "format.value", "line 2 has no name"),
        ("x" * 200, "people.name", "line 1"),
        ("\n".join(f"p{n}" for n in range(MOST_LINES + 1)), "format.value", f"{MOST_LINES} at most"),
    ],
    ids=["comma", "one-without", "number-twice", "name-twice", "no-name", "long", "many"],
)
def test_what_can_be_read_in_two_ways_is_refused_with_its_line(text: str, code: str, said: str) -> None:
    with pytest.raises(LedgerError, match=said) as refused:
        pasted_field(text)
    assert refused.value.code == code
