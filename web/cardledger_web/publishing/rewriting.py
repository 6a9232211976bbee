"""A page as a file: every link leads to another file or nowhere, and nothing is left that needs a server."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import dirname, relpath
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from markupsafe import escape
from selectolax.lexbor import LexborHTMLParser

from cardledger_web.publishing.addresses import HOST, ROOT, file_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from selectolax.lexbor import LexborNode

    from cardledger_web.publishing.addresses import LinkTarget

_LINKS = ("href", "src", "xlink:href")
_ACTIONS = ("action", "formaction")
_ONLY_LINKS = frozenset({"link", "img", "script", "iframe", "source"})
"""Elements that are nothing without what they lead to."""
_PICTURE = 'meta[property^="og:image:"], meta[name="twitter:card"]'
_CONTROLS = "button, select, noscript, label, input"
ALONE = "data-alone"
"""What a script says of itself that needs no server: all others are left out.

With a name behind it, the script brings its own controls, and those of the page stay out.
"""
_WHOLE = re.compile(rf"{re.escape(ROOT)}(/[^\s\"'<>]*)?")
_FOR_SCRIPTS = re.compile(rf"(?:/|{re.escape(ROOT)})[\w/]")


class Rewriting:
    """Writes the text of one page as a file, and collects the addresses that it leads to."""

    def __init__(
        self,
        address: str,
        place: Callable[[str], LinkTarget | None],
        site: str | None = None,
        is_tool: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`place` tells where links lead; `site` is the address where the files will be read, if that is known.

        `is_tool` tells whether an address that is not published is that of a tool: then nothing is said of it.
        """
        self._is_tool = is_tool
        self._address = address
        self._folder = dirname(file_of(address))
        self._place = place
        self._site = site
        self.found: set[str] = set()
        self.title = self.about = ""
        """What the page says of itself."""

    def page(self, text: str, data: Callable[[str], str] | None = None) -> str:
        """Return a page without what needs a server.

        Args:
            text: the page.
            data: returns what stands at the end of the main part instead of an address for its script.
        """
        page = LexborHTMLParser(text)
        positions = page.css_first("[data-positions]")
        there = positions.attributes["data-positions"] if positions and data else None
        alone = page.css_matches(f'[{ALONE}=""]')
        self.title, self.about = (
            _words(page.css_first("head title")),
            _words(page.css_first('meta[name="description"]')),
        )
        _leave_out(page.css("form" if alone else f"form, {_CONTROLS}"))
        _leave_out(page.css(f"script:not([{ALONE}])"))
        for node in page.css("a[href], a[xlink\\:href]"):
            self._without_tool(node)
        _leave_out(node for node in page.css("details") if all(map(_is_nothing, node.iter(include_text=True))))
        for node in page.css("*"):
            self._element(node)
        _leave_out(node for node in page.css("p, li") if all(map(_is_blank, node.iter(include_text=True))))
        if not page.css_matches('meta[property="og:image"]'):
            _leave_out(page.css(_PICTURE))
        written = page.html or ""
        if there and data:
            before, end, after = written.rpartition("</main>")
            written = before + data(there) + end + after
        return written

    def part(self, text: str) -> str:
        """Return a piece of HTML or SVG with links to files, or to nowhere; all else stays as it is written.

        A piece may begin and end within elements: it is read for its links, which are then changed in its text.
        """
        if not any(f'{key}="' in text for key in _LINKS):
            return text
        for node in LexborHTMLParser(text, is_fragment=True).css("*"):
            for key, value in node.attributes.items():
                if key not in _LINKS or value is None or value.startswith(("#", "data:")):
                    continue
                link, written = self._link(value, node.tag or ""), f' {key}="{escape(value)}"'
                assert written in text, written
                text = text.replace(written, f' {key}="{escape(link)}"' if link is not None else "")
        return text

    def plain(self, text: str) -> str:
        """Return a text that is no HTML with the addresses that its files will have."""
        return _WHOLE.sub(lambda found: self._whole(found[1] or "/") or self._site or "", text)

    def _without_tool(self, node: LexborNode) -> None:
        """Leave out a link to a tool, and the comma or point before it."""
        there = self._here(node.attributes.get("href") or node.attributes.get("xlink:href") or "")
        if there is None or not self._is_tool(there):
            return
        before = node.prev
        if before is not None and before.is_text_node:
            words = (before.text_content or "").rstrip()
            if words.endswith((",", "·")):
                before.replace_with(words[:-1])
        node.decompose()

    def _element(self, node: LexborNode) -> None:
        name, given = node.tag, node.attributes
        if not given:
            return
        if name == "meta":
            self._meta(node, given.get("content") or "")
            return
        attrs = node.attrs
        for key, value in given.items():
            if key in _LINKS:
                link = self._link(value or "", name or "")
                if link is not None:
                    attrs[key] = link
                elif name in _ONLY_LINKS:
                    node.decompose()
                    return
                else:
                    del attrs[key]
            elif key in _ACTIONS or key.startswith("data-") and _FOR_SCRIPTS.match(value or ""):
                del attrs[key]
            elif key == "type" and name == "script" and value == "module":
                del attrs[key]
                attrs["defer"] = ""  # modules are not loaded from files; these import nothing

    def _meta(self, node: LexborNode, content: str) -> None:
        whole = _WHOLE.search(content)
        if whole is None:
            return
        there = self._whole(whole[1] or "/") if self._site else None
        if there:
            node.attrs["content"] = content.replace(whole[0], there)
        else:
            node.decompose()

    def _link(self, value: str, name: str) -> str | None:
        """Return what a link says in the file; None if it leads to nothing that is published."""
        if value.startswith(("#", "data:")):
            return value
        there = self._here(value)
        if there is None:
            return value if name == "a" else None
        place = self._place(there)
        if place is None:
            return None
        self.found.add(place.address)
        part = f"#{place.part}" if place.part else ""
        if place.address == self._address:
            return part or file_of(place.address).rpartition("/")[2]
        return _relative(file_of(place.address), self._folder or ".") + part

    def _here(self, value: str) -> str | None:
        """Return the address of this site that a link leads to, None if it leads elsewhere."""
        if value.startswith("/") and not value.startswith("//"):
            return value  # nearly every link
        there = urlsplit(urljoin(ROOT + self._address, value))
        return there._replace(scheme="", netloc="").geturl() if there.netloc == HOST else None

    def _whole(self, path: str) -> str | None:
        place = self._place(path)
        if place is None:
            return None
        self.found.add(place.address)
        return (self._site or "") + file_of(place.address) + (f"#{place.part}" if place.part else "")


def _words(node: LexborNode | None) -> str:
    return "" if node is None else (node.attributes.get("content") or node.text()).strip()


_relative = lru_cache(20_000)(relpath)


def _leave_out(nodes: Iterable[LexborNode]) -> None:
    """Leave elements out, those within others first: with an element goes what is within it."""
    for node in reversed([*nodes]):
        node.decompose()


def _is_nothing(node: LexborNode) -> bool:
    """Tell whether a part of what is opened is only its heading."""
    return node.tag == "summary" or _is_blank(node)


def _is_blank(node: LexborNode) -> bool:
    """Tell whether a part of an element is nothing but blanks."""
    return bool(node.is_text_node) and not (node.text_content or "").strip()
