"""Statistics, seasons and people in a real browser: complete, accessible, and led through by links and forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.looking import accessible, go, match_paths

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = ["/players/ana?game=diamonds-bid&by=seat", "/stats/diversity", "/season", "/worth-seeing", "/people"]


def test_pages_of_statistics_open_without_complaint_and_are_accessible(page: Page) -> None:
    for path in PAGES:
        go(page, path)
        assert page.locator("h1").count() == 1, path
        accessible(page)
    page.emulate_media(color_scheme="dark")
    for path in PAGES[:2]:
        go(page, path)
        accessible(page)


def test_a_form_splits_a_measure_and_a_number_leads_to_its_hands(page: Page) -> None:
    go(page, "/players/ana?game=diamonds-bid")
    page.locator("select[name=by]").select_option("seat")
    page.locator("select[name=measure]").select_option("made")
    page.locator("form[aria-label=Statistics] button").click()
    page.wait_for_url("**by=seat*")
    assert "measure=made" in page.url
    link = page.locator(".measures tbody a[href^='/hands']").first
    number = int(link.inner_text())
    link.click()
    page.wait_for_url("**/hands?*")
    assert page.locator(".found").count() == min(20, number)


def test_a_formula_opens_by_keyboard(page: Page) -> None:
    go(page, "/players/ana?game=diamonds-bid")
    formula = page.locator(".formula").first
    assert not formula.locator("p").is_visible()
    formula.locator("summary").press("Enter")
    assert "÷" in formula.locator("p").inner_text()


def test_a_hand_is_reviewed_on_demand_and_its_strip_leads_through_it(page: Page) -> None:
    for path in match_paths(page, "diamonds-draw"):
        go(page, f"{path}/replay/2")
        page.locator("#replayer[data-ready]").wait_for()
        if page.locator("#review-now").count():
            break  # on another screen this has reviewed the first already
    page.locator("#review-now").click()
    page.locator(".strip a").first.wait_for(timeout=30_000)
    page.locator("#replayer[data-ready]").wait_for()
    mark = page.locator(".strip a").last
    seq = mark.get_attribute("data-seq")
    mark.click()
    assert page.locator("#review-told").inner_text() == mark.get_attribute("data-words")
    assert page.locator("#log [aria-current]").get_attribute("data-seq") == seq
    assert page.locator(".review .outcome b").count() >= 3, "never without the outcome"
    accessible(page)
