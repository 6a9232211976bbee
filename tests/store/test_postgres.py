"""The event store on PostgreSQL: the contract, and what it promises as a database."""

from __future__ import annotations

import subprocess
import sys
import traceback
from contextlib import closing
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from cardledger.errors import BusyError, StoreError
from cardledger.record.people.names import new_pseudonym
from cardledger.record.people.people import STREAM
from cardledger.record.store import Append, postgres
from cardledger.record.store.address import Address
from cardledger.record.store.postgres import PostgresStore
from cardledger_api.auth.tokens import Tokens, digest_of
from tests.store.cluster import PASSWORD, Cluster
from tests.store.contract import StoreContract, erasing, lines, naming
from tests.waiting import together


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
        monkeypatch.setattr(postgres, "PAGE", 2)
        monkeypatch.setattr(postgres, "FIRST_PAGE", 1)


TABLES = ["events", *(f"events_{number}" for number in range(16))]


@pytest.mark.parametrize("statement", ["UPDATE {} SET line = '{{}}'", "DELETE FROM {}", "TRUNCATE {}"])
def test_events_are_never_changed_or_deleted(pg: PostgresStore, url: str, statement: str) -> None:
    pg.append([Append(str(number), 0, lines(2)) for number in range(40)])
    with psycopg.connect(url, autocommit=True) as db:
        for table in TABLES:
            with pytest.raises(psycopg.errors.RaiseException, match="events are never changed or deleted"):
                db.execute(statement.format(table))
    assert len([*pg.read_all()]) == 80


def test_acknowledged_events_are_on_disk_and_committed_ones_are_seen_under_any_defaults(url: str) -> None:
    options = "%20-csynchronous_commit%3Doff%20-cdefault_transaction_isolation%3Dserializable"
    with closing(PostgresStore(Address(url + options))) as store, store.server.connection() as db:
        assert db.execute("SHOW synchronous_commit").fetchone() == ("on",)
        assert db.execute("SHOW transaction_isolation").fetchone() == ("read committed",)


def test_a_stricter_default_is_left_alone(url: str) -> None:
    stricter = Address(f"{url}%20-csynchronous_commit%3Dremote_apply")
    with closing(PostgresStore(stricter)) as store, store.server.connection() as db:
        assert db.execute("SHOW synchronous_commit").fetchone() == ("remote_apply",)


def test_a_process_waiting_for_a_lock_learns_in_time_who_holds_it(pg: PostgresStore, url: str) -> None:
    pg.append([Append("a", 0, lines(1))])
    with (
        closing(PostgresStore(Address(url), patience=0.3)) as store,
        psycopg.connect(url, application_name="psql") as db,
    ):
        db.execute("LOCK TABLE events")
        for work in (lambda: store.append([Append("b", 0, lines(1))]), lambda: store.read("a")):
            with pytest.raises(BusyError) as caught:
                work()  # the lock is held all the while
            assert f"process {db.info.backend_pid} of PostgreSQL (psql, idle in transaction)" in caught.value.message
            assert f"pg_terminate_backend({db.info.backend_pid})" in caught.value.message
        db.rollback()
        assert store.append([Append("b", 0, lines(1))]), "it goes on as soon as the other is gone"


def test_a_process_waiting_for_new_tables_learns_in_time_who_creates_them(url: str) -> None:
    with psycopg.connect(url, application_name="psql") as db:
        db.execute("SELECT pg_advisory_lock(hashtextextended('cardledger ' || current_schema(), 0))")
        with pytest.raises(BusyError, match="another transaction"):
            PostgresStore(Address(url), patience=0.3)  # it is held all the while


def test_a_program_that_stalls_in_a_transaction_is_disconnected(pg: PostgresStore) -> None:
    with pg.server.connection() as db:
        assert db.execute("SHOW idle_in_transaction_session_timeout").fetchone() == ("30s",)


def test_people_see_the_lines_as_columns(pg: PostgresStore, cluster: Cluster, url: str) -> None:
    pg.append([Append("a", 0, [('{"type":"play","seat":1,"card":"9S","text":"\\u0000 \\\\u0000"}', bytes(32))])])
    assert cluster.run("SELECT match, seq, type, seat, card, hash FROM log", url=url) == [
        ("a", 1, "play", "1", "9S", "00" * 32)
    ]


def test_a_line_that_is_not_canonical_json_is_refused(pg: PostgresStore) -> None:
    for line in ("a\nb", "a\0b"):
        with pytest.raises(StoreError) as caught:
            pg.append([Append("a", 0, [("{}", bytes(32)), (line, bytes(32))])])
        assert caught.value.code == "store.write"
    assert pg.read("a") == []


