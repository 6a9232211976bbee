"""Which addresses of the pages are published, and the name of the file of each.

What is not named here is not published: a form, a filter, a live stream or a new page stays on the server until
somebody says that it can be a file.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from unicodedata import normalize
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from werkzeug.exceptions import HTTPException

from cardledger.errors import LedgerError
from cardledger.record.matches.hand_replay import hand_at
from cardledger_api.current import ledger_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

HOST = "published.invalid"
"""The host that the pages are asked under: what they call by its whole address is found by it."""
ROOT = f"http://{HOST}"
FEEDS = frozenset({"pages.evening_feed", "pages.evening_calendar", "pages.evening_plain", "pages.evening_picture"})
"""What other programs read elsewhere: it needs whole addresses, so it is published only if the site has one."""
PUBLISHED: dict[str, frozenset[str]] = {
    "static": frozenset(),
    "pages.home": frozenset(),
    "pages.evening_list": frozenset(),
    "pages.evening": frozenset({"as_of"}),
    "pages.evening_board": frozenset(),
    "pages.evening_card": frozenset(),
    "pages.evening_handicaps": frozenset(),
    "pages.league": frozenset({"as_of"}),
    "pages.club": frozenset(),
    "pages.match_list": frozenset({"after"}),
    "pages.match": frozenset(),
    "pages.match_file": frozenset(),
    "pages.match_table": frozenset(),
    "pages.match_chart": frozenset(),
    "pages.hand": frozenset(),
    "pages.hand_plain": frozenset(),
    "pages.replay": frozenset(),
    "pages.player_list": frozenset(),
    "pages.player": frozenset({"game"}),
    "pages.head_to_head": frozenset(),
    "pages.season": frozenset(),
    "pages.violations": frozenset({"after"}),
    "pages.worth_seeing": frozenset({"kind"}),
    "pages.same_deal": frozenset(),
    "pages.game_list": frozenset(),
    "pages.rulebook": frozenset(),
    "pages.leaderboard_of": frozenset({"seats"}),
    "pages.game_stats": frozenset(),
    "pages.cards": frozenset(),
    "pages.decisions": frozenset(),
    "pages.after_bad_hand": frozenset(),
    "pages.partners_calls": frozenset(),
    "pages.partnerships": frozenset(),
    "pages.definition_list": frozenset(),
    "pages.dealer": frozenset(),
    "pages.forecast_page": frozenset({"game"}),
    "pages.help_list": frozenset(),
    "pages.help_page": frozenset(),
} | dict.fromkeys(FEEDS, frozenset())
"""The endpoints that become files, each with the names that its query may have; all others stay on the server."""

FOUND = frozenset({"pages.player", "pages.evening", "pages.match", "pages.league", "pages.club"})
"""What the search of a site finds, by its first page."""
SELECTIONS = frozenset({"pages.hand_list", "pages.replay_match"})
"""What only chooses among that which is published: a link there keeps its words, which may be a number of hands."""
_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,47})", re.ASCII)
KIND = re.compile(r"(?<=.)\.(?:css|js|svg|png|atom|ics|txt|csv|jsonl)\Z", re.ASCII)
"""Kinds of files that are no pages."""
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.ASCII)
"""Names that are devices on Windows."""


_MOST_KNOWN = 20_000
Found = TypeVar("Found")


class LinkTarget(NamedTuple):
    """Where a link leads: the address to ask for, and the part of its page after `#`."""

    address: str
    part: str


class Addresses:
    """The published addresses of an application."""

    def __init__(self, app: Flask, *, feeds: bool) -> None:
        self._ledger = ledger_of(app)
        self._routes = app.url_map.bind(HOST)
        self._kept = {name: keys for name, keys in PUBLISHED.items() if feeds or name not in FEEDS}
        self._firsts: tuple[str, list[int]] = ("", [])
        self._known: dict[str, LinkTarget | None] = {}
        self._tools: dict[str, bool] = {}

    def place(self, address: str) -> LinkTarget | None:
        """Return where an address of this site (a path, with its query and part) leads; None if it is not published."""
        return _known(self._known, address, self._place)

    def is_tool(self, address: str) -> bool:
        """Tell whether an address leads to something that only a server does: no page of it is published."""
        return _known(self._tools, address, self._is_tool)

    def is_found(self, address: str) -> bool:
        """Tell whether the search finds the page of an address."""
        return "?" not in address and self.endpoint(address) in FOUND

    def endpoint(self, address: str) -> str:
        """Return the endpoint of an address that is published."""
        return str(self._routes.match(unquote(urlsplit(address).path))[0])

    def _is_tool(self, address: str) -> bool:
        try:
            endpoint = self._routes.match(unquote(urlsplit(address).path))[0]
        except HTTPException:
            return False
        return endpoint not in PUBLISHED and endpoint not in SELECTIONS

    def _place(self, address: str) -> LinkTarget | None:
        parts = urlsplit(address)
        try:
            endpoint, values = self._routes.match(unquote(parts.path))
        except HTTPException:
            return None
        query = parse_qsl(parts.query, keep_blank_values=True)
        if endpoint == "pages.replay_match" or endpoint == "pages.replay" and not query:
            return self._replay(values["match"], values.get("seq", 1))
        keys = self._kept.get(endpoint)
        if endpoint == "static" and not KIND.search(parts.path):
            return None  # what a browser needs to keep the site as an app: a file is there without
        if keys is None or not {key for key, _ in query} <= keys or len(query) > 1:
            return None
        asked = quote(unquote(parts.path), safe="/~") + (f"?{urlencode(query)}" if query else "")
        return LinkTarget(asked, parts.fragment)

    def _replay(self, match: str, seq: int) -> LinkTarget | None:
        """Return the page of the hand of an event: one page has all positions of its hand."""
        if self._firsts[0] != match:
            table = self._ledger.stream(match).table
            self._firsts = match, [hand_at(table, each) for each in range(1, self._ledger.stream(match).seq + 1)]
        of_event = self._firsts[1]
        if not 1 <= seq <= len(of_event) or not any(of_event):
            return None
        number = of_event[seq - 1] or 1
        first = of_event.index(number) + 1
        return LinkTarget(
            f"/matches/{quote(match)}/replay/{first}", str(seq) if of_event[seq - 1] and seq != first else ""
        )


def _known(kept: dict[str, Found], address: str, find: Callable[[str], Found]) -> Found:
    """Return what was found out about an address; the links of a site are the same on many pages."""
    if address not in kept:
        if len(kept) > _MOST_KNOWN:
            kept.clear()
        kept[address] = find(address)
    return kept[address]


@lru_cache(_MOST_KNOWN)
def file_of(address: str) -> str:
    """Return the name of the file of an address: lower case and ASCII, so that it is one on every system.

    >>> file_of("/"), file_of("/matches?after=12"), file_of("/players/Ana%20Lima")
    ('index.html', 'matches.after-12.html', 'players/ana-lima-7ceda3a6.html')
    """
    parts = urlsplit(address)
    if parts.path.startswith("/static/"):
        return parts.path.removeprefix("/")  # ours, with the hash of what it holds
    names = [unquote(each) for each in parts.path.split("/") if each] or ["index"]
    last, kind = names.pop(), ".html"
    if found := KIND.search(last):
        last, kind = last[: found.start()], found[0]
    query = "".join(f".{_name(key)}-{_name(value)}" for key, value in parse_qsl(parts.query))
    return "/".join([*map(_name, names), _name(last) + query + kind])


def _name(text: str) -> str:
    if _PLAIN.fullmatch(text) and not _RESERVED.fullmatch(text):
        return text
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40]
    return f"{word or 'x'}-{sha256(text.encode()).hexdigest()[:8]}"


class Files:
    """The files of a publication by their names; two addresses never have one file."""

    def __init__(self) -> None:
        self._addresses: dict[str, str] = {}

    def add(self, address: str) -> str:
        """Return the name of the file of an address; raises LedgerError `publish.name` if another one has it."""
        name = file_of(address)
        if self._addresses.setdefault(name, address) != address:
            raise LedgerError("publish.name", f"{address} and {self._addresses[name]} would both be {name}")
        return name
