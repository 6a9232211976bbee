"""Copying: event for event, resumed after an interruption, and proven at the end."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from cardledger.cli import main as cli
from cardledger.errors import ConflictError
from cardledger.record.backup import copying
from cardledger.record.backup.copying import compare, transfer
from cardledger.record.people.people import Name
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import Append, EventStore
from cardledger.record.store.address import Address
from cardledger.record.store.chain import START, chain
from cardledger.record.store.postgres import PostgresStore
from cardledger.record.store.sqlite import SqliteStore
from cardledger.rules.engine import events as ev
from tests.store.cluster import PASSWORD, Cluster
from tests.waiting import wait_until
from tests.web.club import opened

HERE, THERE = "here.db", "there.db"


def fill(store: EventStore, seed: int = 1, appends: int = 60) -> None:
    """Append to a few matches by turns, as when many tables play at once."""
    chance = Random(seed)
    known: dict[str, list[bytes]] = {}
    for number in range(appends):
        match = chance.choice(["people", "a", "b", "c", f"m{number}"])
        own = known.setdefault(match, [START])
        new = chain(own[-1], [f'{{"n":"{match} {number} {i}"}}' for i in range(chance.randint(1, 3))])
        store.append([Append(match, len(own) - 1, new)])
        own += [digest for _, digest in new]


def content(store: EventStore) -> list[tuple[str, int, str, bytes]]:
    """Return everything in a store but the positions, in the order of the ledger."""
    return [(row.match, row.seq, row.line, row.hash) for row in store.read_all()]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteStore]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(copying, "BATCH", 7)
    with closing(SqliteStore(Path(HERE))) as store:
        fill(store)
        yield store


@pytest.fixture
def there(here: SqliteStore) -> Iterator[SqliteStore]:
    with closing(SqliteStore(Path(THERE))) as store:
        yield store


def run(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(cli.main, ["copy", *words])
    assert result.exit_code == status, (words, result.output, result.exception)
    return result


def test_a_copy_has_the_same_events_in_the_same_order(here: SqliteStore, there: SqliteStore) -> None:
    events = len(content(here))
    said = run(HERE, THERE).stdout
    assert content(there) == content(here)
    assert (
        said == f"{len(here.matches()):,} matches, {events:,} events, {events:,} of them new there: every hash fits\n"
    )


@pytest.mark.long
def test_to_postgresql_and_back_is_the_same_byte_for_byte(here: SqliteStore, there: SqliteStore, url: str) -> None:
    with closing(PostgresStore(Address(url))) as between:
        with between.server.connection() as db:
            db.execute("SELECT nextval('positions') FROM generate_series(1, 50)")  # positions need not be the same
        assert PASSWORD not in run(HERE, url).output
        assert content(between) == content(here)
        run(url, THERE)
    assert content(there) == content(here)
    assert [*there.read_all()] == [*here.read_all()]


def test_a_second_copy_stores_nothing_and_a_later_one_only_new_events(here: SqliteStore, there: SqliteStore) -> None:
    run(HERE, THERE)
    assert ", 0 of them new there" in run(HERE, THERE).stdout
    head = here.read("a")[-1]
    here.append([Append("a", head.seq, chain(head.hash, ["{}", "{}"])), Append("z", 0, chain(START, ["{}"]))])
    assert ", 3 of them new there" in run(HERE, THERE).stdout
    assert content(there) == content(here)


@pytest.mark.parametrize("after", [1, 3, 8])
def test_an_interrupted_copy_can_be_continued(
    here: SqliteStore, there: SqliteStore, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = []

    def cut(_: int) -> None:
        batches.append(1)
        if len(batches) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        transfer(here, there, here.last_position(), cut)
    assert len(content(there)) == 7 * after
    events = len(content(here))
    assert transfer(here, there, here.last_position()) == events - 7 * after
    assert compare(here, there, here.last_position()).events == events
    assert content(there) == content(here)


def test_events_recorded_during_a_copy_are_left_to_the_next(here: SqliteStore, there: SqliteStore) -> None:
    before = content(here)

    def come(_: int) -> None:
        head = here.read("a")[-1]
        here.append([Append("a", head.seq, chain(head.hash, ["{}"]))])

    upto = here.last_position()
    transfer(here, there, upto, come)
    compare(here, there, upto)
    assert content(there) == before


def test_another_ledger_may_have_matches_of_its_own(here: SqliteStore, there: SqliteStore) -> None:
    there.append([Append("theirs", 0, chain(START, ["{}"])), Append("zz", 0, chain(START, ["{}"]))])
    assert run(HERE, THERE).stdout.endswith("every hash fits; 2 other matches there\n")


@pytest.mark.parametrize("match", ["people", "a"])
def test_a_match_that_took_another_course_is_named(here: SqliteStore, there: SqliteStore, match: str) -> None:
    there.append([Append(match, 0, [(row.line, row.hash) for row in here.read(match)[:2]])])
    there.append([Append(match, 2, chain(here.read(match)[1].hash, ['{"another":"course"}']))])
    said = run(HERE, THERE, status=2)
    assert said.stderr.startswith(
        f"cardledger: store.differs: match {match} differs there: its event 3 is not the same: copy to a new ledger\n"
    )
    assert said.stdout == ""


def test_a_match_that_went_on_there_is_named(here: SqliteStore, there: SqliteStore) -> None:
    run(HERE, THERE)
    head = there.read("b")[-1]
    there.append([Append("b", head.seq, chain(head.hash, ["{}"]))])
    said = run(HERE, THERE, status=2).stderr
    assert said.startswith(f"cardledger: store.differs: match b has {head.seq} events here, {head.seq + 1} there: copy")


def test_a_copy_that_does_not_match_its_hashes_is_detected_at_the_end(here: SqliteStore, there: SqliteStore) -> None:
    run(HERE, THERE)
    tamper(THERE, "UPDATE events SET line = '{\"forged\":1}' WHERE match = 'c' AND seq = 2")
    assert "cardledger: store.hash: match c:" in run(HERE, THERE, status=2).stderr


def test_a_match_whose_beginning_is_missing_in_the_copy_is_named(here: SqliteStore, there: SqliteStore) -> None:
    run(HERE, THERE)
    tamper(THERE, "DELETE FROM events WHERE match = 'c' AND seq <= 2")
    assert "cardledger: store.differs: match c" in run(HERE, THERE, status=2).stderr


def test_a_source_that_was_tampered_with_is_not_passed_on_as_sound(here: SqliteStore, there: SqliteStore) -> None:
    tamper(HERE, "UPDATE events SET line = '{\"forged\":1}' WHERE match = 'c' AND seq = 2")
    assert "store.hash: match c" in run(HERE, THERE, status=2).stderr


def tamper(path: str, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        for trigger in ("events_are_final", "events_are_kept"):
            db.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        db.execute(statement)
        db.commit()


def test_the_same_event_recorded_at_the_target_does_no_harm(
    here: SqliteStore, there: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second copy runs at the same time, and is a batch ahead at any moment."""
    real = there.append

    def append(appends: object) -> list[int]:
        ours = [*appends]  # type: ignore[call-overload]
        real(ours)
        raise ConflictError(ours[0].match, ours[0].expected, ours[0].expected + 1)

    calls = iter([append, real] * 100)
    monkeypatch.setattr(there, "append", lambda appends: next(calls)(appends))
    transfer(here, there, here.last_position())
    assert content(there) == content(here)