def test_invitations_go_into_a_table_of_tokens_that_an_earlier_version_made(url: str) -> None:
    with closing(Tokens(url)) as tokens:
        tokens.create("ana", "scorer", 1)
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("ALTER TABLE tokens DROP COLUMN scope")
    with closing(Tokens(url)) as tokens:
        assert [(token.name, token.role, token.scope) for token, _ in tokens.all()] == [("ana", "scorer", None)]
        found = tokens.find(digest_of(tokens.invite("Table 2", "session-x", datetime.now(UTC) + timedelta(days=1))))
        assert found is not None
        assert (found.role, found.scope) == ("reader", "session-x")


def test_a_role_that_may_only_add_can_do_all_a_server_does(pg: PostgresStore, cluster: Cluster, url: str) -> None:
    schema = url.partition("search_path%3D")[2]
    role = f"adder_{schema}"
    with closing(Tokens(url)) as tokens:
        tokens.create("first", "admin", 1)
        cluster.run(
            f"CREATE ROLE {role} LOGIN", f"GRANT USAGE ON SCHEMA {schema} TO {role}",
            f"GRANT SELECT, INSERT ON events TO {role}", f"GRANT USAGE, SELECT ON positions TO {role}",
            f"GRANT SELECT, INSERT ON names TO {role}",
            f"GRANT SELECT, INSERT, UPDATE ON tokens TO {role}", url=url,
        )  # fmt: skip
    adder = cluster.url(schema=schema, user=role)
    with closing(PostgresStore(Address(adder))) as store, closing(Tokens(adder)) as tokens:
        tokens.invite("Table 2", "session-x", datetime.now(UTC) + timedelta(days=1))
        store.append([Append("a", 0, lines(2))])
        assert [row.seq for row in store.read_all()] == [1, 2]
        assert store.last_position() == store.last_given() == 2
        ana = new_pseudonym("player", "ana")
        store.append([Append("b", 0, naming(ana), [ana], fresh=True)])
        assert [*store.named("player")] == [ana]
        gone = [Append(STREAM, 0, erasing([[ana.pseudonym]]))]
        with pytest.raises(StoreError, match="permission denied"):
            store.append(gone)
        assert [*store.named("player")] == [ana]
        cluster.run(f"GRANT DELETE ON names TO {role}", url=url)
        store.append(gone)
        assert [*store.named("player")] == []
        tokens.create("ana", "reader", 1)
        tokens.revoke("first")
        with psycopg.connect(adder, autocommit=True) as db:
            for table in TABLES:
                for statement in ("UPDATE {} SET line = ''", "DROP TABLE {}", "DROP TRIGGER events_are_final ON {}"):
                    with pytest.raises(psycopg.Error):
                        db.execute(statement.format(table))
    cluster.run(f"DROP OWNED BY {role}", f"DROP ROLE {role}")


# --- opening


def test_commands_that_only_read_do_not_create_a_ledger(cluster: Cluster, url: str) -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(url), create=False)
    assert caught.value.code == "store.missing"
    assert cluster.run("SELECT to_regclass('events')", url=url) == [(None,)]


@pytest.mark.parametrize("comment", [None, "what happened at our house"])
def test_a_foreign_table_is_refused_and_left_alone(cluster: Cluster, url: str, comment: str | None) -> None:
    cluster.run("CREATE TABLE events (name text)", url=url)
    if comment:
        cluster.run(f"COMMENT ON TABLE events IS '{comment}'", url=url)
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(url))
    assert caught.value.code == "store.open"
    assert "belongs to another program" in caught.value.message
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
    together(*[lambda: opened.append(PostgresStore(Address(url)))] * 6)
    assert len(opened) == 6
    for number, store in enumerate(opened):
        store.append([Append(str(number), 0, lines(1))])
    assert len({row.position for row in opened[0].read_all()}) == 6
    for store in opened:
        store.close()


def test_two_ledgers_in_one_database_are_independent(cluster: Cluster) -> None:
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
    cluster.run(
        "DROP DATABASE IF EXISTS latin WITH (FORCE)", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0"
    )
    with pytest.raises(StoreError, match="UTF-8"):
        PostgresStore(Address(cluster.url("latin")))


def test_a_missing_schema_gives_a_clear_error(cluster: Cluster) -> None:
    with pytest.raises(StoreError, match="schemas of the search path"):
        PostgresStore(Address(cluster.url(schema="nowhere")))


def test_without_the_extra_the_message_names_it() -> None:
    code = "import sys; sys.modules['psycopg'] = None; from cardledger.cli.main import main; main(['matches', '--db', 'postgresql://'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "cardledger: store.extra: PostgreSQL needs psycopg: pip install 'cardledger[postgres]'\n"
    )


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


def test_an_error_about_a_wrong_password_does_not_show_it(cluster: Cluster) -> None:
    with pytest.raises(StoreError) as caught:
        PostgresStore(Address(cluster.url(user="nobody-there")))
    assert "nobody-there" in caught.value.message
    assert PASSWORD not in caught.value.message


def test_a_command_reports_a_failure_and_what_to_do_without_the_password() -> None:
    command = [sys.executable, "-m", "cardledger", "matches", "--db", BROKEN[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 2)
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
