"""The page where files are tried, on a web space that serves plain files: judged in this browser, and nothing is sent."""

from __future__ import annotations

import json
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner

from cardledger.cli.main import main
from tests.test_plugin import FACES, cardledger, installed
from tests.web.club import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

PBN = SAMPLES / "bridge-evening.pbn"
SHEET = SAMPLES / "evenings" / "hearts-tische.csv"
WAIT = 120_000


class Quiet(SimpleHTTPRequestHandler):
    """A web space that knows nothing of us."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a folder that was published."""
    folder = tmp_path / "try"
    said = CliRunner().invoke(main, ["publish", "--try", str(folder)])
    assert said.exit_code == 0, said.output
    with served(folder) as address:
        yield address


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as any web space does."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def chosen(page: Page, name: str, body: bytes) -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "application/octet-stream", "buffer": body})
    page.wait_for_selector("#found > *", timeout=WAIT)


def is_own(address: str, site: str) -> bool:
    return address.startswith((site, "blob:", "data:"))


def told_by_import(tmp_path: Path, name: str, body: bytes) -> str:
    """Return what the command says of a file."""
    (tmp_path / name).write_bytes(body)
    given = ["import", "--keep-going", str(tmp_path / name), "--db", str(tmp_path / "x.db"), "--new"]
    said = CliRunner().invoke(main, given)
    assert said.exit_code == 2, said.output
    return said.output


@pytest.mark.long
def test_files_are_judged_in_the_browser_and_nothing_is_sent(browser: Browser, site: str, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en-GB")
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on(
        "request",
        lambda asked: None if is_own(asked.url, site) and asked.method == "GET" else trouble.append(asked.url),
    )
    page.goto(f"{site}/index.html")

    chosen(page, "ruff.jsonl", (SAMPLES / "ruff-2-rounds.jsonl").read_bytes())
    page.wait_for_selector("#table .seat")
    page.click("[data-go=last]")
    page.wait_for_selector(".tried-events [aria-current]")
    assert page.locator(".tried-events .rulings a").count() > 10
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not Axe().run(page).response["violations"]
    rule = page.locator(".tried-events .rulings a").first
    href = rule.get_attribute("href")

    chosen(page, "board.pbn", PBN.read_bytes())
    page.click("[data-match='1']")
    page.wait_for_selector("#table .seat")

    for name, body in {
        "broken.jsonl": b'{"type":"open","game":"ruff","players":["a","b","c"]}\n{"type":"play","seat":9}\n',
        "picture.jpg": b"\xff\xd8\xff\xe0 no cards",
        "empty.pbn": b"",
    }.items():
        chosen(page, name, body)
        told = told_by_import(tmp_path, name, body)
        said = [
            page.locator(".tried-said bdi").nth(at).inner_text() for at in range(page.locator(".tried-said li").count())
        ]
        codes = page.locator(".tried-said code").all_inner_texts()
        assert said, name
        for code, words in zip(codes, said, strict=True):
            assert f"{code}: {words}" in told, (name, told)

    sheet = SHEET.read_text("cp1252")
    for name, body in {
        "evening.csv": sheet.encode("cp1252"),
        "wide.csv": sheet.encode("utf-16"),
    }.items():
        chosen(page, name, body)
        page.wait_for_selector(".paper-tables")
        assert "Björn" in page.inner_text("#found"), name
        assert page.locator(".sheet-problems").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert not Axe().run(page).response["violations"]
        page.click("[data-match='1']")
        page.wait_for_selector("#table .seat")

    chosen(page, "evening.xlsx", (SHEET.parent / "whole-evening.xlsx").read_bytes())
    page.wait_for_selector(".paper-tables")
    assert page.locator("[data-match]").count() > 0

    chosen(page, "no day.csv", b"Game,Hearts\n\nPlayer,1\nAna,13\nBen,13\nCem,0\nEva,0\n")
    assert "sheet.date" in page.inner_text(".sheet-problems")
    assert not Axe().run(page).response["violations"]
    page.fill("[name=date]", "2026-01-20")
    page.click(".tried-more button")
    page.wait_for_selector(".paper-tables")
    assert page.locator(".sheet-problems").count() == 0

    page.goto(f"{site}/{href}")
    assert page.locator(":target").count() == 1
    page.goto(f"{site}/index.html")
    page.click("text=Deutsch")
    page.wait_for_url("**/index.lang-de.html")
    chosen(page, "board.pbn", PBN.read_bytes())
    assert "Partie" in page.inner_text("#found")
    assert trouble == []
    context.close()


@pytest.mark.long
def test_the_game_of_an_installed_package_is_judged_without_a_network(browser: Browser, tmp_path: Path) -> None:
    (packages := tmp_path / "packages").mkdir()
    made = cardledger("publish", "--try", str(folder := tmp_path / "try"), env=installed(packages))
    assert made.returncode == 0, made.stderr
    events = [
        {"type": "open", "game": "high-card", "players": ["ana", "ben"]},
        {"type": "deal", "dealer": 0, "hands": [["9S"], ["TC"]], "aside": sorted({*FACES} - {"9S", "TC"})},
        {"type": "play", "seat": 1, "card": "TC"},
        {"type": "play", "seat": 0, "card": "9S"},
    ]
    match = "".join(json.dumps(event) + "\n" for event in events)
    with served(folder) as site:
        page = browser.new_page()
        page.goto(f"{site}/index.html")
        chosen(page, "first.pbn", PBN.read_bytes())
        page.context.set_offline(True)
        chosen(page, "match.jsonl", match.encode())
        page.wait_for_selector("#table .seat")
        page.click("[data-go=last]")
        page.wait_for_selector(".tried-events [aria-current]")
        rules = page.locator(".tried-events .rulings a")
        assert "trick.highest" in [rules.nth(at).get_attribute("data-rule") for at in range(rules.count())]
        assert page.locator("[data-match] ~ span").all_inner_texts() == ["ana 0,", "ben 1"]
        chosen(page, "wrong.jsonl", match.replace('"seat": 1', '"seat": 0', 1).encode())
        assert page.locator(".tried-said .alarm").count() == 1
        page.context.close()
    assert 'id="trick.highest"' in (folder / "games" / "high-card.html").read_text("utf-8")
