"""Notifications: a listener hears at once about events of others, and PostgreSQL is not kept busy."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest

from cardledger.record.store import Append
from cardledger.record.store.postgres import PostgresStore
from tests.store.cluster import Cluster
from tests.store.contract import lines
from tests.store.test_order import begin
from tests.waiting import LIMIT, together, wait_until

POLL = "cardledger.record.store.notifications.POLL"
HOUR = 3600.0


class Ear:
    """Hears the notifications of a store."""

    def __init__(self, store: PostgresStore) -> None:
        self.store = store
        self.times = 0
        self.last = -1
        assert store.tell(self.hear)
        self.expect(0)  # the first look

    def hear(self) -> None:
        self.last = self.store.last_position()
        self.times += 1

    def expect(self, position: int) -> None:
        """Wait until a notification has led to an event."""
        wait_until(lambda: self.last >= position, f"news of event {position}")


def test_events_of_another_server_are_announced_at_once(
    pg: PostgresStore, other: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(POLL, HOUR)  # nobody finds them by looking
    ear = Ear(other)
    Ear(pg)
    for number in range(3):
        pg.append([Append(str(number), 0, lines(1))])
        ear.expect(number + 1)


def test_unannounced_events_are_found_by_polling(
    pg: PostgresStore, other: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(POLL, 0.02)
    ear = Ear(other)
    pg.append([Append("a", 0, lines(1))])  # its notifier is asleep: nobody waits for it there
    ear.expect(1)


def test_an_event_that_had_to_wait_for_another_is_announced_too(
    pg: PostgresStore, other: PostgresStore, url: str
) -> None:
    ear = Ear(other)
    Ear(pg)
    with begin(url, "slow") as slow:
        before = ear.times
        pg.append([Append("a", 0, lines(1))])
        wait_until(lambda: ear.times > before, "the message about it")
        assert other.last_position() == 0
        slow.commit()
    ear.expect(2)


def test_notifications_resume_after_a_lost_connection(
    pg: PostgresStore, other: PostgresStore, cluster: Cluster, url: str
) -> None:
    ear = Ear(other)
    cluster.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT safe_position%'")
    pg.append([Append("a", 0, lines(1))])
    ear.expect(1)
    Ear(pg)
    with begin(url, "slow") as slow:  # whoever looks sees nothing new until this is over
        before = ear.times
        pg.append([Append("b", 0, lines(1))])
        wait_until(lambda: ear.times > before, "the message about it")
        slow.rollback()


def test_many_appends_are_few_messages(pg: PostgresStore, url: str) -> None:
    Ear(pg)
    with psycopg.connect(url, autocommit=True) as db:
        channel = db.execute("SELECT 'cardledger ' || 'events'::regclass::oid").fetchall()[0][0]
        db.execute(f'LISTEN "{channel}"')
        start = time.monotonic()
        for number in range(150):
            pg.append([Append(str(number), 0, lines(1))])
        told = len([*db.notifies(timeout=LIMIT, stop_after=1), *db.notifies(timeout=0.3)])
        assert 1 <= told <= (time.monotonic() - start) / 0.05 + 1  # a slow machine allows more


def test_notifications_end_with_their_store(pg: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(POLL, HOUR)
    Ear(pg)
    assert any(thread.name == "notifier" for thread in threading.enumerate())
    together(pg.close)
    assert not any(thread.name == "notifier" for thread in threading.enumerate())
