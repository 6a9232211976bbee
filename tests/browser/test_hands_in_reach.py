"""Hands of cards in reach of a phone and of the keyboard: all in sight, and each one stop of the Tab key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import watched
from tests.browser.looking import GAMES, SIZES, fits, match_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

IN_SIGHT = """
() => {
  const box = (one) => one.getBoundingClientRect();
  const shown = [...document.querySelectorAll(".card-table :is(.seat, .trick, .trick .card, .seat .card)")].filter((one) => one.checkVisibility());
  const dock = box(document.querySelector(".dock"));
  return {
    hands: shown.filter((one) => one.matches(".seat")).length,
    lowest: Math.max(...shown.map((one) => box(one).bottom)) - dock.top,
    dock: dock.bottom - innerHeight,
    outside: shown.filter((one) => one.matches(".seat .card") && box(one).right > box(one.closest(".seat")).right).length,
    scrolled: scrollY,
  };
}
"""
STOPS = """
(bars) => bars.map((bar) => [...bar.querySelectorAll("button")].filter((one) => one.checkVisibility()))
  .map((buttons) => [buttons.filter((one) => one.tabIndex === 0).length, buttons.length])
"""
GAPS = """
() => [...document.querySelectorAll(".card-table .cards")].map((hand) => {
  const cards = [...hand.children].filter((one) => one.checkVisibility()).map((one) => one.firstElementChild);
  const suit = (card) => card.dataset.face.at(-1);
  const steps = cards.slice(1).map((card, at) => [suit(card) === suit(cards[at]), card.getBoundingClientRect().left - cards[at].getBoundingClientRect().left]);
  return [Math.max(0, ...steps.filter(([same]) => same).map(([, step]) => step)), Math.min(999, ...steps.filter(([same]) => !same).map(([, step]) => step))];
})
"""

NARROWEST = """
() => {
  const shown = [...document.querySelectorAll(".card-table .cards")].map((hand) => [...hand.children].filter((one) => one.checkVisibility()));
  const boxes = shown.map((hand) => hand.map((one) => one.firstElementChild).filter((card) => !card.matches(".back")).map((card) => card.getBoundingClientRect()));
  const strips = boxes.flatMap((hand) => hand.map((box, at) => (hand[at + 1]?.top === box.top ? hand[at + 1].left - box.left : box.width)));
  return Math.min(999, ...strips) / parseFloat(getComputedStyle(document.documentElement).fontSize);
}
"""
"""The narrowest part of a card that is seen in a hand, in letters."""
STRIP = 1.1


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    """A reader's phone."""
    with watched(browser, "phone", address) as page:
        yield page


def opened(page: Page, game: str) -> dict[str, Any]:
    """Open the first hand of a game at its first event; return its replay."""
    match = match_paths(page, game)[0]
    hand: dict[str, Any] = page.request.get(f"/api/v1{match}/hands/1/replay").json()
    page.goto(f"{match}/replay/{hand['first']}")
    page.locator("[data-ready]").wait_for()
    return hand


