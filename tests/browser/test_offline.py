"""Without a connection: the scoring page opens, entries wait and arrive once, nothing old looks new; the big screen turns."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import evening_events as evenings
from cardledger_api.auth.tokens import Tokens
from tests.browser.looking import accessible, fits
from tests.browser.scoring import Api, go_score, recorded, scorer_at
from tests.evenings.night import under_way
from tests.waiting import wait_until
from tests.web.server import command, kept_port, running

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

SUITS = tuple(tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")
KEPT = "caches.open('cardledger-scoring').then((cache) => cache.keys()).then((keys) => keys.length)"


def kept(page: Page, many: int) -> None:
    """Wait until so many answers are kept for a page without a connection."""
    wait_until(lambda: page.evaluate(KEPT) == many, f"{many} answers kept")


def test_the_scoring_page_opens_without_a_connection_and_an_entry_arrives_once(
    browser: Browser, tmp_path: Path
) -> None:
    db = tmp_path / "club.db"
    tokens = Tokens(db)
    admin = tokens.create("sam", "admin", 1)
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(kept_port())
        serve = ("serve", "--db", str(db), "--port", str(port), "--rate", "0")
        with running(command(*serve)) as (address, _):
            api = Api(address, admin)
            players = ("ana", "ben", "chloe", "dev")
            match = api.open(ev.Open(game="diversity", players=players), ev.Deal(dealer=0, hands=SUITS))
            token = tokens.invite("Table 1", match, datetime.now(UTC) + timedelta(days=1))
            page = stack.enter_context(scorer_at(browser, "phone", address, token, worker=True))
            go_score(page, match)
            page.locator("#score[data-judges]").wait_for()
            kept(page, 3)  # the page, the table, and what the engine knows
            page.locator("#said").fill("2d ")
            recorded(page, 3)
        page.reload()
        page.get_by_text("No connection. This page is as it was at").wait_for()
        page.locator("#score[data-judges]").wait_for()
        page.locator("#said").fill("2h ")
        page.get_by_text("1 entry waits to be sent").wait_for()
        page.reload()
        page.get_by_text("1 entry waits to be sent").wait_for()
        page.locator('#card-table .trick [data-face="2H"]').wait_for()
        on_table = "(all) => all.map((card) => card.dataset.face)"
        assert page.locator("#card-table .trick .card").evaluate_all(on_table) == ["2D", "2H"]
        page.goto("/")
        page.get_by_role("heading", name="No connection").wait_for()
        assert "Diversity" in page.locator("main").inner_text(), "scoring pages that are kept are offered"
        page.get_by_role("link", name="Scoring").click()
        page.get_by_text("1 entry waits to be sent").wait_for()
        with running(command(*serve)):
            # A new run of the server knows no browser any more.
            page.get_by_text("You are signed out").wait_for()
            page.goto(f"/matches/{match}/score?token={token}")
            recorded(page, 4)
            assert page.locator("#offline").count() == 0
            assert [event.get("card") for event in api.events(match)[2:]] == ["2D", "2H"]
            kept(page, 3)
            page.goto("/")
            page.get_by_role("button", name="Sign out").click()
            kept(page, 0)
    tokens.close()


HOLDS = """async (name) => {
  const cache = await caches.open('cardledger-scoring');
  const texts = await Promise.all((await cache.keys()).map(async (key) => (await cache.match(key, { ignoreVary: true })).text()));
  return [...texts, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].filter((text) => text.includes(name)).length;
}"""
AGE = """async () => {
  const cache = await caches.open('cardledger-scoring');
  for (const key of await cache.keys()) {
    const { headers, ...rest } = await cache.match(key, { ignoreVary: true });
    const text = await (await cache.match(key, { ignoreVary: true })).text();
    await cache.put(key, new Response(text, { headers: { ...Object.fromEntries(headers), 'kept-until': '2026-01-01T00:00:00Z' } }));
  }
}"""


def test_a_browser_keeps_no_name_past_its_evening_nor_one_that_was_erased(browser: Browser, tmp_path: Path) -> None:
    db = tmp_path / "club.db"
    with Ledger(db) as ledger:
        _, matches = under_way(ledger, 3, 9)
        over, (closed, *_) = under_way(ledger, 1, 9)
        ledger.evenings.record(over, [evenings.EveningClose()], ledger.evenings.stream(over).seq, as_written=False)
    tokens = Tokens(db)
    admin = tokens.create("sam", "admin", 1)
    tokens.close()
    with (
        running(command("serve", "--db", str(db), "--port", "0", "--rate", "0")) as (address, _),
        scorer_at(browser, "phone", address, admin, worker=True) as page,
    ):
        api = Api(address, admin)
        for number, match in enumerate(matches, 1):
            go_score(page, match)
            kept(page, 2 * number)
        go_score(page, closed)
        page.goto("/matches")
        kept(page, 6)
        assert page.evaluate(HOLDS, "player A") > 0
        api.ask("/people/erasures", {"player": "player A"})
        page.goto("/matches")
        kept(page, 0)
        assert page.evaluate(HOLDS, "player A") == 0
        go_score(page, matches[0])
        kept(page, 2)
        assert page.evaluate(HOLDS, "player A") == 0
        page.evaluate(AGE)
        page.goto("/matches")
        kept(page, 0)


def test_the_screen_turns_by_itself_until_it_is_stopped_and_follows_the_tables(
    browser: Browser, tmp_path: Path
) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        session, matches = under_way(ledger, 1, 9)
    tokens = Tokens(tmp_path / "club.db")
    api_token = tokens.create("sam", "scorer", 1)
    boss = tokens.create("boss", "admin", 1)
    tokens.close()
    with running(command("serve", "--db", str(tmp_path / "club.db"), "--port", "0", "--rate", "0")) as (address, _):
        context = browser.new_context(base_url=address)
        page = context.new_page()
        page.clock.install()
        page.goto(f"/evenings/{session}/screen")
        tables, ranking = page.locator("section[aria-label='Round 1']"), page.locator("section[aria-label=Ranking]")
        assert (tables.first.is_visible(), ranking.first.is_visible()) == (True, False)
        page.clock.fast_forward(15_500)
        ranking.first.wait_for()
        page.get_by_role("button", name="Stop turning").click()
        page.clock.fast_forward(60_000)
        assert ranking.first.is_visible()
        Api(address, api_token).record(matches[0], ev.Retract(to=1))
        page.clock.run_for(1_000)
        page.get_by_role("button", name="Next").click()
        page.get_by_text("before the first deal").wait_for()
        context.close()
        still = browser.new_context(base_url=address, reduced_motion="reduce")
        page = still.new_page()
        page.goto(f"/evenings/{session}/screen")
        page.get_by_role("button", name="Turn by itself").wait_for()
        accessible(page)
        page.goto(f"/invitations?for={session}&token={boss}")
        page.set_viewport_size({"width": 390, "height": 844})
        assert fits(page)
        page.get_by_role("button", name="Make the link").click()
        page.get_by_role("img", name="QR code of the link").wait_for()
        accessible(page)
        still.close()
