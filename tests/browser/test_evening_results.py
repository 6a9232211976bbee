"""The result of a night on the wall, on a phone and on paper: nothing cut, everything readable, one sheet."""

from __future__ import annotations

import io
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine.events import Void
from tests.browser.conftest import watched
from tests.browser.looking import accessible, fits
from tests.evenings.bridge import pairs
from tests.evenings.bridge import play as play_boards
from tests.evenings.night import end_early, opening, play, record
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pypdf = pytest.importorskip("pypdf")

PLAYERS = tuple(f"player {number:02} of the club" for number in range(1, 17))
ROUNDS = 4


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """Where an evening of 16 players is served, published and then corrected, and the pages to look at."""
    db = tmp_path_factory.mktemp("night") / "club.db"
    with Ledger(db) as ledger:
        club = record(ledger, None, {"type": "club", "name": "Tuesday Cards"}, {"type": "member", "player": PLAYERS[0], "from": "2024-09-01"})  # fmt: skip
        league = record(ledger, None, {"type": "league", "club": club, "name": "Spring", "from": "2026-01-01", "until": "2026-06-30", "count": {"best": 1}})  # fmt: skip
        session = record(ledger, None, opening(club=club, league=league, place="Porto"))
        record(ledger, league, {"type": "counts", "session": session})
        matches = []
        for round in range(1, ROUNDS + 1):
            for number in range(1, 5):
                seats = PLAYERS[number - 1 :: 4] if round % 2 else PLAYERS[4 * number - 4 : 4 * number]
                seated = {"type": "table", "round": round, "table": number, "seats": [*seats]}
                matches.append(play(ledger, seats, round))
                record(
                    ledger, session, seated, {"type": "result", "round": round, "table": number, "match": matches[-1]}
                )
        record(ledger, session, {"type": "publish"}, by="maria")
        record(ledger, league, {"type": "publish"})
        record(ledger, session, {"type": "close"})
        end_early(ledger, matches[0])
        record(ledger, session, {"type": "adjust", "entry": 3, "penalty": 1, "law": "L74", "reason": "late"})
        (published,) = ledger.evenings.rankings.published(session)
        boards, void = (pairs(ledger, 5, 2, date=date) for date in ("2026-01-13", "2026-01-20"))
        for evening in (boards, void):
            play_boards(ledger, evening, Random(1))
        record(ledger, void, {"type": "publish"})
        record(ledger, void, {"type": "close"})
        first = next(result.match for _, result in ledger.evenings.stream(void).state.results.values())
        ledger.record(first, [Void(reason="wrong cards")], ledger.stream(first).seq, "tests")
    pages = [f"/evenings/{session}", f"/evenings/{session}?as_of={published.ranking.position}", f"/leagues/{league}", f"/clubs/{club}", "/", f"/evenings/{boards}", f"/evenings/{boards}/boards/1", f"/evenings/{boards}/cards/1", f"/evenings/{void}/boards/1"]  # fmt: skip
    with running(command("serve", "--db", str(db), "--port", "0", "--rate", "0")) as (where, _):
        yield where, pages


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_night_can_be_read_by_everybody_on_every_screen(
    browser: Browser, club: tuple[str, list[str]], size: str, scheme: str
) -> None:
    where, pages = club
    with watched(browser, size, where) as page:
        page.emulate_media(color_scheme=scheme)
        for path in pages:
            answer = page.goto(path)
            assert answer is not None
            assert answer.status == 200
            assert len(answer.body()) < 150_000
            page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            assert fits(page), f"{path} is wider than the screen"
            accessible(page)
        # A number leads to its event, although the log is folded.
        page.goto(pages[0])
        page.locator(".at-table .seq").first.click()
        page.locator("#log li:target").wait_for()


def test_a_night_is_printed_on_one_sheet(browser: Browser, club: tuple[str, list[str]]) -> None:
    where, pages = club
    with watched(browser, "desktop", where) as page:
        page.goto(pages[0])
        (sheet,) = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
    text = sheet.extract_text()
    assert all(text.count(player) >= ROUNDS for player in PLAYERS), "the ranking, and a table in every round"
    assert "L74, late" in text, "the rulings too"
    assert "Sign in" not in text
    assert "Rulebooks" not in text


def test_the_pages_of_a_board_and_of_a_card_are_printed_with_their_results(
    browser: Browser, club: tuple[str, list[str]]
) -> None:
    where, pages = club
    with watched(browser, "desktop", where) as page:
        for path, words in (("boards/1", ("Every result", "How often")), ("cards/1", ("Contract", "So far"))):
            page.goto(next(one for one in pages if one.endswith(path)))
            (sheet,) = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
            assert all(word in sheet.extract_text() for word in words), path


def test_on_a_phone_a_card_and_a_traveller_show_all_of_a_result_at_once(
    browser: Browser, club: tuple[str, list[str]]
) -> None:
    where, pages = club
    with watched(browser, "phone", where) as page:
        for path in (next(one for one in pages if one.endswith(end)) for end in ("/boards/1", "/cards/1")):
            page.goto(path)
            widths = "[...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - one.clientWidth)"
            assert max(page.evaluate(widths)) <= 0, f"{path} scrolls sideways"
            headings = page.locator(".travellers table").first.locator("thead th:visible").all_inner_texts()
            assert {"by", "Score", "MP"} <= {*headings}
            assert any("%" in heading for heading in headings)
