"""The pages in a real browser: nothing in the console, nothing from outside, nothing wider than the screen."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.bots.simulation import simulate
from ledger.matchfile import write
from tests.browser.conftest import watched
from tests.browser.looking import GAMES, SIZES, accessible, fits, go, match_paths

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


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


@pytest.mark.everyday
@pytest.mark.parametrize("path", PATHS)
def test_pages_open_without_complaint_and_without_plotly(page: Page, path: str) -> None:
    go(page, path)
    assert page.locator("h1").count() == 1
    assert not [name for name in fetched(page) if "plotly" in name or "figure" in name]
    accessible(page)


@pytest.mark.long
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
    page.locator("#lately + .matches h3 a").first.click()
    page.locator(".figure .main-svg").first.wait_for()
    assert page.locator("bdi script, bdi img, bdi b, .figure a, main script").count() == 0
    legend = page.locator(".legendtext").all_text_contents()
    assert "<script>alert(1)</scrip" in legend[0]
    assert "<b>abc</b>" in legend[2]
    assert fits(page)


def test_a_rule_of_a_trick_leads_to_its_clause(page: Page) -> None:
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


@pytest.mark.everyday
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


def test_plotly_is_fetched_when_a_figure_comes_near_and_after_the_page_is_painted(page: Page) -> None:
    path = match_paths(page, "ruff")[0]
    page.goto(path)
    page.locator(".figure").scroll_into_view_if_needed()
    page.locator(".figure .main-svg").first.wait_for()
    painted, asked = page.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime,"
        " performance.getEntriesByType('resource').find((e) => e.name.includes('plotly-')).startTime]"
    )
    assert painted <= asked
    # A window too low for the figure: it is not fetched before somebody scrolls there.
    page.set_viewport_size({"width": 360, "height": 100})
    page.goto(path)
    page.wait_for_timeout(200)
    assert not [name for name in fetched(page) if "plotly-" in name]
    page.locator(".figure").scroll_into_view_if_needed()
    page.locator(".figure .main-svg").first.wait_for()


def test_the_scoreboard_leads_to_the_hand_and_opens_it(page: Page) -> None:
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


def test_the_search_leads_to_what_was_sought(page: Page) -> None:
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


def test_somebody_signs_in_and_out_with_the_keyboard(browser: Browser, scoring: tuple[str, str]) -> None:
    address, token = scoring
    for size in SIZES:
        with watched(browser, size, address) as page:
            page.goto("/matches")
            page.get_by_role("link", name="Sign in").click()
            page.wait_for_function("document.activeElement.id === 'token'")
            page.keyboard.type(token)
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Sign out").wait_for()
            assert "sam" in page.locator(".who").inner_text()
            assert "scorer" in page.locator(".who").inner_text()
            assert fits(page)
            accessible(page)
            page.get_by_role("button", name="Sign out").press("Enter")
            page.get_by_role("link", name="Sign in").wait_for()


@pytest.mark.everyday
def test_a_wrong_token_is_told_so_beside_the_field(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("/sign-in")
    page.get_by_label("Token").fill("cl_wrong")
    page.get_by_role("button", name="Sign in").click()
    assert "not known here" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Token").get_attribute("aria-invalid") == "true"
    accessible(page)
    context.close()
