"""A phone at a table that was there catches a club that rewrote its night: in Chromium, with the page that its scorer has open."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger_api.auth.tokens import Tokens
from tests.browser.looking import accessible, fits
from tests.browser.scoring import SUITS, Api, go_score, scorer_at
from tests.waiting import wait_until
from tests.web.server import command, kept_port, running
from tests.web.test_witness import a_card, rewritten

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

KEPT = "JSON.parse(localStorage.getItem('cardledger-witness'))"


def promised(page: Page, size: int) -> None:
    """Wait until a phone keeps a checkpoint over so many events."""
    wait_until(lambda: page.evaluate(f"{KEPT}?.kept[0]?.size") == size, f"a checkpoint over {size} events is kept")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_rewritten_night_is_shown_to_the_holder_of_a_phone(browser: Browser, tmp_path: Path, language: str) -> None:
    db = tmp_path / "club.db"
    tokens = Tokens(db)
    token = tokens.create("sam", "admin", 1)
    tokens.close()
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(kept_port())
        serve = ("serve", "--db", str(db), "--port", str(port), "--rate", "0")
        with running(command(*serve)) as (address, _):
            api = Api(address, token)
            players = ("ana", "ben", "chloe", "dev")
            notes = [ev.Note(text=text) for text in "abcde"]
            match = api.open(ev.Open(game="diversity", players=players), ev.Deal(dealer=0, hands=SUITS), *notes)
            api.ask(f"/matches/{match}/receipt")  # sealed
            page = stack.enter_context(scorer_at(browser, "phone", address, token, language=language))
            go_score(page, match) if language == "en" else page.goto(f"/matches/{match}/score")
            promised(page, 7)
            assert page.locator(".witness").count() == 0
            assert not [name for name in players if name in page.evaluate(f"JSON.stringify({KEPT})")]
        rewritten(db, a_card)  # without its tokens
        tokens = Tokens(db)
        token = tokens.create("max", "admin", 1)
        tokens.close()
        api = Api(address, token)
        with running(command(*serve)):
            api.record(match, ev.Note(text="late"))
            page.goto(f"/matches/{match}/score?token={token}")
            box = page.locator("main > .witness")
            box.wait_for()
            accessible(page)
            assert fits(page)
            evidence = json.loads(box.locator("textarea").input_value())
            assert evidence["verdict"] == "differs"
            assert evidence["promised"]["root"] != evidence["shown"]["root"]
            page.reload()
            box.wait_for()
            box.get_by_role("button").last.click()
            box.wait_for(state="detached")
            page.reload()
            page.locator("#score[data-judges]").wait_for()
            assert page.locator(".witness").count() == 0
            kept = page.evaluate(KEPT)
            assert kept["differences"][0]["promised"] == evidence["promised"], "what was kept stays as evidence"
