"""A process that is killed under load, writer or server, loses no acknowledged event and leaves nothing half done."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.thorough import many
from tests.trouble.clients import Client, at_work
from tests.trouble.look import expect_fits, expect_kept, expect_rebuilt_the_same
from tests.trouble.nursery import Child, Nursery
from tests.trouble.said import Said
from tests.waiting import LIMIT, wait_until

_DONE = 30
"""What a process has done at least when it ends, at most."""
_MOMENTS = 0.1
"""Seconds that it has from then on, at most."""
_EARLY = 0.15
"""How often it ends while it opens the ledger already."""
_LOOK = 3
"""After this many kills the ledger is checked; in between, the next process takes it as it is."""
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)")
_REFUSED = re.compile(r"cardledger: [a-z]+\.[a-z-]+: ")
_BACKED_UP = re.compile(r": ([\d,]+) events, ")


class Round:
    """A ledger whose writers are killed again and again, and their reports."""

    def __init__(self, nursery: Nursery, folder: Path, seed: str) -> None:
        self.nursery = nursery
        self.db = folder / "club.db"
        self.rng = Random(seed)
        self.said = Said()
        self.kills = 0
        self.again = 0
        """Requests that were sent again, as no answer had come."""

    def backing_up(self) -> list[Child]:
        """Return a process that copies the ledger to a second place, now and then."""
        if self.rng.random() < 0.7 or not self.db.exists() or not self.db.stat().st_size:
            return []
        return [self.nursery.born("keep_backing_up", self.db, self.db.with_name("second.db"))]

    def kill(self, child: Child, backups: Sequence[Child]) -> None:
        """Kill a process and its backup process, in any order."""
        both = [child, *backups]
        self.rng.shuffle(both)
        for each in both:
            status = each.kill()
            # A backup whose first pass finds that it cannot be done ends by itself, and says so.
            refused = each in backups and status == 2 and _REFUSED.match(each.wrong.read_text())
            assert status == -signal.SIGKILL or refused, each.wrong.read_text()
            assert "Traceback" not in each.wrong.read_text(), each.wrong.read_text()
        self.kills += 1
        for backup in backups:
            for events in _BACKED_UP.findall(backup.said.read_text()):
                self.said.copies.append(("second.db", int(events.replace(",", ""))))

    def look(self) -> None:
        """Expect everything in its place, after the last kill of all."""
        expect_fits(self.db, self.said)
        with Ledger(self.db) as ledger:
            expect_rebuilt_the_same(ledger)


def kill_writers(nursery: Nursery, folder: Path, seed: str, kills: int) -> Round:
    """Kill a number of writers of one ledger, each at another point of its work."""
    all = Round(nursery, folder, seed)
    for number in range(kills):
        backups = all.backing_up()
        writer = nursery.born("keep_recording", all.db, all.rng.getrandbits(32))
        if all.rng.random() > _EARLY:
            writer.wait_for_line(all.rng.randrange(1, _DONE))
        time.sleep(all.rng.random() * _MOMENTS)
        all.kill(writer, backups)
        new = Said()
        new.take(writer.lines())
        all.said.take(writer.lines())
        if number % _LOOK == 0:
            with Ledger(all.db) as ledger:
                expect_kept(ledger, new)
    all.look()
    return all


def kill_servers(nursery: Nursery, folder: Path, seed: str, kills: int) -> Round:
    """Kill a number of servers of one ledger while clients record."""
    all = Round(nursery, folder, seed)
    clients = [Client(f"{seed} {number}") for number in range(3)]
    for number in range(kills):
        backups = all.backing_up()
        server = nursery.born("keep_serving", all.db)
        threads = []
        if all.rng.random() > _EARLY:
            found = _ADDRESS.search(server.wait_for_line(2))
            assert found is not None
            threads = at_work(clients, int(found[1]), found[2])
            enough = sum(client.answers for client in clients) + all.rng.randrange(_DONE)
            wait_until(partial(_enough, clients, enough), f"{enough} answers")
        time.sleep(all.rng.random() * _MOMENTS)
        all.kill(server, backups)
        for thread in threads:
            thread.join(LIMIT)
            assert not thread.is_alive()
        assert [client.wrong for client in clients] == [[]] * len(clients), server.wrong.read_text()
        if number % _LOOK == 0:
            with Ledger(all.db) as ledger:
                for client in clients:
                    expect_kept(ledger, client.said)
    for client in clients:
        all.said.stored |= client.said.stored
        all.said.groups |= client.said.groups
    all.again = sum(client.again for client in clients)
    assert all.again, "nothing was under way at any kill"
    all.look()
    return all


def _enough(clients: Sequence[Client], answers: int) -> bool:
    """Tell whether clients have that many answers, or a wrong one."""
    return sum(client.answers for client in clients) >= answers or any(client.wrong for client in clients)


def expect_much(all: Round) -> None:
    """Expect that there was something to lose."""
    assert all.said.acknowledged > all.kills, "killed before they did anything: the test shows nothing"
    print(f"{all.kills} kills, {all.said.acknowledged} events acknowledged, {all.again} requests sent again, 0 lost")  # noqa: T201 - figures for the README


@pytest.mark.long
def test_a_killed_writer_loses_nothing(nursery: Nursery, quick: Path) -> None:
    expect_much(kill_writers(nursery, quick, "1", 12))


def test_a_killed_server_loses_nothing(nursery: Nursery, quick: Path) -> None:
    expect_much(kill_servers(nursery, quick, "2", 6))


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("ledger", range(10))
def test_many_killed_writers_of_a_ledger_lose_nothing(nursery: Nursery, quick: Path, ledger: int) -> None:
    """Ten times: 200 kills in CI, 500 before a release."""
    expect_much(kill_writers(nursery, quick, f"writers {ledger}", many(20, 50)))


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("ledger", range(10))
def test_many_killed_servers_of_a_ledger_lose_nothing(nursery: Nursery, quick: Path, ledger: int) -> None:
    """Ten times: 200 kills in CI, 500 before a release."""
    expect_much(kill_servers(nursery, quick, f"servers {ledger}", many(20, 50)))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["stored", "MATCH", 2, "some-id", "some-hash"], "is another"),
        (["stored", "MATCH", 3, "some-id", "some-hash"], "was acknowledged and is lost"),
        (["intend", "a group", "MATCH", 3], "half of something"),
    ],
)
def test_lost_and_half_written_events_are_detected(ledger: Ledger, words: list[str | int], told: str) -> None:
    """The proof that all this can fail."""
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))
    match = ledger.record(None, [opening, ev.Note(text="x")], 0).match
    said = Said()
    said.take([json.dumps(words).replace("MATCH", match)])
    with pytest.raises(AssertionError, match=told):
        expect_kept(ledger, said)
