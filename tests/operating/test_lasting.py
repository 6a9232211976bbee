"""A server that runs for a year: logs, caches and temporary files have limits."""

from __future__ import annotations

import gc
import io
import json
import logging
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter, OrderedDict, deque
from datetime import date, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import UnusableError
from cardledger.record.proofs.sealer import Sealer
from cardledger.record.readmodels import follower
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.sqlite_file import LOG_KEPT
from cardledger.record.store.temporary import TemporaryFolder
from cardledger.rules.engine import events as ev
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.logs import MINUTE, MOST_A_MINUTE, Repeats, begin
from tests.operating.test_growth import memory
from tests.waiting import wait_until
from tests.web.club import sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

CONTAINERS = (dict, list, set, deque, OrderedDict)
MOST = 10
"""How often everything is asked before and after the census."""


# --- the log of SQLite


def log_of(ledger: Ledger) -> int:
    """Return the bytes of the file of the log."""
    return Path(f"{ledger.views.file.path}-wal").stat().st_size


def written(ledger: Ledger, rows: int, size: int = 4000) -> None:
    """Write many pages in one transaction, and take them back in another."""
    with ledger.views.file.writing() as db:
        db.execute("CREATE TABLE IF NOT EXISTS ballast (x)")
        db.executemany("INSERT INTO ballast VALUES (?)", [(b"x" * size,)] * rows)
    with ledger.views.file.writing() as db:
        db.execute("DELETE FROM ballast")


def test_the_log_gives_its_room_back_when_it_begins_anew(ledger: Ledger) -> None:
    written(ledger, 5000)
    assert log_of(ledger) > 16 * LOG_KEPT, "as long as one transaction needs"
    written(ledger, 1)
    assert log_of(ledger) <= LOG_KEPT


def test_a_full_disk_gets_the_room_of_the_log_back(ledger: Ledger) -> None:
    written(ledger, 500)
    assert log_of(ledger) > 2**20
    file = ledger.views.file
    assert file.writer is not None
    (pages,) = file.writer.execute("PRAGMA page_count").fetchone()
    file.writer.execute(f"PRAGMA max_page_count = {pages}")  # for SQLite, that is a full disk
    with pytest.raises(UnusableError, match="full"):
        written(ledger, 5000)
    assert log_of(ledger) == 0


# --- the server's own log


def test_equal_warnings_are_written_so_often_a_minute_and_counted() -> None:
    now, stream = [0.0], io.StringIO()
    logger = logging.Logger("cardledger.tests")
    handler = logging.StreamHandler(stream)
    handler.addFilter(Repeats(lambda: now[0]))
    logger.addHandler(handler)
    for second in range(3600):
        now[0] = float(second)
        logger.error("read models did not catch up: %s", "the disk is full")
        if second == 30:
            logger.error("something else")
        logger.info("request")
    lines = stream.getvalue().splitlines()
    errors = [line for line in lines if line.startswith("read models")]
    assert len(errors) == 60 * MOST_A_MINUTE
    assert (
        errors[MOST_A_MINUTE]
        == f"read models did not catch up: the disk is full (and {int(MINUTE) - MOST_A_MINUTE} times more, not written here)"
    )
    assert lines.count("something else") == 1
    assert lines.count("request") == 3600


def test_every_handler_of_the_server_drops_repeats() -> None:
    stream = io.StringIO()
    end = begin("json", stream)
    for _ in range(100):
        logging.getLogger("cardledger.readmodels").error("the same")
    end()
    assert len([json.loads(line) for line in stream.getvalue().splitlines()]) == MOST_A_MINUTE


# --- temporary files

_COPIES = """
import sys
from cardledger.record.store.temporary import TemporaryFolder
folder = TemporaryFolder()
(folder.path / "copy.db").write_bytes(b"x" * 1000)
print(folder.path, flush=True)
sys.stdin.read()
"""


