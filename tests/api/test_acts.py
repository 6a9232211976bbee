"""What admins did: noted where rights are checked, once a day, without the names of people who were erased."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask, request

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.record.recording.beside import Forgotten
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.mentions import mentions
from cardledger_api.acts import acts as module
from cardledger_api.acts.acts import Acts
from cardledger_api.current import access_of, ledger_of
from tests.api.recording import as_role
from tests.evenings.bridge import open_round, pairs, score_table

API = "/api/v1"


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 21, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def acts(tmp_path: Path):
    clock = Clock()
    with closing(Acts(tmp_path / "club.db", clock)) as opened:
        opened.clock = clock
        yield opened


def noted(app: Flask) -> list[tuple[str, str, str, int]]:
    return [(act.who, act.what, act.about, act.times) for act in access_of(app).acts.all()]


def test_who_made_and_ended_a_token_is_noted_and_its_text_is_not(empty: Flask) -> None:
    admin = as_role(empty, "admin")
    made = admin.post(f"{API}/tokens", json={"name": "ana", "role": "scorer"}).json
    admin.post(f"{API}/tokens/revocations", json={"name": "ana"})
    assert [(what, about) for _, what, about, _ in noted(empty)] == [
        (f"POST {API}/tokens/revocations", "ana"),
        (f"POST {API}/tokens", "scorer ana"),
    ]
    assert made["token"] not in repr(noted(empty))


def test_what_was_refused_or_needs_no_admin_is_not_noted(empty: Flask) -> None:
    admin = as_role(empty, "admin")
    assert admin.post(f"{API}/tokens", json={"name": "ana", "role": "queen"}).status_code == 400
    assert admin.get(f"{API}/tokens").status_code == admin.get("/").status_code == 200
    assert as_role(empty, "scorer").post(f"{API}/tokens", json={"name": "ana"}).status_code == 403
    assert noted(empty) == []


def test_an_operation_of_admins_that_nobody_thought_of_is_noted(empty: Flask) -> None:
    @empty.post("/of/<thing>")
    def unheard_of(thing: str) -> str:
        access_of(empty).require("admin")
        return request.method

    assert as_role(empty, "admin").post("/of/late").status_code == 200
    assert [(what, about) for _, what, about, _ in noted(empty)] == [("POST /of/<thing>", "late")]


def test_reading_a_board_in_play_is_noted_once_a_day(empty: Flask) -> None:
    ledger = ledger_of(empty)
    session = pairs(ledger, 3, 1)
    matches = open_round(ledger, session)
    score_table(ledger, matches[1], {1: ("6NTXX", 0, 12)})
    for role in ("reader", "scorer"):
        as_role(empty, role).get(f"/matches/{matches[1]}")
    assert noted(empty) == []
    admin = as_role(empty, "admin")
    for _ in range(3):
        assert admin.get(f"/matches/{matches[1]}").status_code == 200
    assert admin.get(f"{API}/sessions/{session}").status_code == 200
    assert [(what, about, times) for _, what, about, times in noted(empty)] == [
        (f"GET {API}/sessions/<session>", session, 1),
        ("GET /matches/<match>", matches[1], 1),
    ]


def test_the_latest_come_first_and_are_seen_by_admins_alone(empty: Flask) -> None:
    admin = as_role(empty, "admin")
    for name in ("ana", "ben"):
        admin.post(f"{API}/tokens", json={"name": name})
    told = admin.get(f"{API}/acts?limit=1").json["acts"]
    assert [act["about"] for act in told] == ["reader ben"]
    before = admin.get(f"{API}/acts", query_string={"before": told[0]["last"]}).json["acts"]
    assert all(act["last"] < told[0]["last"] for act in before)
    assert "reader ben" in admin.get("/acts").text
    for client in (as_role(empty, "reader"), as_role(empty, "scorer")):
        assert client.get("/acts").status_code == 403
        assert client.get(f"{API}/acts").status_code == 403


def test_what_is_done_does_not_seem_to_fail_because_it_cannot_be_noted(
    empty: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_given: object) -> None:
        raise StoreError("store.write", "no room")

    monkeypatch.setattr(access_of(empty).acts, "note", full)
    assert as_role(empty, "admin").post(f"{API}/tokens", json={"name": "ana"}).status_code == 201
    assert [record.message for record in caplog.records if record.name == "cardledger.acts"] == ["act not noted"]


def test_the_same_act_on_one_day_is_one_row_and_the_oldest_go(acts: Acts, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        acts.note("ana", "POST /tokens", "ben")
        acts.clock.time += timedelta(hours=1)
    (act,) = acts.all()
    assert act.times == 2
    assert act.first < act.last
    acts.clock.time += timedelta(days=1)
    acts.note("ana", "POST /tokens", "ben")
    assert len(acts.all()) == 2
    monkeypatch.setattr(module, "MOST", 10)
    for number in range(30):
        acts.clock.time += timedelta(seconds=1)
        acts.note("ana", "POST /tokens", f"{number}")
    assert len(acts.all()) in (10, 11)
    assert acts.all()[0].about == "29"


def test_an_erased_person_is_in_no_act(acts: Acts, tmp_path: Path) -> None:
    for about in ("reader Chloe", "scorer Chloe", "ben"):
        acts.note("Chloe", "POST /tokens", about)
    acts.forget(Forgotten(frozenset({"Chloe"}), mentions({"Chloe"}), "p1234567"))
    assert len(acts.all()) == 3
    assert not any("Chloe" in (act.who + act.about) for act in acts.all())
    acts.close()
    assert b"chloe" not in b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()


def test_commands_are_noted_with_the_user_of_the_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGNAME", "clerk")
    with Ledger("club.db"):
        pass
    for words in (["token", "create", "ana"], ["token", "revoke", "ana"]):
        assert CliRunner().invoke(main, [*words, "--db", "club.db"]).exit_code == 0
    said = CliRunner().invoke(main, ["acts", "--db", "club.db"]).stdout.splitlines()
    assert "clerk on the command line" in said[1]
    assert "cardledger token revoke" in said[1]
    assert "cardledger token create" in said[2]
