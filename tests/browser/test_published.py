"""A published site in a browser, opened from the disk without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.matches.matchfile import read_file
from cardledger.record.recording.ledger import Ledger
from tests.web.club import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser


@pytest.mark.long
def test_a_published_site_is_read_from_the_disk(browser: Browser, tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        for _ in ledger.import_matches(read_file(SAMPLES / "ruff-2-rounds.jsonl")):
            pass
        ledger.views.catch_up()
        ((player,),) = ledger.views.reader.execute("SELECT min(player) FROM players")
    site = tmp_path / "site"
    given = ["publish", str(site), "--db", str(tmp_path / "club.db"), "--workers", "1"]
    assert CliRunner().invoke(main, given).exit_code == 0
    context = browser.new_context(viewport={"width": 360, "height": 740}, offline=True)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", lambda asked: None if asked.url.startswith("file:") else trouble.append(asked.url))

    replays = sorted(site.glob("matches/*/replay/*.html"))
    page.goto(replays[0].as_uri())
    page.wait_for_selector("#replayer[data-ready=yes]")
    before = page.inner_text("#where")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#where") != before
    page.keyboard.press("End")
    last = page.inner_text("#event .words")
    page.wait_for_function("location.hash")
    address = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#replayer[data-ready=yes]")
    assert page.inner_text("#event .words") == last

    page.fill(".find input", player[:2].upper())
    page.wait_for_selector(".find li a")
    page.click(f".find li a:text-is('{player}')")
    assert page.inner_text("h1") == player
    page.fill(".find input", "nobody of this name")
    page.wait_for_selector(".find p:not(:empty)")
    assert not page.locator(".find li").count()

    sample = [
        replays[0],
        site / "index.html",
        *(next(site.glob(f"{room}/*.html")) for room in ("matches", "players", "stats")),
    ]
    for file in sample:
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, file
        assert not Axe().run(page, options={"preload": False}).response["violations"], file
    assert trouble == []
    context.close()
