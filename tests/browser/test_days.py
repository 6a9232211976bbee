"""A club in New York, on a Saturday evening that is Sunday in UTC: its days and times are its own."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardledger.rules.engine import events as ev
from tests.browser.scoring import Api

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

EVENING = "2026-11-22T02:30:00Z"
NAMES = ("ana", "ben", "chloe", "dev")


@contextmanager
def in_new_york(browser: Browser, scoring: tuple[str, str], **more: object) -> Iterator[Page]:
    """Yield a signed-in scorer's page there, on that evening."""
    address, token = scoring
    context = browser.new_context(base_url=address, timezone_id="America/New_York", **more)  # type: ignore[arg-type]
    page = context.new_page()
    page.clock.install(time=EVENING)
    page.goto(f"/?token={token}")
    yield page
    context.close()


def open_match(page: Page) -> str:
    """Fill in the names, send the form, and return the match."""
    for field, name in zip(page.locator("[name=player]:visible").all(), NAMES, strict=True):
        field.fill(name)
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url("**/score")
    return page.url.split("/")[-2]


def day(scoring: tuple[str, str], match: str) -> str:
    """Return the day a match is filed under."""
    found: str = Api(*scoring).ask(f"/matches/{match}")["date"]
    return found


def test_a_match_opened_on_saturday_evening_is_filed_under_saturday(browser: Browser, scoring: tuple[str, str]) -> None:
    with in_new_york(browser, scoring) as page:
        page.goto("/matches/new?players=none&game=diversity")
        assert page.locator("[name=date]").input_value() == "2026-11-21"
        match = open_match(page)
        assert day(scoring, match) == "2026-11-21"
        page.goto(f"/matches/{match}")
        assert page.locator(".facts time").first.inner_text() == "21 November 2026"


def test_a_page_left_open_over_midnight_opens_the_match_of_the_new_day(
    browser: Browser, scoring: tuple[str, str]
) -> None:
    with in_new_york(browser, scoring) as page:
        page.goto("/matches/new?players=none&game=diversity")
        page.clock.set_fixed_time("2026-11-22T05:01:00Z")
        assert day(scoring, open_match(page)) == "2026-11-22"


def test_the_day_that_was_chosen_is_the_day(browser: Browser, scoring: tuple[str, str]) -> None:
    with in_new_york(browser, scoring) as page:
        page.goto("/matches/new?players=none&game=diversity")
        page.locator("summary", has_text="time and place").click()
        page.locator("[name=date]").fill("2026-11-14")
        page.clock.set_fixed_time("2026-11-22T05:01:00Z")
        assert day(scoring, open_match(page)) == "2026-11-14"


def test_times_are_shown_as_the_clock_on_the_wall_shows_them(browser: Browser, scoring: tuple[str, str]) -> None:
    match = Api(*scoring).open(ev.Open(game="diversity", players=NAMES), ev.Deal(dealer=0, hands=None))
    (opened, _) = Api(*scoring).ask(f"/matches/{match}/events")["events"]
    with in_new_york(browser, scoring) as page:
        wall = page.evaluate(
            "(at) => new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(at))", opened["at"]
        )
        page.goto(f"/matches/{match}")
        time = page.locator(f'time[datetime="{opened["at"]}"]').first
        assert f", {wall} E" in time.inner_text()  # EST, or EDT in summer
        page.goto(f"/matches/{match}/audit")
        clocks = page.locator("time[data-clock]").all_inner_texts()
        assert f", {wall}:" in clocks[0]
        assert len(clocks) == 2 and "," not in clocks[1]
        assert page.locator("[data-zone]").inner_text() in ("EST", "EDT")
