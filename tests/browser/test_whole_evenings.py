"""Evenings of each kind, from the first page to the print: what they cost in taps, keys and pages.

The figures stand in `README.md` of the tests; a page more is a failure.
"""

from __future__ import annotations

from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.browser.finger import Finger
from tests.browser.scoring import Api, scorer_at, served, settled
from tests.evenings.bridge import board

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

WHERE = [("phone", "de"), ("desktop", "fr")]
"""Screens, and the languages of the pages: one run of an evening shows both that its pages fit and that no English is left."""
ENGLISH = [("phone", "en"), ("desktop", "en")]
"""The same for the evening that is short, and whose pages are not yet wholly translated."""
HANDS, TABLES = 24, 13


@contextmanager
def scorer(browser: Browser, folder: Path, size: str, language: str) -> Iterator[tuple[Finger, Api]]:
    """Yield a scorer with an empty ledger of their own, at its first page."""
    with served(folder) as club, scorer_at(browser, size, *club, language=language) as page:
        finger = Finger(page, language)
        page.goto("/")
        finger.look()
        finger.loads = 0
        yield finger, Api(*club)


def new_club(finger: Finger, name: str, competes: str) -> None:
    """Begin an evening of a new club, and say who competes."""
    finger.page.goto("/evenings/new?club=new")
    finger.look()
    finger.tap(finger.page.locator("[name=club_name]"), small=True)
    finger.type(name)
    finger.tap(finger.page.locator(f".competes .chip:has([value={competes}])"))


@pytest.mark.parametrize(("size", "language"), [*WHERE, *ENGLISH])
def test_friends_play_hearts_on_one_phone(browser: Browser, tmp_path: Path, size: str, language: str) -> None:
    with scorer(browser, tmp_path, size, language) as (finger, api):
        page = finger.page
        page.goto("/matches/new")
        finger.look()
        finger.tap(page.locator("label.pick:has([value=hearts])"))
        finger.tap(page.locator("fieldset.players input:visible").first, small=True)
        for name in ("Ada", "Benno", "Cleo", "Dora"):
            finger.type(name)
            finger.press("Tab")
        with page.expect_navigation():
            finger.tap(page.locator("button[name=sheet]"), small=True)
        finger.look()
        opened = (finger.taps, finger.loads)

        finger.tap(page.locator("#hand-1 input").first, small=True)
        for _ in range(8):
            for points in ("13", "5", "8", "0"):
                finger.type(points)
                finger.press("Enter")  # as fast as anybody: a row is added while the last is filled
        with page.expect_navigation():
            finger.tap(page.locator("[name=record]"))
        finger.look()
        match = api.ask("/matches")["matches"][0]
        assert (match["status"], match["hands"]) == ("complete", 8)
        assert page.url.endswith(f"/matches/{match['id']}")
        text = finger.printed()
        assert all(name in text for name in ("Ada", "Benno", "Cleo", "Dora", "104"))
        assert opened == (3, 2)
        assert (finger.taps, finger.keys, finger.loads) == (5, 92, 3)


@pytest.mark.parametrize(("size", "language"), WHERE)
def test_28_pairs_play_in_two_sections(browser: Browser, tmp_path: Path, size: str, language: str) -> None:
    """One table's phone types its boards; the other thirteen record theirs as programs do."""
    names = [f"{letter}{place} Quill" for letter in "ABCDEFGHIJKLMN" for place in ("a", "b", "c", "d")]
    field = "\n".join(f"{one} / {other}" for one, other in zip(names[::2], names[1::2], strict=True))
    with scorer(browser, tmp_path, size, language) as (finger, api):
        page, chance = finger.page, Random(28)
        new_club(finger, "Quill", "pairs")
        finger.tap(page.locator(".field summary"), small=True)
        finger.paste(page.locator("[name=field]"), field)
        finger.button("Open the evening")
        finger.look()
        finger.tap(page.locator("[name=minutes]:visible"), small=True)
        finger.type("180")
        finger.button("What fits the time?")
        finger.look()
        with page.expect_navigation():
            finger.tap(page.locator('[name=movement][value="2-sections-howell"]'))
        finger.look()
        finger.button("Open these tables")
        finger.look()
        opened = (finger.taps, finger.loads)
        evening = page.url.partition("/evenings/")[2]

        for round in range(1, 14):
            mine, *others = api.ask(f"/sessions/{evening}")["rounds"][round - 1]["tables"]
            for table in others:
                for number in table["boards"]:
                    made = (f"{chance.randint(1, 5)}NT", chance.randrange(4), chance.randint(5, 13))
                    api.record(table["results"][0]["match"], *board(number, made))
            finger.link("Score table %(number)s", number="A1")
            settled(page, finger.words("All recorded"))
            finger.look()
            for _ in mine["boards"]:
                finger.tap(page.get_by_role("button", name=finger.words("Only the contract")))
                finger.type("3NT N 9")
                finger.press("Enter")
                settled(page, finger.words("All recorded"))
            finger.look()
            with page.expect_navigation():
                finger.tap(page.locator("#evening a").first, small=True)
            finger.look()
            if round < 13:
                finger.link("Next round")
                finger.look()
                finger.button("Open these tables")
                finger.look()
        played = (finger.taps, finger.loads)
        finger.button("Publish the ranking")
        finger.look()
        finger.button("Close the evening")
        finger.look()
        text = finger.printed()
        assert all(name in text for name in names)
        assert opened == (9, 5)
        assert (played[0] - opened[0], played[1] - opened[1]) == (76, 50), "13 rounds of two boards at one table"


@pytest.mark.parametrize(("size", "language"), WHERE)
def test_52_people_play_a_whist_drive_on_paper(browser: Browser, tmp_path: Path, size: str, language: str) -> None:
    names = [f"{letter}{place} Quill" for letter in "ABCDEFGHIJKLM" for place in ("a", "b", "c", "d")]
    with scorer(browser, tmp_path, size, language) as (finger, _):
        page, chance = finger.page, Random(52)
        new_club(finger, "Hall", "individual")
        finger.choose("game", "whist")
        finger.tap(page.locator(".field summary"), small=True)
        finger.paste(page.locator("[name=field]"), "\n".join(names))
        finger.button("Open the evening")
        finger.look()
        finger.button("Seat everybody for hand 1")
        finger.look()
        opened = (finger.taps, finger.loads)

        for hand in range(1, HANDS + 1):
            finger.tap(page.locator("[name=tricks-1]"), small=True)
            for table in range(1, TABLES + 1):
                finger.type(str(chance.randint(0, 13)))
                finger.press("Enter")
                assert page.locator(f"#table-{table} .rest").inner_text() != "–"
            finger.button("Record hand %(hand)s", hand=hand)
            finger.look()
            if hand < HANDS:
                finger.button("Seat everybody for hand %(hand)s", hand=hand + 1)
                finger.look()
        taps, keys = finger.taps - opened[0], finger.keys
        finger.link("Ranking and prizes")
        finger.look()
        finger.button("Publish the ranking")
        finger.look()
        finger.button("Close the evening")
        finger.look()
        text = finger.printed()
        assert all(name in text for name in names)
        assert opened == (8, 3)
        assert finger.loads == opened[1] + 2 * HANDS - 1 + 3
        assert (taps + keys) / (HANDS * TABLES) <= 4, "taps and keys for the tricks of a table in a hand"
