"""A whole site: from the first page every link is followed, until all that is published is in the folder."""

from __future__ import annotations

import json
from collections import deque
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cardledger.crew import Alone, Processes, cores
from cardledger.errors import LedgerError
from cardledger_web.publishing.addresses import Files, file_of
from cardledger_web.publishing.freezer import MadeFile, freeze, group_of, put_away
from cardledger_web.publishing.made_before import MadePage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cardledger.crew import Crew
    from cardledger_web.publishing.folder import PublishedFolder
    from cardledger_web.publishing.freezer import SiteEdition
    from cardledger_web.publishing.made_before import MadeBefore, Read

FIRST = "/"
INDEX = "search-index.js"
"""What the search of the site finds (static/find.js); a script, as a page on a disk may load no other data."""
PIECE = 40
"""Addresses that a worker is given at a time: those of one match together, as it goes on to the others of it."""
MOST = 1_000_000
"""Files of a site; a ledger that needs more is published in parts, by its owner's own choice."""


class Site:
    """Publishes one edition into a folder."""

    def __init__(self, edition: SiteEdition, folder: PublishedFolder, before: MadeBefore | None = None) -> None:
        """`before` knows what the last publication into the folder made; without it all is made."""
        self._edition = edition
        self._before = before
        self._folder = folder
        self._files = Files()
        self._sources: dict[str, set[str]] = {}
        """What leads to the addresses that were not answered yet."""
        self._elsewhere: dict[str, str | None] = {}
        self.pages: set[str] = set()
        """The addresses that became files."""
        self._answered: dict[str, set[str]] = {}
        """The addresses that were answered, those that are read for together in one set."""
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
                    self._follow(crew, again, done, again=True)
                self._folder.put(INDEX, self._index())
            finally:
                put_away(self._edition)

    def _follow(
        self, crew: Crew, addresses: Iterable[str], done: Callable[[int, int], object], *, again: bool = False
    ) -> None:
        """Make the files of addresses, and of all that they lead to for the first time; `again` those made wrong."""
        wrong = {*addresses} if again else set[str]()
        waiting, under_way = WaitingAddresses(), deque[Any]()
        waiting.add(addresses)
        while True:
            while len(under_way) < crew.ahead and (piece := waiting.take()):
                answered = self._answered.get(group_of(piece[0]), set())
                piece = [address for address in piece if again or address not in answered]
                kept = {
                    made.address: made for address in piece if address not in wrong and (made := self._kept(address))
                }
                if left := [address for address in piece if address not in kept]:
                    # Where only a file was lost or changed, the others of its match are as they were.
                    alone = again or self._before is not None and any(map(self._before.page, left))
                    known = None if alone else frozenset(answered)
                    under_way.append(crew.give(self._edition, left, self._elsewhere, known))
                for made in kept.values():
                    waiting.add(self._taken(made))
            if not under_way:
                return
            files, reads = crew.wait(under_way.popleft())
            self._note(files, reads)
            for made in files:
                waiting.add(self._taken(made))  # what was answered meanwhile is not asked for again
            found = len(self.pages) + len(self._sources)
            if found > MOST:
                raise LedgerError("publish.many", f"the site would have more than {MOST:,} files")
            done(len(self.pages), found)

    def _kept(self, address: str) -> MadeFile | None:
        """Return the file that the last publication made of an address, if it would be made of the same."""
        page = self._before and self._before.page(address)
        if not self._before or not page:
            return None
        body = self._folder.there(file_of(address))
        if body is None or sha256(body).digest() != page.digest:
            return None
        self._before.keep(address, page)
        return MadeFile(address, body, frozenset(page.leads), None, page.found_by)

    def _note(self, files: Iterable[MadeFile], reads: Sequence[Read] | None) -> None:
        """Take note of what files were made of, for the next publication."""
        if self._before is None:
            return
        number = None if reads is None else self._before.add(reads)
        for made in files:
            if number is None or made.body is None or not made.follows:
                self._before.forget(made.address)
            else:
                page = MadePage(sha256(made.body).digest(), sorted(made.leads), made.found_by, number)
                self._before.note(made.address, page)

    def _taken(self, made: MadeFile) -> Iterator[str]:
        """Put a file in the folder; yield what it leads to and nobody asked for yet."""
        name = self._files.add(made.address)
        self._answered.setdefault(group_of(made.address), set()).add(made.address)
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
            self._groups.setdefault(group_of(address), []).append(address)

    def take(self) -> list[str]:
        """Return a piece of work; empty if nothing waits."""
        if not self._groups:
            return []
        group = next(iter(self._groups))
        piece, left = self._groups[group][:PIECE], self._groups.pop(group)[PIECE:]
        if left:
            self._groups[group] = left
        return piece
