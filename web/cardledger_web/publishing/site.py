"""A whole site: from the first page every link is followed, until all that is published is in the folder."""

from __future__ import annotations

import json
from collections import deque
from contextlib import closing
from typing import TYPE_CHECKING, Any

from cardledger.crew import Alone, Processes, cores
from cardledger.errors import LedgerError
from cardledger_web.publishing.addresses import Files
from cardledger_web.publishing.freezer import freeze, put_away

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cardledger.crew import Crew
    from cardledger_web.publishing.folder import PublishedFolder
    from cardledger_web.publishing.freezer import MadeFile, SiteEdition

FIRST = "/"
INDEX = "search-index.js"
"""What the search of the site finds (static/find.js); a script, as a page on a disk may load no other data."""
PIECE = 12
"""Addresses that a worker is given at a time: those of one match together, as it is read once for them."""
MOST = 1_000_000
"""Files of a site; a ledger that needs more is published in parts, by its owner's own choice."""


class Site:
    """Publishes one edition into a folder."""

    def __init__(self, edition: SiteEdition, folder: PublishedFolder) -> None:
        self._edition = edition
        self._folder = folder
        self._files = Files()
        self._sources: dict[str, set[str]] = {}
        """What leads to the addresses that were not answered yet."""
        self._elsewhere: dict[str, str | None] = {}
        self.pages: set[str] = set()
        """The addresses that became files."""
        self._found_by: dict[str, tuple[str, str]] = {}

    def publish(self, workers: int = 0, done: Callable[[int, int], object] = lambda *_: None) -> None:
        """Make all files, in so many processes (0: one for each core).

        `done` is told how many are made and how many are known. Raises LedgerError `publish.name`, `publish.many`.
        """
        workers = workers or cores()
        crew: Crew = Alone(freeze) if workers == 1 else Processes(freeze, workers)
        with closing(crew):
            try:
                self._follow(crew, [FIRST], done)
                while again := self._wrong():
                    self._follow(crew, again, done)
                self._folder.put(INDEX, self._index())
            finally:
                put_away(self._edition)

    def _follow(self, crew: Crew, addresses: Iterable[str], done: Callable[[int, int], object]) -> None:
        """Make the files of addresses, and of all that they lead to for the first time."""
        waiting, under_way = WaitingAddresses(), deque[Any]()
        waiting.add(addresses)
        while True:
            while len(under_way) < crew.ahead and (piece := waiting.take()):
                under_way.append(crew.give(self._edition, piece, self._elsewhere))
            if not under_way:
                return
            for made in crew.wait(under_way.popleft()):
                waiting.add(self._taken(made))
            known = len(self.pages) + len(self._sources)
            if known > MOST:
                raise LedgerError("publish.many", f"the site would have more than {MOST:,} files")
            done(len(self.pages), known)

    def _taken(self, made: MadeFile) -> Iterator[str]:
        """Put a file in the folder; yield what it leads to and nobody asked for yet."""
        name = self._files.add(made.address)
        if made.body is None:
            self._elsewhere[made.address] = made.moved
            self._folder.drop(name)
        else:
            self._folder.put(name, made.body)
            self.pages.add(made.address)
            if made.found_by is not None:
                self._found_by[name] = made.found_by
            self._sources.pop(made.address, None)
        for to in sorted({*made.leads, *filter(None, [made.moved])} - self.pages):
            if to not in self._sources:
                self._sources[to] = set()
                yield to
            self._sources[to].add(made.address)

    def _index(self) -> bytes:
        """Return what the search finds: of each page its words, those it shows with them, and its file."""
        found = sorted((title, about, name) for name, (title, about) in self._found_by.items())
        text = json.dumps(found, ensure_ascii=False, indent=0, separators=(",", ":"))
        return f"globalThis.cardledgerIndex = {text};\n".encode()

    def _wrong(self) -> list[str]:
        """Return the pages that still lead to addresses which turned out to be no pages."""
        wrong = {source for address in self._elsewhere for source in self._sources.pop(address, ())}
        return sorted(wrong - self._elsewhere.keys())


class WaitingAddresses:
    """Addresses that wait, those of one match or player together: they are read once for all of its pages."""

    def __init__(self) -> None:
        self._groups: dict[str, list[str]] = {}

    def add(self, addresses: Iterable[str]) -> None:
        """Let addresses wait."""
        for address in addresses:
            self._groups.setdefault("/".join(address.split("/")[:3]), []).append(address)

    def take(self) -> list[str]:
        """Return a piece of work; empty if nothing waits."""
        if not self._groups:
            return []
        group = next(iter(self._groups))
        piece, left = self._groups[group][:PIECE], self._groups.pop(group)[PIECE:]
        if left:
            self._groups[group] = left
        return piece
