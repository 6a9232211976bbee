"""A person with a phone or at a desk: taps, types, counts both and the pages that load, and looks at each page.

Every page that loads must fit the screen, and in another language than English hold no English.
"""

from __future__ import annotations

import io
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po

from tests.browser.looking import accessible, fits
from tests.documents import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pypdf = pytest.importorskip("pypdf")

THUMB = 44
"""The least width and height of what is tapped, in pixels."""
SAID = """() => {
  const said = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const within = walk.currentNode.parentElement;
    if (!within.closest("code, kbd, pre, script, style, time, bdi, option[lang], [lang]:not(html)")) said.push(walk.currentNode.data);
  }
  for (const one of document.querySelectorAll("[aria-label], [placeholder], [title], [alt]"))
    for (const name of ["aria-label", "placeholder", "title", "alt"]) said.push(one.getAttribute(name) ?? "");
  return said;
}"""
"""What a page says or shows, piece by piece."""
SMALL = """(thumb) => [...document.querySelectorAll("button:not(.card), .button, select, input:not([type=checkbox], [type=radio], [type=range])")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < thumb && !one.closest(".unseen"))
  .map((one) => one.outerHTML.slice(0, 120))"""
"""What is too low for a finger; cards share a wall that fits the screen."""
ENGLISH = re.compile(r"\b(the|of|and|with|has|have|from|who|they|everybody|nobody|which|their)\b", re.IGNORECASE)
"""Words that neither German nor French has."""


@cache
def translations(language: str) -> dict[str, list[str]]:
    """Return the texts of all catalogues in a language, by the English ones; a text without a context comes first."""
    found: dict[str, list[str]] = {}
    for path in (ROOT / "web").glob(f"**/translations/{language}/LC_MESSAGES/*.po"):
        with path.open("rb") as file:
            for entry in read_po(file):
                ids = entry.id if isinstance(entry.id, tuple) else (entry.id,)
                texts = entry.string if isinstance(entry.string, tuple) else (entry.string,)
                for id, text in zip(ids, texts, strict=False):
                    found.setdefault(id, []).insert(0 if entry.context is None else len(found[id]), str(text))
    return found


def english_left(page: Page, language: str) -> list[str]:
    """Return what a page says in English although it is to speak another language."""
    other = translations(language)
    ours = {text for texts in other.values() for text in texts}
    said = {" ".join(text.split()) for text in page.evaluate(SAID)}
    return sorted(text for text in said if text and text not in ours and (text in other or ENGLISH.search(text)))


def good(page: Page) -> None:
    """Fail unless the page fits the screen and everybody can read it."""
    assert fits(page), page.url
    accessible(page)


class Finger:
    """Taps, types and counts; on a phone what is tapped is large enough for a thumb."""

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page, self.language = page, language
        self.taps = self.keys = self.loads = 0
        self.touches = bool(page.evaluate("navigator.maxTouchPoints > 0"))
        page.on("domcontentloaded", self._loaded)

    def _loaded(self, _page: Page) -> None:
        self.loads += 1

    def words(self, text: str, **values: object) -> str:
        """Return a text of the pages in the language they speak."""
        said = text if self.language == "en" else translations(self.language)[text][0]
        return said % values if values else said

    def look(self) -> None:
        """Fail if the page scrolls sideways, has what a finger misses, or says English though it speaks another language."""
        self.page.wait_for_load_state()
        assert fits(self.page), self.page.url
        if self.touches:
            assert (low := self.page.evaluate(SMALL, THUMB)) == [], (self.page.url, low)
        if self.language != "en":
            left = english_left(self.page, self.language)
            assert left == [], (self.page.url, left)

    def tap(self, what: Locator, small: bool = False) -> None:
        if self.touches and not small:
            # What a page draws again just now has no size for a moment.
            box = next(found for _ in range(9) if (found := what.bounding_box()) is not None)
            assert min(box["width"], box["height"]) >= THUMB, (what, box)
        if self.touches:
            what.tap()
        else:
            what.click()
        self.taps += 1

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def choose(self, name: str, value: str) -> None:
        """Choose in a list: one tap opens it, one chooses."""
        self.page.locator(f"select[name={name}]").select_option(value)
        self.taps += 2

    def paste(self, what: Locator, text: str) -> None:
        """Paste a text into a field: a tap, and the keys that paste."""
        self.tap(what, small=True)
        what.fill(text)
        self.keys += 1

    def button(self, text: str, **values: object) -> None:
        """Tap a button that leads to another page."""
        with self.page.expect_navigation():
            self.tap(self.page.get_by_role("button", name=self.words(text, **values)))

    def link(self, text: str | re.Pattern[str], small: bool = False, **values: object) -> None:
        """Tap a link; those within text and navigation may be small."""
        name = self.words(text, **values) if isinstance(text, str) else text
        with self.page.expect_navigation():
            self.tap(self.page.get_by_role("link", name=name), small)

    def printed(self) -> str:
        """Print the page; return the text of the sheets."""
        sheets = pypdf.PdfReader(io.BytesIO(self.page.pdf(format="A4"))).pages
        return "\n".join(sheet.extract_text() for sheet in sheets)
