"""The table of the scoring page: as the server draws it, and at once, with and without a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from tests.browser.looking import SIZES, accessible, fits
from tests.browser.scoring import SUITS, Api, go_score, offline, recorded, scorer_at, settled

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("ana", "ben", "chloe", "dev")


def diversity(api: Api, *events: ev.Event) -> str:
    return api.open(ev.Open(game="diversity", players=NAMES), *events)


def trick(page: Page) -> list[str]:
    """Return the cards in the middle of the table, those of a trick that is over with `!`."""
    return page.locator("#card-table .trick").evaluate_all(
        "(all) => all.flatMap((one) => [...one.querySelectorAll('.card')].map((card) => card.dataset.face"
        " + (one.matches('.over') ? '!' : '')))"
    )


def hand(page: Page, seat: int) -> list[str]:
    cards = page.locator("#card-table .seat").nth(seat).locator(".cards .card")
    return cards.evaluate_all("(all) => all.map((card) => card.dataset.face ?? 'back')")


def test_a_card_leaves_the_hand_and_lies_in_the_trick(desk: Page, api: Api) -> None:
    match = diversity(api, ev.Deal(dealer=0, hands=SUITS))
    go_score(desk, match)
    assert len(hand(desk, 1)) == 13
    desk.keyboard.type("2d")
    recorded(desk, 3)
    assert (trick(desk), hand(desk, 1)[-1], len(hand(desk, 1))) == (["2D"], "3D", 12)
    desk.keyboard.type("2h2s2c")
    recorded(desk, 6)
    assert trick(desk) == ["2D!", "2H!", "2S!", "2C!"]
    assert desk.locator("#card-table .seat.turn").count() == 1


@pytest.mark.parametrize("size", SIZES)
def test_without_a_connection_the_table_goes_on(
    browser: Browser, scoring: tuple[str, str], api: Api, size: str
) -> None:
    match = diversity(api, ev.Deal(dealer=0, hands=SUITS))
    with scorer_at(browser, size, *scoring) as page:
        go_score(page, match)
        offline(page)
        for number, face in enumerate(("2D", "2H", "2S"), 1):
            page.locator(f'#tray button[data-face="{face}"]').click()
            page.get_by_text(f"{number} entr").first.wait_for()
            page.locator(f'#card-table .trick [data-face="{face}"]').wait_for()
        assert trick(page) == ["2D", "2H", "2S"]
        assert [len(hand(page, seat)) for seat in range(4)] == [13, 12, 12, 12]
        seats = page.locator("#card-table .seat")
        assert seats.evaluate_all("(all) => all.map((seat) => seat.matches('.turn'))") == [True, False, False, False]
        assert seats.nth(0).get_attribute("aria-label") == "ana, to play"
        assert seats.nth(1).get_attribute("aria-label") == "ben"
        accessible(page)
        assert fits(page)
        page.get_by_role("button", name="Undo", exact=True).click()
        page.locator('#card-table .trick [data-face="2S"]').wait_for(state="detached")
        assert (trick(page), len(hand(page, 3))) == (["2D", "2H"], 13)
        page.locator('#tray button[data-face="2S"]').click()
        page.locator('#tray button[data-face="2C"]').click()
        page.get_by_text("6 entries wait").wait_for()  # the undo is one of them
        page.locator("#card-table .trick.over").wait_for()
        assert trick(page) == ["2D!", "2H!", "2S!", "2C!"]
        assert page.locator("#card-table .seat.turn").count() == 1
        page.context.set_offline(False)
        recorded(page, 8)
        assert trick(page) == ["2D!", "2H!", "2S!", "2C!"]


def test_without_connection_and_engine_what_waits_is_said_at_its_seat(desk: Page, api: Api) -> None:
    match = api.open(ev.Open(game="diamonds-bid", players=NAMES), ev.Deal(dealer=0, hands=SUITS))
    offline(desk, match)
    desk.keyboard.type("3 chloe 2 ")
    desk.get_by_text("2 entries wait").wait_for()
    assert "ben bids 3" in desk.locator("#card-table .seat").nth(1).inner_text()
    assert "chloe bids 2" in desk.locator("#card-table .seat").nth(2).inner_text()
    desk.context.set_offline(False)
    recorded(desk, 4)
    assert "ben bids 3" not in desk.locator("#card-table").inner_text()


def test_cards_that_nobody_knows_leave_a_hidden_hand(desk: Page, api: Api) -> None:
    match = diversity(api, ev.Deal(dealer=0, hands=None))
    go_score(desk, match)
    assert hand(desk, 1) == ["back"] * 13
    offline(desk)
    desk.keyboard.type("9s ")
    desk.get_by_text("1 entry waits").wait_for()
    desk.locator('#card-table .trick [data-face="9S"]').wait_for()
    assert (trick(desk), hand(desk, 1)) == (["9S"], ["back"] * 12)
    assert "12 cards" in desk.locator("#card-table .seat").nth(1).inner_text()
    desk.context.set_offline(False)
    recorded(desk, 3)
    assert (trick(desk), hand(desk, 1)) == (["9S"], ["back"] * 12)


def test_a_deal_is_laid_out_as_it_is_entered(desk: Page, api: Api) -> None:
    match = diversity(api)
    go_score(desk, match)
    desk.keyboard.type("3 ")
    desk.locator("#card-table .dealer").wait_for()
    desk.keyboard.type("2c kh 9s")
    desk.locator('#card-table [data-face="9S"]').wait_for()
    assert hand(desk, 0) == ["9S", "KH", "2C"]
    assert "deals" in desk.locator("#card-table .seat").nth(2).inner_text()
    desk.keyboard.press("Backspace")
    desk.locator('#card-table [data-face="9S"]').wait_for(state="detached")
    settled(desk)
    assert hand(desk, 0) == ["KH", "2C"]
