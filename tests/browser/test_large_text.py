"""Letters twice as large: every page can be read without scrolling sideways, on a phone too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import watched
from tests.browser.looking import fits
from tests.browser.test_audit import PAGES
from tests.browser.test_colours import paths
from tests.browser.test_pages import PATHS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TWICE = "document.documentElement.style.fontSize = '200%'"
WIDTHS = (360, 768, 1280)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways_with_letters_twice_as_large(browser: Browser, address: str, width: int) -> None:
    with watched(browser, "desktop", address) as page:
        page.set_viewport_size({"width": width, "height": 800})
        for path in dict.fromkeys((*PATHS, *PAGES, *paths(page))):
            answer = page.goto(path)
            assert answer is not None
            assert answer.status == 200, path
            page.evaluate(TWICE)
            assert fits(page), f"{path} is wider than {width} pixels"
