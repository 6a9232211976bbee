"""PgBouncer between a ledger and its database: refused where it keeps no sessions, and no matter where it does."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest

from cardledger.errors import StoreError
from cardledger.record.store import Append
from cardledger.record.store.address import Address
from cardledger.record.store.postgres import PostgresStore
from cardledger_api.auth.tokens import Tokens
from tests.store.cluster import AS, PASSWORD, Cluster, free_port, skip_without
from tests.store.contract import lines
from tests.waiting import LIMIT, wait_until

_SETTINGS = """[databases]
* = host=127.0.0.1 port={server} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
auth_type = any
unix_socket_dir =
"""


@pytest.fixture
def pooler(cluster: Cluster) -> Iterator[Callable[..., str]]:
    """What starts a PgBouncer with some settings before a new database, and returns its address."""
    program = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if program is None:
        skip_without("PgBouncer", "Debian's pgbouncer")
    home = Path(tempfile.mkdtemp(prefix="cardledger-pooler-"))
    home.chmod(0o755)
    running: list[subprocess.Popen[bytes]] = []

    def up(process: subprocess.Popen[bytes], url: str) -> str:
        with suppress(psycopg.OperationalError):
            psycopg.connect(url).close()
            return "up"
        return "" if process.poll() is None else "ended"

    def start(**settings: object) -> str:
        database = f"pooled_{home.name.rpartition('-')[2].lower()}"
        cluster.run(f'DROP DATABASE IF EXISTS "{database}"', f'CREATE DATABASE "{database}"')
        config = home / "pgbouncer.ini"
        chosen = "".join(f"{name} = {value}\n" for name, value in settings.items())
        while True:
            port = free_port()
            config.write_text(_SETTINGS.format(server=cluster.port, port=port) + chosen)
            running.append(subprocess.Popen([program, "-q", config], stderr=subprocess.PIPE, cwd=home, **AS))
            url = f"postgresql://postgres:{PASSWORD}@127.0.0.1:{port}/{database}"
            if wait_until(partial(up, running[-1], url)) == "up":
                return url
            assert running[-1].stderr is not None
            said = running[-1].stderr.read()
            assert b"in use" in said, said  # somebody else was given the port meanwhile

    yield start
    for process in running:
        process.kill()
        process.communicate()
    shutil.rmtree(home)


TRANSACTION_MODE = [
    {},
    {"server_round_robin": 1},
    {"default_pool_size": 2, "server_round_robin": 1},
    {"default_pool_size": 1},
]


@pytest.mark.parametrize("settings", TRANSACTION_MODE)
@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_that_keeps_no_sessions_is_refused_with_advice(
    pooler: Callable[..., str], cluster: Cluster, mode: str, settings: dict[str, object]
) -> None:
    url = pooler(pool_mode=mode, **settings)
    for _ in range(5):
        with pytest.raises(StoreError) as caught:
            PostgresStore(Address(url))
        assert caught.value.code == "store.pooler"
        assert "pool_mode = session" in caught.value.message
        assert PASSWORD not in caught.value.message
    direct = url.rpartition("/")[2]
    assert cluster.run("SELECT to_regclass('events')", url=cluster.url(direct)) == [(None,)], "nothing was made"


def test_a_pooler_in_use_by_others_is_refused_too(pooler: Callable[..., str]) -> None:
    url = pooler(pool_mode="transaction")
    busy = [psycopg.connect(url) for _ in range(3)]
    for db in busy:
        db.execute("SELECT 1")  # each holds a backend
    with pytest.raises(StoreError, match=r"store\.pooler"):
        PostgresStore(Address(url))
    for db in busy:
        db.close()


def test_tokens_are_refused_a_pooler_that_keeps_no_sessions(pooler: Callable[..., str]) -> None:
    with closing(Tokens(pooler(pool_mode="transaction"))) as tokens, pytest.raises(StoreError, match=r"store\.pooler"):
        tokens.create("ana", "scorer", 1)


def test_a_pooler_in_session_mode_is_as_good_as_the_database(pooler: Callable[..., str]) -> None:
    url = pooler(pool_mode="session")
    heard = threading.Event()
    with closing(PostgresStore(Address(url))) as store, closing(PostgresStore(Address(url))) as other:
        other.tell(lambda: other.last_position() == 2 and heard.set())
        store.append([Append("a", 0, lines(2))])
        assert [row.seq for row in other.read("a")] == [1, 2]
        assert heard.wait(LIMIT)
        assert store.same(other)
    for _ in range(5):
        PostgresStore(Address(url), create=False).close()


@pytest.mark.long
def test_a_command_explains_a_wrong_address_and_what_to_do(pooler: Callable[..., str]) -> None:
    command = [sys.executable, "-m", "cardledger", "matches", "--db", pooler(pool_mode="transaction")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 2)
    assert done.stderr.startswith("cardledger: store.pooler: postgresql://127.0.0.1:")
