"""A phone with little luck: no room in the browser, two tabs, and all that happens to them without a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.rules.engine import events as ev
from tests.browser.scoring import SUITS, Api, go_score, offline, recorded, say, scorer_at, served, settled, waits

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

FILL = """() => {
  for (let [place, size] = [0, 1 << 20]; size >= 1; ) {
    try {
      localStorage.setItem(`other.${place++}`, "x".repeat(size));
    } catch {
      size >>= 1;
    }
  }
}"""
PLAYS = ("2D", "2H", "2S", "2C")


def dealt(api: Api) -> str:
    """Open a match in which ben leads, everybody with a suit."""
    return api.open(ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev")), ev.Deal(dealer=0, hands=SUITS))


def played(api: Api, match: str) -> list[str]:
    """Return the cards that were recorded."""
    return [event["card"] for event in api.events(match)[2:]]


def fill(page: Page) -> None:
    """Leave no room in the browser, for what a page keeps nor for what its service worker keeps."""
    page.evaluate(FILL)
    quota = {"origin": page.evaluate("location.origin"), "quotaSize": 1}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)


def test_a_browser_without_room_scores_and_says_that_the_page_must_stay(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as club, scorer_at(browser, "phone", *club, worker=True) as page:
        api = Api(*club)
        match = dealt(api)
        go_score(page, match)
        page.evaluate("navigator.serviceWorker.ready")
        fill(page)
        go_score(page, match)
        offline(page)
        say(page, "2d2h2s ")
        waits(page, 3)
        assert "no room" in page.locator("#status").inner_text()
        page.context.set_offline(False)
        settled(page)
        say(page, "2c ")
        recorded(page, 6)
        assert played(api, match) == [*PLAYS]


def test_two_tabs_of_one_phone_go_on_from_each_other_without_a_connection(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as club, scorer_at(browser, "phone", *club, worker=True) as one:
        api = Api(*club)
        match = dealt(api)
        go_score(one, match)
        other = one.context.new_page()
        go_score(other, match)
        other.locator("#score[data-judges]").wait_for()
        offline(one)
        for number, (page, text) in enumerate(((one, "2d "), (other, "2h "), (one, "2s "), (other, "2c ")), 1):
            page.bring_to_front()
            say(page, text)
            for each in (one, other):
                waits(each, number)
        one.context.set_offline(False)
        for page in (one, other):
            page.bring_to_front()
            recorded(page, 6)
        assert played(api, match) == [*PLAYS]
