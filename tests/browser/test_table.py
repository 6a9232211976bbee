"""The table in a real browser: seats around the table on a desk, in rows on a telephone, and nothing over anything."""

from __future__ import annotations

from itertools import combinations
from math import atan2, tau
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Hands of games with 2 to 7 players.
TABLES = [
    ("hecto-diversity", 2),
    ("ruff", 3),
    ("poison-hearts", 3),
    ("diversity", 4),
    ("ruff", 5),
    ("poison-hearts", 6),
    ("diamonds-bid", 7),
]
PLACES = """() => {
  const box = (element) => { const { left, top, right, bottom } = element.getBoundingClientRect(); return [left, top, right, bottom]; };
  const all = (query) => [...document.querySelectorAll(query)].map(box);
  return {
    "card-table": box(document.querySelector(".card-table")),
    seats: [...Array(document.querySelectorAll(".seat").length).keys()].map((place) => box(document.querySelector(`.at-${place}`))),
    apart: all(".card-table .seat, .card-table .trick .card, .card-table .last, .card-table .piles, .card-table .moment"),
    play: box(document.querySelector(".play")), beside: box(document.querySelector(".beside")),
  };
}"""
# How wide a finger or a pointer finds the cards that are buttons, whatever lies upon them.
STRIPS = """() => [...document.querySelectorAll(".card-table button.card")].map((card) => {
  const { left, top, width } = card.getBoundingClientRect();
  const found = (x) => document.elementFromPoint(x, top + 12)?.closest(".card") === card;
  let strip = 0;
  for (let x = left + 1; x < left + width; x++) strip += found(x);
  return strip;
})"""


def open_middle(page: Page, game: str, players: int) -> None:
    """Open the middle of the first hand of a game of so many whose cards are known."""
    for match in page.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"]:
        replay: dict[str, Any] = page.request.get(f"/api/v1/matches/{match['id']}/hands/1/replay").json()
        seqs = [step["seq"] for step in replay["steps"] if step["counts"]]
        if len(replay["players"]) == players and len(seqs) > 3:
            page.goto(f"/matches/{match['id']}/replay/{seqs[len(seqs) // 2]}")
            page.locator("[data-ready]").wait_for()
            return
    pytest.fail(f"no {game} of {players}")


def overlap(one: list[float], other: list[float]) -> bool:
    """Tell whether two boxes share more than a hair's breadth."""
    return min(one[2], other[2]) - max(one[0], other[0]) > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 1


def around(seats: list[list[float]]) -> list[float]:
    """Return how far around the table each seat is, in radians clockwise from the bottom."""
    middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in seats]
    across, downs = middles[0][0], [y for _, y in middles]
    down = (min(downs) + max(downs)) / 2
    return [atan2(across - x, y - down) % tau for x, y in middles]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_on_a_desk_the_seats_are_around_the_table(browser: Browser, address: str, game: str, players: int) -> None:
    with watched(browser, "desktop", address) as page:
        open_middle(page, game, players)
        places = page.evaluate(PLACES)
        seats = places["seats"]
        assert len(seats) == players
        assert around(seats) == sorted(around(seats))
        assert seats[0][3] == max(seat[3] for seat in seats)
        assert not [pair for pair in combinations(places["apart"], 2) if overlap(*pair)]
        assert places["card-table"][3] < 800, "the whole table is to be seen without scrolling"
        assert abs(places["beside"][3] - places["play"][3]) < 1, "log and table end together"
        assert all(strip >= 24 for strip in page.evaluate(STRIPS))


def test_on_a_telephone_the_seats_are_rows_under_the_trick(browser: Browser, address: str) -> None:
    with watched(browser, "phone", address) as page:
        open_middle(page, "ruff", 3)
        seats = page.evaluate(PLACES)["seats"]
        assert len({seat[0] for seat in seats}) == 1
        assert [seat[1] for seat in seats] == sorted(seat[1] for seat in seats)
        trick = page.locator(".card-table .trick").bounding_box()
        assert trick is not None
        assert trick["y"] < seats[0][1]
