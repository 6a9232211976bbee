"""What browser tests ask of every page: that it opens, fits the screen, and can be read by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from cardledger.rules.games import games

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
"""Width and height of a screen."""
GAMES = tuple(games())
"""The games tests are run for; CI takes turns, see `conftest.py`."""


def fits(page: Page) -> bool:
    """Tell whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def go(page: Page, path: str) -> None:
    """Open a page; its figures are pictures, there at once."""
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    shown = page.locator("[data-figure]:not(details:not([open]) *)").count()
    assert page.locator(".figure .chart:visible").count() == shown
    assert fits(page), f"{path} is wider than the screen"


def explore(page: Page) -> None:
    """Press the button of the first figure, and wait for Plotly."""
    page.locator(".explore").first.click()
    page.locator(".figure .main-svg").first.wait_for()


def match_paths(page: Page, game: str) -> list[str]:
    """Return the addresses of a game's matches."""
    found = page.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"]
    return [f"/matches/{match['id']}" for match in found]


def accessible(page: Page, *, forced: bool = False) -> None:
    """Fail on what axe-core finds wrong with the page as it stands; `forced` colours are the reader's own."""
    page.wait_for_load_state()  # its words may be there before its colours
    options = {"rules": {"color-contrast": {"enabled": not forced}}}
    found = Axe().run(page, options=options).response["violations"]
    told = [f"{item['id']}: {node['target']} {node['failureSummary']}" for item in found for node in item["nodes"]]
    if told:
        pytest.fail("\n".join(told))
