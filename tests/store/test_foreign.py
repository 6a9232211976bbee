"""Partitions on three PostgreSQL servers, set up as the documents say: the same contract, the same order, nothing lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from cardledger.record.matches.matchfile import read_file
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import Append
from cardledger.record.store.address import Address
from cardledger.record.store.postgres import PostgresStore
from tests.conftest import SAMPLES
from tests.documents import DOCUMENTS
from tests.store import test_order
from tests.store.cluster import Cluster, programs, skip_without
from tests.store.contract import StoreContract, lines
from tests.store.test_lost import Load, expect_all, patient

pytestmark = pytest.mark.long
RECIPE = re.search(
    r"```sql\n(CREATE EXTENSION.+?)```", DOCUMENTS["ledger/cardledger/record/store/README.md"], re.DOTALL
)[1]  # type: ignore[index]
SHARES = {"second": (6, 10), "third": (11, 15)}


class Three:
    """Three servers; the first one knows the others."""

    def __init__(self, clusters: list[Cluster]) -> None:
        self.first, *others = clusters
        self.others = dict(zip(SHARES, others, strict=True))
        self.number = 0
        head, _, self.tables = RECIPE.partition("DO $$")
        for name, other in self.others.items():
            head_of = (
                head.replace("second", name).replace("db2.example.org", "127.0.0.1").replace("5432", str(other.port))
            )
            self.first.run(
                head_of.replace("dbname 'ledger'", "dbname 'postgres'")
                .replace("FOR club", "FOR postgres")
                .replace("'club'", "'postgres'")
            )

    def fresh(self) -> str:
        """Return the address of a new ledger with partitions on all three."""
        self.number += 1
        schema = f"spread_{self.number}"
        for each in (*self.others.values(), self.first):
            each.run(f"CREATE SCHEMA {schema}")
            PostgresStore(Address(each.url(schema=schema))).close()
        url = self.first.url(schema=schema)
        for name, (low, high) in SHARES.items():
            text = self.tables.replace("SERVER second", f"SERVER {name}").replace("''public''", f"''{schema}''")
            self.first.run("DO $$" + text.replace("6 .. 10", f"{low} .. {high}"), url=url)
        return url


@pytest.fixture(scope="module")
def three() -> Iterator[Three]:
    folder = programs(foreign=True)
    if folder is None:
        skip_without("PostgreSQL with postgres_fdw")
    with ExitStack() as stack:
        yield Three([stack.enter_context(closing(Cluster(folder, synced=True))) for _ in range(3)])


@pytest.fixture
def fresh(three: Three) -> Callable[[], str]:
    return three.fresh


@pytest.fixture
def cluster(three: Three) -> Cluster:
    return three.first


@pytest.fixture
def store(pg: PostgresStore) -> PostgresStore:
    return pg


class TestThreeServers(StoreContract):
    """The contract."""

    three: Three

    @pytest.fixture(autouse=True)
    def _where(self, three: Three) -> None:
        type(self).three = three

    def fresh(self) -> PostgresStore:
        return PostgresStore(Address(self.three.fresh()))


class TestOrder:
    """The promises about order, for commits that span several servers."""

    test_late = staticmethod(test_order.test_entries_after_an_event_being_sent_wait_for_it)
    test_own = staticmethod(test_order.test_a_writer_reads_its_event_as_soon_as_others_are_done)
    test_crashed = staticmethod(test_order.test_positions_of_a_crashed_server_are_not_given_out_again)
    test_slow = staticmethod(test_order.test_nobody_skips_an_event_while_many_write_slowly)


def test_events_on_all_three_servers_are_read_as_one(pg: PostgresStore, three: Three, url: str) -> None:
    firsts = pg.append([Append(f"m{number}", 0, lines(2)) for number in range(100)])
    schema = f"spread_{three.number}"
    counts = [
        each.run("SELECT count(*) FROM events", url=each.url(schema=schema))[0][0] for each in three.others.values()
    ]
    assert all(30 < count < 110 for count in counts), counts
    assert firsts == [1 + 2 * number for number in range(100)]
    assert [row.position for row in pg.read_all()] == [*range(1, 201)]
    assert pg.matches() == [f"m{number}" for number in range(100)]
    plan = three.first.run("EXPLAIN SELECT position FROM events WHERE match = 'm1' AND seq > 1 ORDER BY seq", url=url)
    assert "events_" in str(plan)
    assert len(set(re.findall(r"events_\d+", str(plan)))) == 1  # a match asks one server


def test_events_on_other_servers_are_not_changed_through_the_first(pg: PostgresStore, url: str) -> None:
    pg.append([Append(f"m{number}", 0, lines(1)) for number in range(20)])
    with psycopg.connect(url, autocommit=True) as db:
        for statement in (
            "UPDATE events SET line = '{}'",
            "DELETE FROM events",
            "TRUNCATE events",
            "DELETE FROM events_7",
        ):
            with pytest.raises(psycopg.errors.RaiseException, match="events are never changed or deleted"):
                db.execute(statement)


def test_a_ledger_with_events_is_not_deleted(pg: PostgresStore, three: Three, url: str) -> None:
    pg.append([Append("a", 0, lines(1))])
    with pytest.raises(psycopg.errors.RaiseException, match="there are events already"):
        three.first.run("DO $$" + three.tables, url=url)


def test_matches_are_imported_judged_and_verified(url: str, tmp_path: Path) -> None:
    with Ledger(url, views=tmp_path / "views.db") as ledger:
        for path in sorted(SAMPLES.glob("*.jsonl")):
            assert all(found.new for found in ledger.import_matches(read_file(path)))  # type: ignore[union-attr]
        assert [error for _, error in ledger.verify() if error] == []
        assert ledger.count() == len([*ledger.store.read_all()])


@pytest.mark.parametrize("which", ["first", "second"])
def test_a_restart_of_one_of_them_loses_nothing_acknowledged(three: Three, url: str, which: str) -> None:
    unlucky = three.first if which == "first" else three.others[which]
    with closing(patient(url)) as store:
        with Load(store, 12) as load:
            for _ in range(3):
                load.more(70)
                unlucky.stop()
                unlucky.start()
            load.more(70)
        expect_all(store, load.acknowledged)
