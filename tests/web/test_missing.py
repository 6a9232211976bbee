"""A value that a template asks for and nobody gave: a fault in tests, an empty place and a line of the log for users."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jinja2 import Environment, UndefinedError

from cardledger_web.frame import undefined

if TYPE_CHECKING:
    from pytest import LogCaptureFixture, MonkeyPatch  # noqa: PT013 - only for types

PAGE = "Hands: {{ hands }}{% if more %}, {{ more }}{% endif %}"


def test_it_is_a_fault_where_pages_are_tested() -> None:
    with pytest.raises(UndefinedError, match="hands"):
        Environment(undefined=undefined(), autoescape=True).from_string(PAGE).render(more="")


def test_on_an_evening_its_place_is_empty_and_the_log_says_so(
    monkeypatch: MonkeyPatch, caplog: LogCaptureFixture
) -> None:
    monkeypatch.delenv("CARDLEDGER_STRICT_PAGES")
    assert Environment(undefined=undefined(), autoescape=True).from_string(PAGE).render(more="") == "Hands: "
    assert "hands" in caplog.text
