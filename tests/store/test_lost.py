"""Lost connections and restarted servers: acknowledged events stay, and nothing is stored twice."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from cardledger.errors import ConflictError, LostError, StoreError
from cardledger.store import Append, postgres
from cardledger.store import postgres_server as server
from cardledger.store.address import Address
from cardledger.store.chain import START, chain
from cardledger.store.postgres import PostgresStore
from tests.store.cluster import Cluster, programs, skip_without
from tests.store.contract import lines

pytestmark = pytest.mark.long

LOST = psycopg.OperationalError("the connection is lost")


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


def test_an_error_without_remedy_is_reported_at_once(pg: PostgresStore, url: str, cluster: Cluster) -> None:
    cluster.run("ALTER TABLE events RENAME TO gone", url=url)
    start = time.monotonic()
    with pytest.raises(StoreError) as caught:
        pg.append([Append("a", 0, lines(1))])
    assert caught.value.code == "store.write"
    with pytest.raises(StoreError) as caught:
        pg.read("a")
    assert caught.value.code == "store.open"
    assert time.monotonic() - start < 1


def test_nothing_is_lost_or_doubled_while_connections_are_cut(pg: PostgresStore, url: str, cluster: Cluster) -> None:
    done = threading.Event()

    def cut() -> None:
        chance = random.Random(1)
        for _ in range(25):
            time.sleep(0.03)
            pids = cluster.run("SELECT pid FROM pg_stat_activity WHERE application_name = 'cardledger'")
            cluster.run(*(f"SELECT pg_terminate_backend({pid})" for (pid,) in chance.sample(pids, min(2, len(pids)))))
        done.set()

    cutter = threading.Thread(target=cut)
    cutter.start()
    acknowledged = load(pg, 4, done)
    cutter.join()
    expect_all(pg, acknowledged)
    assert sum(map(len, acknowledged.values())) > 50


def load(store: PostgresStore, writers: int, until: threading.Event) -> dict[str, list[bytes]]:
    """Append from several threads until something happens; return the hashes that were acknowledged, by match."""
    acknowledged: dict[str, list[bytes]] = {f"match-{number}": [] for number in range(writers)}
    wrong: list[BaseException] = []

    def write(match: str, known: list[bytes]) -> None:
        try:
            while not until.is_set():
                before = known[-1] if known else START
                new = chain(before, [f'{{"seq":{len(known) + number}}}' for number in range(3)])
                store.append([Append(match, len(known), new)])
                known += [digest for _, digest in new]
        except BaseException as error:  # noqa: BLE001 - the test is to hear of it
            wrong.append(error)

    threads = [threading.Thread(target=write, args=pair) for pair in acknowledged.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    return acknowledged


def expect_all(store: PostgresStore, acknowledged: dict[str, list[bytes]]) -> None:
    """Expect every acknowledged event exactly once, in the ledger and by following it."""
    assert {match: [row.hash for row in store.read(match)] for match in acknowledged} == acknowledged
    positions = [row.position for row in store.read_all()]
    assert len(positions) == len(set(positions)) == sum(map(len, acknowledged.values()))


def survived(store: PostgresStore, writers: int, trouble: Callable[[], None]) -> int:
    """Store events during the trouble and for a second after it; expect the acknowledged ones, and return their number."""
    done = threading.Event()

    def troubled() -> None:
        try:
            trouble()
            time.sleep(1)
        finally:
            done.set()

    thread = threading.Thread(target=troubled)
    thread.start()
    acknowledged = load(store, writers, done)
    thread.join()
    expect_all(store, acknowledged)
    return sum(map(len, acknowledged.values()))


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
def test_an_unreachable_server_is_reported_soon_and_used_again_when_it_is_back(own: Cluster) -> None:
    with closing(PostgresStore(Address(own.fresh()), patience=0.5)) as store:
        store.append([Append("a", 0, lines(1))])
        own.stop()
        for most in (1.5, 0.2):  # a later client does not wait as long again
            start = time.monotonic()
            with pytest.raises(LostError) as caught:
                store.read("a")
            assert time.monotonic() - start < most
        assert caught.value.code == "store.lost"
        with pytest.raises(LostError, match=r"not known|not answered"):
            store.append([Append("a", 1, lines(1))])
        own.start()
        time.sleep(server.LONGEST_PAUSE)
        assert len(store.read("a")) == 1
        store.append([Append("b", 0, lines(1))])
        assert store.last_position() == store.read("b")[0].position


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL])
def test_a_restart_in_the_middle_of_a_load_loses_nothing_acknowledged(own: Cluster, how: signal.Signals) -> None:
    with closing(PostgresStore(Address(own.fresh()))) as store:

        def restart() -> None:
            for _ in range(4):
                time.sleep(0.7)
                own.stop(how)
                time.sleep(0.2)
                own.start()

        assert survived(store, 6, restart) > 500


@pytest.mark.long
def test_a_killed_process_of_the_server_loses_nothing(own: Cluster) -> None:
    """PostgreSQL then ends all connections, recovers from its journal and goes on by itself."""
    with closing(PostgresStore(Address(own.fresh()))) as store:

        def kill() -> None:
            for _ in range(3):
                time.sleep(0.7)
                own.kill_one()

        survived(store, 6, kill)
