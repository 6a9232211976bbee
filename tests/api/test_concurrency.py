"""Many clients at once, each a process of its own, against a real server: one wins each seq, and nothing acknowledged is lost."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections import Counter
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import ConflictError
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.job import Job
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.results import Recorded
from cardledger.rules.engine import events as ev
from cardledger_api.auth.tokens import Tokens
from tests.thorough import many
from tests.waiting import LIMIT, wait_until
from tests.web.club import opened as opened_by_hand
from tests.web.server import ENV, command, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CLIENTS = 6
# Arguments: address, path, a match or "" for a new one, the number of appends to try. It prints every answer.
CLIENT = """
import http.client, json, sys
host, path, token, match, tries = sys.argv[1:]
line = http.client.HTTPConnection(host, timeout=120)
headers = {"Content-Type": "application/json", "Authorization": "Bearer " + token}
def send(path, events, **more):
    line.request("POST", "/api/v1/matches" + path, json.dumps({"events": events}), headers | more)
    answer = line.getresponse()
    return answer.status, json.loads(answer.read())
if not match:
    status, told = send("", [{"type": "open", "game": "ruff", "players": ["ana", "ben", "chloe"]}])
    match = told["match"]
    print(json.dumps([match, status, told]), flush=True)
seq = 1
for number in range(int(tries)):
    try:
        status, told = send(f"/{match}/events", [{"type": "note", "text": path}], **{"If-Match": f'"{seq}"'})
    except (OSError, http.client.HTTPException, ValueError):
        break
    print(json.dumps([match, status, told]), flush=True)
    seq = told["seq"] if status == 201 else told["current"] if status == 412 else seq
"""


class Server:
    """A server of a ledger, with a token of a scorer."""

    def __init__(self, path: Path, address: str, token: str, process: subprocess.Popen[str]) -> None:
        self.path, self.address, self.token, self.process = path, address, token, process

    def client(self, name: str, match: str = "", tries: int = 40) -> subprocess.Popen[str]:
        """Start a client."""
        words = [sys.executable, "-c", CLIENT, self.address, name, self.token, match, str(tries)]
        return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=ENV)


def serving(path: Path) -> Iterator[Server]:
    with closing(Tokens(path)) as tokens:
        token = tokens.create(f"tester-{time.monotonic_ns()}", "scorer", 1)
    process = command("serve", "--db", str(path), "--port", "0", "--rate", "0")
    with running(process) as (address, _):
        yield Server(path, address.removeprefix("http://"), token, process)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    yield from serving(tmp_path / "club.db")


def told(client: subprocess.Popen[str]) -> list[tuple[str, int, dict[str, int]]]:
    """Return every answer a client got: match, status, answer."""
    out, _ = client.communicate(timeout=LIMIT)
    return [tuple(json.loads(line)) for line in out.splitlines() if line.endswith("]")]  # type: ignore[misc]


def opened(server: Server) -> str:
    return told(server.client("opener", tries=0))[0][0]


@pytest.mark.long
def test_one_writer_wins_each_seq_and_the_others_get_the_current_one(server: Server) -> None:
    match = opened(server)
    clients = [server.client(str(number), match) for number in range(CLIENTS)]
    answers = [answer for client in clients for answer in told(client)]
    won = Counter(body["seq"] for _, status, body in answers if status == 201)
    assert len(answers) == CLIENTS * 40
    assert {status for _, status, _ in answers} == {201, 412}
    assert won == Counter(range(2, len(won) + 2))
    with Ledger(server.path) as ledger:
        assert ledger.stream(match).seq == len(won) + 1
        assert [error for _, error in ledger.verify() if error] == []


@pytest.mark.long
def test_writers_of_different_matches_all_win(server: Server) -> None:
    clients = [server.client(str(number)) for number in range(CLIENTS)]
    for client in clients:
        answers = told(client)
        assert [(status, body["seq"]) for _, status, body in answers] == [(201, seq) for seq in range(1, 42)]


def test_waiting_appends_are_stored_together_and_a_stale_one_blocks_no_other(tmp_path: Path) -> None:
    note = ev.Note(text="a remark")
    with Ledger(tmp_path / "club.db") as ledger, Ledger(tmp_path / "club.db") as other:
        stale, fresh = (ledger.record(None, [opened_by_hand()], 0).match for _ in range(2))
        other.record(stale, [note], 1)
        jobs = [
            Job(match, [note], seq, Recorder("test")) for match, seq in ((stale, 1), (fresh, 1), (fresh, 2), (fresh, 2))
        ]
        third = Job(str(uuid.uuid4()), [opened_by_hand()], 0, Recorder("test"))
        ledger.work_off([*jobs, third])
        outcomes = [job.outcome for job in jobs]
        assert [isinstance(outcome, ConflictError) for outcome in outcomes] == [True, False, False, True]
        assert [outcome.seq for outcome in outcomes if isinstance(outcome, Recorded)] == [2, 3]
        assert [ledger.stream(match).seq for match in (stale, fresh, third.match)] == [2, 3, 1]
        assert [error for _, error in ledger.verify() if error] == []
        rows = ledger.views.reader.query("SELECT match, position FROM matches")
        assert {row["match"]: row["position"] for row in rows} == {
            match: ledger.store.read(match)[0].position for match in ledger.matches()
        }


@pytest.mark.long
@pytest.mark.parametrize("signal", ["kill", "terminate"])
def test_a_server_stopped_under_load_has_stored_all_acknowledged_events(signal: str, tmp_path: Path) -> None:
    stopped_under_load(signal, tmp_path / "club.db", rounds=2, seed=1)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("signal", ["kill", "terminate"])
def test_a_server_stopped_many_times_has_stored_all_acknowledged_events(signal: str, tmp_path: Path) -> None:
    stopped_under_load(signal, tmp_path / "club.db", rounds=many(5, 30), seed=2)


def stopped_under_load(signal: str, path: Path, rounds: int, seed: int) -> None:
    rng = Random(seed)
    for _ in range(rounds):
        for server in serving(path):
            shared = opened(server)
            with Ledger(path) as ledger:
                already = ledger.store.last_position()
            clients = [server.client(str(n), shared if n % 2 else "", tries=100_000) for n in range(CLIENTS)]
            with Ledger(path) as ledger:
                wait_until(
                    lambda ledger=ledger, already=already: ledger.store.last_position() >= already + 3 * CLIENTS,
                    "three events of each client",
                )
            time.sleep(rng.random())  # any moment will do
            getattr(server.process, signal)()
            server.process.wait(LIMIT)
            answers = [answer for client in clients for answer in told(client)]
            won = [(match, body["seq"], body["hash"]) for match, status, body in answers if status == 201]
            assert len(won) > CLIENTS, "the server was stopped before it did anything: the test shows nothing"
            with Ledger(path) as ledger:
                assert [error for _, error in ledger.verify() if error] == []
                for match, seq, hash in won:
                    row = ledger.store.read(match, seq - 1)[0]
                    assert row.hash.hex() == hash
