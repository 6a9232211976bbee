"""A lesson in a class room: a teacher, a projector and two phones, from the QR code to the end."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING

from cardledger.rules.bots.simulation import simulate
from tests.browser.conftest import watched
from tests.browser.looking import SIZES, accessible, fits
from tests.browser.scoring import scorer_at, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from cardledger.record.recording.ledger import Ledger


def lesson_of(teacher: Page, match: str) -> str:
    """Open a lesson from the page of a hand; return its address."""
    teacher.goto(f"/matches/{match}/hands/1")
    teacher.get_by_role("link", name="Open a lesson on this hand").click()
    teacher.get_by_role("button", name="Open the lesson").click()
    teacher.get_by_role("heading", name="For the teacher").wait_for()
    return teacher.url


def test_a_class_follows_votes_and_sees_what_choices_cost(browser: Browser, tmp_path: Path) -> None:
    found: dict[str, str] = {}

    def fill(ledger: Ledger) -> None:
        found["match"] = ledger.record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match

    with served(tmp_path, fill) as (where, token), ExitStack() as room:
        teacher = room.enter_context(scorer_at(browser, "desktop", where, token))
        lesson = lesson_of(teacher, found["match"])
        teacher.get_by_role("button", name="Invite phones").click()
        link = teacher.get_by_role("textbox", name="Link").input_value()
        teacher.get_by_role("link", name="To the lesson").click()
        projector, one = (room.enter_context(watched(browser, size, where)) for size in ("desktop", "phone"))
        width, height = SIZES["phone"]
        late = browser.new_context(viewport={"width": width, "height": height}, base_url=where).new_page()
        room.callback(late.context.close)
        projector.goto(f"{lesson}/screen")
        one.goto(link)
        one.get_by_label("Your name").fill("Eva")
        choices = one.locator("[name=choice]")
        lower = choices.evaluate_all("found => Math.max(...found.map((one) => one.getBoundingClientRect().bottom))")
        assert lower <= SIZES["phone"][1], "a phone votes without scrolling"
        first = choices.first.inner_text()
        choices.first.click()
        one.get_by_text(f"You voted for {first}").wait_for()
        one.reload()
        one.locator("[name=choice]").nth(1).click()
        projector.get_by_text("1 has voted.").wait_for()  # the last vote of a name counts
        late.goto(link)
        late.locator("[name=choice]").first.click()
        projector.get_by_text("2 have voted.").wait_for()
        teacher.get_by_role("button", name="Show the votes").click()
        for page in (projector, one, late):
            page.get_by_text("Votes of the class").wait_for()
            assert page.locator("[name=choice]").count() == 0 and fits(page)
        teacher.get_by_role("button", name="Show the costs").click()
        for page in (projector, one, late):
            page.get_by_text("Points that each choice costs").wait_for()
            accessible(page)
            assert fits(page)
        goes_on(teacher, one, late, projector)


def goes_on(teacher: Page, one: Page, late: Page, projector: Page) -> None:
    """A step reaches a phone whose page the server refused, one that looks elsewhere says so, and the end is told."""
    refused: list[str] = []

    def refuse(route: Route) -> None:
        if route.request.resource_type == "fetch" and not refused:
            refused.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    teacher.get_by_role("button", name="5: ").click()
    one.get_by_text("0 have voted.").wait_for()
    one.get_by_role("link", name="Look back").click()
    one.get_by_text("You look at another moment than the teacher.").wait_for()
    assert one.locator("[name=choice]").count() == 0
    late.route("**/lessons/*", refuse)
    before = late.locator("#now .lead").inner_text()
    teacher.get_by_role("button", name="One event on").click()
    one.get_by_text("The teacher has gone on.").wait_for()
    late.wait_for_function("before => document.querySelector('#now .lead').innerText !== before", arg=before)
    assert refused, "the first time it was not answered"
    late.unroute("**/lessons/*")
    one.get_by_role("link", name="Back to the teacher").click()
    one.go_back()
    one.get_by_text("You look at another moment than the teacher.").wait_for()
    one.get_by_role("link", name="Back to the teacher").click()
    teacher.get_by_role("button", name="End the lesson").click()
    for page in (one, late, projector):
        page.get_by_text("The lesson is over.").wait_for()
        assert fits(page)
