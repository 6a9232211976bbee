"""In light, dark and forced colours every kind of page can be read; no state is told by colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looking import SIZES, accessible, fits, match_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

STATES = [
    "[aria-current]", "[aria-pressed=true]", "[aria-selected=true]", ".card-table .turn", ".card-table .took",
    ".card-table .legal", ".card-table .played", ".card-table .back", "tr.marked", ".wins", ".picked", ".placed",
]  # fmt: skip
"""What pages set apart from its neighbours."""
ALIKE = """
(states) => {
  const looks = (element) => {
    const said = [element, ...element.querySelectorAll("*")].slice(0, 3).map((one) => {
      const style = getComputedStyle(one);
      const frame = ["Top", "Right", "Bottom", "Left"].map((side) => `${style[`border${side}Style`]} ${style[`border${side}Width`]}`);
      return [frame, style.outlineStyle, style.outlineWidth, style.textDecorationLine, style.fontWeight, style.fontStyle,
        style.translate, getComputedStyle(one, "::before").content, getComputedStyle(one, "::after").content];
    });
    return JSON.stringify(said);
  };
  const found = [];
  for (const state of states) {
    for (const element of document.querySelectorAll(state)) {
      if (!element.checkVisibility() || element.matches(":focus")) continue;
      const kind = element.tagName + (element.classList.contains("card") ? ".card" : "");
      const near = element.parentElement.children.length > 1 ? element.parentElement : element.parentElement.parentElement;
      const other = [...near.querySelectorAll(kind)].find((one) => one.checkVisibility() && !one.closest(state) && !one.querySelector(state) && !one.matches(":disabled, [aria-disabled]"));
      if (other && looks(other) === looks(element)) found.push(`${state}: ${element.outerHTML.slice(0, 90)} ~ ${other.outerHTML.slice(0, 90)}`);
    }
  }
  return [...new Set(found)];
}
"""


@pytest.fixture(params=SIZES)
def forced(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """A page of a reader whose colours are the same everywhere."""
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=address, forced_colors="active")
    yield context.new_page()
    context.close()


def paths(page: Page) -> Iterator[str]:
    """Yield a page of each kind that has something to set apart."""
    yield from (
        "/",
        "/matches",
        "/players?q=an",
        "/players/ana?game=diversity",
        "/violations",
        "/season",
        "/evenings",
        "/puzzles",
    )
    yield from (
        "/stats/ruff",
        "/stats/ruff/cards",
        "/stats/ruff/decisions",
        "/hands?player=ana",
        "/games/ruff",
        "/games/ruff/leaders",
    )
    for game in ("hearts", "bridge", "diversity"):
        match = match_paths(page, game)[0]
        hand = page.request.get(f"/api/v1{match}/hands/1/replay").json()
        yield from (match, f"{match}/audit", f"{match}/replay/{hand['first'] + 12}", f"{match}/hands/1/quiz?seat=0")


def test_states_differ_by_more_than_colour_on_every_kind_of_page(forced: Page) -> None:
    seen = set[str]()
    for path in paths(forced):
        answer = forced.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        if "/replay/" in path:
            forced.locator("[data-ready]").wait_for()
        assert fits(forced), path
        assert forced.evaluate(ALIKE, STATES) == [], path
        seen |= {state for state in STATES if forced.locator(f"{state}:visible").count()}
        accessible(forced, forced=True)
    assert {"[aria-current]", ".card-table .turn", ".card-table .took", ".card-table .legal", ".wins"} <= seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_page_can_be_read_in_light_and_dark(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type] # one of the two
    for path in paths(page):
        page.goto(path)
        accessible(page)


def test_a_card_that_was_played_leaves_a_phone_and_is_framed_otherwise_on_a_desk(forced: Page) -> None:
    match = match_paths(forced, "hearts")[0]
    hand = forced.request.get(f"/api/v1{match}/hands/1/replay").json()
    forced.goto(f"{match}/replay/{hand['last'] - 5}")
    forced.locator("[data-ready]").wait_for()
    gone = forced.locator(".card-table .seat .played:visible").count()
    assert (gone == 0) == (forced.viewport_size["width"] < 500)
