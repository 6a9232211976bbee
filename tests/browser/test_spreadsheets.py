"""An evening from a spreadsheet in a real browser: a whole one in seconds, problems marked, names asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.conftest import watched
from tests.browser.looking import accessible, fits
from tests.spreadsheets.paper import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

EVENING = SAMPLES / "whole-evening.xlsx"
GERMAN = SAMPLES / "hearts-tische.csv"


def choose(page: Page, path: Path) -> None:
    """Choose a file, and wait for what the page makes of it."""
    with page.expect_navigation():
        page.locator("input[type=file]").set_input_files(path)
    assert fits(page)


def changed(path: Path, **words: str) -> Path:
    """The German sample with other words."""
    text = GERMAN.read_text(encoding="cp1252")
    for old, new in words.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_evening_is_stored_from_a_phone(browser: Browser, scoring: tuple[str, str], tmp_path: Path) -> None:
    address, token = scoring
    with watched(browser, "phone", address) as page:
        page.goto(f"/?token={token}")
        page.goto("/evenings")
        page.get_by_role("link", name="From a spreadsheet").click()
        choose(page, EVENING)
        assert page.locator(".paper-tables section").count() == 6
        page.get_by_role("button", name="Store this evening").click()
        page.wait_for_url("**/evenings/session-*")
        assert page.locator("h1").inner_text() == "Tuesday club"

        page.goto("/evenings/import")
        accessible(page)
        choose(page, changed(tmp_path / "wrong.csv", **{";50;": ";51;", "Emeka;6": "Emeka;six"}))
        accessible(page)
        assert page.locator(".sheet-problems a").all_inner_texts() == ["H7", "B14"]
        page.locator(".sheet-problems a").first.click()
        assert page.evaluate("document.querySelector(':target').textContent") == "51"
        assert page.get_by_role("button", name="Store this evening").count() == 0

        choose(page, changed(tmp_path / "night.csv", Hedda="Heddy"))
        accessible(page)
        page.get_by_role("radio", name="Hedda").check()
        page.get_by_role("button", name="Store this evening").click()
        page.wait_for_url("**/evenings/session-*")
        assert page.locator("h1").inner_text() == "Dienstagsrunde"
        assert "Heddy" not in page.locator("main").inner_text()