@pytest.mark.parametrize("game", ["hearts", "spades", "bridge", "euchre", "whist", "diversity", "diamonds-bid"])
def test_a_phone_shows_every_hand_the_trick_and_the_controls_at_each_event(phone: Page, game: str) -> None:
    hand = opened(phone, game)
    for _ in range(hand["first"], hand["last"]):
        phone.keyboard.press("ArrowRight")
        seen = phone.evaluate(IN_SIGHT)
        assert seen["hands"] == 4 and seen["scrolled"] == 0
        assert seen["lowest"] <= 0, f"a hand lies behind the controls at {phone.url}"
        assert seen["dock"] <= 0 and seen["outside"] == 0, phone.url


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_a_hand_can_be_pressed_and_nothing_scrolls_sideways(phone: Page, game: str) -> None:
    matches = phone.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"]
    for path in {len(match["players"]): f"/matches/{match['id']}" for match in matches}.values():
        hand = phone.request.get(f"/api/v1{path}/hands/1/replay").json()
        first, last = hand["first"], hand["last"]
        for at, embed in ((min(first + 2, last), ""), ((first + last) // 2, "?embed=1"), (last - 1, "")):
            phone.goto(f"{path}/replay/{max(at, first)}{embed}")
            for width, letters in ((320, 100), (360, 100), (360, 200)):
                phone.set_viewport_size({"width": width, "height": 740})
                phone.evaluate(f"document.documentElement.style.fontSize = '{letters}%'")
                assert phone.evaluate(NARROWEST) >= STRIP, (phone.url, width, letters)
                assert fits(phone), (phone.url, width, letters)


def test_what_was_played_leaves_a_hand_on_a_phone_and_suits_lie_apart(phone: Page) -> None:
    opened(phone, "hearts")
    for event in range(30):
        phone.keyboard.press("ArrowRight")
        assert phone.locator(".seat .played:visible").count() == 0
        for same, other in phone.evaluate(GAPS):
            assert other - same > 3 or event < 2, "the next suit begins farther away than the next card"


@pytest.mark.parametrize("size", SIZES)
def test_a_hand_is_one_stop_of_the_tab_key_with_arrows_inside(browser: Browser, address: str, size: str) -> None:
    with watched(browser, size, address) as page:
        hand = opened(page, "hearts")
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        page.locator(".controls [data-go=first]").focus()
        bars = page.locator(".card-table [role=toolbar]")
        stops = bars.evaluate_all(STOPS)
        assert all(stop == min(1, buttons) for stop, buttons in stops), stops
        assert max(buttons for _, buttons in stops) > 2
        bars.nth([buttons > 2 for _, buttons in stops].index(True)).locator("button[tabindex='0']").focus()
        told = "document.activeElement.getAttribute('aria-label')"
        url, first = page.url, page.evaluate(told)
        assert " of " in first, "a card is read by its name"
        page.keyboard.press("ArrowRight")
        second = page.evaluate(told)
        assert second != first and page.url == url, "the arrow leads within the hand"
        page.keyboard.press("Home")
        assert page.evaluate(told) == first
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Tab")
        bar = page.evaluate("document.activeElement.closest('[role=toolbar]')?.getAttribute('aria-label') ?? ''")
        page.keyboard.press("Shift+Tab")
        assert page.evaluate("document.activeElement.closest('[role=toolbar]').getAttribute('aria-label')") != bar
        assert hand["last"] > hand["first"]


def test_controls_are_buttons_and_step_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    match = match_paths(page, "hearts")[0]
    page.goto(f"{match}/replay/5?view=spectator")
    for name in ("First event", "Previous trick", "Previous event", "Next event", "Next trick", "Last event"):
        assert page.get_by_role("button", name=name).count() == 1
    page.get_by_role("button", name="Next event").click()
    page.wait_for_url(f"**{match}/replay/6?view=spectator")
    context.close()


def test_a_question_of_a_quiz_is_one_stop_and_says_its_cards(phone: Page) -> None:
    match = match_paths(phone, "hearts")[0]
    phone.goto(f"{match}/hands/1/quiz?seat=0")
    bar = phone.locator("[role=toolbar]").last
    bar.wait_for()
    phone.wait_for_function('document.querySelectorAll(\'.offers [tabindex="0"], .ticks [tabindex="0"]\').length === 1')
    assert " of " in bar.locator("[tabindex='0']").get_attribute("aria-label")
    bar.locator("[tabindex='0']").focus()
    phone.keyboard.press("ArrowRight")
    assert bar.locator("[tabindex='0']").evaluate("(one) => one === document.activeElement")


@pytest.mark.parametrize("game", GAMES)
def test_the_replay_page_weighs_less_than_120_kilobytes(browser: Browser, address: str, game: str) -> None:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    opened(page, game)
    page.wait_for_load_state("networkidle")
    sent = page.evaluate(
        "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
        ".map((one) => one.transferSize)"
    )
    assert len(sent) <= 8
    assert sum(sent) < 120_000, sent
    context.close()
