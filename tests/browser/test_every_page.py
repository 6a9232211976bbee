"""Every page that links lead to, of every kind that the application knows, in light, dark and forced colours."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from werkzeug.exceptions import HTTPException

from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth.tokens import Tokens
from cardledger_web.app import access_of, create_app, ledger_of
from tests.browser.looking import SIZES, accessible, fits
from tests.browser.scoring import scorer_at
from tests.evenings.night import under_way
from tests.web.club import fill
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page
    from werkzeug.routing import MapAdapter

LINKS = "[...document.links].map((link) => link.href)"
LOOKS: tuple[dict[str, Any], ...] = (
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"color_scheme": "light", "forced_colors": "active"},
)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, MapAdapter]]:
    """A club with matches, evenings, a lesson and words about a match: its address, its admin's token, its addresses."""
    db = tmp_path_factory.mktemp("club") / "club.db"
    with Ledger(db) as ledger:
        fill(ledger)
        under_way(ledger)
    app = create_app(db)
    urls = app.url_map.bind("localhost")
    access_of(app).close()
    ledger_of(app).close()
    tokens = Tokens(db)
    token = tokens.create("sam", "admin", 1)
    tokens.close()
    with running(command("serve", "--db", str(db), "--port", "0", "--rate", "0")) as (where, _):
        yield where, token, urls


def kind_of(urls: MapAdapter, address: str) -> tuple[str, tuple[str, ...]] | None:
    """Return what a page is of: its view, and what its query names. None for what is no page of ours."""
    parts = urlsplit(address)
    try:
        endpoint, _ = urls.match(parts.path)
    except HTTPException:
        return None
    return (endpoint, tuple(sorted({key for key, _ in parse_qsl(parts.query)}))) if "api." not in endpoint else None


@pytest.mark.parametrize("size", SIZES)
def test_every_page_can_be_read_by_everybody(browser: Browser, club: tuple[str, str, MapAdapter], size: str) -> None:
    where, token, urls = club
    with ExitStack() as stack:
        page = stack.enter_context(scorer_at(browser, size, where, token))
        seen: dict[tuple[str, tuple[str, ...]], str] = {}
        waiting = [f"{where}/"]
        wrong = []
        while waiting:
            address = waiting.pop(0)
            kind = kind_of(urls, address)
            if kind is None or kind in seen or "lang" in kind[1] or not address.startswith(where):
                continue
            seen[kind] = address
            answer = page.request.get(address, headers={"Range": "bytes=0-0"})
            if "text/html" not in answer.headers["content-type"] or "content-disposition" in answer.headers:
                continue  # a file, to be kept
            page.goto(address)
            waiting += page.evaluate(LINKS)
            wrong += found_wrong(page)
    assert wrong == []
    assert len({view for view, _ in seen}) > 60, sorted({view for view, _ in seen})


def found_wrong(page: Page) -> list[str]:
    """Return what is wrong with a page in any of its looks."""
    told = []
    for look in LOOKS:
        page.emulate_media(**{"forced_colors": "none", **look})
        if not fits(page):
            told.append(f"{page.url} {look}: wider than the screen")
        try:
            accessible(page, forced="forced_colors" in look)
        except pytest.fail.Exception as error:
            told.append(f"{page.url} {look}: {str(error)[:300]}")
    page.emulate_media(color_scheme="light", forced_colors="none")
    return told
