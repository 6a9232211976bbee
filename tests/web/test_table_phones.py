"""Phones at tables without matches: each enters its table's results, several are compared, and the director decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.errors import RuleError
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.at_tables import differences_of, enter_at_table, settle
from cardledger.rules.evenings.session import SessionState
from cardledger_web.app import access_of, ledger_of
from tests.api.recording import as_role
from tests.evenings.night import opening, record, table
from tests.web.test_pages import page
from tests.web.test_scoring import signed_in

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

HERE = {"Sec-Fetch-Site": "same-origin"}
EIGHT = tuple(f"Whist {letter}" for letter in "ABCDEFGH")


@pytest.fixture
def ledger(empty: Flask) -> Ledger:
    return ledger_of(empty)


@pytest.fixture
def drive(ledger: Ledger) -> str:
    """A drive of eight at two tables, who sit down for the first hand."""
    whist = opening(game="whist", scoring={"kind": "total", "decimals": 0}, name="Drive")
    session = record(ledger, None, whist, *({"type": "arrive", "player": player} for player in EIGHT))
    ledger.evenings.drives.begin(session, "tests", hands=3)
    ledger.evenings.rounds.set(session, Recorder("tests"))
    return session


def phone(app: Flask, session: str, table: int, name: str = "phone") -> FlaskClient:
    """Return a client that was invited to a table."""
    token = access_of(app).lend(name, "reader", f"{session}/{table}")
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


def points(ledger: Ledger, session: str, round: int, table: int) -> tuple[int, ...] | None:
    state = ledger.evenings.stream(session).state
    assert isinstance(state, SessionState)
    _, result = state.results.get((round, table, None), (0, None))
    return None if result is None else result.points


def test_a_table_enters_its_tricks_hand_after_hand_with_one_invitation(
    empty: Flask, ledger: Ledger, drive: str
) -> None:
    clients = {number: phone(empty, drive, number) for number in (1, 2)}
    for hand in (1, 2, 3):
        for number, client in clients.items():
            address = f"/evenings/{drive}/tables/{number}"
            text = page(client, address)
            assert f"Table {number}, hand {hand} of 3" in text and text.count('name="tricks"') == 14
            sent = client.post(address, data={"round": hand, "tricks": "8"}, headers=HERE)
            assert (sent.status_code, sent.location) == (303, address)
            assert points(ledger, drive, hand, number) == (8, 5, 8, 5)
            assert "On to the next result" in page(client, address)
        if hand < 3:
            ledger.evenings.rounds.set(drive, Recorder("tests"))
    assert [event.by for event in ledger.evenings.events(drive)[-2:]] == ["phone", "phone"]


def test_two_phones_that_differ_are_shown_to_the_director_before_the_next_hand(
    empty: Flask, ledger: Ledger, drive: str
) -> None:
    one, other, director = phone(empty, drive, 1), phone(empty, drive, 1, "second"), signed_in(empty, "scorer")
    address = f"/evenings/{drive}/tables/1"
    for client, tricks in ((one, "8"), (other, "8"), (other, "7"), (other, "7")):
        assert client.post(address, data={"round": 1, "tricks": tricks}, headers=HERE).status_code == 303
    assert points(ledger, drive, 1, 1) == (8, 5, 8, 5), "the first one counts until somebody decides"
    assert "7 – 6 was said as well" in page(one, address)
    enter_at_table(ledger, drive, "tests", 1, 2, "tricks", [9], as_written=False)
    sheet = page(director, f"/evenings/{drive}/drive")
    assert "Which result of table 1 is right?" in sheet and 'value="points 7 6 7 6"' in sheet
    assert "Which result" not in page(as_role(empty, "reader"), f"/evenings/{drive}/drive"), "readers decide nothing"
    with pytest.raises(RuleError, match="decide which is right first"):
        ledger.evenings.rounds.set(drive, Recorder("tests"))
    refused = director.post(f"/evenings/{drive}/drive/hand", data={"round": 2}, headers=HERE)
    assert refused.status_code == 422 and "decide which is right first" in refused.text
    decided = {"round": 1, "table": 1, "right": "points 7 6 7 6"}
    for _ in range(2):
        assert director.post(f"/evenings/{drive}/differences", data=decided, headers=HERE).status_code == 303
    assert points(ledger, drive, 1, 1) == (7, 6, 7, 6)
    assert differences_of(ledger, drive) == []
    ledger.evenings.rounds.set(drive, Recorder("tests"))
    assert "hand 2 of 3" in page(one, address)


def test_the_recorded_result_can_be_right(ledger: Ledger, drive: str) -> None:
    for tricks in (8, 7):
        enter_at_table(ledger, drive, "tests", 1, 1, "tricks", [tricks], as_written=False)
    settle(ledger, drive, "director", 1, 1, "tricks", [8], as_written=False)
    assert (points(ledger, drive, 1, 1), differences_of(ledger, drive)) == ((8, 5, 8, 5), [])
    enter_at_table(ledger, drive, "tests", 1, 1, "tricks", [6], as_written=False)
    assert [each.said[0].values for each in differences_of(ledger, drive)] == [(6, 7, 6, 7)], "said after the decision"
    ledger.evenings.drives.enter(drive, "director", 1, {1: [5]})
    assert (points(ledger, drive, 1, 1), differences_of(ledger, drive)) == ((5, 8, 5, 8), []), "corrected on the sheet"


def test_a_correction_on_the_sheet_does_not_settle_other_tables(ledger: Ledger, drive: str) -> None:
    for number in (1, 2):
        for tricks in (8, 7):
            enter_at_table(ledger, drive, "tests", 1, number, "tricks", [tricks], as_written=False)
    ledger.evenings.drives.enter(drive, "director", 1, {1: [6], 2: [8]})
    assert [each.table for each in differences_of(ledger, drive)] == [2]


def test_an_invited_table_enters_nothing_elsewhere(empty: Flask, ledger: Ledger, drive: str) -> None:
    client, before = phone(empty, drive, 1), ledger.store.last_position()
    api = f"/api/v1/sessions/{drive}"
    tricks = {"round": 1, "tricks": [8]}
    for address, body in (
        (f"{api}/tables/2/result", tricks),
        (f"{api}/differences", tricks | {"table": 1}),
        (f"{api}/drive/tricks", {"round": 1, "tables": [{"table": 1, "tricks": [8]}]}),
        (f"{api}/events", {"events": [{"type": "close"}]}),
    ):
        assert client.post(address, json=body, headers={"If-Match": "*"}).status_code == 403, address
    for address in (f"/evenings/{drive}/tables/2", f"/evenings/{drive}/differences", f"/evenings/{drive}/drive/tricks"):
        assert client.post(address, data={"round": 1, "tricks": "8"}, headers=HERE).status_code == 403
    assert client.get(f"/evenings/{drive}/tables/2").status_code == 303
    assert ledger.store.last_position() == before
    said = client.post(f"{api}/tables/1/result", json=tricks)
    assert (said.status_code, said.json["differences"]) == (201, [])
    said = client.post(f"{api}/tables/1/result", json={"round": 1, "tricks": [7, 6]})
    assert said.json["differences"][0]["recorded"] == {"points": [8, 5, 8, 5], "places": None}
    record(ledger, drive, {"type": "close"})
    assert client.post(f"{api}/tables/1/result", json=tricks).status_code == 403


@pytest.mark.parametrize(
    ("form", "values", "round", "code"),
    [
        ("tricks", [14], 1, "session.tricks"),
        ("tricks", [8, 6], 1, "session.tricks"),
        ("tricks", [8], 2, "session.seats"),
        ("places", [1, 2, 3, 4], 1, "session.tricks"),
    ],
    ids=["many", "sum", "later", "places"],
)
def test_what_a_hand_cannot_give_is_refused(
    ledger: Ledger, drive: str, form: str, values: list[int], round: int, code: str
) -> None:
    with pytest.raises(RuleError) as refused:
        enter_at_table(ledger, drive, "tests", round, 1, form, values, as_written=False)
    assert refused.value.code == code


def test_a_tap_that_is_no_number_of_tricks_is_said(empty: Flask, ledger: Ledger, drive: str) -> None:
    for tricks in ("", "14", "x", "-1"):
        sent = phone(empty, drive, 1).post(
            f"/evenings/{drive}/tables/1", data={"round": 1, "tricks": tricks}, headers=HERE
        )
        assert sent.status_code == 400 and "Tap the tricks of the first pair." in sent.text
    assert points(ledger, drive, 1, 1) is None


def test_tables_of_an_evening_of_results_alone_enter_points_or_places(empty: Flask, ledger: Ledger) -> None:
    canasta = opening(
        game=None, other_game="Canasta", sizes=[4], partners=True, scoring={"kind": "total", "decimals": 0}
    )
    session = record(ledger, None, canasta, table(1))
    client, director = phone(empty, session, 1), signed_in(empty, "scorer")
    address = f"/evenings/{session}/tables/1"
    assert page(client, address).count('name="value-') == 2, "partners have one field"
    wrong = client.post(address, data={"round": 1, "form": "points", "value-0": "x", "value-1": "10"}, headers=HERE)
    assert wrong.status_code == 400 and "Write a whole number." in wrong.text
    for first in ("3250", "3150"):
        sent = {"round": 1, "form": "points", "value-0": first, "value-1": "-90"}
        assert client.post(address, data=sent, headers=HERE).status_code == 303
    assert points(ledger, session, 1, 1) == (3250, -90, 3250, -90)
    evening = page(director, f"/evenings/{session}")
    assert "Which result of table 1 is right?" in evening and "Not finished yet: table 1" in evening
    decided = {"round": 1, "table": 1, "right": "points 3150 -90 3150 -90"}
    assert director.post(f"/evenings/{session}/differences", data=decided, headers=HERE).location.endswith(session)
    assert points(ledger, session, 1, 1) == (3150, -90, 3150, -90)
    assert "Not finished yet" not in page(director, f"/evenings/{session}")


def test_a_director_is_asked_before_impossible_points_are_right(empty: Flask, ledger: Ledger) -> None:
    session = record(ledger, None, opening(game="hearts", scoring={"kind": "total", "decimals": 0}), table(1))
    for values, written in (([13, 13, 0, 0], False), ([13, 13, 0, 1], True)):
        enter_at_table(ledger, session, "tests", 1, 1, "points", values, as_written=written)
    director = signed_in(empty, "scorer")
    evening = page(director, f"/evenings/{session}")
    assert evening.count("These points are doubtful") == evening.count('name="as_written"') == 1
    decided = {"round": 1, "table": 1, "right": "points 13 13 0 1"}
    refused = director.post(f"/evenings/{session}/differences", data=decided, headers=HERE)
    assert refused.status_code == 422 and "doubtful" in refused.text
    assert points(ledger, session, 1, 1) == (13, 13, 0, 0)
    sent = director.post(f"/evenings/{session}/differences", data=decided | {"as_written": "yes"}, headers=HERE)
    assert (sent.status_code, points(ledger, session, 1, 1)) == (303, (13, 13, 0, 1))


def test_tables_of_a_drive_can_be_invited(empty: Flask, drive: str) -> None:
    text = page(signed_in(empty, "admin"), f"/invitations?for={drive}")
    assert f'value="{drive}/1"' in text and "Table 2, Drive: this table, all rounds" in text


def test_notes_of_people_decide_nothing(ledger: Ledger, drive: str) -> None:
    enter_at_table(ledger, drive, "tests", 1, 1, "tricks", [8], as_written=False)
    for text in ("said: he was late", "said: round 1, table 1, points:", "said: round 9, table 9, points: 1 2 3 4"):
        record(ledger, drive, {"type": "note", "text": text})
    assert differences_of(ledger, drive) == []
