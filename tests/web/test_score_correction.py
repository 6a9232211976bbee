"""Correcting a score: by links from where people look, with what it changes shown first."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import RuleError
from cardledger.record.recording.correcting import correction, recorded_result
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.bridge import open_round, pairs, score_table

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger


def ended(ledger: Ledger, *scores: tuple[int, ...], **keys: object) -> str:
    """Record a match of diversity with results only; it ends with the last hand."""
    opening = ev.Open(game="diversity", players=tuple("abcd"), options={"hands": len(scores)}, **keys)  # type: ignore[arg-type]
    hands = [
        event for n, some in enumerate(scores) for event in (ev.Deal(dealer=n % 4, hands=None), ev.Score(scores=some))
    ]
    return ledger.record(None, [opening, *hands], 0).match


def link(page: str, words: str) -> str:
    """Return the address of the link with these words."""
    found = re.search(rf'<a href="([^"]*)"[^>]*>(?:<[^>]*>)*{re.escape(words)}', page)
    assert found is not None, words
    return unescape(found[1])


def fields(page: str, method: str) -> dict[str, str]:
    """Return the fields of the form of a method."""
    (form,) = re.findall(
        rf'<form(?![^>]*search)[^>]*method="{method}" action="[^"]*/correct".*?</form>', page, re.DOTALL
    )
    given = {
        name: unescape(value) for name, value in re.findall(r'<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"', form)
    }
    chosen = re.search(r'<select name="(\w+)".*?value="(\d+)" selected', form, re.DOTALL)
    return given | ({chosen[1]: chosen[2]} if chosen else {})


def corrected(client: FlaskClient, number: str, **changed: str) -> str:
    """Follow the link of a number, fill the form in, look, and record; return the page that shows what changes."""
    path = number.partition("?")[0]
    shown = client.get(path, query_string=fields(client.get(number).text, "get") | changed).text
    answer = client.post(path, data=fields(shown, "post"))
    assert answer.status_code == 303, answer.text
    return shown


def test_the_score_of_a_match_that_is_over_is_corrected_by_links(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = ended(ledger, (3, 2, 4, 4), (9, 0, 2, 2))
    board = scorer.get(link(scorer.get(f"/matches/{match}").text, "Correct a score")).text
    number = re.findall(r'href="([^"]*hand=2[^"]*)"', board)[0]
    shown = corrected(scorer, unescape(number), **{"number-0": "8", "number-1": "1", "reason": "misread"})
    assert "a: 12 → 11" in shown
    assert "b: 2 → 3" in shown
    assert [*ledger.stream(match).table.totals] == [11, 3, 6, 6]
    (amend,) = [event for event in ledger.events(match) if isinstance(event, ev.Amend)]
    assert (amend.about, amend.reason, amend.by is not None) == (5, "misread", True)


def test_the_number_that_was_tapped_is_typed_over_and_old_and_new_are_shown(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = ended(ledger, (9, 2, 1, 1))
    asked = scorer.get(f"/matches/{match}/correct?hand=1&seat=0").text
    assert re.search(r'name="number-0" value="" placeholder="9"[^>]* inputmode="numeric"[^>]* autofocus', asked)
    shown = scorer.get(f"/matches/{match}/correct?hand=1&number-0=8&number-1=3&number-2=&number-3=").text
    assert "<b>a: 9 → 8</b>" in shown
    assert "<b>c:" not in shown
    assert shown.index("Record the correction") < shown.index('name="number-0" value="8" placeholder="9"')


def test_the_ranking_that_a_correction_gives_is_the_one_it_showed(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    session = pairs(ledger, 4, 2)
    rng = Random(4)
    for round in (1, 2, 3):
        for table, match in open_round(ledger, session).items():
            numbers = ledger.evenings.stream(session).state.tables(round)[table].boards
            score_table(ledger, match, {n: ("3NT", rng.randrange(4), rng.randint(7, 11)) for n in numbers})
    before = {row["entry"]: row for row in ledger.evenings.rankings.ranking(session).rows}
    page = scorer.get(f"/evenings/{session}").text
    number = f"{link(page, 'correct a score')}?hand=1"
    shown = corrected(scorer, number, line="7NT N 13")
    after = {row["entry"]: row for row in ledger.evenings.rankings.ranking(session).rows}
    listed = shown.partition("In the ranking of the evening")[2]
    assert before != after
    for entry, row in after.items():
        was = before[entry]
        moved = f"{was['total']} → {row['total']}" in listed
        assert moved == ((was["total"], was["place"]) != (row["total"], row["place"])), entry
        if was["place"] != row["place"]:
            assert f"place {was['place']} → {row['place']}" in listed


def test_a_hand_of_cards_leads_to_its_cards_and_readers_are_told_how_to_become_scorers(
    app: Flask, client: FlaskClient
) -> None:
    match = next(
        row["id"]
        for row in client.get("/api/v1/matches?limit=200").json["matches"]
        if row["game"] == "ruff" and row["status"] == "complete"
    )
    assert "recorded card by card" in client.get(f"/matches/{match}/correct?hand=1").text
    reader = as_role(app, "reader")
    assert "Correct a score" not in reader.get(f"/matches/{match}").text
    assert reader.get(f"/matches/{match}/correct?hand=1").status_code == 403


@pytest.mark.parametrize(
    "given",
    [
        {"number-0": "x"},
        {"number-0": ""},
        {"number-0": "1e9"},
        {},
        {"number-1": "99999999"},
        {"hand": "7"},
        {"hand": "x"},
    ],
)
def test_what_makes_no_sense_is_said_and_nothing_is_recorded(empty: Flask, given: dict[str, str]) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = ended(ledger, (3, 2, 4, 4))
    now = {f"number-{seat}": number for seat, number in enumerate("3244")}
    answer = scorer.post(f"/matches/{match}/correct", data={"hand": "1", "seq": "3", **now, **given})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert len(ledger.events(match)) == 3


def test_a_correction_seen_before_another_one_is_shown_again(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = ended(ledger, (3, 2, 4, 4))
    given = {"hand": "1", "seq": "3", "number-0": "4", "number-1": "1", "number-2": "4", "number-3": "4"}
    ledger.record(match, [ev.Note(text="meanwhile")], 3)
    answer = scorer.post(f"/matches/{match}/correct", data=given)
    assert answer.status_code == 400
    assert "recorded meanwhile" in answer.text
    assert scorer.post(f"/matches/{match}/correct", data=given | {"seq": "4"}).status_code == 303


def test_doubtful_points_are_shown_before_they_are_recorded(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = ended(ledger, (3, 2, 4, 4))
    answer = scorer.get(f"/matches/{match}/correct?hand=1&number-0=30&number-1=2&number-2=4&number-3=4")
    assert "These points are doubtful" in answer.text


@pytest.mark.parametrize("game", games())
def test_a_result_sheet_of_every_game_is_corrected_and_corrected_back(game: str) -> None:
    rules = games()[game]
    n = min(rules.players)
    opening = ev.Open(game=game, players=tuple("abcdefghij"[:n]), policy="record")
    stream = Stream.of([opening])
    deal = rules.deal.without_cards(stream.table, 0)
    stream.append(deal)
    stream.append(
        ev.Score(
            scores=(1, *[0] * (n - 1))
            if not stream.table.sides
            else tuple(int(seat in stream.table.sides[0]) for seat in range(n))
        )
    )
    before = [*stream.table.totals]
    other = tuple(2 * number for number in recorded_result(stream, 1).numbers)
    for numbers, same in ((other, False), (recorded_result(stream, 1).numbers, True)):
        amends = correction(recorded_result(stream, 1), numbers)
        assert len(amends) == 1
        stream.extend(amends)
        assert ([*stream.table.totals] == before) == same
    assert correction(recorded_result(stream, 1), recorded_result(stream, 1).numbers) == []
    with pytest.raises(RuleError):
        recorded_result(stream, 2)


@pytest.mark.parametrize(
    ("line", "scores"),
    [("4S N 10", 420), ("pass", 0), ("3NTx e -2", 300), ("1C S +1", 90), ("2H W =", -110)],
)
@pytest.mark.parametrize("before", ["3NT S 9", "pass", "points"])
def test_a_board_becomes_what_a_line_says_and_later_boards_stay(
    empty: Flask, before: str, line: str, scores: int
) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = open_round(ledger, pairs(ledger, 4, 3))[1]
    first = {"points-0": "50", "points-1": "-50"} if before == "points" else {"line": before}
    assert scorer.post(f"/matches/{match}/sheet", data={"seq": "1", "record": "", **first}).status_code == 303
    later = {"seq": ledger.stream(match).seq, "record": "", "line": ["5D E 11", "1NT N 7"]}
    assert scorer.post(f"/matches/{match}/sheet", data=later).status_code == 303
    asked = scorer.get(f"/matches/{match}/correct?hand=1").text
    assert "<h2>Board 1</h2>" in asked
    shown = scorer.get(f"/matches/{match}/correct", query_string={"hand": 1, "line": line}).text
    if line == before:
        assert "Nothing is changed yet." in shown
    else:
        corrected(scorer, f"/matches/{match}/correct?hand=1", line=line)
    hands = ledger.stream(match).table.hands
    assert hands[0].scores[0] == scores
    assert [hand.board for hand in hands] == [1, 2, 3]
    assert [(hand.level, hand.declarer) for hand in hands[1:]] == [(5, 1), (1, 0)]
    shown = unescape(scorer.get(f"/matches/{match}/correct").text)
    assert len(re.findall(r"hand=\d\">", shown)) == 3


def test_points_and_a_contract_that_contradict_each_other_are_asked_about(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = open_round(ledger, pairs(ledger, 4, 3))[1]
    scorer.post(f"/matches/{match}/sheet", data={"seq": "1", "record": "", "points-0": "50", "points-1": "-50"})
    asked = {"hand": 1, "line": "4S N 10", "number-0": "450", "number-1": "-450"}
    answer = scorer.get(f"/matches/{match}/correct", query_string=asked)
    assert "“4S N 10” gives 420, but 450 is written." in unescape(answer.text)
    assert (
        "Record the correction"
        in scorer.get(f"/matches/{match}/correct", query_string=asked | {"number-0": "420", "number-1": "-420"}).text
    )


def test_a_ruling_within_a_hand_stays_when_its_contract_is_corrected(empty: Flask) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    match = open_round(ledger, pairs(ledger, 4, 3))[1]
    scorer.post(f"/matches/{match}/sheet", data={"seq": "1", "record": "", "line": "4S N 10"})
    ledger.record(match, [ev.Adjust(kind="penalty", law="90B2", side="ew", percent=10)], ledger.stream(match).seq)
    corrected(scorer, f"/matches/{match}/correct?hand=1", line="pass")
    assert len(ledger.stream(match).table.hands[0].rulings) == 1
