"""A drive on the command line and over HTTP: from a list of names to the prizes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli import main as cli
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.shape import event_of
from cardledger_web.app import access_of, create_app, ledger_of
from tests.api.recording import as_role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result
    from flask import Flask
    from flask.testing import FlaskClient

NAMES = ["Ann", "Bertram", "Cleopatra", "Dorothy", "Ernest", "Fitz", "Gwendolen", "Hamish", "Ivor"]


@pytest.fixture
def db(tmp_path: Path) -> str:
    (tmp_path / "names.txt").write_text("\n".join(NAMES), encoding="utf-8")
    path = str(tmp_path / "hall.db")
    run(path, "people", "list", create=True)
    run(path, "new", "--name", "Drive", "--game", "whist", "--scoring", "total", "--field", str(tmp_path / "names.txt"))
    return path


def run(path: str, *words: str, status: int = 0, create: bool = False) -> Result:
    if create:
        ledger = create_app(path)
        access_of(ledger).close()
        ledger_of(ledger).close()
        return CliRunner().invoke(cli.main, [*words, "--db", path])
    result = CliRunner().invoke(cli.main, ["evening", *words, "--db", path])
    assert result.exit_code == status, result.output
    return result


def test_a_drive_is_run_from_the_command_line(db: str) -> None:
    said = run(db, "drive", "Drive", "--hands", "2", "--next").stdout
    assert said.splitlines() == [
        "hand 1 of 2, hearts",
        "table 1: Ann and Bertram, Cleopatra and Dorothy",
        "table 2: Ernest and Fitz, Gwendolen and Hamish",
        "sitting out: Ivor",
        "no tricks yet: table 1, 2",
    ]
    assert "table 1: Ann and Bertram 9, Cleopatra and Dorothy 4" in run(db, "tricks", "Drive", "9", "6").stdout
    assert "table 2: Ernest and Fitz 8, Gwendolen and Hamish 5" in run(db, "tricks", "Drive", "2:8").stdout
    hand = json.loads(run(db, "drive", "Drive", "--next", "--json").stdout)
    assert (hand["hand"], hand["trump"], hand["missing"]) == (2, "C", [1, 2])
    assert hand["tables"][0]["players"][0] in ("Cleopatra", "Dorothy") and "Ivor" not in hand["sitting_out"]
    run(db, "tricks", "Drive", "7", "6")
    prizes = run(db, "prizes", "Drive", "--hidden-table", "1").stdout
    assert "best of all:" in prizes and "hidden table:" in prizes and "(table 1)" in prizes and "tied" in prizes
    assert "session.phase" in run(db, "drive", "Drive", "--next", status=2).output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tricks", "Drive", "9"), "there are 2 tables, and 1 number"),
        (("tricks", "Drive", "14", "6"), "session.tricks: table 1 in hand 1"),
        (("tricks", "Drive", "1:x"), "'1:x' gives no tricks"),
        (("tricks", "Drive", "3:7"), "nobody plays at table 3"),
        (("tricks", "Drive", "2:7", "2:6"), "table 2 is named twice"),
        (("tricks", "Drive", "7", "6", "1:8"), "table 1 is named twice"),
        (("said", "Drive", "9", "7"), "nobody plays at table 9 in round 1: check both numbers"),
        (("prizes", "Drive", "--hidden-table", "9"), "there is no table 9"),
        (("drive", "Drive", "--hand", "7"), "nobody has sat down for hand 7"),
        (("drive", "Drive", "--hands", "5", "--ladies", "Nobody"), "Nobody is not here"),
        (("drive", "Drive", "--hands", "5", "--ladies", "Ann, Ivor, Ann"), "session.player: Ann is named twice"),
    ],
    ids=["few", "sum", "word", "table", "twice", "twice among all", "said", "hidden", "hand", "lady", "one lady twice"],
)
def test_what_cannot_be_is_refused(db: str, words: tuple[str, ...], said: str) -> None:
    run(db, "drive", "Drive", "--hands", "2", "--next")
    assert said in run(db, *words, status=2).output


def test_a_field_of_pairs_comes_from_a_file_and_lines_are_alike(db: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.txt"
    file.write_text("2. Olga / Pavel\n1. Quincy / Rosalind\n", encoding="utf-8")
    words = ("new", "--name", "Pairs", "--game", "bridge", "--scoring", "matchpoints", "--field", str(file))
    session = json.loads(run(db, *words, "--json").stdout)
    assert session["players"] == ["Quincy", "Rosalind", "Olga", "Pavel"]
    file.write_text("Olga / Pavel\nQuincy\n", encoding="utf-8")
    assert "write all lines alike" in run(db, *words, status=2).output


def test_the_field_of_last_time_comes_again(db: str, tmp_path: Path) -> None:
    club = {"type": "club", "name": "Hall"}
    with Ledger(db) as ledger:
        ledger.evenings.record(None, [event_of(club)], 0, as_written=False)
    file = tmp_path / "pairs.txt"
    file.write_text("2. Olga / Pavel\n1. Quincy / Rosalind\n", encoding="utf-8")
    bridge = ("new", "--club", "Hall", "--game", "bridge", "--scoring", "matchpoints", "--json")
    run(db, *bridge, "--name", "Pairs", "--field", str(file))
    run(db, "new", "--club", "Hall", "--game", "hearts", "--name", "Four", "--here", "Olga, Ann, Ivor, Fitz")
    again = json.loads(run(db, *bridge, "--name", "Again", "--as-last-time").stdout)
    assert again["players"] == ["Quincy", "Rosalind", "Olga", "Pavel"], "of the last evening of bridge, not of hearts"
    with Ledger(db) as ledger:
        state = ledger.evenings.stream(again["evening"]).state
        assert isinstance(state, SessionState)
        assert {number: state.players(number, 1) for number in state.entries} == {
            1: ("Quincy", "Rosalind"), 2: ("Olga", "Pavel")
        }  # fmt: skip
    hearts = ("new", "--club", "Hall", "--game", "hearts", "--name", "More", "--as-last-time", "--json")
    assert json.loads(run(db, *hearts, "--here", "Zoe").stdout)["players"] == ["Zoe", "Olga", "Ann", "Ivor", "Fitz"]
    both = run(db, *hearts, "--here", "Olga", status=2).output
    assert "session.player: Olga is named twice" in both, "of last time, and here: perhaps another Olga"
    none = run(db, "new", "--club", "Hall", "--game", "spades", "--name", "None", "--as-last-time", status=2).output
    assert "no such evening yet" in none
    assert "give --club" in run(db, "new", "--name", "None", "--as-last-time", status=2).output


# --- over HTTP


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    app = create_app(tmp_path / "api.db", open_reading=True)
    yield app
    access_of(app).close()
    ledger_of(app).close()


def opened(client: FlaskClient, players: list[str], **more: Any) -> str:
    opening = {
        "type": "session", "club": None, "name": "Drive", "date": "2026-01-06", "game": "whist", "unit": "player",
        "scoring": {"kind": "total", "decimals": 0}, **more,
    }  # fmt: skip
    events = [opening, *({"type": "arrive", "player": player} for player in players)]
    answer = client.post("/api/v1/sessions", json={"events": events})
    assert answer.status_code == 201, answer.text
    return f"/api/v1/sessions/{answer.json['evening']}"


def test_a_table_and_a_person_are_named_once_over_http(app: Flask) -> None:
    client = as_role(app, "scorer")
    one = opened(client, NAMES[:8])
    both = client.post(f"{one}/drive", json={"hands": 2, "ladies": NAMES[:3], "gentlemen": NAMES[2:4]})
    assert (both.status_code, both.json["code"]) == (400, "format.value")
    assert f"{NAMES[2]} plays as a lady and as a gentleman" in both.json["detail"]
    assert client.post(f"{one}/drive", json={"hands": 2}).status_code == 201
    assert client.post(f"{one}/round", json={"round": 1}).status_code == 201
    tables = [{"table": 1, "tricks": [8]}, {"table": 2, "tricks": [3]}, {"table": 1, "tricks": [9]}]
    twice = client.post(f"{one}/drive/tricks", json={"round": 1, "tables": tables})
    assert (twice.status_code, twice.json["code"]) == (400, "format.value")
    assert "table 1 is named twice" in twice.json["detail"]
    assert client.get(f"{one}/drive").json["missing"] == [1, 2], "nothing is recorded"


def test_a_drive_is_run_over_http(app: Flask) -> None:
    client = as_role(app, "scorer")
    one = opened(client, NAMES[:8])
    assert client.get(f"{one}/drive").json["code"] == "session.movement"
    assert client.get(f"{one}/prizes").json["code"] == "session.movement"
    ladies, gentlemen = NAMES[:8:2], NAMES[1:8:2]
    body = {"hands": 2, "moves": "ladies_up", "trumps": ["S", "NT"], "ladies": ladies, "gentlemen": gentlemen}
    begun = client.post(f"{one}/drive", json=body)
    assert (begun.status_code, begun.json["hand"], begun.json["tables"]) == (201, 1, [])
    for round in (1, 2):
        seated = client.post(f"{one}/round", json={"round": round})
        assert [table["match"] for table in seated.json["tables"]] == [None, None]
        assert client.post(f"{one}/round", json={"round": round}).json == seated.json, "the same again"
        wrong = client.post(f"{one}/drive/tricks", json={"round": round, "tables": [{"table": 2, "tricks": [9, 5]}]})
        assert (wrong.status_code, wrong.json["code"]) == (422, "session.tricks")
        tables = [{"table": 1, "tricks": [8]}, {"table": 2, "tricks": [3, 10]}]
        entered = client.post(f"{one}/drive/tricks", json={"round": round, "tables": tables})
        assert [table["points"] for table in entered.json["tables"]] == [[8, 5, 8, 5], [3, 10, 3, 10]]
        assert entered.json["trump"] == ("S", "NT")[round - 1]
    assert entered.json["over"]
    assert client.post(f"{one}/drive/hidden-table", json={"table": 2}).json["hidden_table"] == 2
    prizes = {prize["prize"]: prize for prize in client.get(f"{one}/prizes").json["prizes"]}
    assert {*prizes["best_lady"]["players"]} <= {*ladies} and {*prizes["best_gentleman"]["players"]} <= {*gentlemen}
    assert len(prizes["hidden_table"]["players"]) == 4
    card = client.get(f"{one}/cards/1").json
    assert [len(line["partners"]) for line in card["lines"]] == [1, 1]


def test_a_director_seats_a_hand_otherwise_and_the_next_follows_from_that(app: Flask) -> None:
    client = as_role(app, "scorer")
    one = opened(client, NAMES)
    client.post(f"{one}/drive", json={"hands": 3})
    mine = [["Hamish", "Gwendolen", "Fitz", "Ernest"], ["Ann", "Ivor", "Bertram", "Dorothy"]]
    assert client.post(f"{one}/round", json={"round": 1, "tables": mine}).status_code == 201
    hand = client.get(f"{one}/drive").json
    assert [table["players"] for table in hand["tables"]] == mine and hand["sitting_out"] == ["Cleopatra"]
    tables = [{"table": 1, "tricks": [8]}, {"table": 2, "tricks": [8]}]
    client.post(f"{one}/drive/tricks", json={"round": 1, "tables": tables})
    assert client.post(f"{one}/round", json={"round": 2}).status_code == 201
    hand = client.get(f"{one}/drive").json
    seats = [{*table["players"]} for table in hand["tables"]]
    assert {"Gwendolen", "Ernest"} <= seats[0] and {"Hamish", "Fitz"} <= seats[1] | {*hand["sitting_out"]}
    assert "Cleopatra" in seats[0] | seats[1]
    rows = client.get(f"{one}/ranking").json["ranking"]
    assert {row["players"][0]: row["total"] for row in rows}["Cleopatra"] == "7"


def test_a_session_that_cannot_be_a_drive_is_refused(app: Flask) -> None:
    client = as_role(app, "scorer")
    for more in ({"game": "hecto-diversity"}, {"game": None}, {"scoring": {"kind": "places"}}):
        answer = client.post(f"{opened(client, NAMES[:4], **more)}/drive", json={"hands": 4})
        assert (answer.status_code, answer.json["code"]) == (422, "session.movement"), more
    reader = as_role(app, "reader")
    assert reader.post(f"{opened(client, NAMES[:4])}/drive", json={"hands": 4}).status_code == 403
