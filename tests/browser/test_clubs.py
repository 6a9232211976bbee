"""One phone in two clubs of a house: each keeps its own pages, entries and names, with a connection and without."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger_web.clubs.making import make_club
from tests.browser.looking import accessible, fits
from tests.browser.scoring import SUITS, Api, recorded, scorer_at, settled
from tests.waiting import wait_until
from tests.web.server import command, kept_port, running

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

CLUBS = ("kiel", "ulm")
KEPT = "caches.keys().then((names) => names.filter((name) => name.startsWith('cardledger-scoring')).sort())"
ENTRIES = "(name) => caches.open(name).then((cache) => cache.keys()).then((keys) => keys.length)"


def score(page: Page, address: str, match: str) -> None:
    page.goto(f"{address}/matches/{match}/score")
    settled(page)
    page.locator("#score[data-judges]").wait_for()


@pytest.mark.long
def test_a_phone_scores_for_two_clubs_without_a_connection(browser: Browser, tmp_path: Path) -> None:
    tokens = {}
    for club in CLUBS:
        tokens[club] = make_club(tmp_path, club, "Vogt", "a test", admin=f"scorer of {club}").token
    with ExitStack() as stack:
        port = stack.enter_context(kept_port())
        serve = ("serve", "--clubs", str(tmp_path), "--port", str(port), "--rate", "0")
        matches = {}
        with running(command(*serve)) as (address, _):
            at = {club: f"{address}/c/{club}" for club in CLUBS}
            page = stack.enter_context(scorer_at(browser, "phone", address, "", worker=True))
            page.goto(f"{address}/")
            assert page.get_by_role("link").all_inner_texts() == [*CLUBS]
            accessible(page)
            assert fits(page)
            for club in CLUBS:
                players = tuple(f"{club} {name}" for name in ("ana", "ben", "chloe", "dev"))
                api = Api(at[club], tokens[club])
                matches[club] = api.open(ev.Open(game="diversity", players=players), ev.Deal(dealer=0, hands=SUITS))
                page.goto(f"{at[club]}/?token={tokens[club]}")
                assert f"scorer of {club}" in page.locator("header .who").inner_text()
                score(page, at[club], matches[club])
                page.locator("#said").fill("2d ")
                recorded(page, 3)
            wait_until(lambda: page.evaluate(KEPT) == [f"cardledger-scoring /c/{club}/" for club in CLUBS], "both keep")
            for club in CLUBS:
                name = f"cardledger-scoring /c/{club}/"
                wait_until(lambda name=name: page.evaluate(ENTRIES, name) == 3, "three answers kept")  # type: ignore[misc]
        for club, said in (("kiel", "2h "), ("ulm", "2h 2s ")):
            page.goto(f"{at[club]}/matches/{matches[club]}/score")
            page.get_by_text("No connection. This page is as it was at").wait_for()
            page.locator("#score[data-judges]").wait_for()
            assert f"{club} ben" in page.locator("#card-table").inner_text()
            page.locator("#said").fill(said)
            page.get_by_text("entr" + ("y waits" if club == "kiel" else "ies wait") + " to be sent").wait_for()
        page.goto(f"{at['ulm']}/")
        page.get_by_role("heading", name="No connection").wait_for()
        assert page.get_by_role("link").count() == 1, "the pages of a club offer its own"
        with running(command(*serve)):
            for club, plays in (("kiel", 2), ("ulm", 3)):
                page.goto(f"{at[club]}/?token={tokens[club]}")
                page.goto(f"{at[club]}/matches/{matches[club]}/score")
                recorded(page, 2 + plays)
                assert len(Api(at[club], tokens[club]).events(matches[club])) == 2 + plays
            page.goto(f"{at['kiel']}/")
            page.get_by_role("button", name="Sign out").click()
            page.get_by_role("link", name="Sign in").wait_for()
            wait_until(lambda: page.evaluate(ENTRIES, "cardledger-scoring /c/kiel/") == 0, "nothing is kept")
            assert page.evaluate(ENTRIES, "cardledger-scoring /c/ulm/") > 0, "the other club's is"
            page.goto(f"{at['ulm']}/")
            assert "scorer of ulm" in page.locator("header .who").inner_text()
