"""A process that holds the write lock and stalls: writers learn in time which process it is, and reading goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardledger.errors import BusyError
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import lock_holders
from cardledger.record.store.write_lock import WriteLock
from cardledger.rules.engine import events as ev
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.clock import Clock
from tests.waiting import LIMIT, together, wait_until

OPENING = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))
PATIENCE = 0.4
_STOPPED = """
import os, signal, sys
from pathlib import Path
from cardledger.record.store.write_lock import WriteLock
sys.argv = ["/usr/bin/cardledger", "import", "secret name.jsonl"]
with WriteLock(Path(os.environ["HELD"])).held():
    print("held", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""


@contextmanager
def stopped(path: Path) -> Iterator[int]:
    """Have another process hold the write lock of a file; yield its number."""
    other = subprocess.Popen(
        [sys.executable, "-c", _STOPPED], env=os.environ | {"HELD": str(path)}, stdout=subprocess.PIPE
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        state = Path(f"/proc/{other.pid}/stat")
        wait_until(lambda: not state.exists() or " T " in state.read_text())
        yield other.pid
    finally:
        other.kill()
        other.wait()
        assert other.stdout is not None
        other.stdout.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of the lock."""
    clock = Clock()
    monkeypatch.setattr("cardledger.record.store.write_lock.time", clock)
    return clock


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        ledger.record(None, [OPENING], 0)
    return path


@pytest.mark.long
def test_a_refused_writer_learns_who_holds_the_lock_and_that_nothing_was_stored(club: Path) -> None:
    with Ledger(club, patience=PATIENCE) as ledger:
        (match,) = ledger.matches()
        with stopped(club) as pid:
            with pytest.raises(BusyError) as told:
                ledger.record(match, [ev.Note(text="a")], 1)
            assert told.value.code == "store.busy"
            for said in ("nothing was stored", str(club), f"process {pid} (cardledger import)", f"kill {pid}"):
                assert said in told.value.message
            assert "secret" not in told.value.message
            if sys.platform == "linux":
                assert "which is stopped" in told.value.message and f"kill -CONT {pid}" in told.value.message
            assert ledger.stream(match).seq == 1
        assert ledger.record(match, [ev.Note(text="a")], 1).seq == 2, "it goes on as soon as the other is gone"


@pytest.mark.long
def test_only_the_first_reader_waits_and_all_others_get_an_answer_at_once(club: Path, clock: Clock) -> None:
    with Ledger(club, patience=1.0) as ledger, stopped(club):
        (match,) = ledger.matches()
        took = []
        for _ in range(10):
            begun = clock.now
            with pytest.raises(BusyError):
                ledger.record(match, [ev.Note(text="a")], 1)
            took.append(clock.now - begun)
        assert took[0] >= 1.0
        assert sum(took[1:]) < 9 * 0.5


@pytest.mark.long
def test_a_group_that_waits_together_waits_once(club: Path, clock: Clock) -> None:
    with Ledger(club, patience=1.0) as ledger, stopped(club):
        told: list[str] = []

        def write() -> None:
            with pytest.raises(BusyError) as error:
                ledger.record(None, [OPENING], 0)
            told.append(error.value.code)

        together(*[write] * 20)
        assert told == ["store.busy"] * 20
        assert clock.slept < 6, "not twenty times a second"


@pytest.mark.long
def test_reading_goes_on_while_somebody_waits_to_write(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = threading.Event()
    watched = SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: (waits.set(), time.sleep(seconds)))
    monkeypatch.setattr("cardledger.record.store.write_lock.time", watched)
    with Ledger(club, patience=3600) as ledger:
        (match,) = ledger.matches()
        with stopped(club):
            writer = threading.Thread(target=ledger.record, args=(match, [ev.Note(text="a")], 1))
            writer.start()
            assert waits.wait(LIMIT)
            for _ in range(50):
                assert ledger.folded(match).stream.seq == 1
                assert ledger.views.reader.execute("SELECT count(*) FROM matches").fetchone() == (1,)
            assert writer.is_alive(), "nobody who reads stands behind the one who writes"
        writer.join(LIMIT)
        assert ledger.stream(match).seq == 2


@pytest.mark.long
@pytest.mark.parametrize("held", ["club.db", "club.views.db", "both"])
def test_a_ledger_locked_by_another_program_can_be_opened_shown_and_verified(club: Path, held: str) -> None:
    with Ledger(club) as ledger:
        ledger.views.catch_up()
    with ExitStack() as stack:
        for name in ("club.db", "club.views.db") if held == "both" else (held,):
            stack.enter_context(stopped(club.with_name(name)))
        with Ledger(club, create=False, patience=PATIENCE) as ledger:
            (match,) = ledger.matches()
            assert ledger.views.reader.execute("SELECT match FROM matches").fetchall() == [(match,)]
            assert ledger.check(match) is None
            assert "".join(ledger.export([match])).count("\n") == 1
            if held != "club.views.db":
                with pytest.raises(BusyError):
                    ledger.record(match, [ev.Note(text="a")], 1)
            else:
                ledger.record(match, [ev.Note(text="a")], 1)
                assert ledger.views.reader.execute("SELECT seq FROM matches").fetchall() == [(1,)], "as it was"
                assert ledger.stream(match).seq == 2


@pytest.mark.long
def test_a_new_ledger_cannot_be_created_while_another_program_locks_its_file(tmp_path: Path) -> None:
    with stopped(tmp_path / "club.db"), pytest.raises(BusyError):
        Ledger(tmp_path / "club.db", patience=PATIENCE)


@pytest.mark.long
def test_a_thread_with_the_write_lock_is_waited_for_no_longer_than_a_process(tmp_path: Path) -> None:
    pen = WriteLock(tmp_path / "x", patience=0.1)
    done, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        with pen.held():
            done.set()
            assert go_on.wait(LIMIT)

    thread = threading.Thread(target=hold)
    thread.start()
    assert done.wait(LIMIT)
    with pytest.raises(BusyError, match="another thread"), pen.held():
        pass
    go_on.set()
    thread.join(LIMIT)
    with pen.held():
        pass
    pen.close()


@pytest.mark.long
def test_readiness_names_the_holder_of_the_ledger_only_during_the_lock(club: Path, monkeypatch) -> None:
    monkeypatch.setattr("cardledger_web.app.PATIENCE", PATIENCE)
    monkeypatch.setattr("cardledger_web.serving.health.FRESH_SECONDS", 0.0)
    app = create_app(club, limits=Limits.of(0))
    client, token = app.test_client(), access_of(app).lend("owner", "admin")
    with ledger_of(app) as ledger:
        (match,) = ledger.matches()
        assert client.get("/health/ready").status_code == 200
        with stopped(club) as pid:
            head = {"Authorization": f"Bearer {token}"}
            note = {"events": [{"type": "note", "text": "a"}]}
            answer = client.post(f"/api/v1/matches/{match}/events", json=note, headers=head | {"If-Match": '"1"'})
            assert (answer.status_code, answer.get_json()["code"]) == (503, "store.busy")
            assert str(pid) in answer.get_json()["detail"]
            ready = client.get("/health/ready")
            assert ready.status_code == 503
            assert ready.get_json()["checks"]["store"]["code"] == "store.busy"
            assert f"process {pid} (cardledger import)" in ready.get_json()["checks"]["store"]["held_by"]
            for page in ("/", "/matches", f"/matches/{match}", "/players", f"/api/v1/matches/{match}"):
                assert client.get(page).status_code == 200
        assert client.get("/health/ready").status_code == 200
        access_of(app).close()


@pytest.mark.long
def test_readiness_detects_a_lock_even_if_nobody_writes(club: Path, monkeypatch) -> None:
    monkeypatch.setattr("cardledger_web.app.PATIENCE", PATIENCE)
    monkeypatch.setattr("cardledger_web.serving.health.FRESH_SECONDS", 0.0)
    app = create_app(club)
    client = app.test_client()
    with ledger_of(app), stopped(club):
        wait_until(lambda: client.get("/health/ready").status_code != 200)
    access_of(app).close()


_COMMAND = """
import sys
from cardledger.cli.main import main
from cardledger.record.recording.ledger import Ledger
Ledger.__init__.__kwdefaults__["patience"] = 0.3
sys.argv[0] = "cardledger"
main()
"""


@pytest.mark.long
def test_a_command_names_the_holder_of_the_lock(club: Path, tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", _COMMAND, *words, "--db", str(club)]
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)

    file = tmp_path / "more.jsonl"
    file.write_text('{"type":"open","game":"diversity","players":["eva","fay","gus","hana"]}\n')
    with stopped(club) as pid:
        shown = run("matches", "--json")
        assert (shown.returncode, len(json.loads(shown.stdout)["matches"])) == (0, 1), shown.stderr
        refused = run("import", str(file))
        assert refused.returncode == 2
        assert (
            f"process {pid}" in refused.stderr and "store.busy" in refused.stderr and "Traceback" not in refused.stderr
        )


# --- programs that do not sign

_UNSIGNED = """
import fcntl, os, sys
file = os.open(os.environ["HELD"] + ".lock", os.O_RDWR)
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
SQLITE_LOCK = """
import os, sqlite3, sys
db = sqlite3.connect(os.environ["HELD"], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def holding(program: str, path: Path) -> Iterator[int]:
    """Have another program hold a lock; yield its number."""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | {"HELD": str(path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        try:
            yield other.pid
        finally:
            other.kill()


@pytest.fixture(params=[True, False], ids=["the system tells", "the system does not tell"])
def told(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> bool:
    """Whether the system tells who holds a lock."""
    if not request.param:
        monkeypatch.setattr(lock_holders, "LOCKS", tmp_path / "nothing")
    elif not lock_holders.LOCKS.exists():
        pytest.skip("this system does not tell")
    return bool(request.param)


@pytest.mark.parametrize("program", [_UNSIGNED, SQLITE_LOCK], ids=["the write lock", "SQLite's lock"])
def test_an_unsigned_holder_is_never_taken_for_the_program_that_signed_last(
    club: Path, program: str, told: bool
) -> None:
    with Ledger(club, patience=0.05) as ledger:
        (match,) = ledger.matches()
        ledger.record(match, [ev.Note(text="a")], 1)
        with holding(program, club) as pid:
            with pytest.raises(BusyError) as caught:
                ledger.record(match, [ev.Note(text="b")], 2)
            assert str(os.getpid()) not in caught.value.message
            assert (f"process {pid} (python" in caught.value.message) == told
            assert ("another program" in caught.value.message) != told
            holder = wait_until(ledger.store.stuck, "both locks count for readiness")
            assert (str(pid) in str(holder)) == told
        assert ledger.record(match, [ev.Note(text="b")], 2).seq == 3
        assert ledger.store.stuck() is None


def test_only_the_first_writer_waits_for_a_program_that_holds_the_lock_of_sqlite(club: Path, tmp_path: Path) -> None:
    with Ledger(club, patience=0.2) as ledger:
        (match,) = ledger.matches()
        ledger.record(match, [ev.Note(text="a")], 1)
        waits: list[str] = []
        file = ledger.store.file  # type: ignore[attr-defined]
        file.writer.set_trace_callback(waits.append)
        with holding(SQLITE_LOCK, club):
            for _ in range(3):
                with pytest.raises(BusyError):
                    ledger.record(match, [ev.Note(text="b")], 2)
        shortly, usual, begin = "PRAGMA busy_timeout = 50", "PRAGMA busy_timeout = 200", "BEGIN IMMEDIATE"
        assert waits == [begin, shortly, begin, usual, shortly, begin, usual]


def test_locks_are_read_as_the_system_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, locks = tmp_path / "club.db.lock", tmp_path / "locks"
    path.touch()
    status = path.stat()
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    monkeypatch.setattr(lock_holders, "LOCKS", locks)
    for lines, byte, pid in (
        (f"1: FLOCK  ADVISORY  WRITE 71 {file} 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 72 {file} 0 EOF\n", None, 71),
        (f"1: POSIX  ADVISORY  READ 71 {file} 120 120\n2: POSIX  ADVISORY  WRITE 73 {file} 120 120\n", 120, 73),
        (f"1: POSIX  ADVISORY  WRITE 71 {file} 121 128\n", 120, None),
        (f"1: FLOCK  ADVISORY  WRITE 71 {file}9 0 EOF\nsomething else\n", None, None),
        (f"1: FLOCK  ADVISORY  WRITE 0 {file} 0 EOF\n", None, None),
        ("", None, None),
    ):  # fmt: skip
        locks.write_text(lines)
        found = lock_holders.holder_of(path, byte)
        assert (found and found.pid) == pid, lines
