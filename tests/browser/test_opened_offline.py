"""An evening of two phones, half of it without a connection: the ledger is that of the same evening with one."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from tests.browser.scoring import Api, go_score, offline, recorded, scorer_at, served, settled, typed, waits
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

PLAYERS = ("ana", "ben", "cleo", "dev")
GAMES = ("hearts", "diversity", "ruff")
"""The games of the evening; the last one is opened without a connection."""
KEPT = "async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)"


def evening(game: str) -> list[ev.Event]:
    """Return an opening with the first events of a hand, all of them such as are typed."""
    return [
        event for event in simulate(game, 4, Random(11), ["cautious"], max_hands=1) if not isinstance(event, ev.End)
    ][:18]


def enter(page: Page, events: list[ev.Event], after: int, *, away: bool) -> None:
    """Enter events one after another, each once the one before it was taken; `after` are recorded, or wait."""
    for number, event in enumerate(events, 1):
        typed(page, [event], PLAYERS)
        (waits if away else recorded)(page, after + number)


def opened_away(page: Page, game: str) -> str:
    """Open a match on a phone that has no connection; return its id."""
    page.goto("/matches/new")
    page.locator("#offline").wait_for()
    page.locator("#which-game").evaluate("(one) => { one.open = true; }")
    page.locator(f"label.pick:has([value={game}])").click()
    for seat, name in zip(page.locator("fieldset.players input:visible").all(), PLAYERS, strict=True):
        seat.fill(name)
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url("**/score")
    page.locator("#score[data-judges]").wait_for()
    return page.url.split("/")[-2]


@pytest.mark.long
def test_an_evening_of_two_phones_half_of_it_without_a_connection(browser: Browser, tmp_path: Path) -> None:
    played = {game: evening(game) for game in GAMES}
    with (
        served(tmp_path) as club,
        scorer_at(browser, "phone", *club, worker=True) as one,
        scorer_at(browser, "phone", *club, worker=True) as other,
    ):
        api = Api(*club)
        matches = [api.open(ev.Open(game=game, players=PLAYERS)) for game in GAMES[:2]]
        one.goto("/matches/new")
        wait_until(lambda: "/matches/new/score" in one.evaluate(KEPT, "cardledger-scoring"), "the form is kept")
        for page, match, game in zip((one, other), matches, GAMES, strict=False):
            go_score(page, match)
            enter(page, played[game][1:9], 1, away=False)
            offline(page)
            enter(page, played[game][9:13], 0, away=True)
            page.reload()
            waits(page, 4)
            page.locator("#score[data-judges]").wait_for()
            enter(page, played[game][13:], 4, away=True)
        third = opened_away(one, GAMES[2])
        enter(one, played[GAMES[2]][1:9], 0, away=True)
        one.reload()
        waits(one, 8)
        one.locator("#score[data-judges]").wait_for()
        enter(one, played[GAMES[2]][9:], 8, away=True)
        assert [match["id"] for match in api.ask("/matches")["matches"]] == matches[::-1]
        for page in (one, other):
            page.context.set_offline(False)
            settled(page)
        go_score(one, matches[0])
        for match, game in zip((*matches, third), GAMES, strict=True):
            assert without_day(api.events(match)) == without_day(api.events(api.open(*plain(game, played)))), game


def plain(game: str, played: dict[str, list[ev.Event]]) -> list[ev.Event]:
    """Return the events of the same evening with a connection."""
    return [ev.Open(game=game, players=PLAYERS), *map(ev.bare, played[game][1:])]


def without_day(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events as they were entered, without the day, which the form of a match says and a program does not."""
    return [{key: value for key, value in event.items() if key != "date"} for event in events]


def opened_wrong(page: Page, api: Api, event: dict[str, Any]) -> tuple[str, list[ev.Event]]:
    """Open a match without a connection and enter its first cards; then let its opening say what a server refuses."""
    played = evening(GAMES[2])
    go_score(page, api.open(ev.Open(game=GAMES[2], players=PLAYERS)))  # the form proposes this table again
    page.locator("#score[data-judges]").wait_for()
    page.goto("/matches/new")
    wait_until(lambda: "/matches/new/score" in page.evaluate(KEPT, "cardledger-scoring"), "the form is kept")
    page.context.set_offline(True)
    match = opened_away(page, GAMES[2])
    enter(page, played[1:5], 0, away=True)
    page.evaluate(
        """([match, event]) => {
          const key = `cardledger.opening.${match}`;
          const waits = JSON.parse(localStorage.getItem(key));
          localStorage.setItem(key, JSON.stringify({ ...waits, event: { ...waits.event, ...event } }));
        }""",
        [match, event],
    )
    return match, played


