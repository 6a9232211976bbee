"""What comes out of the printer: every table whole, row by row and column by column."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from tests.browser.scoring import Api

if TYPE_CHECKING:
    from playwright.sync_api import Page

pypdf = pytest.importorskip("pypdf")

PLAYERS = tuple(f"player{number:02}" for number in range(36))
HANDS = 16
PAPER = 718
"""Pixels between the margins of a sheet of A4."""


@pytest.fixture(scope="module")
def club(scoring: tuple[str, str]) -> list[str]:
    """Nine matches of 16 hands from score sheets, with 36 players."""
    api, matches = Api(*scoring), []
    for first in range(0, len(PLAYERS), 4):
        opening = ev.Open(
            game="diversity", players=PLAYERS[first : first + 4], options={"hands": HANDS}, event="on paper"
        )
        hands = [
            event
            for hand in range(HANDS)
            for event in (ev.Deal(dealer=hand % 4, hands=None), ev.Score(scores=(1, 2, 4, 6)))
        ]
        matches.append(api.open(opening, *hands))
    return matches


def printed(page: Page, path: str) -> str:
    """Return the text of the printed page."""
    page.goto(path)
    return "\n".join(sheet.extract_text() for sheet in pypdf.PdfReader(io.BytesIO(page.pdf(format="A4"))).pages)


def test_a_match_of_sixteen_hands_prints_sixteen_hands(scorer_page: Page, club: list[str]) -> None:
    text = printed(scorer_page, f"/matches/{club[0]}")
    rows = re.findall(r"^(\d+) \d+ \+1 \d+ \+2 \d+ \+4 \d+ \+6$", text, re.MULTILINE)
    assert rows == [str(hand) for hand in range(1, HANDS + 1)]
    assert len(re.findall(r"^Total 16 \S+ 32 64 96", text, re.MULTILINE)) == 1


def test_a_season_prints_every_player(scorer_page: Page, club: list[str]) -> None:
    text = printed(scorer_page, "/season?event=on+paper")
    standings, came = text.split("Who came")
    for table in (standings, came):
        assert sorted(re.findall(r"^(player\d\d) \d", table, re.MULTILINE)) == list(PLAYERS)


@pytest.mark.parametrize("size", [4, 8])
def test_no_table_is_wider_than_the_paper(scorer_page: Page, scoring: tuple[str, str], size: int) -> None:
    names = tuple(f"somebody called {number}" for number in range(size))
    bids = [ev.Bid(seat=(seat + 1) % size, amount=1) for seat in range(size)]
    api = Api(*scoring)
    opening = ev.Open(game="diamonds-bid", players=names, policy="record", options={"target": 1})
    pack = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDHS"]
    each = len(pack) // size
    hands = tuple(tuple(pack[seat * each : (seat + 1) * each]) for seat in range(size))
    aside = tuple(pack[each * size :]) or None
    leader = next(seat for seat in range(size) if "2C" in hands[seat])
    plays = [ev.Play(seat=(leader + turn) % size, card=hands[(leader + turn) % size][0]) for turn in range(size)]
    match = api.open(opening, ev.Deal(dealer=0, hands=hands, aside=aside), *bids, *plays)
    scorer_page.set_viewport_size({"width": PAPER, "height": 1000})
    scorer_page.emulate_media(media="print")
    for path in (f"/matches/{match}", f"/matches/{match}/hands/1", "/stats/diamonds-bid", "/violations", "/season"):
        scorer_page.goto(path)
        right = scorer_page.evaluate(
            "Math.max(0, ...[...document.querySelectorAll('table')].map((table) => table.getBoundingClientRect().right))"
        )
        assert right <= PAPER, path
