"""A page read for a file: its main part with links that lead within the file, its title, its styles."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LEADS = frozenset(
    {"href", "xlink:href", "src", "srcset", "action", "formaction", "method", "ping", "poster", "background", "download",
     "target", "rel", "data-hand", "data-ahead"}
)  # fmt: skip
"""Attributes that lead out of a page, or say how; of them only links within the file are kept."""
_LEFT_OUT = ("script", "noscript", "iframe", "object", "embed", "link", "meta", "base")
"""Elements of a main part that a file has no use for."""


class PageReader(HTMLParser):
    """Reads one page.

    Args:
        within: returns the place in the file to which an address leads, None for an address that is not in it.
    """

    def __init__(self, within: Callable[[str], str | None]) -> None:
        super().__init__(convert_charrefs=False)
        self.title = ""
        self.styles: list[str] = []
        self.positions: str | None = None
        self._within = within
        self._main: list[str] = []
        self._in_main = self._in_title = False
        self._skipped: str | None = None
        self._navs = 0

    @property
    def main(self) -> str:
        """The main part."""
        return "".join(self._main)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102 - of the class it overrides
        if self._skipped:
            return
        given = dict(attrs)
        if not self._in_main:
            self._in_title = tag == "title"
            self._in_main = tag == "main"
            if tag == "link" and given.get("rel") == "stylesheet":
                self.styles.append(given["href"] or "")
            return
        self._navs += tag == "nav"
        leads = self._within(given["href"] or "") if tag == "a" and "href" in given else None
        # A place among others that is not in the file would be a word without a meaning.
        dead = tag == "a" and "href" in given and leads is None and self._navs
        if tag in _LEFT_OUT or dead:
            self._skipped = None if tag in ("link", "meta", "base", "embed") else tag
            return
        self.positions = given.get("data-positions") or self.positions
        if not _LEADS & given.keys() or tag == "use":
            self._main.append(self.get_starttag_text() or "")
            return
        kept = [(name, value) for name, value in attrs if name not in _LEADS]
        if leads is not None:
            kept = [("href", leads), *((name, value) for name, value in attrs if name == "rel"), *kept]
        written = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in kept)
        self._main.append(f"<{tag}{written}>")

    def handle_endtag(self, tag: str) -> None:  # noqa: D102 - as above
        if self._skipped:
            self._skipped = None if tag == self._skipped else self._skipped
        elif tag == "main":
            self._in_main = False
        elif self._in_main:
            self._navs -= tag == "nav"
            self._main.append(f"</{tag}>")
        self._in_title = False

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102 - as above
        if self._in_main and not self._skipped and not _LEADS & dict(attrs).keys():
            self._main.append(self.get_starttag_text() or "")

    def handle_data(self, data: str) -> None:  # noqa: D102 - as above
        if self._in_title:
            self.title += data
        elif self._in_main and not self._skipped:
            self._main.append(data)

    def handle_entityref(self, name: str) -> None:  # noqa: D102 - as above
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:  # noqa: D102 - as above
        self.handle_data(f"&#{name};")
