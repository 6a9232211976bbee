"""A whist drive from a phone: names are pasted, tricks typed table by table with Enter, everybody is seated by one button."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.finger import Finger, good
from tests.browser.scoring import scorer_at, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

PAIRS = "Ada / Boris\nCleo / Dmitri\nEmilia / Ferdinand\nGwen / Hubert\nIngrid / Jasper"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where an empty ledger is served, and the token of its scorer."""
    with served(tmp_path_factory.mktemp("drive")) as found:
        yield found


def test_a_drive_is_run_with_a_finger_and_enter(browser: Browser, hall: tuple[str, str]) -> None:
    with scorer_at(browser, "phone", *hall) as page:
        finger = Finger(page)
        page.goto("/evenings/new?club=new")
        page.locator("[name=club_name]").fill("Village hall")
        finger.tap(page.locator(".competes .chip", has_text="each alone"))
        assert page.locator("[name=boards]").is_visible()
        finger.choose("game", "whist")
        assert not page.locator("[name=boards]").is_visible(), "a drive has no boards"
        finger.tap(page.locator(".field summary"), small=True)
        page.locator("[name=field]").fill(PAIRS)
        finger.tap(page.locator("label", has_text="Ladies stand first"), small=True)
        good(page)
        finger.button("Open the evening")
        good(page)
        finger.button("Seat everybody for hand 1")

        good(page)
        first, second = page.locator("[name=tricks-1]"), page.locator("[name=tricks-2]")
        first.fill("8")
        assert page.locator("#table-1 .rest").inner_text() == "5"
        first.press("Enter")
        assert second.evaluate("field => field === document.activeElement")
        page.keyboard.type("14")
        assert page.locator("#table-2 .rest").inner_text() == "–"
        page.keyboard.press("Enter")
        assert page.get_by_role("button", name="Record hand 1").evaluate("one => one === document.activeElement")
        finger.button("Record hand 1")
        assert "0 to 13" in page.locator("#wrong-tricks-2").inner_text()
        good(page)
        second.fill("3")
        finger.button("Record hand 1")
        good(page)
        finger.button("Seat everybody for hand 2")
        page.locator("h1", has_text="Hand 2 of 24").wait_for()
        page.goto(page.url.replace("/drive", ""))
        good(page)
        with page.expect_navigation():
            finger.tap(page.locator("a.number").first, small=True)
        good(page)
