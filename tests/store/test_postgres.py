"""The event store on PostgreSQL: the contract, and what it promises as a database."""

from __future__ import annotations

import subprocess
import sys
import threading
import traceback
from contextlib import closing

import psycopg
import pytest

from api.tokens import Tokens
from ledger.errors import StoreError
from ledger.people import STREAM
from ledger.store import Append, postgres
from ledger.store.naming import anew
from ledger.store.postgres import PostgresStore
from ledger.store.where import Address
from tests.store.cluster import PASSWORD, Cluster
from tests.store.contract import StoreContract, erasing, lines, naming


@pytest.fixture
def store(pg: PostgresStore) -> PostgresStore:
    return pg


class TestPostgresStore(StoreContract):
    """The contract on PostgreSQL."""

    cluster: Cluster

    @pytest.fixture(autouse=True)
    def _where(self, cluster: Cluster) -> None:
        type(self).cluster = cluster

    def fresh(self) -> PostgresStore:
        return PostgresStore(Address(self.cluster.fresh()))


class TestShortPages:
    """What the contract says of reading, with pages so short that everything is read in several."""

    test_all = StoreContract.test_reading_all_follows_the_order_of_the_ledger
    test_pieces = StoreContract.test_one_append_may_hold_a_match_in_several_pieces
    test_whole = StoreContract.test_recordings_hold_every_match_whole
    test_share = StoreContract.test_recordings_may_be_those_of_a_share_and_up_to_a_position

    @pytest.fixture(autouse=True)
    def _short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(postgres, "_PAGE", 2)
        monkeypatch.setattr(postgres, "_FIRST_PAGE", 1)


TABLES = ["events", *(f"events_{number}" for number in range(16))]


@pytest.mark.parametrize("statement", ["UPDATE {} SET line = '{{}}'", "DELETE FROM {}", "TRUNCATE {}"])
def test_events_are_never_changed_or_deleted(pg: PostgresStore, url: str, statement: str) -> None:
    pg.append([Append(str(number), 0, lines(2)) for number in range(40)])
    with psycopg.connect(url, autocommit=True) as db:
        for table in TABLES:
            with pytest.raises(psycopg.errors.RaiseException, match="events are never changed or deleted"):
                db.execute(statement.format(table))
    assert len([*pg.read_all()]) == 80


def test_what_is_acknowledged_is_on_disk_and_all_that_is_committed_is_seen_whatever_the_defaults_are(url: str) -> None:
    options = "%20-csynchronous_commit%3Doff%20-cdefault_transaction_isolation%3Dserializable"
    with closing(PostgresStore(Address(url + options))) as store, store.server.connection() as db:
        assert db.execute("SHOW synchronous_commit").fetchone() == ("on",)
        assert db.execute("SHOW transaction_isolation").fetchone() == ("read committed",)


def test_a_stricter_default_is_left_alone(url: str) -> None:
    stricter = Address(f"{url}%20-csynchronous_commit%3Dremote_apply")
    with closing(PostgresStore(stricter)) as store, store.server.connection() as db:
        assert db.execute("SHOW synchronous_commit").fetchone() == ("remote_apply",)


def test_people_see_the_lines_as_columns(pg: PostgresStore, cluster: Cluster, url: str) -> None:
    pg.append([Append("a", 0, [('{"type":"play","seat":1,"card":"9S","text":"\\u0000 \\\\u0000"}', bytes(32))])])
    assert cluster.run("SELECT match, seq, type, seat, card, hash FROM log", url=url) == [
        ("a", 1, "play", "1", "9S", "00" * 32)
    ]


def test_a_line_that_is_no_canonical_json_is_refused(pg: PostgresStore) -> None:
    for line in ("a\nb", "a\0b"):
        with pytest.raises(StoreError) as caught:
            pg.append([Append("a", 0, [("{}", bytes(32)), (line, bytes(32))])])
        assert caught.value.code == "store.write"
    assert pg.read("a") == []


