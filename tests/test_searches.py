"""Searches: by any part of a name, with any capitals and accents; no character has a special meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.record.readmodels.questions.searches import named, players, search
from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


@pytest.fixture
def club(ledger: Ledger) -> Ledger:
    """A ledger of three matches."""
    for names, event, table, place in (
        (("Zoë", "ana", "Ben Straße"), "Thursday night", "Table 3", "Café 100%"),
        (("anabel", "ana", "x_y"), "Thursday night", "Table 4", None),
        (("\u202eabc", "İpek", "c"), None, None, "Old Mill"),
    ):
        ledger.record(
            None,
            [ev.Open(game="ruff", players=names, event=event, table=table, place=place, at="2026-01-01T00:00:00Z")],
            0,
        )
    return ledger


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("zoe", ["Zoë"]), ("ZOË", ["Zoë"]), ("ANA", ["ana", "anabel"]), ("nabe", ["anabel"]),
        ("strasse", ["Ben Straße"]), ("straße ben", ["Ben Straße"]), ("ipek", ["İpek"]),
        ("%", []), ("x_y", ["x_y"]), ("x%y", []), ("_", ["x_y"]), ("' OR 1=1 --", []), ("\x00", []), ("*", []),
        ("ana nobody", []),
    ],
)  # fmt: skip
def test_players_are_found_by_parts_of_their_names(club: Ledger, text: str, found: list[str]) -> None:
    assert [one.name for one in search(club, text, 10).players] == found


def test_whole_names_come_first_then_beginnings(club: Ledger) -> None:
    club.record(None, [ev.Open(game="ruff", players=("diana", "dana", "an"))], 0)
    assert [one.name for one in search(club, "an", 10).players] == ["an", "ana", "anabel", "dana", "diana"]


def test_texts_are_found_with_their_matches_newest_first(club: Ledger) -> None:
    found = search(club, "thursday", 10)
    assert found.texts["event"] == [("Thursday night", 2)]
    assert [row["board"] for row in found.matches] == ["Table 4", "Table 3"]
    assert [row["place"] for row in search(club, "100%", 10).matches] == ["Café 100%"]
    assert [row["board"] for row in search(club, "table 3", 10).matches] == ["Table 3"]


def test_a_match_is_found_by_the_beginning_of_its_id(club: Ledger) -> None:
    for match in club.matches():
        for length in (6, 13, 36):
            assert match in [row["match"] for row in search(club, f" {match[:length].upper()} ", 10).matches]
    assert search(club, "zzz", 10).matches == []


@pytest.mark.parametrize("text", ["", "   ", "\t"])
def test_an_empty_search_finds_nothing(club: Ledger, text: str) -> None:
    found = search(club, text, 10)
    assert (found.players, found.texts, found.matches) == ([], {}, [])


def test_names_come_with_the_number_of_their_matches(club: Ledger) -> None:
    assert players(club)[0] == ("ana", 2, 0)
    assert named(club, "event") == [("Thursday night", 2)]
    assert named(club, "place") == [("Café 100%", 1), ("Old Mill", 1)]


def test_no_more_rows_than_requested(club: Ledger) -> None:
    for number in range(30):
        club.record(None, [ev.Open(game="ruff", players=(f"p{number}", "q", "r"), event="many")], 0)
    assert len(search(club, "p", 5).players) == 5
    assert len(search(club, "many", 5).matches) == 5
