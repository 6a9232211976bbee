"""A ledger in PostgreSQL is backed up to a file, kept up with there, and restored to a database again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.backup.following import follow
from cardledger.record.backup.making import BackupSource
from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Address
from cardledger.record.store.postgres import PostgresStore
from tests.backup.club import made, record_some, said
from tests.store.cluster import Cluster

pytestmark = pytest.mark.long


def run(*words: object) -> str:
    found = CliRunner().invoke(main, [str(word) for word in words])
    assert found.exit_code == 0, found.output
    return found.output


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


def test_it_comes_back_unchanged(url: str, cluster: Cluster, tmp_path: Path) -> None:
    made(url)  # type: ignore[arg-type]
    with Ledger(url) as ledger:
        before = said(ledger)
        with Log(ledger) as log:
            log.seal()
    assert "held to a checkpoint" in run("backup", tmp_path / "copy.db", "--with-key", "--db", url)
    run("doctor", "--db", url)
    again = cluster.fresh()
    run("restore", tmp_path / "copy.db", again)
    with Ledger(again) as ledger, Ledger(tmp_path / "copy.db") as copy:
        assert said(ledger) == said(copy) == before
    assert CliRunner().invoke(main, ["restore", str(tmp_path / "copy.db"), again]).exit_code == 2, "never over another"


def test_the_doctor_checks_every_event_and_the_places_of_files(url: str) -> None:
    made(url)  # type: ignore[arg-type]
    assert "every hash fits" in run("doctor", "--db", url)
    with Ledger(url) as ledger:
        ledger.views.catch_up()
        with Log(ledger) as log:
            log.seal()
        first = ledger.matches()[0]
    said = run("doctor", "--db", url)
    assert "as they were sealed" in said
    assert "up to date" in said
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("ALTER TABLE events DISABLE TRIGGER USER")
        db.execute("UPDATE events SET line = replace(line, 'deal', 'dael') WHERE match = %s AND seq = 2", (first,))
    found = CliRunner().invoke(main, ["doctor", "--db", url])
    assert found.exit_code == 1
    assert f"{first}:2: store.hash" in found.output


def test_a_second_place_keeps_up(url: str, tmp_path: Path) -> None:
    made(url)  # type: ignore[arg-type]
    with closing(PostgresStore(Address(url))) as store:
        passes = follow(BackupSource.of(Address(url), store), tmp_path / "second.db", 0.01, with_key=False)
        first = next(passes)
        with Ledger(url) as ledger:
            record_some(ledger, 1, seed=9)
            total = sum(ledger.stream(match).seq for match in ledger.matches()) + 1
        later = [*islice(passes, 3)]
        passes.close()  # type: ignore[attr-defined]
    assert [one.error for one in (first, *later)] == [None] * 4
    with closing(sqlite3.connect(tmp_path / "second.db")) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone() == (total,)


def test_a_drill_proves_its_copy_and_finds_that_of_another(url: str, cluster: Cluster, tmp_path: Path) -> None:
    made(url)  # type: ignore[arg-type]
    with Ledger(url) as ledger, Log(ledger) as log:
        log.seal()
        record_some(ledger, 1, seed=7)
    run("backup", tmp_path / "copy.db", "--db", url)
    assert "held to a checkpoint" in run("drill", "--in", tmp_path, "--db", url)
    assert "last proven restore: " in run("doctor", "--db", url)
    assert not [*tmp_path.glob("cardledger-*")]
    other = cluster.fresh()
    made(other, seed=5)  # type: ignore[arg-type]
    found = CliRunner().invoke(main, ["drill", "--from", str(tmp_path / "copy.db"), "--db", other])
    assert (found.exit_code, "proofs.key" in found.output) == (1, True), "it never sealed anything"
    with Ledger(other) as ledger, Log(ledger) as log:
        log.seal()
    found = CliRunner().invoke(main, ["drill", "--from", str(tmp_path / "copy.db"), "--db", other])
    assert found.exit_code == 1, found.output
