"""Answers to concurrent clients of a match could have been given one after the other: checked on recorded histories."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, closing
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth.tokens import Tokens
from tests.model.histories import Op, linearizable
from tests.store.conftest import cache, cluster, fresh, url  # noqa: F401 - a PostgreSQL for the long tier
from tests.web.server import ENV, command, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# Arguments: token, match, seed, how many operations, threads, addresses. Each operation is printed when it is over.
CLIENT = """
import http.client, json, os, sys, threading, time
from random import Random
token, match, seed, count, threads, *hosts = sys.argv[1:]
path = f"/api/v1/matches/{match}/events"
def ask(host, method, body, headers, lost=False):
    line = http.client.HTTPConnection(host, timeout=60)
    line.request(method, path, body, {"Authorization": "Bearer " + token, "Content-Type": "application/json"} | headers)
    if lost:
        line.close()
        return None
    answer = line.getresponse()
    told = answer.status, json.loads(answer.read())
    line.close()
    return told
def say(op):
    os.write(1, (json.dumps(op) + "\\n").encode())  # a line at once, whichever thread
def work(name):
    rng, known = Random(name), 1
    for number in range(int(count)):
        host, kind, mark = rng.choice(hosts), rng.random(), f"{name}/{number}"
        began, op = time.monotonic(), {}
        if kind < 0.3:
            status, told = ask(host, "GET", None, {})
            assert status == 200, told
            known = told["seq"]
            op = {"kind": "read", "told": [event["text"] for event in told["events"][1:]]}
        else:
            expected = None if kind > 0.9 else known
            headers = {"If-Match": "*" if expected is None else f'"{expected}"'}
            body = json.dumps({"events": [{"type": "note", "text": mark}]})
            op = {"kind": "append", "mark": mark, "expected": None if expected is None else expected - 1}
            if kind < 0.55:
                headers["Idempotency-Key"] = mark
            if kind < 0.35:
                # Sent, and never heard of again.
                ask(host, "POST", body, headers, lost=True)
                say(op | {"began": began})
                continue
            if kind < 0.55:
                for _ in range(rng.randrange(1, 3)):
                    ask(rng.choice(hosts), "POST", body, headers, lost=True)
                    time.sleep(rng.random() / 100)
            status, told = ask(host, "POST", body, headers)
            assert status in (201, 412), (status, told)
            known = told["seq"] if status == 201 else told["current"]
            op |= {"refused": status == 412, "told": known - 1}
        say(op | {"began": began, "ended": time.monotonic()})
