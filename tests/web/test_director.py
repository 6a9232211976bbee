"""The director's page: a board is tapped, what a decision changes is shown, one button records it; each can be taken back."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.directing import Meant, Ruled, ruling
from cardledger.record.recording.erasing import erase, examine
from cardledger.rules.engine import events
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.bridge import Made, begun, open_round, pairs, play_boards, score_table
from tests.evenings.night import record
from tests.web.test_evening_pages import hidden, send

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.session import SessionState

HOWELL = {"kind": "howell", "entries": 6, "boards": 2}


@pytest.fixture
def director(empty: Flask) -> FlaskClient:
    return as_role(empty, "scorer")


@pytest.fixture
def evening(empty: Flask) -> str:
    """An evening of five pairs: round 1 is over but for board 10 at table 3, and number 6 is an empty place."""
    ledger = ledger_of(empty)
    id = begun(ledger, 5, HOWELL)
    matches = open_round(ledger, id)
    score_table(ledger, matches[2], {9: Made("4S", 0, 10), 10: Made("3NT", 1, 8)})
    score_table(ledger, matches[3], {9: Made("4S", 2, 9)})
    return id


def state_of(ledger: Ledger, id: str) -> SessionState:
    return ledger.evenings.stream(id).state


def links(text: str, id: str) -> list[str]:
    return [unescape(one) for one in re.findall(rf'href="(/evenings/{id}/director\?[^"]*)"', text)]


def decided(client: FlaskClient, id: str, **given: object) -> str:
    """Look at what a decision changes, and record it; return the page that showed it."""
    path = f"/evenings/{id}/director"
    shown = client.get(path, query_string=given).text
    form = shown.rpartition("<form method")[2]
    answer = send(client, path, **{name: unescape(value) for name, value in hidden(form).items()})
    assert answer.status_code == 303, answer.text
    return shown


def test_the_page_is_for_who_may_direct_and_one_tap_from_the_evening(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    assert f'href="/evenings/{evening}/director"' in director.get(f"/evenings/{evening}").text
    assert f'href="/evenings/{evening}/director?board=9"' in director.get(f"/evenings/{evening}/boards/9").text
    reader = as_role(empty, "reader")
    assert f"/evenings/{evening}/director" not in reader.get(f"/evenings/{evening}").text
    assert f"/evenings/{evening}/director" not in reader.get(f"/evenings/{evening}/boards/9").text
    assert reader.get(f"/evenings/{evening}/director").status_code == 403
    assert send(reader, f"/evenings/{evening}/director", board="9").status_code in (401, 403)


def test_a_ruling_is_tapped_seen_and_recorded_and_changes_what_it_said(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    ledger = ledger_of(empty)
    page = director.get(f"/evenings/{evening}/director").text
    where = next(one for one in links(page, evening) if "table=2" in one and "board=9" in one)
    asked = director.get(where).text
    assert "a3 and b3 (NS)" in re.sub(r"</?bdi>", "", asked)
    assert "What changes" not in asked, "nothing is chosen yet"
    before = ledger.evenings.rankings.ranking(evening)
    given = {"round": 1, "table": 2, "board": 9, "what": "ruling", "ns": "A-", "ew": "A+", "law": "12C2"}
    shown = director.get(f"/evenings/{evening}/director", query_string=given).text
    assert ledger.evenings.rankings.ranking(evening).hash == before.hash, "looking records nothing"
    (change,) = re.findall(r"<li><bdi>(a3 and b3: [^<]*)</bdi>", shown)
    decided(director, evening, **given)
    ((_, ruling),) = state_of(ledger, evening).rulings
    assert (ruling.ns, ruling.ew, ruling.law) == (40, 60, "12C2")
    now = {row["entry"]: row for row in ledger.evenings.rankings.ranking(evening).rows}
    assert f"→ {now[3]['total']}" in change.replace("−", "-")


def test_a_ruling_is_amended_and_taken_back_on_the_page(empty: Flask, director: FlaskClient, evening: str) -> None:
    ledger = ledger_of(empty)
    decided(director, evening, round=1, table=2, board=9, what="ruling", ns="other", ns_other="60% 4S N =, 40% -50")
    decided(director, evening, board=10, what="not-played")
    page = director.get(f"/evenings/{evening}/director").text
    amend = next(one for one in links(page, evening) if "ns_other" in one)
    filled = director.get(amend).text
    assert 'value="60% 4S N 10, 40% -50"' in filled
    assert "checked" in filled
    decided(director, evening, round=1, table=2, board=9, what="ruling", ns="A", ew="A")
    assert [ruling.ns for _, ruling in state_of(ledger, evening).rulings] == [50]
    page = director.get(f"/evenings/{evening}/director").text
    back = next(one for one in links(page, evening)[::-1] if "back=" in one)
    assert "Take a decision back" in director.get(back).text
    decided(director, evening, back=back.rpartition("=")[2])
    assert state_of(ledger, evening).rulings == []
    assert len(state_of(ledger, evening).absences) == 1, "what came later stays"
    assert "taken back" in director.get(f"/evenings/{evening}").text


def test_all_boards_of_a_table_or_a_board_at_all_tables_in_one_go(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    ledger = ledger_of(empty)
    decided(director, evening, round=1, table=2, what="ruling", ns="A+", ew="A+")
    assert [(one.table, one.board) for _, one in state_of(ledger, evening).rulings] == [(2, 9), (2, 10)]
    decided(director, evening, board=10, what="average")
    assert [*state_of(ledger, evening).absences] == [(1, 3, 10)], "what is played stays"


def test_a_board_that_was_not_played_does_not_keep_its_table_waiting(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    assert "Score table 3" in director.get(f"/evenings/{evening}").text
    decided(director, evening, round=1, table=3, what="not-played")
    assert "Score table 3" not in director.get(f"/evenings/{evening}").text


@pytest.mark.parametrize(
    "decision", [{"what": "ruling", "ns": "A+", "ew": "A-"}, {"what": "not-played"}], ids=["ruling", "not-played"]
)
def test_a_board_that_is_decided_on_is_no_secret_any_more(
    empty: Flask, director: FlaskClient, evening: str, decision: dict[str, str]
) -> None:
    reader = as_role(empty, "reader")
    assert reader.get(f"/evenings/{evening}/boards/10").status_code == 404, "table 3 has yet to play it"
    decided(director, evening, round=1, table=3, board=10, **decision)
    assert reader.get(f"/evenings/{evening}/boards/10").status_code == 200


def test_the_phone_of_a_table_goes_on_with_the_board_that_is_to_be_played(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    ledger = ledger_of(empty)
    match = open_round(ledger, evening)[2]

    def proposed() -> int:
        return director.get(f"/api/v1/matches/{match}/table").json["choices"][0]["also"]["board"]

    first, second = ledger.evenings.stream(evening).state.tables(2)[2].boards
    assert proposed() == first
    decided(director, evening, round=2, table=2, board=first, what="not-played")
    assert proposed() == second


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"board": 9, "what": "ruling"}, "Choose what a side gets"),
        ({"board": 9, "what": "dance"}, "Choose one of the decisions"),
        ({"board": 9, "what": "ruling", "ns": "other", "ns_other": "55"}, "write 55%"),
        ({"board": 9, "what": "ruling", "ns": "other", "ns_other": "4S Q ="}, "“q” is nobody here"),
        ({"board": 99, "what": "ruling", "ns": "A"}, "Nobody plays board 99"),
        ({"table": 2}, "Say which board is meant"),
        ({"back": 3}, "is no ruling and no absence"),
        ({"round": 1, "table": 2, "board": 9, "what": "not-played"}, "has a result there already"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_recorded(
    empty: Flask, director: FlaskClient, evening: str, given: dict[str, object], said: str
) -> None:
    before = ledger_of(empty).store.last_position()
    answer = director.get(f"/evenings/{evening}/director", query_string=given)
    assert answer.status_code == 400
    assert said in unescape(answer.text)
    assert send(director, f"/evenings/{evening}/director", seq="9", **given).status_code == 400
    assert ledger_of(empty).store.last_position() == before


def test_what_was_recorded_meanwhile_is_looked_at_again(empty: Flask, director: FlaskClient, evening: str) -> None:
    ledger = ledger_of(empty)
    given = {"board": 10, "what": "not-played"}
    seq = ledger.evenings.stream(evening).seq
    record(ledger, evening, {"type": "note", "text": "tea"})
    answer = send(director, f"/evenings/{evening}/director", seq=str(seq), **given)
    assert answer.status_code == 400
    assert "Something was recorded meanwhile" in answer.text


def test_a_seat_is_written_in_the_language_of_the_page(director: FlaskClient, evening: str) -> None:
    given = {"round": 1, "table": 2, "board": 9, "what": "ruling", "ns": "other", "ns_other": "4S O -1"}
    german = director.get(f"/evenings/{evening}/director", query_string=given, headers={"Accept-Language": "de"})
    assert german.status_code == 200


# --- a pair that comes late


def entered(client: FlaskClient, id: str, **late: object) -> dict[str, object]:
    """Return the fields of the page of substitutes as it is shown, with a late pair."""
    text = client.get(f"/evenings/{id}/entries").text
    form: dict[str, object] = {**hidden(text)}
    for place in range(1, 6):
        form |= {f"number-{place}": str(place), f"line-{place}": "", f"name-{place}": [f"a{place}", f"b{place}"]}
    return form | late


def test_a_late_pair_takes_the_empty_number_now_or_with_the_next_round(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    ledger = ledger_of(empty)
    text = director.get(f"/evenings/{evening}/entries").text
    assert "A pair comes late" in text
    assert 'name="late-6"' in text
    path = f"/evenings/{evening}/entries"
    missing = send(director, path, **entered(director, evening, **{"late-6": ["zoe", "yan"]}))
    assert missing.status_code == 400
    assert "Say when they sit down" in missing.text
    one = send(director, path, **entered(director, evening, **{"late-6": ["zoe", ""], "sits": "now"}))
    assert (one.status_code, "A pair has two players" in one.text) == (400, True)
    assert 6 not in state_of(ledger, evening).entries
    answer = send(director, path, **entered(director, evening, **{"late-6": ["zoe", "yan"], "sits": "now"}))
    assert answer.status_code == 303, answer.text
    assert "Score table 1" in director.get(f"/evenings/{evening}").text
    play_boards(ledger, evening, 1)
    assert len(ledger.evenings.rankings.card(evening, 6)["lines"]) == 2
    assert "comes late" not in director.get(path).text


def test_nobody_comes_late_where_every_number_is_taken(empty: Flask, director: FlaskClient) -> None:
    ledger = ledger_of(empty)
    id = begun(ledger, 6, HOWELL)
    open_round(ledger, id)
    assert "comes late" not in director.get(f"/evenings/{id}/entries").text


def test_a_penalty_is_seen_before_it_is_recorded_and_taken_back(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    ledger = ledger_of(empty)
    before = {row["entry"]: row["total"] for row in ledger.evenings.rankings.ranking(evening).rows}
    page = director.get(f"/evenings/{evening}/director").text
    assert '<option value="3">3. a3 and b3</option>' in re.sub(r"</?bdi>|\u2068|\u2069", "", page)
    shown = decided(director, evening, entry=3, penalty="1,5", law="90B", reason="late")
    assert "a3 and b3" in shown
    ((_, given),) = state_of(ledger, evening).rulings
    assert (given.entry, given.penalty, given.law, given.reason) == (3, 1.5, "90B", "late")
    after = {row["entry"]: row["total"] for row in ledger.evenings.rankings.ranking(evening).rows}
    assert float(before[3]) - float(after[3]) == 1.5
    assert {entry: total for entry, total in after.items() if entry != 3} == {
        entry: total for entry, total in before.items() if entry != 3
    }
    (back,) = [one for one in links(director.get(f"/evenings/{evening}/director").text, evening) if "back=" in one]
    decided(director, evening, back=back.rpartition("=")[2])
    assert state_of(ledger, evening).rulings == []


@pytest.mark.parametrize(
    ("entry", "points", "said"),
    [
        (3, "much", "as a number"),
        (3, "-2", "more than nothing"),
        (3, "0", "more than nothing"),
        (3, "99999", "less than 10000"),
        (3, "nan", "as a number"),
        (3, "10%", "may be a part of a top or of the total"),
        (17, "2", "nobody has the number 17"),
    ],
)
def test_a_penalty_that_cannot_be_is_said(
    director: FlaskClient, evening: str, entry: int, points: str, said: str
) -> None:
    told = director.get(f"/evenings/{evening}/director", query_string={"entry": entry, "penalty": points})
    assert (told.status_code, said in told.text.lower().replace(",", "")) == (400, True)


def test_a_ruling_that_was_made_in_a_match_is_on_the_list_and_leads_there(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    ledger = ledger_of(empty)
    match = next(
        result.match for (_, table, _board), (_, result) in state_of(ledger, evening).results.items() if table == 2
    )
    seq = ledger.stream(match).seq
    ruling = events.Adjust(kind="penalty", law="90B2", hand=1, side="ns", percent=10, reason="late")
    ledger.record(match, [ruling], seq)
    page = director.get(f"/evenings/{evening}/director").text
    assert "board 9, round 1, table 2" in re.sub(r"[\u2068\u2069]", "", page)
    assert "90B2, late" in page
    assert re.search(rf'href="/matches/{match}[^"]*">In the match', page)
    assert state_of(ledger, evening).rulings == []
    assert "90B2" in director.get(f"/evenings/{evening}").text


def test_a_reason_that_was_erased_says_so_and_is_not_filled_in_again(
    empty: Flask, director: FlaskClient, evening: str
) -> None:
    ledger = ledger_of(empty)
    someone = state_of(ledger, evening).everybody(1)[0]
    decided(director, evening, round=1, table=2, board=9, what="ruling", ns="A+", reason=f"{someone} was late")
    match = next(result.match for _, result in state_of(ledger, evening).results.values() if result.match)
    ruled = events.Adjust(kind="penalty", law="90", side="ns", percent=10, reason=f"{someone} talked", hand=1)
    ledger.record(match, [ruled], ledger.stream(match).seq)
    assert director.get(f"/evenings/{evening}/director").text.count(someone) > 2
    erase(ledger, examine(ledger, someone), "admin")
    german = director.get(f"/evenings/{evening}/director", headers={"Accept-Language": "de"}).text
    said = re.findall(r"<small><bdi>([^<]*)</bdi></small>", german)
    assert sorted(said) == ["90, gelöscht", "gelöscht"]
    assert not [link for link in links(german, evening) if "reason=~" in link or "reason=%7E" in link]


def test_a_percentage_that_became_another_says_so_with_its_law_wherever_it_is_shown(empty: Flask) -> None:
    ledger = ledger_of(empty)
    session = pairs(ledger, 4, 2)
    for table, match in open_round(ledger, session).items():
        boards = ledger.evenings.stream(session).state.tables(1)[table].boards
        score_table(ledger, match, dict.fromkeys(boards[1:], ("3NT", 0, 5 if table == 1 else 9)))
    for table, match in open_round(ledger, session).items():
        boards = ledger.evenings.stream(session).state.tables(2)[table].boards
        score_table(ledger, match, dict.fromkeys(boards, ("3NT", 0, 5 if table == 1 else 9)))
    directed = ruling(ledger, session, Meant(1, 1, 1), Ruled("A-/A+"))
    ledger.evenings.record(session, directed.events, directed.seq, "director", as_written=True)
    client, said = empty.test_client(), r"40 % (16.67 % as on its other boards, Law 12C2)"
    for path in ("", "/director", "/boards/1", "/cards/1"):
        shown = unescape(client.get(f"/evenings/{session}{path}").text)
        assert said in shown, (path, re.findall(r".{60}40 %.{60}", shown))
    card = client.get(f"/api/v1/sessions/{session}/cards/1").json["lines"][0]
    assert (card["ruled"], card["award"], card["percent"]) == (True, {"percent": "40.00"}, "16.67")
    ew = client.get(f"/api/v1/sessions/{session}/cards/8").json["lines"]
    assert [line["award"] for line in ew if line["score"] is not None] == [
        {"scores": [{"weight": "100.00", "score": line["score"]}]} for line in ew if line["score"] is not None
    ], "in points for its own side"
