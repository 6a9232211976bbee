"""A whist drive from a phone: names are pasted, tricks typed table by table with Enter, everybody is seated by one button."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth.tokens import Tokens
from tests.browser.finger import Finger, good
from tests.browser.scoring import scorer_at, served
from tests.evenings.night import opening, record
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

PAIRS = "Ada / Boris\nCleo / Dmitri\nEmilia / Ferdinand\nGwen / Hubert\nIngrid / Jasper"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where an empty ledger is served, and the token of its scorer."""
    with served(tmp_path_factory.mktemp("drive")) as found:
        yield found


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, str, str]]:
    """Where a drive of eight is served, its id, the token of its scorer, and the token of table 1."""
    db = tmp_path_factory.mktemp("drive") / "tables.db"
    with Ledger(db) as ledger:
        whist = opening() | {"game": "whist", "scoring": {"kind": "total", "decimals": 0}}
        session = record(ledger, None, whist, *({"type": "arrive", "player": f"Whist {name}"} for name in "ABCDEFGH"))
        ledger.evenings.drives.begin(session, "tests")
        ledger.evenings.rounds.set(session, Recorder("tests"))
    tokens = Tokens(db)
    scorer = tokens.create("sam", "scorer", 1)
    table = tokens.invite("Table 1", f"{session}/1", datetime.now(UTC) + timedelta(days=1))
    tokens.close()
    with running(command("serve", "--db", str(db), "--port", "0", "--rate", "0")) as (where, _):
        yield where, session, scorer, table


def test_a_table_enters_its_tricks_with_two_taps_and_moves_on(
    browser: Browser, drive: tuple[str, str, str, str]
) -> None:
    where, session, scorer, token = drive
    with (
        scorer_at(browser, "phone", where, token) as phone,
        scorer_at(browser, "phone", where, scorer) as director,
    ):
        finger = Finger(phone)
        phone.goto(f"/evenings/{session}/tables/1")
        good(phone)
        assert phone.get_by_role("button", name="Record the result").bounding_box()["y"] < 740, "nothing to scroll"
        finger.tap(phone.locator(".of-tricks label").nth(8))
        finger.button("Record the result")
        good(phone)
        assert phone.locator(".scored strong").all_inner_texts() == ["8", "5"]
        director.goto(f"/evenings/{session}/drive")
        director.locator("[name=tricks-2]").fill("9")
        Finger(director).button("Record hand 1")
        Finger(director).button("Seat everybody for hand 2")
        phone.locator("h1", has_text="Table 1, hand 2 of").wait_for()


def test_a_drive_is_run_with_a_finger_and_enter(browser: Browser, hall: tuple[str, str]) -> None:
    with scorer_at(browser, "phone", *hall) as page:
        finger = Finger(page)
        page.goto("/evenings/new?club=new")
        page.locator("[name=club_name]").fill("Village hall")
        finger.tap(page.locator(".competes .chip", has_text="each alone"))
        assert page.locator("[name=boards]").is_visible()
        finger.choose("game", "whist")
        assert not page.locator("[name=boards]").is_visible(), "a drive has no boards"
        finger.tap(page.locator(".field summary"), small=True)
        page.locator("[name=field]").fill(PAIRS)
        finger.tap(page.locator("label", has_text="Ladies stand first"), small=True)
        good(page)
        finger.button("Open the evening")
        good(page)
        finger.button("Seat everybody for hand 1")

        good(page)
        first, second = page.locator("[name=tricks-1]"), page.locator("[name=tricks-2]")
        first.fill("8")
        assert page.locator("#table-1 .rest").inner_text() == "5"
        first.press("Enter")
        assert second.evaluate("field => field === document.activeElement")
        page.keyboard.type("14")
        assert page.locator("#table-2 .rest").inner_text() == "–"
        page.keyboard.press("Enter")
        assert page.get_by_role("button", name="Record hand 1").evaluate("one => one === document.activeElement")
        finger.button("Record hand 1")
        assert "0 to 13" in page.locator("#wrong-tricks-2").inner_text()
        good(page)
        second.fill("3")
        finger.button("Record hand 1")
        good(page)
        finger.button("Seat everybody for hand 2")
        page.locator("h1", has_text="Hand 2 of 24").wait_for()
        page.goto(page.url.replace("/drive", ""))
        good(page)
        with page.expect_navigation():
            finger.tap(page.locator("a.number").first, small=True)
        good(page)


def test_a_phone_shows_one_table_a_swipe_and_a_desk_all(browser: Browser, drive: tuple[str, str, str, str]) -> None:
    where, session, scorer, _ = drive

    def across(page: Page, table: int) -> bool:
        """Tell whether a table of the sheet is on the screen from side to side."""
        box = page.locator(f"#table-{table}").bounding_box()
        return box is not None and box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]

    with scorer_at(browser, "phone", where, scorer) as phone, scorer_at(browser, "desktop", where, scorer) as desk:
        for page, shown in ((phone, [True, False]), (desk, [True, True])):
            page.goto(f"/evenings/{session}/drive")
            good(page)
            assert [across(page, table) for table in (1, 2)] == shown
        assert phone.locator("#table-1 .number").inner_text() == "Table 1 of 2"
        assert desk.locator("#table-1 .number").inner_text() == "Table 1"
        phone.locator("[name=tricks-1]").press("Enter")
        phone.wait_for_function("document.querySelector('#table-2').getBoundingClientRect().left < innerWidth / 2")
        assert [across(phone, table) for table in (1, 2)] == [False, True]
        assert phone.locator(".hand-tables").evaluate("list => getComputedStyle(list).scrollSnapType") == "x mandatory"
        phone.locator("[name=tricks-2]").fill("14")
        Finger(phone).button("Record hand")
        phone.locator("p.warn a", has_text="Table 2").click()
        phone.wait_for_function("document.querySelector('#table-2').getBoundingClientRect().left < innerWidth / 2")
