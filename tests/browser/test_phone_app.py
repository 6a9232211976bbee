"""The phone app in samples/phone-app: it scores hearts with the API alone, goes on without a connection, and is followed live."""

from __future__ import annotations

import shutil
import threading
from contextlib import closing, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine.events import Note
from cardledger_api.auth.tokens import Tokens
from tests.api.test_generated_clients import MODULES, ROOT, expect_tools, run
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

APP = ROOT / "samples" / "phone-app"
PHONE = {"width": 390, "height": 844}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder at an address of its own, as another program's server does."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def build(folder: Path, server: str) -> None:
    """Build the app as its README says."""
    run(MODULES / ".bin" / "openapi-typescript", f"{server}/api/v1/openapi.json", "-o", "schema.ts", at=folder)
    run(MODULES / ".bin" / "tsc", "--project", ".", at=folder)


def enter(page: Page, *points: int) -> None:
    """Enter the points of a hand."""
    for seat, each in enumerate(points):
        page.fill(f"[name=points{seat}]", str(each))
    page.click("text=Save")


def sheet(page: Page) -> list[list[str]]:
    """Return the rows of the sheet below the names, whether they are laid out yet or not."""
    return page.evaluate(
        "[...document.querySelectorAll('table tr')].slice(1)"
        ".map(row => [...row.cells].map(cell => cell.textContent.trim()).filter(Boolean))"
    )


def test_a_match_is_scored_with_the_connection_lost_in_between_and_followed(browser: Browser, tmp_path: Path) -> None:
    expect_tools()
    folder, db = tmp_path / "app", tmp_path / "club.db"
    shutil.copytree(APP, folder)
    assert len((folder / "app.ts").read_text("utf-8").splitlines()) <= 300
    Ledger(db).close()
    with closing(Tokens(db)) as tokens:
        token = tokens.create("phone", "scorer", 1)
    with served(folder) as app, running(command("serve", "--db", str(db), "--port", "0", "--cors", app)) as (server, _):
        build(folder, server)
        phone, screen = browser.new_context(viewport=PHONE), browser.new_context()
        page, other = phone.new_page(), screen.new_page()
        page.goto(app)
        page.locator("[name=server]").first.fill(server)
        page.fill("[name=token]", token)
        page.click("text=Begin")
        enter(page, 13, 9, 4, 1)
        page.wait_for_selector("text=these are 27")
        enter(page, 13, 9, 4, 0)
        page.wait_for_selector("text=Saved.")
        with Ledger(db, create=False) as ledger:
            (match,) = ledger.matches()
        other.goto(f"{app}/#server={server}&match={match}")
        other.wait_for_selector("text=Live.")
        assert sheet(other) == [["13", "9", "4", "0"]] * 2
        page.evaluate("navigator.serviceWorker.ready")

        # A page that a worker loads again forgets that it is offline, so requests to the server are cut as well.
        phone.set_offline(True)
        phone.route(f"{server}/**", lambda route: route.abort())
        enter(page, 0, 26, 26, 26)
        page.wait_for_selector("text=No connection")
        page.reload()
        page.wait_for_selector("tr.waiting")
        enter(page, 20, 2, 2, 2)
        assert sheet(page)[-1] == ["33", "37", "32", "28"]
        assert sheet(other) == [["13", "9", "4", "0"]] * 2, "nothing came yet"

        phone.unroute_all()
        phone.set_offline(False)
        other.wait_for_selector("tbody tr:nth-child(3)")
        assert sheet(other)[-1] == ["33", "37", "32", "28"]
        page.wait_for_selector("tr.waiting", state="detached")
        with Ledger(db, create=False) as ledger:
            assert ledger.stream(match).table.totals == [33, 37, 32, 28]
            assert ledger.stream(match).seq == 7, "each event once"
            ledger.record(match, [Note(text="the hall is cold")], 7, "somebody")
        enter(page, 26, 0, 0, 0)
        page.wait_for_selector("text=Somebody else recorded this match meanwhile. Not saved: 26, 0, 0, 0.")
        phone.close()
        screen.close()
