"""A club's evening from a phone: opened, seated, scored and closed by tapping, in a minute and few taps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.browser.finger import Finger, good
from tests.browser.scoring import Api, scorer_at, served, settled
from tests.evenings.night import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

TWELVE = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal", "Ivo", "Jan", "Kim", "Lea")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where the ledger of a club of twelve members is served, and the token of its scorer."""

    def filled(ledger: Ledger) -> None:
        members = ({"type": "member", "player": name, "from": "2020-01-01"} for name in TWELVE)
        record(ledger, None, {"type": "club", "name": "Whist on Tuesday"}, *members)

    with served(tmp_path_factory.mktemp("evening"), filled) as found:
        yield found


def test_twelve_members_are_at_three_tables_after_24_taps(browser: Browser, club: tuple[str, str]) -> None:
    with scorer_at(browser, "phone", *club) as page:
        finger = Finger(page)
        page.goto("/")
        finger.link("A club's evening")
        finger.choose("game", "hearts")
        for name in TWELVE:
            finger.tap(page.locator(".chip", has_text=name))
        assert page.locator("#here").inner_text() == "12 are here."
        finger.button("Open the evening")
        finger.button("Open these tables")
        for table in (1, 2, 3):
            finger.link(f"Score table {table}")
            settled(page)
            if table < 3:
                finger.link("Back to", small=True)
        assert finger.taps <= 24

        # The standing follows every hand of this table.
        match = page.url.split("/")[-2]
        assert page.locator("#evening ol").count() == 0
        Api(*club).record(match, ev.Deal(dealer=0, hands=None), ev.Score(scores=(0, 20, 5, 1)))
        page.locator("#evening li.wins").first.wait_for(state="attached")  # a phone shows the cards alone while dealing
        good(page)


def test_an_evening_is_run_to_its_end_with_a_finger(browser: Browser, club: tuple[str, str]) -> None:
    with scorer_at(browser, "phone", *club) as page:
        finger = Finger(page)
        page.goto("/evenings/new")
        good(page)
        finger.choose("game", "")
        for name in TWELVE[:9]:
            finger.tap(page.locator(".chip", has_text=name))
        page.locator("[name=more]").fill("Leo")
        finger.button("Open the evening")
        good(page)  # it asks whether Leo is Lea
        finger.tap(page.locator(".meant .pick", has_text="Lea").first)
        finger.button("Open the evening")

        # Any game: the tables are proposed at once when one is chosen.
        page.locator("select[name=game]").select_option("whist")
        page.wait_for_url("**game=whist**")
        good(page)
        seat = page.locator(".table-card .name")
        one, other, out = (seat.nth(place).inner_text() for place in (0, 4, 8))
        for place in (0, 4, 8, 0):
            finger.tap(seat.nth(place))
        assert [seat.nth(place).inner_text() for place in (0, 4, 8)] == [out, one, other]
        finger.tap(page.locator("label", has_text="Only the results"))
        finger.button("Open these tables")

        finger.link("Enter the result of table 1")
        page.locator(".line input").first.fill("7")
        finger.tap(page.locator(".minus").first)
        page.locator(".line input").nth(1).fill("12")  # partners share a number
        assert page.locator("#sum").inner_text() == "Together 5"
        good(page)
        finger.button("Record the result")
        finger.tap(page.locator("label", has_text="as they are written"))  # no hand of whist gives less than 0
        finger.button("Record the result")
        good(page)

        finger.link("Who is here")
        finger.tap(page.locator(".chip", has_text="Ada"))
        finger.tap(page.locator(".chip", has_text="Kim"))
        good(page)
        finger.button("Save")
        page.locator("h1", has_text="Round 2").wait_for()
        finger.link(re.compile("(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"), small=True)  # it is called after its day
        finger.tap(page.locator("summary", has_text="Close the evening"))  # table 2 has no result yet: it asks first
        finger.button("Close the evening")
        finger.button("Publish the ranking")
        finger.button("Open the evening again")
        finger.link("Next round")
        page.goto("/evenings")
        good(page)
