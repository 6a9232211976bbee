"""Statistics, seasons and people in a real browser: complete, accessible, and led through by links and forms."""

from __future__ import annotations

import io
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger_api.auth.tokens import Tokens
from tests.browser.conftest import watched
from tests.browser.looking import SIZES, accessible, go, match_paths
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pypdf = pytest.importorskip("pypdf")

PAGES = [
    "/players/ana?game=diamonds-bid&by=seat", "/players/ana?game=diamonds-bid&beside=ben&measure=made",
    "/stats/diversity", "/definitions", "/season", "/worth-seeing", "/people",
]  # fmt: skip


def test_pages_of_statistics_open_without_complaint_and_are_accessible(page: Page) -> None:
    for path in PAGES:
        go(page, path)
        assert page.locator("h1").count() == 1, path
        accessible(page)
    page.emulate_media(color_scheme="dark")
    for path in PAGES[:4]:
        go(page, path)
        accessible(page)


@pytest.fixture(scope="module")
def rigged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where a league is served in which two players always do well together, and the token of its admin."""
    db, rng = tmp_path_factory.mktemp("rigged") / "league.db", Random(1)
    tokens = Tokens(db)
    text = tokens.create("ada", "admin", 1)
    tokens.close()
    with Ledger(db) as ledger:
        for number in range(60):
            players = [f"player {at}" for at in rng.sample(range(8), 4)]
            together = {"player 0", "player 1"} <= {*players}
            taken = [1 if together and player in ("player 0", "player 1") else 3 for player in players]
            taken[-1] += 13 - sum(taken)
            hands = [
                event for hand in range(4) for event in (ev.Deal(dealer=hand, hands=None), ev.Claim(tricks=(*taken,)))
            ]
            opening = ev.Open(game="diversity", players=(*players,), date=f"2026-01-{number % 28 + 1:02}")
            ledger.record(None, [opening, *hands], 0, "tests")
    with running(command("serve", "--db", str(db), "--port", "0", "--rate", "0")) as (where, _):
        yield where, text


@pytest.mark.parametrize("size", SIZES)
def test_pairs_that_stand_out_are_read_by_everybody_and_printed_whole(
    browser: Browser, rigged: tuple[str, str], size: str
) -> None:
    where, token = rigged
    with watched(browser, size, where) as page:
        page.goto(f"/?token={token}")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            go(page, "/stats/diversity/pairs")
            assert page.locator("tbody tr").count() > 0
            accessible(page)
        (sheet,) = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
        text = " ".join(sheet.extract_text().split())
        assert all(word in text for word in ("player 0 and player 1", "95% interval", "Hands"))


def test_a_form_splits_a_measure_and_a_number_links_to_its_hands(page: Page) -> None:
    go(page, "/players/ana?game=diamonds-bid")
    page.locator("#statistics").click()
    page.locator("select[name=by]").select_option("seat")
    page.locator("select[name=measure]").select_option("made")
    page.locator("form[aria-label=Statistics] button").click()
    page.wait_for_url("**by=seat*")
    assert "measure=made" in page.url
    link = page.locator(".measures tbody a[href^='/hands']").first
    number = int(link.inner_text())
    link.click()
    page.wait_for_url("**/hands?*")
    assert page.locator(".found").count() == min(20, number)


def test_a_formula_opens_by_keyboard(page: Page) -> None:
    go(page, "/players/ana?game=diamonds-bid")
    page.locator("#statistics").click()
    formula = page.locator(".formula").first
    assert not formula.locator("p").is_visible()
    formula.locator("summary").press("Enter")
    assert "÷" in formula.locator("p").inner_text()


def test_a_link_to_a_place_opens_the_part_around_it(page: Page) -> None:
    go(page, "/season#attendance")
    page.get_by_role("region", name="Players who came").wait_for(state="visible")
    go(page, "/players/ana?game=diamonds-bid")
    assert not page.locator("#matches").is_visible()
    page.evaluate("location.hash = '#matches'")
    page.locator("#matches").wait_for(state="visible")


def test_a_mark_is_followed_in_the_picture_and_explored(page: Page) -> None:
    go(page, "/season")
    (figure, *_) = page.locator(".glance .figure").all()
    figure.locator(".chart:visible a").first.click()
    page.wait_for_url("**/season?*since=*until=*")
    go(page, "/season")
    box = page.locator(".glance .figure").first
    box.locator(".explore").click()
    box.locator(".plot .points path").first.wait_for()
    box.locator(".nsewdrag").hover()
    mark = box.locator(".plot .points path").first.bounding_box()
    assert mark is not None
    page.mouse.move(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    box.locator(".hovertext").first.wait_for()
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/season?*since=*until=*")


def test_what_is_chosen_is_marked_and_taken_back_with_others_beside(page: Page) -> None:
    go(page, "/players/ana?game=ruff")
    page.locator("#beside").click()
    page.locator("input[name=beside]").first.fill("ben")
    page.locator("form[aria-label='Beside another player'] button").click()
    page.wait_for_url("**beside=ben*")
    page.locator(".glance .chart:visible a[href*='measure=']:not([href*='=points'])").first.click()
    page.wait_for_url("**measure=*")
    assert "beside=ben" in page.url
    chosen = page.locator(".glance .chart:visible a[aria-current]")
    assert chosen.count() == 1 and "Chosen: show all again" in (chosen.locator("title").text_content() or "")
    assert page.locator(".taken").count() == 2
    chosen.click()
    page.wait_for_url(lambda url: "measure=" not in url)
    page.locator(".taken").click()
    page.wait_for_url(lambda url: "beside=" not in url)
    assert not page.locator(".taken").count()


def test_a_hand_is_reviewed_on_demand_and_its_strip_steps_through_it(page: Page) -> None:
    for path in match_paths(page, "diamonds-draw"):
        go(page, f"{path}/replay/2")
        page.locator("#replayer[data-ready]").wait_for()
        if page.locator("#review-now").count():
            break  # on another screen this has reviewed the first already
    page.locator("#review-now").click()
    page.locator(".strip a").first.wait_for()
    page.locator("#replayer[data-ready]").wait_for()
    mark = page.locator(".strip a").last
    seq = mark.get_attribute("data-seq")
    mark.click()
    assert page.locator("#review-text").inner_text() == mark.get_attribute("data-words")
    assert page.locator("#log [aria-current]").get_attribute("data-seq") == seq
    assert page.locator(".review .outcome b").count() >= 3, "never without the outcome"
    accessible(page)