def change_opening(page: Page, **players: str) -> None:
    """Go to the form of a refused opening, type other names over some of those in it, and send it again."""
    page.get_by_role("link", name="Change the opening").click()
    page.locator("form.opening > .warn", has_text="The server does not take this match").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for seat in page.locator("fieldset.players input:visible").all():
        seat.fill(players.get(seat.input_value(), seat.input_value()))
    page.get_by_role("button", name="Change it and send it again").click()


@pytest.mark.long
def test_an_opening_that_the_server_refuses_is_changed_and_sent_again_with_its_cards(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as club, scorer_at(browser, "phone", *club, worker=True) as page:
        api = Api(*club)
        match, played = opened_wrong(page, api, {"options": {"hats": 3}})
        page.context.set_offline(False)
        page.locator("#status", has_text="The server does not take this match").wait_for()
        page.reload()
        page.locator("#status", has_text="The server does not take this match").wait_for()
        with page.expect_download() as kept:
            page.get_by_role("link", name="Keep it as a file").click()
        lines = [json.loads(line) for line in kept.value.path().read_text("utf-8").splitlines()]
        assert (lines[0]["id"], [line["type"] for line in lines]) == (match, ["open", *(tag(e) for e in played[1:5])])
        assert len(api.ask("/matches")["matches"]) == 1

        change_opening(page, dev="dora")
        page.wait_for_url(f"**/matches/{match}/score")
        settled(page)
        assert page.get_by_role("link", name="Change the opening").count() == 0
        assert "dora" in page.locator("#card-table").inner_text()
        enter(page, played[5:], 5, away=False)
        opened, *rest = api.events(match)
        assert (opened["players"], "options" in opened) == (["ana", "ben", "cleo", "dora"], False)
        assert rest == plain_rest(api, played)
        page.goto("/matches/new")
        assert page.locator(".waits").count() == 0


@pytest.mark.long
def test_cards_that_do_not_fit_a_changed_opening_stay_with_the_old_one(browser: Browser, tmp_path: Path) -> None:
    """So does a match whose id is taken: it gets another one, and its cards go along."""
    with served(tmp_path) as club, scorer_at(browser, "phone", *club, worker=True) as page:
        api = Api(*club)
        match, played = opened_wrong(page, api, {})
        api.open(ev.Open(id=match, game="hearts", players=("eva", "fay", "gus", "hal")))
        page.context.set_offline(False)
        page.locator("#status", has_text="store.duplicate").wait_for()
        page.get_by_role("link", name="Change the opening").click()
        page.locator("#which-game").evaluate("(one) => { one.open = true; }")
        page.locator("label.pick:has([value=hearts])").click()
        page.get_by_role("button", name="Change it and send it again").click()
        page.locator("form.opening > .warn", has_text="What was entered does not fit this opening").wait_for()
        page.locator(f"label.pick:has([value={GAMES[2]}])").click()
        page.get_by_role("button", name="Change it and send it again").click()
        page.wait_for_url("**/score")
        settled(page)
        other = page.url.split("/")[-2]
        assert other != match
        assert api.events(other)[1:] == plain_rest(api, played[:5])
        assert len(api.events(match)) == 1
        assert page.evaluate("Object.keys(localStorage).filter((key) => /opening|score/.test(key))") == []


def plain_rest(api: Api, played: list[ev.Event]) -> list[dict[str, Any]]:
    """Return events behind an opening as they are recorded with a connection."""
    return api.events(api.open(ev.Open(game=GAMES[2], players=PLAYERS), *map(ev.bare, played[1:])))[1:]


def tag(event: ev.Event) -> str:
    """Return the type of an event as files name it."""
    return str(type(event).__struct_config__.tag)
