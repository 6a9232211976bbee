"""Nothing grows: however many answers a server gives, its files, threads and memory stay as they were."""

from __future__ import annotations

import gc
import os
import re
import sqlite3
import threading
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import UnusableError
from cardledger.record.proofs.sealer import AT_MOST_SECONDS, Sealer
from cardledger.record.readmodels import background, follower
from cardledger.record.readmodels.background import WAITING, WORKERS, Background
from cardledger.record.store import readers
from cardledger.rules.engine import events as ev
from cardledger_api.auth.limits import Limits
from cardledger_api.http.checks import checks_of
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.commands.demo import import_season
from cardledger_web.serving import open_files
from cardledger_web.serving.health import Readiness
from tests.waiting import LIMIT, together, wait_until
from tests.web.club import sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

resource = pytest.importorskip("resource")
FILES = Path("/proc/self/fd")
SLACK = 8
"""Files that may be open by chance: a few connections are kept, and which depends on the moment."""

pytestmark = pytest.mark.skipif(not FILES.exists(), reason="the system does not list open files")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """An application for an admin, on a ledger with a match."""
    monkeypatch.setattr(readers, "KEPT", 1)
    monkeypatch.setattr(follower, "MOMENT", 0.0)
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    sign_in(app)
    record(ledger_of(app))
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def club(app: Flask) -> Flask:
    """The same with a club, its league, an evening and the evening's matches."""
    assert len([*islice(import_season(ledger_of(app)), 28)]) == 28
    return app


def files(folder: Path) -> list[str]:
    """Return the files of a folder that this process has open, each as often as it is open."""
    found = []
    for one in FILES.iterdir():
        try:
            found.append(str(one.readlink()))
        except OSError:
            continue  # the one that lists them
    return sorted(name for name in found if name.startswith(f"{folder}/"))


def addresses(app: Flask, **chosen: str) -> list[str]:
    """Return an address of every route that answers GET, of things that exist; some of them may be chosen."""
    ledger = ledger_of(app)
    read = ledger.views.reader.execute
    (match,) = read("SELECT match FROM matches ORDER BY position LIMIT 1").fetchone()
    first, second, *_ = (player for (player,) in read("SELECT player FROM people ORDER BY 1"))
    evenings = dict(read("SELECT kind, evening FROM evenings ORDER BY position DESC").fetchall())
    (game,) = read("SELECT game FROM matches WHERE match = ?", (match,)).fetchone()
    values = evenings | {
        "match": match, "evening": evenings["session"], "player": first, "other": second, "game": game, "id": game,
        "name": "players", "q": "a", "rules": "diversity/1", "first": 1, "language": "de", "filename": "style.css", "deal": "0" * 32, "code": "store.busy", "webhook": "x",
    } | chosen  # fmt: skip
    rules = sorted(rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()))
    assert len(rules) > 120
    needed = {
        re.sub(r"{(\w+)}", r"<\1>", path): [
            f"{one['name']}={values.get(one['name'], 1)}"
            for one in item.get("get", {}).get("parameters", ())
            if one["in"] == "query" and one.get("required")
        ]
        for path, item in app.test_client().get("/api/v1/openapi.json").json["paths"].items()
    }
    found = []
    for rule in rules:
        path = re.sub(r"<\w+:(\w+)>", r"<\1>", rule)
        query = "&".join(needed.get(path, ()))
        found.append(re.sub(r"<(\w+)>", lambda part: str(values.get(part[1], 1)), path) + (query and f"?{query}"))
    return found


def ask(client: FlaskClient, path: str) -> int:
    """Ask, and take the first piece of the answer: a live stream never ends."""
    answer = client.get(path, buffered=False)
    try:
        next(iter(answer.response), b"")
        return answer.status_code
    finally:
        answer.close()


def record(ledger: Ledger) -> None:
    """Record a match of one hand."""
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"), options={"hands": 1})
    ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))], 0)


def at_rest(ledger: Ledger) -> None:
    """Wait until nothing is done in the background."""
    wait_until(lambda: not ledger.views.background.busy, "the end of the work in the background")


def connections() -> int:
    """Return how many connections to SQLite there are."""
    gc.collect()
    return sum(isinstance(one, sqlite3.Connection) for one in gc.get_objects())


