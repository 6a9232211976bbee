"""Times on pages: as the clock of the server shows them, with its zone, until a script knows the reader's."""

from __future__ import annotations

import re
import time
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.web.club import opened
from tests.web.test_pages import page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

EVENING = "2025-11-22T02:30:10.250Z"
"""Half past nine in the evening of the day before in New York."""


@pytest.fixture(autouse=True)
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "America/New_York")
        time.tzset()
        yield
    time.tzset()


def words(text: str) -> str:
    """Return a page without its tags."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", text)))


def test_times_are_in_the_time_zone_of_the_server(empty: Flask) -> None:
    opening = ev.Open(game="diversity", players=opened().players, at=EVENING, date="2025-11-21")
    late = ev.Deal(dealer=0, hands=None, at="2025-11-22T05:10:00Z")
    match = ledger_of(empty).record(None, [opening, late], 0).match
    client = empty.test_client()
    shown = page(client, f"/matches/{match}")
    assert f'<time datetime="{EVENING}" data-time>21 November 2025, 21:30 EST</time>' in shown
    assert "UTC" not in words(shown)
    audit = page(client, f"/matches/{match}/audit")
    clocks = re.findall(r"<time [^>]*data-clock>([^<]*)</time>", audit)
    assert clocks == ["21 November 2025, 21:30:10", "22 November 2025, 00:10:00"]
    assert "times are local (" in words(audit)


def test_in_summer_the_clock_is_that_of_summer(empty: Flask) -> None:
    opening = ev.Open(game="diversity", players=opened().players, at="2025-07-04T02:30:00Z")
    match = ledger_of(empty).record(None, [opening], 0).match
    assert "3 July 2025, 22:30 EDT" in page(empty.test_client(), f"/matches/{match}")
