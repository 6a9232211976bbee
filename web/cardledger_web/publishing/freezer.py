"""The pages of a ledger asked for in this process, as a reader without a name, each made into a file."""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from cardledger.record.store.readers import watched
from cardledger.study.stats import Statistics
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.publishing.addresses import HOST, ROOT, Addresses
from cardledger_web.publishing.made_before import Reads
from cardledger_web.publishing.rewriting import Rewriting

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from werkzeug.test import TestResponse

    from cardledger.record.store.address import Where
    from cardledger_web.publishing.addresses import LinkTarget
    from cardledger_web.publishing.made_before import Read

PATIENCE = 600.0
"""Seconds that a page waits for its figures: a file cannot say that they come later."""
_REPLAY = "pages.replay"
OF_MATCH = re.compile(r"/matches/[^/?]+(?:/|\Z)")
"""Pages of one match."""
_MATCH = re.compile(r"/matches/[^/?.]+")


class SiteEdition(NamedTuple):
    """What is published: the ledger, the language, and the address where it will be read if that is known."""

    ledger: Where
    language: str
    site: str | None


class MadeFile(NamedTuple):
    """The answer to an address: what its file holds (None: there is none), where it leads, and what it was moved to."""

    address: str
    body: bytes | None
    leads: frozenset[str]
    moved: str | None = None
    found_by: tuple[str, str] | None = None
    """Words that the search finds it by, and others that it shows with them."""
    follows: bool = True
    """Whether the file follows from what was read for it alone: no link in it was changed by what others found out."""


class Freezer:
    """Makes files of pages."""

    def __init__(self, edition: SiteEdition) -> None:
        """Open the ledger; raises StoreError `store.open`."""
        self._edition = edition
        self._app = create_app(edition.ledger, hosts=None, limits=Limits.of(0))
        self._app.jinja_env.globals["frozen"] = True
        Statistics.of(ledger_of(self._app).views).sheets.patience = PATIENCE
        self._client = self._app.test_client(use_cookies=False)
        self._addresses = Addresses(self._app, feeds=edition.site is not None)

    def close(self) -> None:
        """Close the ledger."""
        ledger_of(self._app).close()
        access_of(self._app).close()

    def made(self, address: str, elsewhere: Mapping[str, str | None]) -> MadeFile:
        """Return the file of an address.

        `elsewhere` says of addresses that are no pages what they were moved to, or None for those that nobody gets.
        """
        answer = self._asked(address)
        if 300 <= answer.status_code < 400:
            to = self._addresses.place(_path(urljoin(ROOT + address, answer.headers["Location"])))
            return MadeFile(address, None, frozenset(), to.address if to else None)
        if answer.status_code != 200:
            return MadeFile(address, None, frozenset())

        follows = True

        def place(there: str) -> LinkTarget | None:
            nonlocal follows
            found = self._addresses.place(there)
            while found is not None and found.address in elsewhere:
                follows = False
                to = elsewhere[found.address]
                found = found._replace(address=to) if to else None
            return found

        rewriting = Rewriting(address, place, self._edition.site, self._addresses.is_tool)
        kind = answer.mimetype or ""
        if kind == "text/html":
            of_replay = self._addresses.endpoint(address) == _REPLAY
            text = rewriting.page(answer.text, partial(self._positions, rewriting) if of_replay else None)
        elif kind.startswith("text/") and not address.startswith("/static/") or "xml" in kind:
            text = rewriting.part(answer.text) if answer.mimetype == "image/svg+xml" else rewriting.plain(answer.text)
        else:
            return MadeFile(address, answer.data, frozenset())
        found_by = (rewriting.title, rewriting.about) if self._addresses.is_found(address) else None
        return MadeFile(address, text.encode(), frozenset(rewriting.found), None, found_by, follows)

    def _asked(self, address: str) -> TestResponse:
        return self._client.get(address, base_url=ROOT, headers={"Accept-Language": self._edition.language})

    def _positions(self, rewriting: Rewriting, there: str) -> str:
        """Return all positions of the hand of a page, for its script: it steps without a server."""
        answer = self._asked(there)
        assert answer.status_code == 200, there
        positions = json.loads(answer.text)
        positions["pieces"] = [rewriting.part(piece) for piece in positions["pieces"]]
        text = json.dumps(positions, ensure_ascii=False, separators=(",", ":"))
        text = text.replace("</", "<\\/").replace("<!", "\\u003c!")  # it must not end its element
        return f'<script type="application/json" id="positions">{text}</script>\n'


def _path(address: str) -> str:
    parts = urlsplit(address)
    return parts._replace(scheme="", netloc="").geturl() if parts.netloc == HOST else address


_open: dict[SiteEdition, Freezer] = {}
"""The freezer of this process: a worker keeps it between pieces of work."""


def group_of(address: str) -> str:
    """Return what an address is read for together with others: its match with the files of it, or its player."""
    found = _MATCH.match(address) if OF_MATCH.match(address) else None
    return found[0] if found else "/".join(address.split("/")[:3])


def freeze(
    edition: SiteEdition,
    addresses: Sequence[str],
    elsewhere: Mapping[str, str | None],
    known: Collection[str] | None = None,
) -> tuple[list[MadeFile], list[Read] | None]:
    """Return the files of some addresses, made in this process, and what was read for them; None if that is not known.

    What is read is known of the pages of a match: they are made by an application of their own, which remembers nothing.
    As opening one takes as long as a page, it goes on to the other pages of the match, but for those that are `known`;
    without `known` it makes the addresses alone.
    """
    if isinstance(edition.ledger, Path) and all(map(OF_MATCH.match, addresses)):
        reads = Reads(edition.ledger.parent)
        with watched(reads), closing(Freezer(edition)) as freezer:
            return [*_followed(freezer, addresses, elsewhere, known)], reads.found
    if edition not in _open:
        _open[edition] = Freezer(edition)
    return [_open[edition].made(address, elsewhere) for address in addresses], None


def _followed(
    freezer: Freezer, addresses: Sequence[str], elsewhere: Mapping[str, str | None], known: Collection[str] | None
) -> Iterator[MadeFile]:
    """Yield the files of addresses, and of those of the same matches that they lead to."""
    groups, waiting, asked = {*map(group_of, addresses)}, deque(addresses), {*addresses, *(known or ())}
    while waiting:
        made = freezer.made(waiting.popleft(), elsewhere)
        yield made
        if known is None:
            continue
        for to in sorted(made.leads - asked):
            if OF_MATCH.match(to) and group_of(to) in groups:
                asked.add(to)
                waiting.append(to)


def put_away(edition: SiteEdition) -> None:
    """Close the freezer of this process."""
    if edition in _open:
        _open.pop(edition).close()