def memory() -> int:
    """Return how many bytes of memory this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def state(app: Flask, folder: Path) -> tuple[int, int, int]:
    """Return how many files, threads and connections there are when nothing is under way."""
    at_rest(ledger_of(app))
    return len(files(folder)), threading.active_count(), connections()


def expect_as_before(app: Flask, folder: Path, before: tuple[int, int, int], slack: int = SLACK) -> None:
    __tracebackhide__ = True
    after = state(app, folder)
    assert all(now <= then + slack for now, then in zip(after, before, strict=True)), (
        f"files, threads, connections: {before} before, {after} after: {files(folder)}"
    )


def test_stale_answers_leave_no_files_threads_or_connections(app: Flask, tmp_path: Path) -> None:
    """Home, lists and statistics are made again in the background after each recording."""
    client, ledger = app.test_client(), ledger_of(app)
    paths = ("/", "/matches", "/stats/diversity", "/api/v1/stats/players?game=diversity")
    for path in paths:
        assert ask(client, path) == 200
    before = state(app, tmp_path)
    for _ in range(15):
        record(ledger)
        for path in paths:
            assert ask(client, path) == 200
    expect_as_before(app, tmp_path, before)


def rounds(app: Flask, folder: Path, number: int) -> None:
    client, ledger = app.test_client(), ledger_of(app)
    paths = addresses(app)
    answered = {path: ask(client, path) for path in paths}
    good = [path for path, status in answered.items() if status in (200, 302, 303)]
    assert len(good) > 0.8 * len(paths), {path: status for path, status in answered.items() if path not in good}
    assert not [path for path, status in answered.items() if status >= 500]
    before = state(app, folder)
    for _ in range(number):
        record(ledger)
        for path in paths:
            ask(client, path)
    expect_as_before(app, folder, before)


def test_answers_of_every_kind_leave_no_files_threads_or_connections(club: Flask, tmp_path: Path) -> None:
    rounds(club, tmp_path, 1)


@pytest.mark.long
@pytest.mark.timeout(3 * 3600)
def test_a_thousand_answers_of_every_kind_leave_files_threads_and_memory_as_they_were(
    club: Flask, tmp_path: Path
) -> None:
    rounds(club, tmp_path, 200)  # what is kept for the next answer is there
    settled = memory()
    rounds(club, tmp_path, 800)
    assert memory() < settled + 64 * 2**20


def test_threads_that_come_and_go_leave_no_files(app: Flask, tmp_path: Path) -> None:
    ledger = ledger_of(app)

    def read() -> None:
        ledger.store.last_position()
        ledger.views.reader.execute("SELECT count(*) FROM matches").fetchone()
        with ledger.views.reader.snapshot():
            assert ledger.matches()
        next(ledger.store.recordings())
        next(ledger.store.read_all())  # type: ignore[call-overload]

    together(*[read] * 8)  # SQLite keeps a file for as many connections as there have been at once
    before = state(app, tmp_path)
    for _ in range(10):
        together(*[read] * 8)
    expect_as_before(app, tmp_path, before, 3 * 8)


def test_a_reader_left_in_the_middle_does_not_hold_the_past(ledger: Ledger) -> None:
    for _ in range(3):
        record(ledger)
    rows = ledger.store.read_all()
    next(rows)  # type: ignore[call-overload]
    recordings = ledger.store.recordings()
    next(recordings)
    del rows, recordings
    record(ledger)
    assert ledger.store.last_position() == 12
    assert len([*ledger.store.read_all()]) == 12
    assert ledger.store.file.emptied()  # type: ignore[attr-defined]


def test_a_snapshot_is_of_its_thread_and_ends_with_it(ledger: Ledger) -> None:
    record(ledger)
    count = "SELECT count(*) FROM matches"
    reader, seen = ledger.views.reader, []
    with reader.snapshot():
        assert reader.execute(count).fetchall() == [(1,)]
        record(ledger)
        together(lambda: seen.extend(ledger.views.reader.execute(count)))
        assert seen == [(2,)]
        with reader.snapshot():
            assert ledger.views.reader.execute(count).fetchall() == [(1,)]
        assert reader.execute(count).fetchall() == [(1,)]
        assert reader.now(count).fetchall() == [(2,)]
    assert reader.execute(count).fetchall() == [(2,)]


# --- work in the background


def test_equal_work_is_done_once_and_few_threads_do_it() -> None:
    work, go_on, done = Background(), threading.Event(), []

    def job(key: int) -> None:
        go_on.wait(LIMIT)
        done.append(key)

    def ask_for(key: int) -> background.BackgroundJob:
        return work.soon(key, lambda: job(key))

    before = threading.active_count()
    jobs = [ask_for(key) for key in range(50)]
    assert [ask_for(key) for key in range(50)] == jobs
    assert threading.active_count() - before <= WORKERS
    go_on.set()
    for one in jobs:
        work.wait(one, LIMIT)
    assert sorted(done) == [*range(50)]
    wait_until(lambda: not work.busy)
    assert ask_for(0) is not jobs[0]
    work.close()
    assert threading.active_count() == before


def test_no_more_work_waits_than_a_limit_and_the_rest_is_not_begun() -> None:
    work, go_on = Background(), threading.Event()
    jobs = [work.soon(key, lambda: go_on.wait(LIMIT)) for key in range(WORKERS + WAITING + 10)]
    over = [one for one in jobs if one.done.is_set()]
    assert 10 <= len(over) <= 10 + WORKERS, "a worker may not have taken its first job yet"
    assert not any(work.knows(one.key) for one in over)
    go_on.set()
    work.close()
    assert all(one.done.is_set() for one in jobs)


def test_work_that_needs_other_work_does_not_wait_for_a_thread() -> None:
    work, done = Background(), []

    def outer(key: int) -> None:
        inner = work.soon(("inner", key), lambda: None)
        work.wait(inner, LIMIT)
        if inner.done.is_set():
            done.append(key)

    for job in [work.soon(key, lambda key=key: outer(key)) for key in range(3 * WORKERS)]:
        work.wait(job, LIMIT)
    assert sorted(done) == [*range(3 * WORKERS)]
    work.close()


def test_failing_work_is_logged_and_does_not_stop_the_rest(caplog: pytest.LogCaptureFixture) -> None:
    work, done = Background(), []
    for job in (work.soon("bad", lambda: 1 / 0), work.soon("good", lambda: done.append(1))):
        work.wait(job, LIMIT)
    assert done == [1]
    assert "work in the background failed" in caplog.text
    work.close()


# --- when the system grants no more files


@contextmanager
def at_most(number: int) -> Iterator[None]:
    """Let this process open no file beyond a number of them."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def highest() -> int:
    """Return the number of files up to which every number is taken."""
    file = os.open(os.devnull, os.O_RDONLY)
    os.close(file)
    return file


