"""A match as one file, opened as from a mail: without a server, without a network, by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import watched
from tests.browser.looking import accessible, fits

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page


def replayed(page: Page) -> str:
    page.locator("[data-ready]").wait_for()
    return page.locator("#where").inner_text()


def in_replay(page: Page, file: Path) -> str:
    """Open a file and the replay of its first hand; return where it stands."""
    page.goto(file.as_uri())
    page.locator("header.site nav a").nth(1).click()
    return replayed(page)


def chosen(page: Page) -> None:
    """Answer a question of a quiz by keyboard: tick as many cards as it asks for, or press a button."""
    ticks = page.locator(".ticks input")
    for place in range(3 if ticks.count() else 0):
        ticks.nth(place).focus()
        page.keyboard.press("Space")
    page.locator(".quiz-question form [type=submit]").first.focus()
    page.keyboard.press("Enter")


def sent(browser: Browser, address: str, folder: Path, game: str) -> tuple[str, Path]:
    """Return a match of a game that is over, and its file as somebody got it."""
    context = browser.new_context(base_url=address)
    (match, *_) = context.request.get(f"/api/v1/matches?limit=1&game={game}&status=complete").json()["matches"]
    file = folder / "match.html"
    answer = context.request.get(f"/matches/{match['id']}.html")
    assert answer.ok, answer.status_text
    file.write_bytes(answer.body())
    context.close()
    return match["id"], file


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("game", ["bridge", "ruff"])
def test_a_file_is_replayed_without_a_server(
    browser: Browser, address: str, tmp_path: Path, game: str, size: str
) -> None:
    _, file = sent(browser, address, tmp_path, game)
    with watched(browser, size, file.as_uri()) as page:
        page.goto(file.as_uri())
        head = page.locator("header.site nav a")
        assert fits(page) and head.count() == 5
        accessible(page)
        assert in_replay(page, file).startswith("2 ")
        place = page.url
        words = page.locator("#now").inner_text()
        page.keyboard.press("ArrowRight")
        page.wait_for_url(lambda url: url != place)
        assert replayed(page).startswith("3 ") and page.locator("#now").inner_text() != words
        assert fits(page)
        page.reload()
        assert replayed(page).startswith("3 "), "the address says which event is shown"
        page.locator("nav.hands [rel=next]").click()
        page.locator("h1", has_text="2").wait_for()
        replayed(page)
        page.go_back()
        page.locator("h1", has_text="1").wait_for()
        assert replayed(page).startswith("3 ")
        head.nth(2).click()
        page.locator("ol.trail").first.wait_for()
        assert fits(page)
        page.locator(".crumbs a").click()
        page.locator("table.scoreboard").wait_for()


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("game", ["hearts", "bridge"])
def test_other_moves_what_a_seat_can_know_and_the_receipt_are_worked_out_in_the_file(
    browser: Browser, address: str, tmp_path: Path, game: str, size: str
) -> None:
    match, file = sent(browser, address, tmp_path, game)
    with watched(browser, size, file.as_uri()) as page:
        in_replay(page, file)
        assert page.workers == [], "it starts when it is asked for"
        page.keyboard.press("End")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.locator("#knowledge summary").click()
        page.locator("#engine-status").wait_for()
        page.locator("#known .out").wait_for()
        assert not page.locator("#engine-status").is_visible()
        assert fits(page)
        accessible(page)
        seq = page.locator("#event .seq").inner_text()
        asked = f"/matches/{match}/replay/{seq}/knowledge"
        for seat in ("0", "1"):
            page.locator("#known-of").select_option(seat)
            theirs = page.context.browser.new_page(base_url=address)  # type: ignore[union-attr]
            theirs.goto(f"{asked}?seat={seat}")
            said = theirs.locator("#known").inner_text()
            theirs.close()
            page.wait_for_function("(said) => document.getElementById('known').innerText === said", arg=said)
        record = page.locator("#now").inner_text()
        page.locator("#table [data-move], #choices [data-move]").first.click()
        page.locator("#what-if:not([hidden])").wait_for()
        page.wait_for_url("**#what-if=*")
        assert fits(page)
        page.keyboard.press("Escape")
        page.locator("#what-if").wait_for(state="hidden")
        assert page.locator("#now").inner_text() == record
        page.locator("header.site nav a").nth(4).click()
        page.locator("#check-receipt button").click()
        page.locator("#checked .verdict-fits").wait_for()
        assert fits(page)
        accessible(page)
        page.locator("textarea").fill("another+00000000+AAAA")
        page.locator("#check-receipt button").click()
        page.locator("#checked .alarm, #checked .warn").wait_for()


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("game", ["hearts", "bridge", "euchre"])
def test_a_hand_is_replayed_as_a_seat_saw_it(
    browser: Browser, address: str, tmp_path: Path, game: str, size: str
) -> None:
    match, file = sent(browser, address, tmp_path, game)
    with watched(browser, size, file.as_uri()) as page:
        in_replay(page, file)
        backs = page.locator("#table .card.back")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        assert backs.count() == 0
        page.locator("#view").select_option("1")
        page.wait_for_url("**view=1*")
        place = replayed(page)
        assert backs.count() > 0 and page.locator("#by-steps").is_visible()
        assert page.locator("section[aria-labelledby=tricks], .talk, #review").count() == 0
        assert page.locator("#log li").count() == int(place)
        assert fits(page)
        accessible(page)
        page.locator("#knowledge summary").click()
        page.locator("#known .out").wait_for()
        assert not page.locator("#known-of").is_visible(), "what another can know would tell this one"
        page.keyboard.press("ArrowRight")
        page.wait_for_function("(had) => document.getElementById('where').textContent !== had", arg=place)
        seq = page.locator("#event .seq").inner_text()
        assert int(page.locator("#where").inner_text()) == int(place) + 1 == page.locator("#log li").count()
        theirs = page.context.browser.new_page(base_url=address)  # type: ignore[union-attr]
        theirs.goto(f"/matches/{match}/replay/{seq}?view=1")
        replayed(theirs)
        table = theirs.evaluate("document.getElementById('table').innerText")
        log = theirs.locator("#log").inner_text()
        theirs.close()
        assert (page.evaluate("document.getElementById('table').innerText"), page.locator("#log").inner_text()) == (
            table,
            log,
        )
        page.reload()
        assert int(replayed(page)) == int(place) + 1, "the address says whose view is shown"
        page.keyboard.press("End")
        page.locator("section[aria-labelledby=tricks]").wait_for()
        replayed(page)
        assert page.locator("#view").input_value() == "1"
        page.locator("#view").select_option("spectator")
        page.wait_for_url("**view=spectator*")
        replayed(page)
        assert page.locator("#knowledge").count() == 0
        page.locator("#view").select_option("all")
        page.wait_for_url("**view=all*")
        replayed(page)
        assert page.locator("#log li").count() > int(place) + 1


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("game", ["hearts", "whist", "euchre"])
def test_the_quiz_of_a_hand_is_taken_in_the_file(
    browser: Browser, address: str, tmp_path: Path, game: str, size: str
) -> None:
    _, file = sent(browser, address, tmp_path, game)
    with watched(browser, size, file.as_uri()) as page:
        in_replay(page, file)
        page.locator("a[href$='/quiz']").click()
        page.locator("#quiz input[name=seat]").nth(1).check()
        assert fits(page)
        accessible(page)
        page.locator("#quiz [type=submit]").click()
        question = page.locator(".quiz-question")
        question.wait_for()
        assert page.locator("#quiz .card.back").count() > 0
        assert page.locator(".quiz-answer, .costs").count() == 0
        assert fits(page)
        accessible(page)
        assert (page.locator(".ticks").count() == 1) == (game == "hearts"), "three cards to pass are asked for too"
        chosen(page)
        answer = page.locator(".quiz-answer")
        answer.wait_for()
        assert page.locator(".costs tbody tr").count() > 1
        assert page.evaluate("document.activeElement.closest('.quiz-answer') !== null")
        assert fits(page)
        accessible(page)
        page.go_back()
        question.wait_for()
        page.go_forward()
        answer.wait_for()
        page.reload()
        answer.wait_for()
        for _ in range(60):
            answer.get_by_role("button").click()
            page.locator(".quiz-question, #quiz > .lead").first.wait_for()
            if not question.count():
                break
            chosen(page)
            answer.wait_for()
        assert page.locator("#quiz tbody tr").count() > 1
        assert fits(page)
        accessible(page)
        page.locator("#quiz a.button").first.click()
        page.locator(".quiz-begin").wait_for()