@pytest.mark.long
def test_a_ledger_is_not_copied_to_itself(here: SqliteStore, cluster: Cluster, url: str) -> None:
    Path("link.db").symlink_to(HERE)
    for target in (HERE, f"./{HERE}", "link.db"):
        assert "store.same: " in run(HERE, target, status=2).stderr
    run(HERE, url)
    for other in (url, url.replace("127.0.0.1", "localhost")):
        assert "store.same: " in run(url, other, status=2).stderr
    run(url, cluster.fresh())  # another schema of the same database


def test_a_missing_ledger_is_not_copied_and_nothing_is_created(tmp_path: Path, url: str, cluster: Cluster) -> None:
    assert "store.missing" in run(str(tmp_path / "typo.db"), str(tmp_path / "new.db"), status=2).stderr
    assert "store.missing" in run(url, str(tmp_path / "new.db"), status=2).stderr
    assert not (tmp_path / "new.db").exists()
    assert cluster.run("SELECT to_regclass('events')", url=url) == [(None,)]


def test_a_copy_is_a_whole_ledger_with_its_people(tmp_path: Path, url: str) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, [opened(), ev.Note(text="a remark")], 0).match
        ledger.record_people([Name(player="a", name="Ana Lima")], 0, "test")
    run(str(tmp_path / "club.db"), url)
    with Ledger(url, views=tmp_path / "views.db") as copied:
        assert copied.people().name("a") == "Ana Lima"
        assert [error for _, error in copied.verify() if error] == []
        assert copied.record(match, [ev.Note(text="goes on")], 2).seq == 3


@pytest.mark.long
def test_a_copy_that_is_killed_again_and_again_ends_the_same(tmp_path: Path, url: str, cluster: Cluster) -> None:
    def far(process: subprocess.Popen[bytes], least: int) -> bool:
        """Tell whether a number of events is in the copy, or all are."""
        there = cluster.run("SELECT to_regclass('positions')", url=url) != [(None,)]
        return process.poll() is not None or (
            there and cluster.run("SELECT count(*) FROM events", url=url)[0][0] >= least
        )

    with closing(SqliteStore(tmp_path / "big.db")) as store:
        for number in range(1500):
            store.append([Append(f"m{number}", 0, chain(START, [f'{{"n":{number},"i":{i}}}' for i in range(40)]))])
        words = [sys.executable, "-m", "cardledger", "copy", str(tmp_path / "big.db"), url]
        killed = 0
        for least in (1, 5_000, 15_000, 30_000, 45_000):
            with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                wait_until(partial(far, process, least), f"{least} events in the copy")
                process.kill()
            killed += process.returncode == -signal.SIGKILL
        assert killed
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("1,500 matches, 60,000 events, ")
        with closing(PostgresStore(Address(url))) as copied:
            assert content(copied) == content(store)
