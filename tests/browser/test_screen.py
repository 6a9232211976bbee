"""The big screen follows whatever changes what it shows: results, rounds, rulings, publications, a name, a secret board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.people.recorders import Recorder
from tests.browser.conftest import watched
from tests.browser.scoring import Api, served
from tests.evenings.bridge import board, open_round, pairs
from tests.evenings.night import opening, record
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from cardledger.record.recording.ledger import Ledger


_STEP = 5
"""Milliseconds for the page after each look: far fewer, all together, than it waits without news."""


class Hall:
    """A served evening with its big screen open, and somebody elsewhere who records."""

    def __init__(self, page: Page, api: Api, session: str) -> None:
        self.page, self.api, self.session = page, api, session
        page.clock.install(time=0)
        page.goto(f"/evenings/{session}/screen")
        page.locator("#place", has_text=" of ").wait_for()
        page.clock.pause_at(60_000)
        # The page that does not load again follows; one that did would lose this.
        page.evaluate("globalThis.opened = true")

    def record(self, *events: dict[str, Any]) -> None:
        """Record events of the evening elsewhere."""
        self.api.ask(f"/sessions/{self.session}/events", {"events": events}, **{"If-Match": "*"})

    def shows(self, text: str) -> None:
        """Wait until a slide says so, shown or in turn, before the page reads again without any news."""
        slide, clock = self.page.locator("section", has_text=text), self.page.clock
        wait_until(lambda: slide.count() > 0 or clock.run_for(_STEP), f"{text!r} on the screen")
        assert self.page.evaluate("globalThis.opened")


@pytest.fixture
def hall(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Hall]:
    """A hall of the evening that a test's `fill` opens, read by somebody without a token."""
    found: dict[str, str] = {}
    with (
        served(tmp_path, lambda ledger: found.update(session=request.param(ledger))) as (where, token),
        watched(browser, "desktop", where) as page,
    ):
        yield Hall(page, Api(where, token), found["session"])


def bridge(ledger: Ledger) -> str:
    return pairs(ledger, 3, 2, name="Pairs")


def played(ledger: Ledger) -> str:
    session = pairs(ledger, 3, 2, name="Pairs")
    open_round(ledger, session)
    return session


def whist(ledger: Ledger) -> str:
    came = ({"type": "arrive", "player": f"Whist {name}"} for name in "ABCDEFGH")
    session = record(ledger, None, opening(game="whist", scoring={"kind": "total", "decimals": 0}), *came)
    ledger.evenings.drives.begin(session, "tests")
    ledger.evenings.rounds.set(session, Recorder("tests"))
    return session


@pytest.mark.parametrize("hall", [bridge], indirect=True)
def test_results_rulings_and_corrections_of_an_evening_move_the_screen(hall: Hall) -> None:
    for table, score in ((1, 420), (2, -50), (3, 110)):
        for number in (1, 2):
            hall.record({"type": "result", "round": 1, "table": table, "board": 2 * table + number - 2, "score": score})
    hall.shows("Round 2")
    hall.shows("50.00 %")
    hall.record({"type": "adjust", "round": 1, "table": 1, "board": 1, "ns": 60, "ew": 40})
    hall.shows("60.00 %")


@pytest.mark.parametrize("hall", [played], indirect=True)
def test_a_board_that_is_secret_still_moves_the_screen(hall: Hall) -> None:
    evening = hall.api.ask(f"/sessions/{hall.session}/events")["events"]
    match = next(event["match"] for event in evening if event["type"] == "result" and event["table"] == 2)
    hall.shows("boards 3–4, 0 of 2 boards")
    hall.api.record(match, *board(3, ("4S", 0, 10)))
    hall.page.clock.fast_forward(20_000)
    hall.shows("boards 3–4, 1 of 2 boards")


@pytest.mark.parametrize("hall", [whist], indirect=True)
def test_tricks_hands_and_publications_of_a_drive_move_the_screen(hall: Hall) -> None:
    hall.record({"type": "result", "round": 1, "table": 1, "points": [9, 4, 9, 4]})
    hall.shows("result entered")
    hall.record({"type": "result", "round": 1, "table": 2, "points": [6, 7, 6, 7]})
    hall.record({"type": "table", "round": 2, "table": 1, "seats": [1, 3, 2, 4]})
    hall.shows("Round 2")
    hall.record({"type": "retract", "to": 1})
    hall.shows("The first round is not open yet.")
