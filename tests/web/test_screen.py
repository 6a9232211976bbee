"""The big screen of an evening: every table of the present round, the ranking, and nothing that is secret."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.bridge import open_round, pairs, score_table
from tests.evenings.night import TWELVE, end_early, made, opening, record, under_way
from tests.web.club import sign_in

if TYPE_CHECKING:
    from flask import Flask

WORDS = re.compile(r"<[^>]+>")


def slides(app: Flask, evening: str, role: str = "reader") -> list[str]:
    """Return the slides of a screen as a person with a role reads them."""
    sign_in(app, role)
    answer = app.test_client().get(f"/evenings/{evening}/screen")
    assert answer.status_code == 200
    return [" ".join(WORDS.sub(" ", part).split()) for part in re.findall(r"<section.*?</section>", answer.text, re.S)]


def evening(app: Flask, tables: int = 3) -> tuple[str, list[str]]:
    return under_way(ledger_of(app), tables)


def test_the_screen_shows_every_table_with_names_standing_and_last_hand(empty: Flask) -> None:
    session, matches = evening(empty)
    tables, *ranking = slides(empty, session)
    table = ledger_of(empty).stream(matches[0]).table
    for number, player in ((1, TWELVE[0]), (2, TWELVE[4]), (3, TWELVE[8])):
        assert f"Table {number} " in tables
        assert f"{player} " in tables
    for seat in range(4):
        last = f"{table.hands[1].scores[seat]:+}".replace("-", "−").replace("+0", "0")
        assert f"{TWELVE[seat]} {table.totals[seat]} {last}".replace("-", "−") in tables
    assert "Table 2 before the first deal" in tables
    assert len(ranking) == 2, "twelve places take two slides"
    assert all(part.startswith("Ranking") for part in ranking)
    assert all(player in " ".join(ranking) for player in TWELVE)


def test_the_round_to_come_is_shown_once_all_tables_are_done(empty: Flask) -> None:
    session, matches = evening(empty, tables=1)
    ledger = ledger_of(empty)
    record(ledger, session, {"type": "table", "round": 2, "table": 1, "seats": [*TWELVE[4:8]]})
    assert slides(empty, session)[0].startswith("Round 1")
    ledger.record(matches[0], [ev.End()], ledger.stream(matches[0]).seq, "tests")
    assert "Round 2" in slides(empty, session)[0]


def test_points_entered_without_a_match_are_on_the_screen(empty: Flask) -> None:
    session = record(
        ledger_of(empty), None, opening(),
        {"type": "table", "round": 1, "table": 1, "seats": [*TWELVE[:4]]},
        {"type": "result", "round": 1, "table": 1, "points": [12, -3, 0, 7]},
    )  # fmt: skip
    tables, ranking = slides(empty, session)
    assert "player A 12 player B −3 player C 0 player D 7" in tables
    assert "1 player B 4.00 2 player C 3.00" in ranking, "fewest points win"


def test_many_tables_and_places_are_cut_into_slides(empty: Flask) -> None:
    players = [f"player {number}" for number in range(40)]
    tables = [
        {"type": "table", "round": 1, "table": 1 + at // 4, "seats": players[at : at + 4]} for at in range(0, 40, 4)
    ]
    session = record(ledger_of(empty), None, opening(), *tables)
    found = slides(empty, session)
    assert [part.count("Table ") for part in found[:3]] == [4, 4, 2]
    assert len(found) == 3 + 5


def test_a_void_match_leaves_the_tables_and_says_why_there_is_no_ranking(empty: Flask) -> None:
    session, matches = evening(empty, tables=1)
    ledger = ledger_of(empty)
    ledger.record(matches[0], [ev.Void()], ledger.stream(matches[0]).seq, "tests")
    tables, ranking = slides(empty, session)
    assert "Table 1 void" in tables
    assert "There is no ranking now:" in ranking
    assert "is void and counts nowhere" in ranking


def test_before_the_first_round_the_screen_says_so(empty: Flask) -> None:
    session = record(ledger_of(empty), None, opening())
    assert slides(empty, session) == ["Welcome The first round is not open yet."]


def test_nothing_secret_is_on_the_screen(empty: Flask) -> None:
    session, _ = evening(empty)
    assert slides(empty, session, "admin") == slides(empty, session, "reader")
    sign_in(empty, "reader")
    text = empty.test_client().get(f"/evenings/{session}/screen").text
    assert not re.search(r'class="card|[0-9a-f]{64}|violation', text)


def test_a_club_or_nothing_has_no_screen(empty: Flask) -> None:
    night = made(ledger_of(empty))
    for id in (night.club, night.league, night.matches[0], "session-11111111-1111-4111-8111-111111111111"):
        assert empty.test_client().get(f"/evenings/{id}/screen").status_code == 404


def test_what_a_table_takes_back_is_gone_from_the_screen(empty: Flask) -> None:
    night = made(ledger_of(empty))
    before = slides(empty, night.session)
    end_early(ledger_of(empty), night.matches[1])
    after = slides(empty, night.session)
    assert "over" in before[0]
    assert "hand 1, trick 1" in after[0]


def test_tables_of_boards_show_pairs_and_boards(empty: Flask) -> None:
    ledger = ledger_of(empty)
    session = pairs(ledger, 3, 2)
    matches = open_round(ledger, session)
    score_table(ledger, matches[1], {1: ("4S", 0, 10)})
    (slide, *_) = slides(empty, session)
    assert "boards 1–2, 1 of 2 boards" in slide
    assert "NS 1" in slide
    assert "EW 4" in slide
    record(ledger, session, {"type": "absent", "round": 1, "table": 1, "board": 2, "why": "not-played"})
    assert "boards 1–2, over" in slides(empty, session)[0]
    evening = as_role(empty, "scorer").get(f"/evenings/{session}").text
    assert "Pairs 2 (NS) and 5 (EW) · boards 3–4" in re.sub(r"\s+", " ", evening)
    assert "Pairs 1 (NS)" not in evening, "nothing is left to play there"
