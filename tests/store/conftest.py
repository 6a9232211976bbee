"""A PostgreSQL server for the tests that want one, started when the first of them runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardledger.record.store import postgres
from cardledger.record.store.address import Address
from cardledger.record.store.postgres import PostgresStore
from tests.clock import Clock
from tests.store.cluster import Cluster, programs, skip_without


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not touch the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A server that is there all the time; each test takes a schema of its own."""
    folder = programs()
    if folder is None:
        skip_without("PostgreSQL")
    opened = Cluster(folder)
    yield opened
    opened.close()


@pytest.fixture
def fresh(cluster: Cluster) -> Callable[[], str]:
    """What gives the address of an empty schema."""
    return cluster.fresh


@pytest.fixture
def url(fresh: Callable[[], str]) -> str:
    """The address of an empty schema."""
    return fresh()


@pytest.fixture
def pg(url: str) -> Iterator[PostgresStore]:
    """An empty ledger in PostgreSQL."""
    opened = PostgresStore(Address(url))
    yield opened
    opened.close()


@pytest.fixture
def other(url: str, pg: PostgresStore) -> Iterator[PostgresStore]:
    """The same ledger as another server has it open."""
    opened = PostgresStore(Address(url))
    yield opened
    opened.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of a store in PostgreSQL, which passes only while it waits."""
    clock = Clock()
    monkeypatch.setattr(postgres, "time", clock)
    return clock
