"""The pages in a real browser: nothing in the console, nothing from outside, nothing wider than the screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ledger.games import games
from tests.browser.looking import accessible, fits, go, match_paths

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.mark.parametrize("path", ["/", "/?game=ruff", "/?player=nobody", "/games"])
def test_pages_open_without_complaint(page: Page, path: str) -> None:
    go(page, path)
    assert page.locator("h1").count() == 1
    accessible(page)


@pytest.mark.parametrize("game", games())
def test_every_match_and_rulebook_opens_without_complaint(page: Page, game: str) -> None:
    go(page, f"/games/{game}")
    paths = match_paths(page, game)
    assert paths
    for path in paths:
        go(page, path)
        assert page.locator("section.hand").count() >= 1
    accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_figure_is_drawn_in_the_colours_of_the_page(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    go(page, match_paths(page, "poison-hearts")[0])
    ink = page.evaluate("getComputedStyle(document.body).color")
    label = page.locator(".figure .xtick text").first
    assert label.evaluate("(e) => getComputedStyle(e).fill") == ink
    page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
    page.wait_for_function(
        "(ink) => getComputedStyle(document.querySelector('.figure .xtick text')).fill !== ink",
        arg=ink,
    )


def test_the_figure_shows_everyone_and_answers_the_pointer(page: Page) -> None:
    go(page, match_paths(page, "diamonds-draw")[0])
    players = page.locator(".scoreboard thead .player").all_inner_texts()
    assert [re.sub("[\u2068\u2069]", "", name) for name in page.locator(".legendtext").all_text_contents()] == players
    page.locator(".figure").hover()
    page.locator(".figure .hoverlayer text").first.wait_for()


def test_hostile_names_are_inert(page: Page) -> None:
    go(page, "/")
    page.locator(".match h2 a").first.click()
    page.locator(".figure .main-svg").first.wait_for()
    assert page.locator("bdi script, bdi img, bdi b, .figure a, main script").count() == 0
    legend = page.locator(".legendtext").all_text_contents()
    assert "<script>alert(1)</scrip" in legend[0]
    assert "<b>abc</b>" in legend[2]
    assert fits(page)


def test_a_rule_of_a_trick_leads_to_its_clause(page: Page) -> None:
    go(page, match_paths(page, "diversity")[-1])
    page.locator(".tricks a.rule").first.click()
    page.wait_for_url("**/games/diversity#trick.*")
    assert page.locator(":target dd").inner_text()


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    go(page, "/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_filter_works_without_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Game").select_option("ruff")
    page.get_by_label("Player", exact=True).fill("eva")
    page.get_by_role("button", name="Show").click()
    assert "game=ruff" in page.url
    assert page.locator(".match").count() >= 1
    context.close()
