"""Pages of boards: travellers with contracts, the frequencies of a board, the card of a pair, a sheet of results."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as match_events
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.bridge import open_round, pairs, play, score_table
from tests.evenings.night import opening, record

if TYPE_CHECKING:
    from flask import Flask


@pytest.fixture
def session(empty: Flask) -> str:
    """An evening of three tables with a board each, all played."""
    ledger = ledger_of(empty)
    session = pairs(ledger, 3, 1)
    matches = open_round(ledger, session)
    for table, made in ((1, ("4SX", 0, 10)), (2, ("pass", 0, 0)), (3, ("3NT", 1, 8))):
        score_table(ledger, matches[table], {table: made})
    for _ in (2, 3):
        for table, match in open_round(ledger, session).items():
            (number,) = ledger.evenings.stream(session).state.tables(_)[table].boards
            score_table(ledger, match, {number: ("2C", 1, 8)})
    return session


def test_the_page_of_a_board_has_every_result_and_how_often_it_was_scored(empty: Flask, session: str) -> None:
    page = as_role(empty, "reader").get(f"/evenings/{session}/boards/1").text
    assert "North deals, nobody vulnerable" in page
    assert "4♠︎X" in page
    assert page.count("2♣︎") == 2
    assert "<td></td><td>90</td><td>2</td>" in page, "90 for east-west, twice"
    assert as_role(empty, "reader").get(f"/evenings/{session}/boards/9").status_code == 404


def test_the_card_of_a_pair_shows_each_board_and_how_it_stood_then(empty: Flask, session: str) -> None:
    reader = as_role(empty, "reader")
    page = reader.get(f"/evenings/{session}/cards/1").text
    assert page.count('<tr><td class="where">') == 3
    last = ledger_of(empty).evenings.rankings.card(session, 1)["lines"][-1]["running"]
    assert f'<td class="where"><b>{last}</b></td>' in page
    assert f'href="/evenings/{session}/cards/1"' in reader.get(f"/evenings/{session}").text
    assert reader.get(f"/evenings/{session}/cards/77").status_code == 404


def test_rulings_stand_in_the_traveller_as_rulings(empty: Flask, session: str) -> None:
    at = {"type": "adjust", "round": 1, "table": 1, "board": 1, "law": "12C1c"}
    weighted = [{"score": 590, "weight": 70}, {"score": -50, "weight": 30}]
    record(ledger_of(empty), session, {**at, "ns": weighted, "ew": 40})
    page = as_role(empty, "reader").get(f"/evenings/{session}/boards/1").text
    assert "70 % of 590 and 30 % of −50 and 40 %" in page
    assert "ruled" in as_role(empty, "reader").get(f"/evenings/{session}/cards/1").text


def test_rulings_and_boards_not_played_are_listed_in_the_words_of_the_page(empty: Flask, session: str) -> None:
    ledger = ledger_of(empty)
    reader = as_role(empty, "reader")
    record(ledger, session, {"type": "adjust", "round": 1, "table": 1, "board": 1, "ns": 60, "ew": 40, "law": "12C2"})
    record(ledger, session, {"type": "adjust", "entry": 1, "penalty": 0.5, "reason": "late"})
    page = reader.get(f"/evenings/{session}").text
    assert "Board 1, round 1, table 1: NS 60 % and EW 40 % (12C2)" in page
    assert "penalty of 0.5 (late)" in page
    assert "Board 1, round 1, table 1: NS 60 % and EW 40 % (12C2)" in reader.get(f"/evenings/{session}.txt").text
    german = reader.get(f"/evenings/{session}", headers={"Accept-Language": "de"}).text
    assert "Board 1, Runde 1, Tisch 1: NS 60 % und OW 40 % (12C2)" in german


def test_a_percentage_that_the_law_moved_says_so(empty: Flask) -> None:
    ledger, client = ledger_of(empty), as_role(empty, "reader")
    session = pairs(ledger, 3, 1)
    for round in (1, 2, 3):
        for table, match in open_round(ledger, session).items():
            (number,) = ledger.evenings.stream(session).state.tables(round)[table].boards
            score_table(ledger, match, {number: ("4S", 0, 7 + table)})
    for table, seated in ledger.evenings.stream(session).state.tables(1).items():
        at = {"type": "adjust", "round": 1, "table": table, "board": seated.boards[0], "law": "12C2"}
        record(ledger, session, {**at, "ns": 60, "ew": 40})
    moved = 0
    for traveller in ledger.evenings.rankings.travellers(session):
        (line,) = (one for one in traveller["lines"] if one["round"] == 1)
        page = client.get(f"/evenings/{session}/boards/{traveller['board']}").text
        for side, given in ("ns", "60"), ("ew", "40"):
            counts = f"{float(line[f'{side}_percent']):g}"
            assert (f"{given} % ({counts} % as on its other boards, Law 12C2)" in page) == (counts != given)
            moved += counts != given
    assert 0 < moved < 6


def test_a_reader_has_no_page_of_a_board_that_another_table_has_yet_to_play(empty: Flask) -> None:
    ledger = ledger_of(empty)
    session = pairs(ledger, 3, 1)
    play(ledger, session, Random(1), rounds=1)
    board, card = f"/evenings/{session}/boards/1", f"/evenings/{session}/cards/1"
    assert as_role(empty, "scorer").get(board).status_code == 200
    assert as_role(empty, "reader").get(board).status_code == 404
    assert "<tr><td>" not in as_role(empty, "reader").get(card).text


def test_a_void_match_leaves_the_pages_of_boards_and_cards_with_its_reason(empty: Flask, session: str) -> None:
    ledger, reader = ledger_of(empty), as_role(empty, "reader")
    record(ledger, session, {"type": "publish"})
    record(ledger, session, {"type": "close"})
    (match, *_) = {result.match for _, result in ledger.evenings.stream(session).state.results.values()}
    ledger.record(match, [match_events.Void(reason="wrong cards")], ledger.stream(match).seq)
    for path, heading in (("boards/1", "Board 1"), ("cards/1", "1 a1 and b1")):
        answer = reader.get(f"/evenings/{session}/{path}")
        assert (answer.status_code, f"<h1>{heading}</h1>" in answer.text) == (200, True)
        assert "There is no ranking now" in answer.text
        assert match in answer.text
        published = answer.text.partition('aria-label="Ranking as published')[2]
        assert published.index("a1") < published.index("East-west") < published.index("a6"), "each line has its winner"
    for path in ("boards/77", "cards/77"):
        assert reader.get(f"/evenings/{session}/{path}").status_code == 404


def test_results_lead_to_their_hands_only_once_the_reader_may_see_them(empty: Flask) -> None:
    ledger, reader = ledger_of(empty), as_role(empty, "reader")
    session = pairs(ledger, 3, 2)
    play(ledger, session, Random(1), rounds=2)
    last = open_round(ledger, session)
    boards = {table: seated.boards for table, seated in ledger.evenings.stream(session).state.tables(3).items()}
    for table, (one, _) in boards.items():
        score_table(ledger, last[table], {one: ("2C", 1, 8)})
    # Board 1 is over at each table, board 2 of the same matches is not.
    paths = [f"/evenings/{session}{page}" for page in ("", "/boards/1", "/cards/1")]
    later = "once every table has finished"
    for path, said in zip(paths, (0, 1, 1), strict=True):
        page = reader.get(path).text
        links = re.findall(r'href="(/matches/[^"]+)"', page)
        assert [link for link in links if reader.get(link).status_code != 200] == [], path
        assert page.count(f"A result leads to its hand {later}") == said, path
    for path in paths:
        assert re.findall(r'href="/matches/[^"]+/hands/\d+"', as_role(empty, "scorer").get(path).text), path
    for table, (_, other) in boards.items():
        score_table(ledger, last[table], {other: ("2C", 1, 8)})
    for path in paths:
        page = reader.get(path).text
        assert later not in page
        assert re.findall(r'href="/matches/[^"]+/hands/\d+"', page), path


def test_results_typed_for_a_table_are_those_of_its_boards(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = open_round(ledger, pairs(ledger, 3, 2))[2]
    scorer = as_role(empty, "scorer")
    sheet = {"points-0": ["420", "-100"], "points-1": ["-420", "100"], "seq": "1", "record": "yes"}
    assert scorer.post(f"/matches/{match}/sheet", data=sheet).status_code == 303
    assert [hand.board for hand in ledger.stream(match).table.hands] == [3, 4]


def test_the_next_deal_of_a_table_is_that_of_its_next_board(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = open_round(ledger, pairs(ledger, 3, 2))[3]
    scorer = as_role(empty, "scorer")
    (choice,) = scorer.get(f"/api/v1/matches/{match}/table").json["choices"]
    assert (choice["also"]["board"], choice["seat"]) == (5, 0)


def test_what_a_trial_answers_proposes_the_board_that_the_table_plays_next(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = open_round(ledger, pairs(ledger, 3, 2))[3]
    score_table(ledger, match, {5: ("4S", 0, 10)})
    scorer = as_role(empty, "scorer")
    trial = {"events": [{"type": "retract", "to": 1}]}
    (tried,) = scorer.post(f"/api/v1/matches/{match}/what-if", json=trial).json["choices"]
    ledger.record(match, [match_events.Retract(to=1)], 3, "tests")
    (then,) = scorer.get(f"/api/v1/matches/{match}/table").json["choices"]
    assert tried == then
    assert (then["also"]["board"], then["seat"]) == (5, 0)


@pytest.mark.parametrize("way", ["events", "what-if"])
def test_a_table_records_the_boards_of_its_round_and_no_others(empty: Flask, way: str) -> None:
    ledger = ledger_of(empty)
    session = pairs(ledger, 3, 2)
    match = open_round(ledger, session)[3]
    scorer = as_role(empty, "admin")

    def refused(event: dict[str, object]) -> bool:
        seq = ledger.stream(match).seq
        answer = scorer.post(f"/api/v1/matches/{match}/{way}", json={"events": [event]}, headers={"If-Match": "*"})
        if answer.status_code >= 400:
            assert (answer.json["code"], answer.json["index"]) == ("session.board", 0)
            assert "plays boards 5, 6 in round 1" in answer.json["detail"]
            assert ledger.stream(match).seq == seq, "nothing is stored"
        return answer.status_code >= 400

    def amended(board: int) -> dict[str, object]:
        deal = {"type": "deal", "hands": None, "board": board, "contract": "4S", "declarer": 0}
        return {"type": "amend", "about": 2, "event": deal}

    assert refused({"type": "deal", "hands": None, "board": 1})
    score_table(ledger, match, {6: ("4S", 0, 10)})
    assert refused(amended(7))
    assert not refused(amended(5))
    elsewhere = ledger.record(
        None, [match_events.Open(game="bridge", players=tuple("abcd"), options={"boards": 2})], 0, "tests"
    ).match
    ledger.record(elsewhere, [match_events.Deal(board=99, hands=None)], 1, "tests")


def test_a_round_of_boards_is_opened_on_its_page_with_a_match_at_each_table(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    session = pairs(ledger, 3, 2)
    page = scorer.get(f"/evenings/{session}/round").text
    assert 'name="by_hand"' not in page, "boards have their results in the matches of their tables"
    scorer.post(f"/evenings/{session}/round", data={"round": "1"})
    page = scorer.get(f"/evenings/{session}").text
    assert page.count("Score table") == 3


def test_seats_at_a_table_of_bridge_are_named_after_the_compass(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    compass = ["N", "E", "S", "W"]
    session = pairs(ledger, 3, 1)
    assert re.findall(r'<span class="seat">(\w+)</span>', scorer.get(f"/evenings/{session}/round").text) == 3 * compass
    scorer.post(f"/evenings/{session}/round", data={"round": "1"})
    page = scorer.get(f"/evenings/{session}").text
    assert re.findall(r"<li><span>(\w+)</span> ", page) == 3 * compass
    # A bridge evening without boards: Chicago or rubbers, whose points are added up.
    chicago = record(ledger, None, opening(game="bridge", scoring={"kind": "total"}), *({"type": "arrive", "player": p} for p in "abcd"))  # fmt: skip
    page = scorer.get(f"/evenings/{chicago}/round").text
    assert re.findall(r'aria-label="Table 1, (\w+)"', page) == ["North", "East", "South", "West"]
    scorer.post(f"/evenings/{chicago}/round", data={"round": "1", "game": "bridge", "table-1": [*"abcd"], "by_hand": "yes"})  # fmt: skip
    page = as_role(empty, "reader").get(f"/evenings/{chicago}").text
    assert re.findall(r'<th scope="row">(\w)</th>', page) == compass
