"""The format of a file, by its first lines: each is read once, whatever it holds."""

from __future__ import annotations

import io
import sys

import pytest

from cardledger.formats.bridge_files.reading import format_of
from tests.bridge_files.made import pbn

COMMENTS = ["% c\r\n", "; c\r\n", "{ c }\r\n", "%\r\n", "% c\n\n", "% c\r", "%\n \n\t\r\n", ";\r\n% x\n"]
FORMATS = {
    "pbn": ['[Event "x"]', '[ Event\n "x"]', "% PBN 2.1", "%EXPORT\n", "% a\n\n; b\r{ c }\n[A \"\"]"],
    "lin": ["pn|a,b,c,d|", "vg|x|", "xx|1|\nyy|2|\r\n  MD|3|", "https://bbo.com/x?a=b&lin=pn|a|", "md|"],
    "usebio": ["<?xml version='1.0'?>", "\n<!-- -->", "<USEBIO>", "<usebio ", "<!doctype USEBIO>"],
    None: ['{"type":"open"}', "PAR1", "hello", "", "% c\n", "xx|pn|yy", "x|1|pn|", "[Event]", "% c\nhello", "https://x?lin", "é"],
}  # fmt: skip


@pytest.mark.parametrize("mark", ["", "\ufeff", " \r\n\t"])
@pytest.mark.parametrize(("format", "text"), [(format, text) for format, texts in FORMATS.items() for text in texts])
def test_content_tells_the_format(format: str | None, text: str, mark: str) -> None:
    assert format_of(io.BytesIO((mark + text).encode()), "x") == format
    assert format_of(io.BytesIO((mark + text).encode("utf-16")), "x") == format


@pytest.mark.parametrize("line", COMMENTS, ids=repr)
@pytest.mark.parametrize(("behind", "format"), [("hello", None), (pbn(), "pbn")], ids=["hello", "a game"])
def test_any_number_of_comments_comes_first(line: str, behind: str, format: str | None) -> None:
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        assert format_of(io.BytesIO((line * 90 + behind).encode()), "x") == format
    finally:
        sys.setprofile(None)
    assert calls < 10 * 90 * 2
