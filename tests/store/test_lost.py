"""Lost connections and restarted servers: acknowledged events stay, and nothing is stored twice."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Self

import psycopg
import pytest

from cardledger.errors import ConflictError, LostError, StoreError
from cardledger.record.store import Append, postgres
from cardledger.record.store import postgres_server as server
from cardledger.record.store.address import Address
from cardledger.record.store.chain import START, chain
from cardledger.record.store.postgres import PostgresStore
from tests.clock import Clock
from tests.store.cluster import Cluster, programs, skip_without
from tests.store.contract import lines
from tests.waiting import LIMIT, wait_until

pytestmark = pytest.mark.long

LOST = psycopg.OperationalError("the connection is lost")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of the connections."""
    clock = Clock()
    monkeypatch.setattr(server, "time", clock)
    return clock


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """What lets the next appends fail: `before` they reach the server, or `after` they are committed."""
    real = postgres.appended

    def plan(*moments: str, error: psycopg.Error = LOST) -> None:
        waiting = [*moments]

        def appended(db: Any, *given: Any) -> Any:
            moment = waiting.pop(0) if waiting else None
            if moment == "before":
                raise error
            value = real(db, *given)
            if moment == "after":
                db.close()
                raise error
            return value

        monkeypatch.setattr(postgres, "appended", appended)

    return plan


@pytest.mark.parametrize("moments", [["before"], ["after"], ["before", "after"], ["before", "before", "before"]])
def test_an_append_whose_answer_is_lost_is_stored_once(
    pg: PostgresStore, failing: Callable[..., None], moments: list[str]
) -> None:
    pg.append([Append("a", 0, lines(2))])
    failing(*moments)
    grown = lines(4)
    firsts = pg.append([Append("b", 0, lines(3)), Append("a", 2, grown[2:])])
    assert firsts == [pg.read("b")[0].position, pg.read("a")[2].position]
    assert [(row.match, row.seq) for row in pg.read_all()] == [
        ("a", 1), ("a", 2), ("b", 1), ("b", 2), ("b", 3), ("a", 3), ("a", 4),
    ]  # fmt: skip
    assert pg.last_position() == pg.read("a")[-1].position


