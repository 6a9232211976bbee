"""A page as a file: every link leads to another file or nowhere, and nothing is left that needs a server.

The tags of our pages are written in one way (`name="value"`, with `"`, `<` and `>` escaped in values), so that they
are found without a parser; all else stays as the server wrote it.
"""

from __future__ import annotations

import re
from html import escape, unescape
from posixpath import dirname, relpath
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from cardledger_web.publishing.addresses import HOST, ROOT, file_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger_web.publishing.addresses import LinkTarget

_TAG = re.compile(r'<([a-z][\w-]*)((?:\s+[\w:.-]+(?:="[^"]*")?)+)\s*(/?)>')
_ATTRIBUTE = re.compile(r'(\s+)([\w:.-]+)(?:="([^"]*)")?')
_LINKS = frozenset({"href", "src", "xlink:href"})
_ONLY_LINKS = frozenset({"link", "img", "script", "iframe", "source"})
"""Elements that are nothing without what they lead to."""
_LINK = re.compile(r"(?:[,·]\s*)?<a\b((?:[^>\"]|\"[^\"]*\")*)>.*?</a>", re.DOTALL)
_LEADS_TO = re.compile(r'\s(?:xlink:)?href="([^"]*)"')
_NOTHING = re.compile(r"<(p|li)\b[^>]*>\s*</\1>")
_PICTURE = re.compile(r'\s*<meta (?:property="og:image:|name="twitter:card")[^>]*>')
_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
_SCRIPT = re.compile(r"<script\b([^>]*)>.*?</script>\n?", re.DOTALL)
_CONTROLS = re.compile(r"<(button|select|noscript|label)\b.*?</\1>|<input\b[^>]*>", re.DOTALL)
_EMPTY = re.compile(r"<details\b[^>]*>\s*<summary\b(?:(?!</summary>).)*</summary>\s*</details>", re.DOTALL)
ALONE = "data-alone"
"""What a script says of itself that needs no server: all others are left out."""
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

    def page(self, text: str) -> str:
        """Return a page without what needs a server."""
        alone = ALONE in text
        text = _SCRIPT.sub(lambda found: found[0] if ALONE in found[1] else "", text)
        text = _FORM.sub("", text)
        if not alone:
            text = _CONTROLS.sub("", text)
        text = _NOTHING.sub("", self.part(_EMPTY.sub("", _LINK.sub(self._without_tools, text))))
        return text if 'property="og:image"' in text else _PICTURE.sub("", text)

    def part(self, text: str) -> str:
        """Return HTML with links to files, or to nowhere."""
        return _TAG.sub(self._tag, text)

    def plain(self, text: str) -> str:
        """Return a text that is no HTML with the addresses that its files will have."""
        return _WHOLE.sub(lambda found: self._whole(unescape(found[1] or "/")) or self._site or "", text)

    def _without_tools(self, found: re.Match[str]) -> str:
        leads = _LEADS_TO.search(found[1])
        there = urlsplit(urljoin(ROOT + self._address, unescape(leads[1]))) if leads else None
        if there is None or there.netloc != HOST:
            return found[0]
        return "" if self._is_tool(there._replace(scheme="", netloc="").geturl()) else found[0]

    def _tag(self, found: re.Match[str]) -> str:
        name = found[1]
        if name == "meta":
            return self._meta(found[0])
        kept = []
        for blank, key, value in _ATTRIBUTE.findall(found[2]):
            if key in _LINKS:
                link = self._link(unescape(value), name)
                if link is None:
                    if name in _ONLY_LINKS:
                        return ""
                    continue
                kept.append(f'{blank}{key}="{escape(link)}"')
            elif key in ("formaction", "action") or key.startswith("data-") and _FOR_SCRIPTS.match(unescape(value)):
                continue
            elif key == "type" and name == "script" and value == "module":
                kept.append(f"{blank}defer")  # modules are not loaded from files; these import nothing
            else:
                kept.append(f'{blank}{key}="{value}"' if value or f'{key}=""' in found[2] else f"{blank}{key}")
        return f"<{name}{''.join(kept)}{found[3]}>"

    def _meta(self, tag: str) -> str:
        whole = _WHOLE.search(tag)
        if whole is None:
            return tag
        there = self._whole(unescape(whole[1] or "/")) if self._site else None
        return tag.replace(whole[0], escape(there)) if there else ""

    def _link(self, value: str, name: str) -> str | None:
        """Return what a link says in the file; None if it leads to nothing that is published."""
        if value.startswith(("#", "data:")):
            return value
        there = urlsplit(urljoin(ROOT + self._address, value))
        if there.netloc != HOST:
            return value if name == "a" else None
        place = self._place(there._replace(scheme="", netloc="").geturl())
        if place is None:
            return None
        self.found.add(place.address)
        part = f"#{place.part}" if place.part else ""
        if place.address == self._address:
            return part or file_of(place.address).rpartition("/")[2]
        return relpath(file_of(place.address), self._folder or ".") + part

    def _whole(self, path: str) -> str | None:
        place = self._place(path)
        if place is None:
            return None
        self.found.add(place.address)
        return (self._site or "") + file_of(place.address) + (f"#{place.part}" if place.part else "")
