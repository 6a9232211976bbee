"""What browser tests ask of every page: that it opens, fits the screen, and can be read by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from ledger.games import games

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
"""Width and height of a screen."""
SCREENS = ("desktop", pytest.param("phone", marks=pytest.mark.long))
"""The screens tests are run for: every day one, the other too where minutes do not matter."""
GAMES = tuple(
    game if game in ("diversity", "hecto-diversity") else pytest.param(game, marks=pytest.mark.long) for game in games()
)
"""The games tests are run for: every day one of tricks and the one without, all where minutes do not matter."""


def fits(page: Page) -> bool:
    """Tell whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def go(page: Page, path: str) -> None:
    """Open a page and wait for its figures."""
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    if page.locator("[data-figure]").count():
        page.locator("[data-figure]").first.scroll_into_view_if_needed()
        page.locator(".figure .main-svg").first.wait_for()
    assert fits(page), f"{path} is wider than the screen"


def match_paths(page: Page, game: str) -> list[str]:
    """Return the addresses of a game's matches."""
    found = page.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"]
    return [f"/matches/{match['id']}" for match in found]


def accessible(page: Page) -> None:
    """Fail on what axe-core finds wrong with the page as it stands."""
    found = Axe().run(page).response["violations"]
    told = [f"{item['id']}: {node['target']} {node['failureSummary']}" for item in found for node in item["nodes"]]
    if told:
        pytest.fail("\n".join(told))
