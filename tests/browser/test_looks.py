"""How the pages look: one face, one left edge, one row of places, and links that can be told from words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.looking import accessible, go, match_paths

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEFT = "(selector) => { const e = document.querySelector(selector); return e.getBoundingClientRect().left + parseFloat(getComputedStyle(e).paddingLeft); }"
UNDERLINED = (
    "(selector) => [...document.querySelectorAll(selector)].map((link) => getComputedStyle(link).textDecorationLine)"
)


def test_header_and_content_share_their_left_edge_and_the_places_are_one_row(page: Page) -> None:
    for path in ("/", "/violations", f"{match_paths(page, 'ruff')[0]}/replay/5", "/stats/ruff"):
        go(page, path)
        assert page.evaluate(LEFT, "header.site") == page.evaluate(LEFT, "main") == page.evaluate(LEFT, "footer.site")
        tops = page.eval_on_selector_all(
            "header.site nav a", "(links) => links.map((a) => a.getBoundingClientRect().top)"
        )
        assert len(set(tops)) == 1, path
        here = page.locator("header.site nav [aria-current]").bounding_box()
        assert here is not None
        assert 0 <= here["x"] <= page.viewport_size["width"] - here["width"], "the present place is in sight"
        faces = page.evaluate(
            "[...document.querySelectorAll('h1, h2, body')].map((e) => getComputedStyle(e).fontFamily)"
        )
        assert len(set(faces)) == 1


def test_links_are_underlined_in_prose_only(page: Page) -> None:
    go(page, "/")
    assert set(page.evaluate(UNDERLINED, "footer.site p a")) == {"underline"}
    for selector in ("header.site nav a", ".match h3 a", ".seats a", ".board a", ".match .facts a"):
        assert set(page.evaluate(UNDERLINED, selector)) <= {"none"}, selector
    page.locator(".board a").first.focus()
    assert page.evaluate("getComputedStyle(document.activeElement).textDecorationLine") == "underline"


def test_explanations_open_behind_an_i_and_are_printed(page: Page) -> None:
    go(page, "/season")
    page.locator("#standings").click()
    info = page.locator(".info").first
    assert not info.locator("p").is_visible()
    info.locator("summary").press("Enter")
    assert info.locator("p").is_visible()
    accessible(page)
    info.locator("summary").press("Enter")
    page.locator("#standings").click()
    page.emulate_media(media="print")
    assert page.locator("table").first.bounding_box()["height"] > 10, "what is folded is printed"
    assert info.locator("p").bounding_box()["height"] > 10


def test_the_words_of_an_event_are_in_sight_below_or_beside_the_table(page: Page) -> None:
    for size, games in (
        ((390, 844), ("hearts", "poison-hearts", "hecto-diversity")),
        ((1280, 800), ("hearts", "poison-hearts")),
    ):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for game in games:
            go(page, f"{match_paths(page, game)[0]}/replay/9")
            page.locator("#replayer[data-ready]").wait_for()
            page.keyboard.press("ArrowRight")
            words = page.locator(".now:visible, .event .words").first
            place = words.bounding_box()
            assert place is not None
            assert place["y"] + place["height"] <= size[1], game
            assert page.locator("#now").text_content() == page.locator(".event .words bdi").text_content()