def test_a_killed_programs_temporary_files_are_deleted_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    foreign = tmp_path / "cardledger-of-somebody"
    foreign.mkdir()
    start = partial(
        subprocess.Popen, [sys.executable, "-c", _COPIES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={"TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    with start() as killed, start() as living:
        assert killed.stdout and living.stdout
        left, kept = Path(killed.stdout.readline().strip()), Path(living.stdout.readline().strip())
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert (left / "copy.db").exists()
        with TemporaryFolder() as own:
            assert not left.exists()
            assert (kept / "copy.db").exists()
            assert own.path.is_dir()
        assert not own.path.exists()
        assert living.stdin
        living.stdin.close()
        living.wait()
    assert [*tmp_path.iterdir()] == [foreign]


# --- caches

LIMITS = (
    "cardledger.study.stats.cache.MOST", "cardledger.study.stats.tables.MOST_ANSWERS",
    "cardledger_api.auth.sessions.MOST", "cardledger_api.auth.limits.CROWD",
)  # fmt: skip
"""The greatest numbers of what is kept for later questions: with small ones, nothing grows any more."""
FEW = 3


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """An application on a ledger with a match, for an admin."""
    monkeypatch.setattr(follower, "MOMENT", 0.0)
    for limit in LIMITS:
        assert getattr(sys.modules[limit.rpartition(".")[0]], limit.rpartition(".")[2]) >= 100
        monkeypatch.setattr(limit, FEW)
    monkeypatch.setattr("cardledger.study.stats.tables.LARGE", 0)  # figures are made in the background
    app = create_app(tmp_path / "club.db", limits=Limits.of(1e6))
    sign_in(app)
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"), options={"hands": 1})
    ledger_of(app).record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))], 0)
    yield app
    access_of(app).close()
    ledger_of(app).close()


def census() -> Counter[str]:
    """Return how much is in the containers of objects, classes and modules of the program, and in caches without limit."""
    gc.unfreeze()  # classes and modules that were set aside are counted too
    gc.collect()
    sizes = Counter[str]()
    for one in gc.get_objects():
        kind = type(one)
        if kind.__name__ == "_lru_cache_wrapper":
            if one.cache_parameters()["maxsize"] is None:
                sizes[f"{one.__module__}.{one.__qualname__}"] += one.cache_info().currsize
        elif str(kind.__module__).startswith("cardledger"):
            add(sizes, kind.__qualname__, attributes(one))
            sizes[f"objects of {kind.__qualname__}"] += 1
        if isinstance(one, type) and str(one.__module__).startswith("cardledger"):
            add(sizes, one.__qualname__, dict(vars(one)))
    for name, module in [*sys.modules.items()]:
        if name.startswith("cardledger") and module is not None:
            add(sizes, name, dict(vars(module)))
    return sizes


def attributes(one: object) -> dict[str, Any]:
    """Return the attributes of an object."""
    names = {name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())} | {
        *getattr(one, "__dict__", ())
    }
    found = {}
    for name in names:
        try:
            found[name] = object.__getattribute__(one, name)
        except AttributeError:
            continue
    return found


def add(sizes: Counter[str], owner: str, values: dict[str, Any]) -> None:
    for name, value in values.items():
        if isinstance(value, CONTAINERS):
            sizes[f"{owner}.{name}"] += len(value)


def ask_everything(app: Flask, number: int) -> None:
    """Ask what differs each time: another client, question, address, method, token and session."""
    client = app.test_client(use_cookies=True)
    head: dict[str, Any] = {"REMOTE_ADDR": f"10.0.{number // 250}.{number % 250 + 1}"}
    name = f"somebody-{number}"
    made = client.post("/api/v1/tokens", json={"name": name, "role": "scorer"}, environ_overrides=head)
    assert made.status_code == 201
    token = made.json["token"]
    for path in (
        "/", f"/search?q={name}", f"/matches?player={name}", f"/players/{name}", f"/nowhere/{name}", f"/hands?player={name}",
        f"/stats/diversity?since=2020-01-{number % 28 + 1:02}", f"/api/v1/stats/players?game=diversity&event={name}",
        f"/api/v1/matches?event={name}", f"/api/v1/search?q={name}", f"/violations?player={name}", f"/?token={token}",
        f"/api/v1/matches/{name}", f"/api/v1/season?event={name}", f"/evenings?name={name}", f"/help/{name}",
        f"/api/v1/players/{name}/stats?game=diversity", f"/api/v1/players/{name}/company?game=diversity",
    ):  # fmt: skip
        answer = client.get(
            path, environ_overrides=head, headers={"X-Request-Id": name, "Accept-Language": f"x{number}"}
        )
        assert answer.status_code in (200, 302, 303, 404), path
    for wrong in ({"Host": f"{name}.example"}, {"Authorization": f"Bearer {name}"}):
        assert client.get("/", environ_overrides=head, headers=wrong).status_code >= 400
    client.open("/", method=f"ODD{number}", environ_overrides=head)
    made = client.post(
        "/api/v1/webhooks", json={"name": name, "url": f"https://{name}.example/"}, environ_overrides=head
    )
    if made.status_code == 201:
        client.delete(f"/api/v1/webhooks/{made.json['id']}", environ_overrides=head)
    client.post("/api/v1/import", data=name, environ_overrides=head)
    client.post(
        "/api/v1/matches", json={"events": [{"type": "open", "game": name, "players": [name]}]}, environ_overrides=head
    )
    client.delete(f"/api/v1/tokens/{name}", environ_overrides=head)


