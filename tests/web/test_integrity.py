"""The page of integrity: the state of the ledger, and a check that names the first event that does not fit."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger_api.http.checks import Checks
from cardledger_web.app import ledger_of
from tests.waiting import LIMIT, wait_until
from tests.web.club import opened, sign_in
from tests.web.test_pages import page

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient


def checked(client: FlaskClient) -> str:
    """Begin a check and return the page when it is done."""
    answer = client.post("/integrity")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/integrity")
    wait_until(lambda: "data-running" not in page(client, "/integrity"), "the end of the check")
    return " ".join(page(client, "/integrity").split())


def test_a_sound_ledger_is_reported_as_sound(empty: Flask) -> None:
    ledger = ledger_of(empty)
    for players in (("a", "b", "c", "d"), ("e", "f", "g", "h")):
        ledger.record(None, [opened(players=players), ev.Deal(dealer=0, hands=None)], 0)
    client = empty.test_client()
    assert "Not checked since this server was started" in page(client, "/integrity")
    text = checked(client)
    assert "<b>All of it fits:</b> 4 events in 2 matches." in text
    assert "by <bdi>admin</bdi>" in text
    ledger.record(None, [opened()], 0)
    assert "1 event came since" in page(client, "/integrity")


def test_the_first_event_that_does_not_fit_is_named(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, [opened(), ev.Deal(dealer=0, hands=None), ev.Score(scores=(4, 3, 3, 3))], 0).match
    db = sqlite3.connect(ledger.store.file.path)
    db.execute("DROP TRIGGER events_are_final")
    db.execute("UPDATE events SET line = replace(line, '\"scores\":[4,3', '\"scores\":[0,3') WHERE seq = 3")
    db.commit()
    db.close()
    text = checked(empty.test_client())
    assert "Something does not fit" in text
    assert f"Match <code>{match}</code>, event 3:" in text
    assert "store.hash" in text


def test_readers_see_the_last_result_and_cannot_begin_a_check(empty: Flask) -> None:
    checked(empty.test_client())
    sign_in(empty, "reader")
    client = empty.test_client()
    text = page(client, "/integrity")
    assert "All of it fits" in text
    assert '<form method="post" action="/integrity"' not in text
    assert client.post("/integrity").status_code == 403


def test_a_foreign_page_cannot_start_a_check(empty: Flask) -> None:
    client = empty.test_client()
    client.environ_base.pop("HTTP_AUTHORIZATION")
    token = empty.extensions["cardledger.access"].lend("sam", "scorer")
    client.get(f"/?token={token}")
    assert client.post("/integrity", headers={"Origin": "https://example.org"}).status_code == 403
    assert client.post("/integrity", headers={"Origin": "http://localhost"}).status_code == 303


def test_only_one_check_runs_at_a_time_and_new_events_do_not_disturb_it(empty: Flask) -> None:
    ledger = ledger_of(empty)
    match = ledger.record(None, [opened()], 0).match
    go = threading.Event()
    real = ledger.verify

    def slow():
        for number, found in enumerate(real()):
            if number == 0:
                go.wait(LIMIT)
            yield found

    ledger.verify = slow
    checks = Checks(ledger)
    assert checks.start("a")
    assert not checks.start("b")
    ledger.record(match, [ev.Deal(dealer=0, hands=None)], 1)
    go.set()
    wait_until(lambda: checks.running is None, "the end of the check")
    assert checks.last is not None
    assert (checks.last.by, checks.last.wrong, checks.running) == ("a", None, None)
    assert checks.start("b")
    wait_until(lambda: checks.running is None, "the end of the second check")


def test_a_ledger_that_is_closed_waits_for_the_check_under_way(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        for _ in range(30):
            ledger.record(None, [opened()], 0)
        checks = Checks(ledger)
        assert checks.start("a")
    assert checks.running is None
    assert checks.last is not None
    assert checks.last.wrong is None