def test_a_role_that_may_only_add_can_do_all_a_server_does(pg: PostgresStore, cluster: Cluster, url: str) -> None:
    schema = url.partition("search_path%3D")[2]
    with closing(Tokens(url)) as tokens:
        tokens.create("first", "admin", 1)
        cluster.run(
            "DROP ROLE IF EXISTS adder", "CREATE ROLE adder LOGIN", f"GRANT USAGE ON SCHEMA {schema} TO adder",
            "GRANT SELECT, INSERT ON events TO adder", "GRANT USAGE, SELECT ON positions TO adder",
            "GRANT SELECT, INSERT ON names TO adder",
            "GRANT SELECT, INSERT, UPDATE ON tokens TO adder", url=url,
        )  # fmt: skip
    adder = cluster.url(schema=schema, user="adder")
    with closing(PostgresStore(Address(adder))) as store, closing(Tokens(adder)) as tokens:
        store.append([Append("a", 0, lines(2))])
        assert [row.seq for row in store.read_all()] == [1, 2]
        assert store.last_position() == store.last_given() == 2
        ana = anew("player", "ana")
        store.append([Append("b", 0, naming(ana), [ana], anew=True)])
        assert [*store.named("player")] == [ana]
        gone = [Append(STREAM, 0, erasing([[ana.pseudonym]]))]
        with pytest.raises(StoreError, match="permission denied"):
            store.append(gone)
        assert [*store.named("player")] == [ana]
        cluster.run("GRANT DELETE ON names TO adder", url=url)
        store.append(gone)
        assert [*store.named("player")] == []
        tokens.create("ana", "reader", 1)
        tokens.revoke("first")
        with psycopg.connect(adder, autocommit=True) as db:
            for table in TABLES:
                for statement in ("UPDATE {} SET line = ''", "DROP TABLE {}", "DROP TRIGGER events_are_final ON {}"):
                    with pytest.raises(psycopg.Error):
                        db.execute(statement.format(table))
    cluster.run("DROP OWNED BY adder", "DROP ROLE adder")


# --- opening


def test_a_ledger_that_is_not_there_is_not_made_by_whoever_only_looks(cluster: Cluster, url: str) -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(url), create=False)
    assert caught.value.code == "store.missing"
    assert cluster.run("SELECT to_regclass('events')", url=url) == [(None,)]


@pytest.mark.parametrize("comment", [None, "what happened at our house"])
def test_a_table_of_something_else_is_refused_and_left_alone(cluster: Cluster, url: str, comment: str | None) -> None:
    cluster.run("CREATE TABLE events (name text)", url=url)
    if comment:
        cluster.run(f"COMMENT ON TABLE events IS '{comment}'", url=url)
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(url))
    assert caught.value.code == "store.open"
    assert "something else" in caught.value.message
    there = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
    assert cluster.run(there, url=url) == [("events",)]


def test_a_ledger_of_a_later_version_is_refused(pg: PostgresStore, cluster: Cluster, url: str) -> None:
    cluster.run("COMMENT ON TABLE events IS 'cardledger 99'", url=url)
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(url))
    assert caught.value.code == "store.version"
    assert "99" in caught.value.message


