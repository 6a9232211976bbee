"""Audit, hands, players, violations and integrity in a real browser: complete, readable by everybody, led through by links."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.browser.looking import GAMES, accessible, fits, go, match_paths
from tests.web.club import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = [
    "/players?q=an&order=name", "/players/ana?game=diversity", "/players/ana/against/ben", "/violations",
    "/hands?player=ana&rule=trick.led-suit", "/violations?player=nobody", "/integrity", "/games/ruff",
    f"/players/{quote(HOSTILE[0].replace('/', '%2F'), safe='')}",
]  # fmt: skip


def test_every_page_opens_without_complaint_and_is_accessible(page: Page) -> None:
    for path in PAGES:
        go(page, path)
        assert page.locator("h1").count() == 1, path
        accessible(page)


def test_colours_can_be_told_apart_in_the_dark(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    trail = f"{match_paths(page, 'poison-hearts')[0]}/audit?show=corrections"
    for path in ("/violations", "/players/ana?game=diversity", trail):
        go(page, path)
        accessible(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_trail_of_every_game_opens_without_complaint(page: Page, game: str) -> None:
    for path in match_paths(page, game)[:1]:
        for kind in ("all", "broken", "corrections"):
            go(page, f"{path}/audit?show={kind}")
    if game == "ruff":
        go(page, f"{path}/audit")
        accessible(page)


def test_from_a_violation_to_its_event_in_the_trail_and_the_clause(page: Page) -> None:
    go(page, "/violations")
    page.locator(".look a", has_text="audit").first.click()
    target = page.locator(".event:target")
    target.locator(".verdict.broken").first.wait_for()
    target.locator(".rulings li:has(.broken) a.rule").click()
    page.wait_for_url("**/games/*#*")
    assert page.locator(":target dd").first.inner_text()


def test_a_trail_is_folded_by_hand_and_whole_on_paper(page: Page) -> None:
    path = match_paths(page, "hearts")[0]
    go(page, f"{path}/audit")
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height < 3000
    accessible(page)
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollHeight") > 3 * height
    assert page.locator("#e30 .said").is_visible()


def test_from_a_rule_to_the_hands_it_decided(page: Page) -> None:
    go(page, "/games/diversity")
    clause = page.locator('[id="trick.four-suits"]')
    number = clause.locator(".used a").inner_text().split()[0]
    clause.locator(".used a").click()
    page.wait_for_url("**/hands?*")
    assert page.locator(".found").count() == min(20, int(number))
    assert fits(page)


def test_from_a_number_of_a_player_to_the_matches_behind_it(page: Page) -> None:
    go(page, "/players/ana?game=diversity")
    page.locator("summary", has_text="Results of all games").click()
    link = page.locator(".marked .places a").first
    number = int(link.inner_text())
    link.click()
    page.wait_for_url("**place=*")
    assert page.locator("#matches + p + .scroll tbody tr").count() == number


def test_the_keyboard_scrolls_wide_tables(page: Page) -> None:
    go(page, "/players")
    box = page.locator("[role=region][aria-label=Players]")
    box.focus()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Players"


def test_a_scorer_checks_the_ledger_and_sees_it_end(scorer_page: Page) -> None:
    go(scorer_page, "/integrity")
    scorer_page.get_by_role("button", name="Check now").click()
    scorer_page.locator(".sound").wait_for()
    assert "by sam" in scorer_page.locator("#check").inner_text()
    accessible(scorer_page)


def test_filters_work_without_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto("/violations")
    page.locator("select[name=game]").select_option("ruff")
    page.get_by_role("button", name="Show").click()
    assert "game=ruff" in page.url
    assert page.locator(".look").count() >= 1
    context.close()
