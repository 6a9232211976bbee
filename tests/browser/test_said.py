"""What people say about a match, on a phone: a word on an event, a line that is kept, and moves tried from a seat's view."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING

from cardledger.rules.bots.simulation import simulate
from tests.browser.conftest import watched
from tests.browser.looking import accessible, fits
from tests.browser.scoring import scorer_at, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from cardledger.record.recording.ledger import Ledger


def test_a_word_on_an_event_a_kept_line_and_moves_from_a_seat(browser: Browser, tmp_path: Path) -> None:
    found: dict[str, str] = {}

    def fill(ledger: Ledger) -> None:
        found["match"] = ledger.record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match

    with served(tmp_path, fill) as (where, token), ExitStack() as room:
        match = f"/matches/{found['match']}"
        scorer = room.enter_context(scorer_at(browser, "phone", where, token))
        reader = room.enter_context(watched(browser, "phone", where))
        scorer.goto(f"{match}/replay/7")
        scorer.get_by_role("link", name="Say something about this event").click()
        assert scorer.get_by_label("About event").input_value() == "7"
        says(scorer, "Why not the <b>ten</b>?")
        scorer.goto(f"{match}/replay/7")
        tried = tries(scorer)
        scorer.get_by_role("link", name="Keep this line").click()
        scorer.get_by_label("What it is called").fill("Another card")
        says(scorer, "This was better.")
        reader.goto(f"{match}/replay/7")
        reader.get_by_text("Why not the <b>ten</b>?").wait_for()
        reader.goto(f"{match}/discussion")
        reader.get_by_text("This was better.").wait_for()
        fine(reader)
        reader.locator(".lines a").first.click()
        reader.locator(".in-what-if").wait_for()
        assert reader.locator("#what-if-words").inner_text() == tried
        from_a_seat(reader, match)
        scorer.get_by_role("button", name="Take back what Ana said").first.click()
        scorer.get_by_text("Why not the <b>ten</b>?").wait_for(state="detached")


def says(page: Page, text: str) -> None:
    """Say something in the form, as Ana."""
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("What you say").fill(text)
    fine(page)
    page.get_by_role("button", name="Keep it").click()
    page.get_by_text(text).first.wait_for()
    fine(page)


def tries(page: Page) -> str:
    """Try the last card that may be chosen; return the words of the line."""
    page.locator("#replayer[data-ready]").wait_for()
    page.locator(".card-table .legal button").last.click()
    page.locator(".in-what-if").wait_for()
    return page.locator("#what-if-words").inner_text()


def from_a_seat(page: Page, match: str) -> None:
    """Ask what another seat could do, as far as a seat can know, and try one of those moves; then one of the next seat."""
    page.goto(f"{match}/replay/2?view=0")
    page.locator("#replayer[data-ready]").wait_for()
    page.get_by_role("button", name="Another choice of").click()
    for moves in (1, 2):
        page.locator("#choices [data-move^='play.']").last.click()
        page.wait_for_function("(moves) => location.hash.split('play.').length === moves + 1", arg=moves)
        fine(page)
    assert page.get_by_role("link", name="Keep this line").count() == 0, "lines are kept with all hands open"
    page.keyboard.press("Escape")
    page.locator(".in-what-if").wait_for(state="detached")


def fine(page: Page) -> None:
    """Hold a page to fit a phone, and to be read by everybody."""
    assert fits(page)
    accessible(page)