def test_servers_that_start_at_once_make_one_ledger(url: str) -> None:
    opened: list[PostgresStore] = []
    threads = [threading.Thread(target=lambda: opened.append(PostgresStore(Address(url)))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 6
    for number, store in enumerate(opened):
        store.append([Append(str(number), 0, lines(1))])
    assert len({row.position for row in opened[0].read_all()}) == 6
    for store in opened:
        store.close()


def test_two_ledgers_of_one_database_know_nothing_of_each_other(cluster: Cluster) -> None:
    with (
        closing(PostgresStore(Address(cluster.fresh()))) as one,
        closing(PostgresStore(Address(cluster.fresh()))) as two,
    ):
        with one.server.connect() as db, db.transaction():
            db.execute("SELECT pg_advisory_xact_lock_shared(position_lock(0))")  # a writer under way in one of them
            two.append([Append("a", 0, lines(1))])
            assert two.last_position() == 1
        assert one.last_position() == 0
        assert one.name != two.name


def test_a_database_in_another_encoding_is_refused(cluster: Cluster) -> None:
    cluster.run("DROP DATABASE IF EXISTS latin", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(StoreError, match="UTF-8"):
        PostgresStore(Address(cluster.url("latin")))


def test_a_schema_that_is_not_there_is_a_clear_error(cluster: Cluster) -> None:
    with pytest.raises(StoreError, match="schemas of the search path"):
        PostgresStore(Address(cluster.url(schema="nowhere")))


def test_without_the_extra_it_is_said_which_to_install() -> None:
    code = "import sys; sys.modules['psycopg'] = None; from ledger import cli; cli.main(['matches', '--db', 'postgresql://'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2, "cardledger: store.extra: PostgreSQL needs psycopg: pip install 'cardledger[postgres]'\n",
    )  # fmt: skip


# --- what nobody may read

BROKEN = [
    f"postgresql://postgres:{PASSWORD}@127.0.0.1:1/postgres",
    f"postgresql://postgres:{PASSWORD}@no-such-host.invalid/postgres",
    f"postgresql://postgres:{PASSWORD}@127.0.0.1:port/postgres",
    f"postgresql://postgres:{PASSWORD}@127.0.0.1/postgres?nonsense=1",
    f"postgresql://postgres:{PASSWORD}@127.0.0.1/postgres?sslmode=maybe",
    f"postgresql://postgres:a@{PASSWORD}@127.0.0.1:1/postgres",
    f"postgresql://postgres:a/{PASSWORD}@127.0.0.1:1/postgres",
    f"postgresql://postgres:a?{PASSWORD}@127.0.0.1:1/postgres",
    f"postgresql://postgres:a#{PASSWORD}@127.0.0.1:1/postgres",
    f"postgresql://postgres:a:{PASSWORD}/postgres",
    f"postgres://127.0.0.1:1/postgres?user=postgres&password={PASSWORD}",
    f"postgres://127.0.0.1:1/postgres?password=a@{PASSWORD}",
    f"postgresql://postgres:{PASSWORD}",
    f"postgresql://postgres:{PASSWORD}@[::1",
]


@pytest.mark.parametrize("address", BROKEN)
def test_no_message_holds_a_password(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(address))
    assert caught.value.code == "store.open"
    said = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + str(Address(address))
    assert "hush" not in said
    assert "hush" not in repr(Address(address))


def test_a_wrong_password_is_told_without_it(cluster: Cluster) -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(cluster.url(user="nobody-there")))
    assert "nobody-there" in caught.value.message
    assert PASSWORD not in caught.value.message


def test_a_command_tells_where_it_failed_in_one_line_without_the_password() -> None:
    command = [sys.executable, "-m", "ledger", "matches", "--db", BROKEN[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("cardledger: store.open: postgresql://127.0.0.1:1/postgres cannot be opened")
    assert "hush" not in done.stderr


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ana:x@db.example.org/club", "postgresql://db.example.org/club"),
        ("postgres://db.example.org:5433/club?sslmode=require", "postgres://db.example.org:5433/club"),
        ("postgresql://ana@one:1,two:2/club?password=x", "postgresql://one:1,two:2/club"),
        ("postgresql:///club?host=/var/run/postgresql", "postgresql:///club"),
        ("postgresql://ana:x@[::1]:5432/club", "postgresql://[::1]:5432/club"),
        ("postgresql://ana:x@y@db.example.org/club", "postgresql://…"),
    ],
)
def test_an_address_is_shown_without_user_password_and_options(url: str, shown: str) -> None:
    assert str(Address(url)) == shown
