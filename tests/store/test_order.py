"""The global order on PostgreSQL: no event is skipped, however long another takes, and no writer waits for it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import ConflictError
from cardledger.record.store import Append, postgres, postgres_schema
from cardledger.record.store.address import Address
from cardledger.record.store.postgres import PostgresStore
from tests.clock import Clock
from tests.store.cluster import Cluster
from tests.store.contract import lines
from tests.waiting import together


def begin(url: str, match: str) -> psycopg.Connection[Any]:
    """Return a connection with an uncommitted transaction that stores an event."""
    db = psycopg.connect(url)
    db.execute("SELECT append_events(%s, '1', '{}', %s, '', '', '1')", (match, bytes(32)))
    return db


def seen(store: PostgresStore, after: int = 0) -> list[str]:
    return [match for _, match in store.news(after, 100)]


def test_entries_after_an_event_being_sent_wait_for_it(pg: PostgresStore, other: PostgresStore, url: str) -> None:
    pg.append([Append("before", 0, lines(1))])
    with begin(url, "slow") as slow:
        other.append([Append("after", 0, lines(1))])
        assert seen(pg) == ["before"]
        assert pg.last_position() == pg.read("before")[0].position
        assert [row.match for row in pg.read_all()] == ["before"]
        assert len(pg.read("after")) == 1  # by its match it is read at once
        slow.commit()
    assert seen(pg) == ["before", "slow", "after"]
    assert [row.match for row in pg.read_all()] == ["before", "slow", "after"]


def test_writers_wait_for_no_reader(pg: PostgresStore, url: str) -> None:
    with begin(url, "slow"), begin(url, "slower"):  # both are under way until all is stored
        for number in range(20):
            pg.append([Append(str(number), 0, lines(1))])
        assert len(pg.read("19")) == 1


def test_an_unused_position_blocks_no_reader(pg: PostgresStore, url: str) -> None:
    with begin(url, "gone") as slow:
        slow.rollback()
    pg.append([Append("a", 0, lines(1))])
    assert [match for _, match in pg.news(0, 10)] == ["a"]
    assert pg.read("a")[0].position == 2


def test_a_writer_that_dies_blocks_no_other(pg: PostgresStore, url: str, cluster: Cluster) -> None:
    with closing(begin(url, "dead")) as dead:
        pid = dead.info.backend_pid
        cluster.run(f"SELECT pg_terminate_backend({pid}, 5000)")
    pg.append([Append("a", 0, lines(1))])
    assert seen(pg) == ["a"]


def test_a_writer_reads_its_event_as_soon_as_others_are_done(pg: PostgresStore, url: str, clock: Clock) -> None:
    with begin(url, "slow") as slow:
        pg.append([Append("own", 0, lines(1))])
        clock.then = lambda: slow.commit() if clock.sleeps == 5 else None
        assert seen(pg) == ["slow", "own"]
        assert clock.sleeps >= 5 and clock.slept < postgres.OWN


def test_a_writer_waits_once_and_not_forever(pg: PostgresStore, url: str, clock: Clock) -> None:
    with begin(url, "slow"):
        pg.append([Append("own", 0, lines(1))])
        assert seen(pg) == []
        assert postgres.OWN <= clock.slept < postgres.OWN + 1
        waited = clock.sleeps
        assert seen(pg) == []
        assert clock.sleeps == waited, "it does not wait again"
    assert seen(pg) == ["slow", "own"]


def test_the_last_position_never_goes_back(pg: PostgresStore, url: str) -> None:
    """A writer that looked at the last position long ago takes its lock late: nobody goes back for that."""
    pg.append([Append("a", 0, lines(3))])
    last = pg.last_position()
    with psycopg.connect(url) as late:
        late.execute("SELECT pg_advisory_xact_lock_shared(position_lock(0))")
        assert pg.last_position() == last
        with closing(PostgresStore(Address(url))) as fresh:
            assert fresh.last_position() == 0  # it cannot know, and is careful
            assert fresh.last_given() == last


def test_positions_lost_in_a_crash_are_safe_too(
    cluster: Cluster, pg: PostgresStore, other: PostgresStore, url: str
) -> None:
    """Numbers of uncommitted events may be given out again: readers must not rely on them."""
    pg.append([Append("a", 0, lines(5))])
    with begin(url, "lost") as lost:
        lost.rollback()
    assert pg.last_given() == 6
    assert pg.last_position() == 5
    cluster.run("SELECT setval('positions', 5)", url=url)
    with begin(url, "slow") as slow:
        other.append([Append("b", 0, lines(1))])
        cluster.run("SELECT setval('positions', 7)", url=url)
        assert seen(pg, 5) == []
        slow.commit()
    assert seen(pg, 5) == ["slow", "b"]


def test_positions_of_a_crashed_server_are_not_given_out_again(cluster: Cluster, pg: PostgresStore, url: str) -> None:
    """As after a crash that lost the last numbers, with events on other servers that did not crash."""
    pg.append([Append("a", 0, lines(5))])
    cluster.run("SELECT setval('positions', 2)", url=url)
    with closing(PostgresStore(Address(url))) as again:
        again.append([Append("b", 0, lines(1))])
        assert again.read("b")[0].position == 6
        assert seen(again) == ["a"] * 5 + ["b"]


# --- every order in which steps can happen

LOOK = "SELECT last_value FROM positions"
LOCKS = """SELECT min((classid::bigint & 65535) << 32 | objid::bigint) FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid::bigint >> 16 = position_lock(0) >> 48"""
INSERT = "INSERT INTO events SELECT %s, 1, nextval('positions'), '{}', '' RETURNING position"
ROWS = "SELECT position FROM events WHERE position > %s AND position <= %s ORDER BY position"


class Writer:
    """Stores events in steps, as `append_events` does: looks, locks, stores, commits or not."""

    def __init__(self, url: str, committed: list[int]) -> None:
        self.db = psycopg.connect(url)
        self.committed = committed
        self.steps = 0

    def step(self, well: bool) -> None:
        match self.steps % 4:
            case 0:
                self.low = self.one(LOOK)
            case 1:
                self.one("SELECT pg_advisory_xact_lock_shared(position_lock(%s))", self.low)
            case 2:
                self.position = self.one(INSERT, f"{id(self)}-{self.steps}")
            case 3 if well:
                self.db.commit()
                self.committed.append(self.position)
            case 3:
                self.db.rollback()
        self.steps += 1

    def one(self, query: str, *given: object) -> Any:
        row = self.db.execute(query, given).fetchone()
        return row and row[0]


class Reader:
    """Follows the ledger in steps, as `safe_position` and `news` do: looks, looks at the locks, reads."""

    def __init__(self, url: str) -> None:
        self.db = psycopg.connect(url, autocommit=True)
        self.found: list[int] = [0]
        self.steps = 0

    def step(self, _: bool) -> None:
        match self.steps % 3:
            case 0:
                self.latest = self.db.execute(LOOK).fetchall()[0][0]
            case 1:
                held = self.db.execute(LOCKS).fetchall()[0][0]
                self.upto = self.latest if held is None else min(self.latest, held)
            case 2:
                self.found += [position for (position,) in self.db.execute(ROWS, (self.found[-1], self.upto))]
        self.steps += 1


def test_the_steps_tried_here_are_those_of_the_program() -> None:
    text = " ".join(postgres_schema.SCHEMA.decode().split())
    assert " ".join(LOCKS.split()).replace(" FROM pg_locks", " INTO held FROM pg_locks") in text
    order = ["SELECT last_value INTO latest", "INTO held FROM pg_locks", "RETURN least(latest, held)"]
    assert sorted(order, key=text.index) == order
    order = [
        "_lock_shared(position_lock(last_value)) FROM positions;",
        "SELECT nextval('positions') FROM gen",
        "INSERT",
    ]
    assert sorted(order, key=text.index) == order


@pytest.mark.long
def test_no_order_of_steps_lets_a_reader_skip_an_event(url: str, pg: PostgresStore) -> None:
    committed: list[int] = []
    writers = [Writer(url, committed) for _ in range(3)]
    readers = [Reader(url) for _ in range(2)]
    actors = [*writers, *readers]

    one = st.tuples(st.integers(0, 4), st.integers(1, 4), st.sampled_from([True, True, False]))

    @settings(max_examples=40)
    @given(st.lists(one, min_size=40, max_size=60))
    def follow(order: list[tuple[int, int, bool]]) -> None:
        for actor, steps, well in order:
            for _ in range(steps):
                actors[actor].step(well)
        for writer in writers:
            while writer.steps % 4:
                writer.step(True)
        for reader in readers:
            for _ in range(6):
                reader.step(True)
            assert reader.found[1:] == sorted(committed)

    follow()
    for actor in actors:
        actor.db.close()


def slowed(text: str) -> str:
    """Return the schema with a pause of chance between the statements of the functions."""
    text = re.sub(r"(?m)^    (?=given :=|INSERT|RETURN ARRAY)", "    PERFORM pg_sleep(random() * 0.01); ", text)
    return re.sub(r"(?m)(latest FROM positions;|>> 48;)$", r"\1 PERFORM pg_sleep(random() * 0.01);", text, count=1)


@pytest.mark.long
def test_nobody_skips_an_event_while_many_write_slowly(
    cluster: Cluster, fresh: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The functions themselves, each statement of which takes its time."""
    schema = slowed(postgres_schema.SCHEMA.decode())
    assert schema.count("pg_sleep") == 4
    monkeypatch.setattr(postgres, "SCHEMA", schema.encode())
    url = fresh()
    done = threading.Event()
    found: list[list[int]] = [[], [], []]

    def write(store: PostgresStore, own: str) -> None:
        for seq in range(25):
            store.append([Append(own, seq, [("{}", bytes(32))])])
            with suppress(ConflictError):
                store.append([Append("shared", seq, [("{}", bytes(32))])])

    def follow(store: PostgresStore, into: list[int]) -> None:
        last = False
        while not last:
            last = done.is_set()
            into += [position for position, _ in store.news(into[-1] if into else 0, 7 if not last else 1000)]

    stores = [PostgresStore(Address(url)) for _ in range(8)]

    def write_all() -> None:
        try:
            together(*(partial(write, store, f"own-{at}") for at, store in enumerate(stores[:5])))
        finally:
            done.set()

    together(write_all, *(partial(follow, *pair) for pair in zip(stores[5:], found, strict=True)))
    rows = cluster.run("SELECT position FROM events ORDER BY position", url=url)
    assert len(rows) >= 5 * 25 + 25
    for positions in found:
        assert positions == [position for (position,) in rows]
    for store in stores:
        store.close()
