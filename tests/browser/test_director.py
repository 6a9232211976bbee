"""A director's ruling from a phone and a desk: tapped where the board stands, looked at, recorded, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.looking import accessible, fits
from tests.browser.scoring import Api, go_score
from tests.evenings.bridge import HOWELL

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_ruling_is_tapped_looked_at_recorded_and_taken_back(scorer_page: Page, scoring: tuple[str, str]) -> None:
    page = scorer_page
    evening = Api(*scoring).ask("/sessions", {"events": HOWELL})["evening"]
    page.goto(f"/evenings/{evening}")
    page.get_by_role("link", name="The director").click()
    accessible(page)
    page.locator('a.of-board[href*="table=2&board=9"]').click()
    assert not page.locator("[name=ns_other]").is_visible()
    page.get_by_label("A ruling").check()
    page.locator("#ns").select_option("other")
    page.locator("[name=ns_other]").fill("70%")
    page.get_by_role("button", name="See what changes").click()
    assert page.locator(".what-changes li").filter(has_text="→").count()
    assert fits(page)
    accessible(page)
    page.get_by_role("button", name="Record the decision").click()
    made = page.locator(".made li")
    made.filter(has_text="70 %").wait_for()
    assert made.count() == 2
    made.first.get_by_role("link", name="Take back").click()
    page.get_by_role("button", name="Take it back").click()
    made.filter(has_text="60 %").wait_for()
    assert made.count() == 1
    assert fits(page)


def test_an_average_typed_for_a_contract_leads_to_the_ruling(scorer_page: Page, scoring: tuple[str, str]) -> None:
    page, api = scorer_page, Api(*scoring)
    events = [*HOWELL[:-3]]
    evening = api.ask("/sessions", {"events": events})["evening"]
    opened = api.ask(f"/sessions/{evening}/round", {"round": 1})["tables"]
    go_score(page, opened[0]["match"])
    page.get_by_role("button", name="Only the contract").click(timeout=20_000)
    line = page.locator("dialog[open] input")
    line.fill("60/40", timeout=20_000)
    line.press("Enter")
    page.locator(".what-changes").wait_for(timeout=20_000)
    assert page.locator("#ns").input_value() == "A+"
    assert page.locator("#ew").input_value() == "A-"
    assert fits(page)
    page.get_by_role("button", name="Record the decision").click()
    page.locator(".made li").filter(has_text="60 %").wait_for()