def test_what_grows_with_questions_has_a_limit(app: Flask) -> None:
    for number in range(2 * FEW):
        ask_everything(app, number)
    background = ledger_of(app).views.background
    counts = []
    for part in range(2):
        for number in range(2 * FEW + part * MOST, 2 * FEW + (part + 1) * MOST):
            ask_everything(app, number)
        wait_until(lambda: not background.busy)
        counts.append(census())
    grown = {name: size - counts[0][name] for name, size in counts[1].items() if size > counts[0][name] + MOST // 2}
    assert grown == {}, "keep less, or name the limit in LIMITS"


# --- a year

EVENINGS, TABLES, HANDS = 52, 3, 8
"""An evening a week for a year."""


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_year_of_evenings_leaves_files_threads_memory_and_logs_within_limits(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What grows is the ledger, as much for the last evening as for the tenth; everything else stays as it was."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    ledger, client, stream, now = ledger_of(app), app.test_client(), io.StringIO(), 0.0
    sealer, states, rng = Sealer(ledger), [], Random(1)
    end = begin("json", stream)
    for evening in range(EVENINGS):
        day = str(date(2020, 1, 7) + timedelta(weeks=evening))
        for _table in range(TABLES):
            players = tuple(f"player {number}" for number in rng.sample(range(40), 4))
            opening = ev.Open(
                game="diversity", players=players, options={"hands": HANDS}, date=day, event=f"night {day}"
            )
            match = ledger.record(None, [opening], 0).match
            for hand in range(HANDS):
                ledger.record(
                    match, [ev.Deal(dealer=hand % 4, hands=None), ev.Claim(tricks=(1, 2, 3, 7))], 1 + 2 * hand
                )
                now += 60.0
                if hand % 4 == 0:
                    sealer.look(now)
            for path in (
                "/",
                f"/matches/{match}",
                "/stats/diversity",
                f"/players/{players[0]}",
                "/evenings",
                "/season",
            ):
                wait_until(lambda path=path: client.get(path).status_code == 200, path)  # figures come in a moment
        now += 7 * 24 * 3600
        sealer.look(now)
        assert sealer.wrong is None
        wait_until(lambda: not ledger.views.background.busy)
        logs = [path.stat().st_size for path in tmp_path.glob("*-wal")]
        assert max(logs) <= 4000 * 4200 + LOG_KEPT, "no log is longer than its checkpoints make it"
        assert [*temporary.iterdir()] == []
        states.append((len([*Path("/proc/self/fd").iterdir()]), threading.active_count(), memory(), stream.tell()))
    end()
    files, threads, bytes_used, logged = zip(*states, strict=True)
    tenth, half = 9, EVENINGS // 2
    assert files[-1] <= files[tenth] + 8
    assert threads[-1] <= threads[tenth] + 4
    assert bytes_used[-1] < bytes_used[half] + 64 * 2**20
    per_evening = [later - earlier for earlier, later in pairwise(logged)]
    assert max(per_evening[half:]) < 1.2 * max(per_evening[:tenth]), (
        "the log says no more of a late evening than of an early one"
    )
