"""What people say and keep, in a browser: a move is tried from a seat's view, a line is kept, and somebody else reads it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cardledger.rules.bots.simulation import simulate
from tests.browser.conftest import watched
from tests.browser.looking import accessible, fits
from tests.browser.scoring import scorer_at, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from cardledger.record.recording.ledger import Ledger


def test_a_move_is_tried_from_a_seat_and_with_all_hands_open_kept_and_read(browser: Browser, tmp_path: Path) -> None:
    found: dict[str, str] = {}

    def fill(ledger: Ledger) -> None:
        found["match"] = ledger.record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match

    with served(tmp_path, fill) as (where, token), scorer_at(browser, "phone", where, token) as page:
        match = found["match"]
        for view in ("?view=0", ""):  # a line of a deal that only might have been is tried, and never kept
            page.goto(f"/matches/{match}/replay/6{view}")
            page.locator("[data-ready]").wait_for()
            page.locator(".card-table .legal button").first.click()
            page.locator(".in-what-if").wait_for()
            assert fits(page)
            assert page.locator("#what-if-keep").count() == (not view)
        page.locator("#what-if-keep").click()
        page.get_by_label("What it is called").fill("The low one")
        page.get_by_label("Your name").fill("Ana Lima")
        page.get_by_label("What you say").fill("Keeps the king")
        page.get_by_role("button", name="Keep it").click()
        page.get_by_text("Keeps the king").wait_for()
        assert page.get_by_label("Your name").input_value() == "Ana Lima"
        accessible(page)
        assert fits(page)
        with watched(browser, "phone", where) as reader:
            reader.goto(f"/matches/{match}/discussion")
            reader.get_by_text("Keeps the king").wait_for()
            assert reader.get_by_role("button", name="Keep it").count() == 0 and fits(reader)
            reader.get_by_role("link", name="The low one").click()
            reader.locator(".in-what-if").wait_for()
