"""The pages in a real browser: nothing in the console, nothing from outside, nothing wider than the screen."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.matches.matchfile import write
from cardledger.rules.bots.simulation import simulate
from tests.browser.conftest import watched
from tests.browser.looking import GAMES, SIZES, accessible, explore, fits, go, match_paths
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


def fetched(page: Page) -> list[str]:
    """Return what the page has fetched so far, by path."""
    return [
        url.partition("/static/")[2]
        for url in page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    ]


PATHS = [
    "/", "/matches", "/matches?game=ruff", "/matches?player=nobody", "/matches?place=Old+Mill", "/search", "/search?q=an",
    "/search?q=nobody+at+all", "/sign-in", "/games", "/games/ruff/leaders",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_pages_open_without_complaint_and_without_plotly(page: Page, path: str) -> None:
    go(page, path)
    assert page.locator("h1").count() == 1
    assert not [name for name in fetched(page) if "plotly" in name or "figure" in name]
    accessible(page)


def test_dark_pages_are_as_easy_to_read(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    for path in ("/", "/matches", match_paths(page, "diversity")[-1]):
        go(page, path)
        accessible(page)


@pytest.mark.parametrize("game", GAMES)
def test_every_match_and_rulebook_opens_without_complaint(page: Page, game: str) -> None:
    go(page, f"/games/{game}")
    paths = match_paths(page, game)
    assert paths
    for path in paths:
        go(page, path)
        assert page.locator("details.hand").count() >= 1
    accessible(page)


INK = "getComputedStyle(document.body).color"


def ink_of(label: Locator) -> str:
    """Return the colour of a label of a figure."""
    return str(label.evaluate("(e) => getComputedStyle(e).fill"))


def test_a_figure_follows_the_colours_of_the_page_as_a_picture_and_explored(page: Page) -> None:
    go(page, match_paths(page, "poison-hearts")[0])
    for text in (".chart:visible text:not([class])", ".figure .xtick text"):
        page.emulate_media(color_scheme="light")
        ink = page.evaluate(INK)
        label = page.locator(text).first
        wait_until(lambda label=label: ink_of(label) == page.evaluate(INK), "the colours of the light page")
        page.emulate_media(color_scheme="dark")
        wait_until(
            lambda label=label, ink=ink: ink_of(label) == page.evaluate(INK) != ink, "the colours of the dark page"
        )
        page.emulate_media(color_scheme="light")
        if page.locator(".explore").is_visible():
            explore(page)


def test_a_figure_explored_shows_everyone_and_answers_the_pointer(page: Page) -> None:
    go(page, match_paths(page, "diamonds-draw")[0])
    players = page.locator(".scoreboard thead .player").all_inner_texts()
    assert not [name for name in fetched(page) if "plotly-" in name], "the picture needs no Plotly"
    explore(page)
    assert [re.sub("[\u2068\u2069]", "", name) for name in page.locator(".legendtext").all_text_contents()] == players
    assert not page.locator(".chart:visible").count()
    page.locator(".plot").hover()
    page.locator(".figure .hoverlayer text").first.wait_for()
    accessible(page)


def test_figures_are_pictures_without_script_and_on_paper(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto("/season")
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        assert page.locator(".chart:visible").count() == page.locator(".figure").count() > 0
        assert page.locator(".explore:visible").count() == 0
    context.close()


def test_hostile_names_are_inert(page: Page) -> None:
    go(page, "/")
    page.locator("#lately + .matches h3 a").first.click()
    page.wait_for_url("**/matches/*")
    page.wait_for_load_state()  # without the style sheet, the charts for wide and narrow screens are both visible
    assert "<script>alert(1)</scrip" in page.locator(".chart:visible text").nth(1).text_content()
    explore(page)
    assert page.locator("bdi script, bdi img, bdi b, .figure a, main script").count() == 0
    legend = page.locator(".legendtext").all_text_contents()
    assert "<script>alert(1)</scrip" in legend[0]
    assert "<b>abc</b>" in legend[2]
    assert fits(page)


def test_the_rule_of_a_trick_links_to_its_clause(page: Page) -> None:
    go(page, match_paths(page, "diversity")[-1])
    page.locator("details.hand summary").first.click()
    page.locator(".tricks a.rule").first.click()
    page.wait_for_url("**/games/diversity#trick.*")
    assert page.locator(":target dd").first.inner_text()


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    go(page, "/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_filter_works_without_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto("/matches")
    page.get_by_label("Game").select_option("ruff")
    page.get_by_label("Player", exact=True).fill("eva")
    page.get_by_role("button", name="Show").click()
    assert "game=ruff" in page.url
    assert page.locator(".match").count() >= 1
    context.close()


def test_the_scoreboard_links_to_the_hand_and_opens_it(page: Page) -> None:
    go(page, match_paths(page, "diversity")[-1])
    hand = page.locator("#hand-2")
    assert not hand.locator(".tricks").is_visible()
    page.locator(".scoreboard a", has_text="2").last.click()
    hand.locator(".tricks").wait_for()
    page.keyboard.press("Tab")
    accessible(page)


def test_the_keyboard_opens_and_shuts_a_hand(page: Page) -> None:
    go(page, match_paths(page, "ruff-2")[0])
    page.locator("#hand-1 summary").focus()
    page.keyboard.press("Enter")
    page.locator("#hand-1 .tricks").wait_for()
    page.keyboard.press("Space")
    page.locator("#hand-1 .tricks").wait_for(state="hidden")


def test_the_search_leads_to_its_result(page: Page) -> None:
    go(page, "/")
    page.get_by_role("searchbox").fill("OLD mill")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Old Mill", exact=True).first.click()
    page.wait_for_url("**/matches?place=Old+Mill")
    assert page.locator(".match").count() >= 1
    assert fits(page)


def test_a_hand_of_a_long_match_is_fetched_when_it_is_opened(scorer_page: Page, scoring: tuple[str, str]) -> None:
    match = simulate("diamonds-bid", 4, Random(4), ["random"], {"target": 10**6}, max_hands=20)
    sent = scorer_page.request.post(
        "/api/v1/import",
        headers={"Authorization": f"Bearer {scoring[1]}", "Content-Type": "application/x-ndjson"},
        data=write(match),
    )
    id = sent.json()["matches"][0]["match"]
    go(scorer_page, f"/matches/{id}")
    assert scorer_page.locator(".tricks").count() == 0
    scorer_page.locator("#hand-17 summary").click()
    assert scorer_page.locator("#hand-17 .tricks tbody tr").count() in (0, 13)
    scorer_page.locator("#hand-17 .tricks tbody tr").first.wait_for()
    assert scorer_page.locator("#hand-17 .tricks tbody tr").count() == 13
    assert scorer_page.locator(".tricks").count() == 1
    assert fits(scorer_page)
    accessible(scorer_page)


def test_signing_in_and_out_works_by_keyboard(browser: Browser, scoring: tuple[str, str]) -> None:
    address, token = scoring
    for size in SIZES:
        with watched(browser, size, address) as page:
            page.goto("/matches")
            page.get_by_role("link", name="Sign in", exact=True).click()
            page.wait_for_function("() => document.activeElement.id === 'token'")
            page.keyboard.type(token)
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Sign out").wait_for()
            assert "sam" in page.locator("header .who").inner_text()
            assert "scorer" in page.locator("header .who").inner_text()
            assert fits(page)
            accessible(page)
            page.get_by_role("button", name="Sign out").press("Enter")
            page.get_by_role("link", name="Sign in", exact=True).wait_for()


def test_a_wrong_token_is_reported_beside_the_field(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("/sign-in")
    page.get_by_label("Token").fill("cl_wrong")
    page.get_by_role("button", name="Sign in").click()
    assert "unknown here" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Token").get_attribute("aria-invalid") == "true"
    accessible(page)
    context.close()
