"""Receipts in a real browser: easy to read, and one sheet of paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looking import accessible, go, match_paths

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_receipt_and_its_check_are_read_by_everybody(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    go(page, f"{match_paths(page, 'ruff')[0]}/receipt")
    accessible(page)
    page.get_by_role("link", name="check this receipt").click()
    page.get_by_text("This receipt fits.").wait_for()
    accessible(page)
    go(page, "/integrity")
    accessible(page)


def test_the_code_is_dark_on_light_whatever_the_colours(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    go(page, f"{match_paths(page, 'ruff')[0]}/receipt")
    code = page.locator("svg.code")
    assert code.evaluate("(e) => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"
    box = code.bounding_box()
    assert box is not None
    assert box["width"] >= 200


def test_a_receipt_is_one_sheet_of_paper(page: Page) -> None:
    go(page, f"{match_paths(page, 'diamonds-draw')[0]}/receipt")
    sheets = page.pdf(format="A4").count(b"/Type /Page\n")
    assert sheets == 1
