"""Health: a supervisor learns whether the process answers and whether it can work, however often it asks."""

from __future__ import annotations

import shutil
import threading

import pytest

from cardledger.errors import LostError
from cardledger_api.auth.limits import Limits, Rate
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.health import BEHIND, Readiness
from tests.waiting import LIMIT
from tests.web.club import opened


@pytest.fixture
def clock():
    """A clock that moves only on command."""
    return iter(range(0, 10**6, 10)).__next__


def test_a_healthy_server_is_live_and_ready(app) -> None:
    client = app.test_client()
    assert client.get("/health/live").get_json() == {"live": True}
    ready = client.get("/health/ready")
    assert ready.status_code == 200
    assert ready.get_json() == {
        "ready": True,
        "checks": {
            "store": {"ok": True}, "read_models": {"ok": True, "behind": 0}, "disk": {"ok": True},
            "files": ready.get_json()["checks"]["files"] | {"ok": True}, "integrity": {"ok": True},
        },
        "restore": {
            "well": True, "state": "no copy", "proven": None, "age": None, "seconds": None, "code": None,
        },
    }  # fmt: skip


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_health_is_open_to_everybody_without_a_rate_limit(tmp_path, path) -> None:
    app = create_app(tmp_path / "club.db", open_reading=False, limits=Limits(Rate(0.1, 1), Rate(0.1, 1)))
    client = app.test_client()
    assert client.get("/").status_code == 401
    for _ in range(5):
        answer = client.get(path, headers={"Host": "10.1.2.3:8000", "Authorization": "Bearer wrong"})
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert client.head(path).data == b""
    assert client.post(path).status_code == 405
    access_of(app).close()
    ledger_of(app).close()


def test_a_store_that_does_not_answer_is_not_ready(app, log, tmp_path, monkeypatch, clock) -> None:
    ledger = ledger_of(app)
    readiness = Readiness(ledger, tmp_path / "club.db", clock)
    assert readiness.now()["ready"]

    def lost() -> int:
        raise LostError("the database at db.example.org does not answer")

    monkeypatch.setattr(ledger.store, "last_position", lost)
    said = readiness.now()
    assert not said["ready"]
    assert said["checks"]["store"] == {"ok": False, "code": "store.lost"}
    assert "example.org" not in str(said)
    assert app.test_client().get("/health/ready").status_code == 503
    assert log()[-1]["code"].startswith("health.")
    assert app.test_client().get("/health/live").status_code == 200


def test_read_models_far_behind_are_not_ready_unless_they_are_being_caught_up(
    app, tmp_path, monkeypatch, clock
) -> None:
    ledger = ledger_of(app)
    readiness = Readiness(ledger, tmp_path / "club.db", clock)
    ledger.record(None, [opened()], 0)
    ledger.views.catch_up()
    assert readiness.now()["ready"]
    monkeypatch.setattr(ledger.store, "last_position", lambda: BEHIND + 3)
    assert readiness.now()["checks"]["read_models"] == {"ok": False, "behind": BEHIND + 2}
    monkeypatch.setattr(type(ledger.views), "position", 2)
    assert readiness.now()["ready"]
    assert not readiness.now()["ready"]


def test_a_disk_without_room_is_not_ready(app, tmp_path, monkeypatch, clock) -> None:
    full = shutil.disk_usage(tmp_path)._replace(free=1000)
    readiness = Readiness(ledger_of(app), tmp_path / "club.db", clock)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: full)
    assert readiness.now()["checks"]["disk"] == {"ok": False}
    monkeypatch.undo()
    assert readiness.now()["ready"]


def test_a_hanging_store_delays_only_the_request_that_uses_it(app, tmp_path, monkeypatch, clock) -> None:
    ledger = ledger_of(app)
    readiness = Readiness(ledger, tmp_path / "club.db", clock)
    hangs, goes_on = threading.Event(), threading.Event()

    def hanging() -> int:
        hangs.set()
        goes_on.wait(LIMIT)
        return 0

    monkeypatch.setattr(ledger.store, "last_position", hanging)
    first = threading.Thread(target=readiness.now)
    first.start()
    assert hangs.wait(LIMIT)
    assert not readiness.now()["ready"]
    goes_on.set()
    first.join(LIMIT)
    assert not first.is_alive()


def test_it_is_looked_up_once_a_second_at_most(app, tmp_path, monkeypatch) -> None:
    ledger, time, looked = ledger_of(app), [0.0], []
    monkeypatch.setattr(ledger.store, "news", lambda *given: looked.append(given))
    readiness = Readiness(ledger, tmp_path / "club.db", lambda: time[0])
    for now in (0.0, 0.5, 0.99, 1.0, 1.5):
        time[0] = now
        readiness.now()
    assert len(looked) == 2