def test_stored_events_are_recognised_even_after_later_ones(
    pg: PostgresStore, other: PostgresStore, failing: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    new = lines(3)
    failing("after")
    recognise = pg.recognise

    def others_first(*given: Any) -> bool:
        monkeypatch.undo()
        other.append([Append("a", 2, new[2:])])
        return recognise(*given)

    monkeypatch.setattr(pg, "recognise", others_first)
    assert pg.append([Append("a", 0, new[:2])]) == [1]
    assert [row.hash for row in pg.read("a")] == [digest for _, digest in new]


def test_an_append_that_is_still_being_committed_is_waited_for(
    pg: PostgresStore, url: str, failing: Callable[..., None]
) -> None:
    """The connection is lost, but the server has not noticed: a retry must not be taken for a conflict."""
    (line, digest), *_ = lines(1)
    with psycopg.connect(url) as ghost:
        ghost.execute("SELECT append_events('a', '1', %s, %s, '', '', '1')", (line, digest))
        failing("before")
        threading.Timer(0.2, ghost.commit).start()
        assert pg.append([Append("a", 0, lines(1))]) == [1]
    assert len(pg.read("a")) == 1


def test_a_conflict_is_reported_after_a_lost_connection_too(
    pg: PostgresStore, other: PostgresStore, failing: Callable[..., None]
) -> None:
    other.append([Append("a", 0, chain(START, ['{"by":"somebody else"}']))])
    failing("before")
    with pytest.raises(ConflictError) as caught:
        pg.append([Append("a", 0, lines(1))])
    assert caught.value.current == 1


@pytest.mark.parametrize("error", [psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected])
def test_conflicting_transactions_are_retried(
    pg: PostgresStore, failing: Callable[..., None], error: type[psycopg.Error]
) -> None:
    failing("before", "before", error=error("try again"))
    assert pg.append([Append("a", 0, lines(1))]) == [1]


def test_an_error_without_remedy_is_reported_at_once(
    pg: PostgresStore, url: str, cluster: Cluster, clock: Clock
) -> None:
    cluster.run("ALTER TABLE events RENAME TO gone", url=url)
    with pytest.raises(StoreError) as caught:
        pg.append([Append("a", 0, lines(1))])
    assert caught.value.code == "store.write"
    with pytest.raises(StoreError) as caught:
        pg.read("a")
    assert caught.value.code == "store.open"
    assert clock.sleeps == 0, "nobody tries it again"


def test_nothing_is_lost_or_doubled_while_connections_are_cut(url: str, cluster: Cluster) -> None:
    chance = random.Random(1)
    with closing(patient(url)) as store:
        with Load(store, 4) as load:
            for _ in range(25):
                load.more(3)
                pids = cluster.run("SELECT pid FROM pg_stat_activity WHERE application_name = 'cardledger'")
                cluster.run(
                    *(f"SELECT pg_terminate_backend({pid})" for (pid,) in chance.sample(pids, min(2, len(pids))))
                )
        expect_all(store, load.acknowledged)


def patient(url: str) -> PostgresStore:
    """Open a ledger that gives up no sooner than the tests do, however long a server takes to come back."""
    return PostgresStore(Address(url), patience=LIMIT)


class Load:
    """Several threads that append until the end; the hashes that were acknowledged, by match."""

    def __init__(self, store: PostgresStore, writers: int) -> None:
        self.acknowledged: dict[str, list[bytes]] = {f"match-{number}": [] for number in range(writers)}
        self._store = store
        self._done = threading.Event()
        self._wrong: list[BaseException] = []
        self._threads = [threading.Thread(target=self._write, args=pair) for pair in self.acknowledged.items()]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        for thread in self._threads:
            thread.join(2 * LIMIT)
        assert self._wrong == []

    def more(self, events: int) -> None:
        """Wait until that many more events are acknowledged."""
        before = self._number
        wait_until(lambda: self._wrong or self._number >= before + events, "more events")
        assert self._wrong == []

    @property
    def _number(self) -> int:
        return sum(map(len, self.acknowledged.values()))

    def _write(self, match: str, known: list[bytes]) -> None:
        try:
            while not self._done.is_set():
                before = known[-1] if known else START
                new = chain(before, [f'{{"seq":{len(known) + number}}}' for number in range(3)])
                self._store.append([Append(match, len(known), new)])
                known += [digest for _, digest in new]
        except BaseException as error:  # noqa: BLE001 - the test is to hear of it
            self._wrong.append(error)


def expect_all(store: PostgresStore, acknowledged: dict[str, list[bytes]]) -> None:
    """Expect every acknowledged event exactly once, in the ledger and by following it."""
    assert {match: [row.hash for row in store.read(match)] for match in acknowledged} == acknowledged
    positions = [row.position for row in store.read_all()]
    assert len(positions) == len(set(positions)) == sum(map(len, acknowledged.values()))


# --- a server of its own, which goes away


@pytest.fixture
def own() -> Iterator[Cluster]:
    """A server that can be stopped, and writes commits to disk."""
    folder = programs()
    if folder is None:
        skip_without("PostgreSQL")
    opened = Cluster(folder, synced=True)
    yield opened
    opened.close()


@pytest.mark.long
def test_an_unreachable_server_is_reported_soon_and_used_again_when_it_is_back(own: Cluster, clock: Clock) -> None:
    with closing(PostgresStore(Address(own.fresh()), patience=0.5)) as store:
        store.append([Append("a", 0, lines(1))])
        own.stop()
        for most in (0.5 + server.LONGEST_PAUSE, 0.0):  # a later client does not wait as long again
            before = clock.slept
            with pytest.raises(LostError) as caught:
                store.read("a")
            assert clock.slept - before <= most
        assert caught.value.code == "store.lost"
        with pytest.raises(LostError, match=r"not known|not answered"):
            store.append([Append("a", 1, lines(1))])
        own.start()
        clock.now += server.LONGEST_PAUSE
        assert len(store.read("a")) == 1
        store.append([Append("b", 0, lines(1))])
        assert store.last_position() == store.read("b")[0].position


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL])
def test_a_restart_in_the_middle_of_a_load_loses_nothing_acknowledged(own: Cluster, how: signal.Signals) -> None:
    with closing(patient(own.fresh())) as store:
        with Load(store, 6) as load:
            for _ in range(4):
                load.more(125)
                own.stop(how)
                own.start()
            load.more(50)
        expect_all(store, load.acknowledged)


@pytest.mark.long
def test_a_killed_process_of_the_server_loses_nothing(own: Cluster) -> None:
    """PostgreSQL then ends all connections, recovers from its journal and goes on by itself."""
    with closing(patient(own.fresh())) as store:
        with Load(store, 6) as load:
            for _ in range(3):
                load.more(50)
                own.kill_one()
            load.more(50)
        expect_all(store, load.acknowledged)
