"""Notifications: a listener hears within a second about events of others, and PostgreSQL is not kept busy."""

from __future__ import annotations

import threading
import time

import psycopg

from cardledger.store import Append
from cardledger.store.notifications import POLL
from cardledger.store.postgres import PostgresStore
from tests.store.cluster import Cluster
from tests.store.contract import lines
from tests.store.test_order import begin


class Ear:
    """Hears the notifications of a store."""

    def __init__(self, store: PostgresStore) -> None:
        self.heard = threading.Event()
        assert store.tell(self.heard.set)
        self.expect(5)  # the first look

    def expect(self, seconds: float) -> float:
        """Wait to hear something; return after how many seconds."""
        start = time.monotonic()
        assert self.heard.wait(seconds)
        self.heard.clear()
        return time.monotonic() - start


def test_events_of_another_server_are_announced_at_once(pg: PostgresStore, other: PostgresStore) -> None:
    ear = Ear(other)
    Ear(pg)
    for number in range(3):
        time.sleep(0.1)
        pg.append([Append(str(number), 0, lines(1))])
        assert ear.expect(POLL) < POLL / 2
        assert other.last_position() == number + 1


def test_unannounced_events_are_found_by_polling(pg: PostgresStore, other: PostgresStore) -> None:
    ear = Ear(other)
    pg.append([Append("a", 0, lines(1))])  # its notifier is asleep: nobody waits for it there
    ear.expect(2 * POLL)


def test_an_event_that_had_to_wait_for_another_is_announced_too(
    pg: PostgresStore, other: PostgresStore, url: str
) -> None:
    ear = Ear(other)
    Ear(pg)
    with begin(url, "slow") as slow:
        pg.append([Append("a", 0, lines(1))])
        ear.expect(POLL)
        assert other.last_position() == 0
        slow.commit()
    ear.expect(2 * POLL)
    assert other.last_position() == 2


def test_notifications_resume_after_a_lost_connection(
    pg: PostgresStore, other: PostgresStore, cluster: Cluster
) -> None:
    ear = Ear(other)
    cluster.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT safe_position%'")
    pg.append([Append("a", 0, lines(1))])
    ear.expect(3 * POLL)
    Ear(pg)
    time.sleep(0.2)
    pg.append([Append("b", 0, lines(1))])
    assert ear.expect(POLL) < POLL / 2


def test_many_appends_are_few_messages(pg: PostgresStore, url: str) -> None:
    Ear(pg)
    with psycopg.connect(url, autocommit=True) as db:
        channel = db.execute("SELECT 'cardledger ' || 'events'::regclass::oid").fetchall()[0][0]
        db.execute(f'LISTEN "{channel}"')
        start = time.monotonic()
        for number in range(150):
            pg.append([Append(str(number), 0, lines(1))])
        told = len([*db.notifies(timeout=0.3)])
        assert 1 <= told <= (time.monotonic() - start) / 0.05 + 1


def test_notifications_end_with_their_store(pg: PostgresStore) -> None:
    Ear(pg)
    assert any(thread.name == "notifier" for thread in threading.enumerate())
    start = time.monotonic()
    pg.close()
    assert time.monotonic() - start < POLL
    assert not any(thread.name == "notifier" for thread in threading.enumerate())