workers = [threading.Thread(target=work, args=(f"{seed}.{number}",)) for number in range(int(threads))]
for worker in workers: worker.start()
for worker in workers: worker.join()
"""
OPEN = {"type": "open", "game": "diversity", "players": ["a", "b", "c", "d"]}


def history(token: str, match: str, hosts: Sequence[str], seed: str, count: int) -> list[Op]:
    """Let three processes of two threads each ask; return what they were told, and at last what there is."""
    clients = [
        subprocess.Popen(
            [sys.executable, "-c", CLIENT, token, match, f"{seed}.{number}", str(count), "2", *hosts],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENV,
        )
        for number in range(3)
    ]  # fmt: skip
    ops = []
    for client in clients:
        out, errors = client.communicate(timeout=300)
        assert not errors, errors
        for line in out.splitlines():
            said = json.loads(line)
            told = said.pop("told", None)
            ops.append(Op(**said, told=tuple(told) if isinstance(told, list) else told))
    return ops


def checked(at: object, views: Path, token: str, hosts: Sequence[str], seed: str, count: int, rounds: int) -> None:
    seen = Counter[str]()
    with Ledger(at, views=views) as ledger:  # type: ignore[arg-type]
        for number in range(rounds):
            match = ledger.record(None, [_opening()], 0).match
            ops = history(token, match, hosts, f"{seed}.{number}", count)
            # What is there when all are gone is what a last reader sees.
            marks = tuple(event.text for event in ledger.events(match)[1:])  # type: ignore[attr-defined]
            after = max(op.began for op in ops) + 1000
            assert linearizable([*ops, Op("read", after, after + 1, told=marks)]), ops
            seen.update(op.kind + " refused" * op.refused + " lost" * (op.ended > after) for op in ops)
            assert len(set(marks)) == len(marks)
        assert [error for _, error in ledger.verify() if error] == []
    assert {"append", "append refused", "append lost", "read"} <= seen.keys(), "all kinds, or this shows nothing"


def _opening():
    from cardledger.record.matches.shape import event_of

    return event_of(OPEN)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str, str]]:
    """A server of a file, and a token for it."""
    path = tmp_path / "club.db"
    with closing(Tokens(path)) as tokens:
        token = tokens.create("tester", "scorer", 1)
    with running(command("serve", "--db", str(path), "--port", "0", "--rate", "0")) as (address, _):
        yield path, address.removeprefix("http://"), token


@pytest.mark.long
def test_the_answers_to_clients_of_a_match_are_linearizable(served: tuple[Path, str, str], tmp_path: Path) -> None:
    path, host, token = served
    checked(path, tmp_path / "own.db", token, [host], "1", 15, 1)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_answers_to_clients_of_a_match_are_linearizable_many_times(
    served: tuple[Path, str, str], tmp_path: Path
) -> None:
    path, host, token = served
    checked(path, tmp_path / "own.db", token, [host], "2", 25, 12)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_answers_to_clients_of_two_servers_are_linearizable(url: str, tmp_path: Path) -> None:  # noqa: F811
    """Each client asks one server now and the other then, and sends again to the one what it has lost at the other."""
    Ledger(url, views=tmp_path / "own.db").close()
    with closing(Tokens(url)) as tokens:
        token = tokens.create("tester", "scorer", 1)
    with ExitStack() as stack:
        hosts = []
        for number in range(2):
            views = str(tmp_path / f"{number}.views.db")
            process = command("serve", "--port", "0", "--rate", "0", "--views", views, CARDLEDGER_DB=url)
            hosts.append(stack.enter_context(running(process))[0].removeprefix("http://"))
        checked(url, tmp_path / "own.db", token, hosts, "3", 25, 8)


# --- what checks is checked


def append(began: float, ended: float, mark: str, expected: int | None, told: int | None = None) -> Op:
    """Return an append that was done, or without an answer the expected one."""
    told = told if told is not None or expected is None else expected + 1
    return Op("append", began, ended, mark, expected, told=told)


def refused(began: float, ended: float, expected: int, current: int) -> Op:
    return Op("append", began, ended, "refused", expected, refused=True, told=current)


def lost(began: float, mark: str, expected: int) -> Op:
    return Op("append", began, mark=mark, expected=expected)


def read(began: float, ended: float, *marks: str) -> Op:
    return Op("read", began, ended, told=marks)


@pytest.mark.parametrize(
    "ops",
    [
        [],
        [append(0, 1, "a", 0), read(2, 3, "a")],
        [append(0, 9, "a", 0), read(1, 2), read(3, 4, "a")],
        [append(0, 9, "a", 0), append(0, 9, "b", 1), read(1, 2, "a"), read(3, 8, "a", "b")],
        [lost(0, "a", 0), read(1, 2), read(8, 9, "a")],
        [lost(0, "a", 0), read(1, 2), read(8, 9)],
        [lost(0, "a", 0), refused(1, 2, 0, 1), append(3, 4, "b", 1)],
        [append(0, 5, "a", 0), refused(1, 9, 0, 1)],
        [append(0, 5, "a", None, 2), append(0, 5, "b", None, 1), read(6, 7, "b", "a")],
    ],
)  # fmt: skip
def test_histories_that_have_an_order_are_recognised(ops: list[Op]) -> None:
    assert linearizable(ops)
    assert linearizable(ops[::-1])


BAD = {
    "an acknowledged event is lost": [append(0, 1, "a", 0), read(2, 3)],
    "an event is there twice": [append(0, 1, "a", 0), read(2, 3, "a", "a")],
    "an event is seen and then gone": [append(0, 9, "a", 0), read(1, 2, "a"), read(3, 4)],
    "a lost event comes, goes, and comes": [lost(0, "a", 0), read(1, 2, "a"), read(3, 4), read(5, 6, "a")],
    "two win the same number": [append(0, 5, "a", 0), append(0, 5, "b", 0)],
    "an event is read before it was sent": [read(0, 1, "a"), append(2, 3, "a", 0)],
    "two readers see two orders": [
        append(0, 9, "a", None, 1), append(0, 9, "b", None, 2), read(1, 2, "a"), read(3, 4, "b", "a"),
    ],
    "nobody was told why one is refused": [refused(0, 1, 0, 1)],
    "refused though it fits": [append(0, 1, "a", 0), refused(2, 3, 1, 1)],
    "the current number is an old one": [append(0, 1, "a", 0), append(2, 3, "b", 1), refused(4, 5, 0, 1)],
    "an answer is put where another was": [append(0, 1, "a", 0), append(2, 3, "b", 1), read(4, 5, "b", "a")],
    "a lost event takes the number of a stored one": [append(0, 1, "a", 0), lost(2, "b", 0), read(3, 4, "a", "b")],
    "the number told is another": [append(0, 1, "a", 0, told=2)],
    "a stale reader": [append(0, 1, "a", 0), append(2, 3, "b", 1), read(4, 5, "a")],
}  # fmt: skip


@pytest.mark.parametrize("ops", BAD.values(), ids=BAD)
def test_made_up_histories_without_an_order_are_rejected(ops: list[Op]) -> None:
    assert not linearizable(ops)


def test_a_history_with_one_lie_is_rejected() -> None:
    """Histories made by one log that many ask at random moments have an order; with an answer changed they mostly have none."""
    rejected = 0
    for seed in range(200):
        rng = Random(seed)
        log: list[str] = []
        ops = []
        for number in range(20):
            now = number * 1.0
            began, ended = now - rng.random() * 3, now + rng.random() * 3
            if rng.random() < 0.4:
                ops.append(read(began, ended, *log))
            elif rng.random() < 0.3 and log:
                ops.append(refused(began, ended, len(log) - 1, len(log)))
            else:
                ops.append(append(began, ended, str(number), len(log)))
                log.append(str(number))
        assert linearizable(rng.sample(ops, len(ops)))
        reads = [place for place, op in enumerate(ops) if op.kind == "read" and len(op.told or ()) > 1]  # type: ignore[arg-type]
        if reads:
            place = rng.choice(reads)
            first, second, *rest = ops[place].told  # type: ignore[misc]
            rejected += not linearizable(
                [*ops[:place], read(ops[place].began, ops[place].ended, second, first, *rest), *ops[place + 1 :]]
            )
            assert rejected
    assert rejected > 150
