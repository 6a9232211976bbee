"""`cardledger serve` and `demo` as real processes: they announce, answer, and stop cleanly."""

from __future__ import annotations

import signal
import socket
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger_web.serving.server import stopping_on_signals
from tests.waiting import ended, together
from tests.web.club import SAMPLES, opened
from tests.web.server import command, program, running

if TYPE_CHECKING:
    from pathlib import Path

SLOW = """
import sys, time
from waitress.task import ThreadedTaskDispatcher
from cardledger_api.http.streams import streams_of
from cardledger_web.app import create_app, ledger_of
from cardledger_web.serving import server as serving
from cardledger_web.serving.server import listen, run, stopping_on_signals
# A machine that is busy may take longer than a server waits for those who hold it up.
serving._FLUSH_SECONDS = 600
ThreadedTaskDispatcher.shutdown.__defaults__ = (True, 600)
app = create_app(sys.argv[1])
@app.get("/slow")
def slow():
    print("asked", flush=True)
    while not streams_of(app).stopped:
        time.sleep(0.01)
    return "x" * 30_000_000
with stopping_on_signals():
    server = listen(app, 0)
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    run(server)
    ledger_of(app).close()
    print("closed", flush=True)
"""


def get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, *(pytest.param(each, marks=pytest.mark.long) for each in (signal.SIGINT, signal.SIGHUP))]
)
def test_serve_answers_until_it_is_stopped(tmp_path: Path, number: signal.Signals) -> None:
    db = tmp_path / "club.db"
    ledger = Ledger(db)
    match = ledger.record(None, [opened()], 0).match
    ledger.close()
    process = command("serve", "--db", str(db), "--port", "0")
    with running(process) as (address, lines):
        assert lines[-1] == f"Serving {db} at {address}/ \u2014 press Ctrl+C to stop\n"
        assert get(f"{address}/")[0] == 200
        assert "No hand has been dealt" in get(f"{address}/matches/{match}")[1]
        assert get(f"{address}/api/v1/matches/{match}")[0] == 200
        assert get(f"{address}/nothing")[0] == 404
        process.send_signal(number)
        status, _, errors = ended(process)
        assert status == 0
        assert "Traceback" not in errors


@pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN])
def test_a_closed_terminal_stops_a_server_unless_it_shall_stay(before: signal.Handlers) -> None:
    earlier = signal.signal(signal.SIGHUP, before)
    try:
        with stopping_on_signals():
            assert callable(signal.getsignal(signal.SIGTERM))
            # With nohup it is ignored, and stays so.
            assert (signal.getsignal(signal.SIGHUP) == signal.SIG_IGN) == (before == signal.SIG_IGN)
            assert signal.getsignal(signal.SIGHUP) != signal.SIG_DFL
        assert signal.getsignal(signal.SIGHUP) == before
    finally:
        signal.signal(signal.SIGHUP, earlier)


@pytest.mark.long
def test_serve_finishes_the_request_in_flight(tmp_path: Path) -> None:
    process = program("-c", SLOW, str(tmp_path / "club.db"))
    with running(process) as (address, _):
        answers: list[tuple[int, str]] = []

        def stop() -> None:
            assert process.stdout is not None
            assert process.stdout.readline() == "asked\n"
            process.send_signal(signal.SIGTERM)

        together(lambda: answers.append(get(f"{address}/slow")), stop)
        assert [(status, len(text)) for status, text in answers] == [(200, 30_000_000)]
        status, out, _ = ended(process)
        assert (status, "closed" in out) == (0, True)


@pytest.mark.long
def test_a_taken_port_is_one_line_and_status_2(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = command("serve", "--db", str(tmp_path / "club.db"), "--port", port)
        status, out, errors = ended(process)
    assert status == 2
    assert "Serving" not in out
    (line,) = [line for line in errors.splitlines() if not line.startswith(("Warning", "There was no ledger"))]
    assert f"port {port} cannot be used" in line
    assert "--port" in line


@pytest.mark.long
def test_a_foreign_file_gives_one_line_and_status_2(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear diary, " * 100)
    process = command("serve", "--db", str(other), "--port", "0")
    status, _, errors = ended(process)
    assert status == 2
    assert "store.open" in errors
    assert "Traceback" not in errors


@pytest.mark.long
def test_demo_serves_every_sample_and_leaves_nothing_behind(tmp_path: Path) -> None:
    process = command("demo", "--samples-only", "--port", "0", TMPDIR=str(tmp_path))
    with running(process) as (address, lines):
        for path in SAMPLES.glob("*.jsonl"):
            assert any(line.startswith(f"{path.name}: ") for line in lines)
        assert "winner" in get(f"{address}/")[1]
        assert list(tmp_path.iterdir())
        process.send_signal(signal.SIGTERM)
        assert ended(process)[0] == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_demo_can_be_kept_and_repeated(tmp_path: Path) -> None:
    db = tmp_path / "demo.db"
    for said in ("", ", already known"):
        process = command("demo", "--db", str(db), "--port", "0")
        with running(process) as (address, lines):
            assert any(
                line.startswith("Imported ") and line.endswith(" already known\n") == bool(said) for line in lines
            )
            assert f"A club's season: 20 evenings, 164 matches{said}\n" in lines
            assert "Aoife" in get(f"{address}/")[1]
            process.send_signal(signal.SIGTERM)
            ended(process)
    assert db.exists()


@pytest.mark.long
@pytest.mark.parametrize("name", ["serve", "demo"])
def test_help_has_examples(name: str) -> None:
    process = command(name, "--help")
    status, out, _ = ended(process)
    assert status == 0
    assert "Examples:" in out
    assert f"\n    cardledger {name}\n" in out
    assert "--port" in out