def test_a_lack_of_files_is_no_finding_and_breaks_nothing(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "KEPT", 0)
    ledger, findings = ledger_of(app), app.extensions["cardledger.findings"]
    sealer, checks, client = Sealer(ledger, findings.surveyed), checks_of(ledger), app.test_client()
    moments, said = iter(range(0, 10**9, 200 * int(AT_MOST_SECONDS))), set[str]()

    def look() -> None:
        with suppress(UnusableError):
            record(ledger)
        sealer.look(next(moments))
        if sealer.wrong is not None:
            said.add(sealer.wrong.code)
        with suppress(UnusableError):
            checks.start("tests", findings)
        wait_until(lambda: checks.running is None, "the end of the check")
        for path in ("/", "/matches", "/integrity", "/api/v1/matches", "/api/v1/checkpoint"):
            client.get(path)

    look()  # now everything is imported
    assert said == set()
    at_rest(ledger)
    for spare in (0, 1, 2, 3, 4, 6, 8):
        with at_most(highest() + spare):
            look()
            at_rest(ledger)
        assert findings.all == [], f"with {spare} files"
    assert said
    assert said <= {"store.open", "store.write", "proofs.write"}
    look()
    assert sealer.wrong is None
    assert checks.last is not None
    assert checks.last.wrong is None


def test_readiness_counts_open_files(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readiness = Readiness(ledger_of(app), tmp_path / "club.db", iter(range(0, 10**6, 10)).__next__)

    def checked() -> dict[str, Any]:
        return readiness.now()["checks"]["files"]

    now = checked()
    assert now["ok"]
    assert 0 < now["open"] < now["limit"]
    monkeypatch.setattr(open_files, "limit", lambda: now["open"] // 2)
    assert not checked()["ok"]
    assert not readiness.now()["ready"]
    monkeypatch.undo()

    def full() -> bool:
        with at_most(highest()):  # other threads may close a file just now
            said = checked()
        return said["ok"] is False and said["open"] == said["limit"]

    wait_until(full)
