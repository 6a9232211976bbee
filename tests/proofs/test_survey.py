"""A survey finds any change to the file of a sealed ledger, and names the first bad event."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest

from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import Checkpoint, sign
from cardledger.record.proofs.survey import seal, survey
from cardledger.record.recording.ledger import Ledger
from tests.proofs.club import EVENTS, NOW, over, record_some, rehash, rows
from tests.thorough import many

Do = Callable[[sqlite3.Connection], object]
FIRST = 6
"""Events under the first of two checkpoints."""
CHAIN = {"store.hash", "store.gap", "store.line"}
SEALED = {"proofs.differs", "proofs.missing", "proofs.inserted", "proofs.moved"}


@dataclass
class Club:
    """A ledger with two checkpoints, one of them saved elsewhere, and its original rows."""

    ledger: Ledger
    log: Log
    kept: Checkpoint
    tool: sqlite3.Connection
    rows: list[tuple[int, str, int, str, bytes]]

    def place(self, index: int) -> EventPlace:
        return EventPlace(*self.rows[index][1:3])

    @contextmanager
    def tampered(self, do: Do) -> Iterator[None]:
        """Let somebody with other tools do something, and put everything back afterwards."""
        try:
            do(self.tool)
            self.tool.commit()
            yield
        finally:
            self.tool.rollback()
            self.tool.execute("DELETE FROM events")
            self.tool.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", self.rows)
            self.tool.commit()

    @contextmanager
    def forgetting(self, *, checkpoints: bool = False) -> Iterator[None]:
        """Do without the file of the tree, and perhaps without the checkpoints that were kept."""
        path = self.log.checkpoints.path
        self.log.tree.drop()
        content = path.read_bytes()
        if checkpoints:
            path.unlink()
        try:
            yield
        finally:
            path.write_bytes(content)
            self.log.tree.drop()
            self.log.tree.grow()

    def found(self, do: Do, *given: Checkpoint) -> ProofError | None:
        with self.tampered(do):
            return self.wrong(*given)

    def wrong(self, *given: Checkpoint) -> ProofError | None:
        try:
            survey(self.log, given)
        except ProofError as error:
            return error
        return None


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    path = tmp_path_factory.mktemp("sealed") / "club.db"
    with Ledger(path) as ledger, Log(ledger) as log:
        record_some(ledger)
        log.seal(NOW)
        tiles = log.tree.tiles
        log.checkpoints.path.unlink()
        with log.tree.file.writing() as db:
            db.execute("UPDATE sealed SET notes = 0, size = 0")
        log.checkpoints.add(sign(log.ring.origin, FIRST, tiles.root(FIRST), NOW, log.ring.signer))
        kept = log.seal(NOW)
        with closing(sqlite3.connect(path)) as tool:
            for name in ("events_are_kept", "events_are_final"):
                tool.execute(f"DROP TRIGGER {name}")
            tool.execute("PRAGMA synchronous = OFF")
            yield Club(ledger, log, kept, tool, rows(path))
            assert survey(log, [kept]) == (EVENTS, 2)


def at(index: int) -> int:
    """Return the position of an event of the untouched ledger."""
    return index + 1


def deleted(index: int, *, repaired: bool = False) -> Do:
    def do(db: sqlite3.Connection) -> None:
        (match, seq) = db.execute("SELECT match, seq FROM events WHERE position = ?", (at(index),)).fetchone()
        db.execute("DELETE FROM events WHERE position = ?", (at(index),))
        if repaired:
            later = "SELECT seq FROM events WHERE match = ? AND seq > ? ORDER BY seq"
            for (number,) in db.execute(later, (match, seq)).fetchall():
                db.execute("UPDATE events SET seq = seq - 1 WHERE match = ? AND seq = ?", (match, number))
            for (position,) in db.execute("SELECT position FROM events WHERE position > ?", (at(index),)).fetchall():
                db.execute("UPDATE events SET position = position - 1 WHERE position = ?", (position,))
            rehash(db)

    return do


def truncated(index: int) -> Do:
    return lambda db: db.execute("DELETE FROM events WHERE position >= ?", (at(index),))


def edited(index: int, *, repaired: bool = False) -> Do:
    def do(db: sqlite3.Connection) -> None:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE position = ?', (at(index),))
        if repaired:
            rehash(db)

    return do


def swapped(one: int, other: int) -> Do:
    def do(db: sqlite3.Connection) -> None:
        for before, after in ((at(one), 10_000), (at(other), at(one)), (10_000, at(other))):
            db.execute("UPDATE events SET position = ? WHERE position = ?", (after, before))

    return do


def inserted(index: int, *, position: int | None = None) -> Do:
    """Insert an event that follows its match as it should, before the one at an index of the ledger."""

    def do(db: sqlite3.Connection) -> None:
        match, seq = db.execute("SELECT match, max(seq) FROM events WHERE match LIKE 'a%'").fetchone()
        if position is None:
            asked = "SELECT position FROM events WHERE position >= ? ORDER BY position DESC"
            for (moved,) in db.execute(asked, (at(index),)).fetchall():
                db.execute("UPDATE events SET position = position + 1 WHERE position = ?", (moved,))
        where = at(index) if position is None else position
        db.execute("INSERT INTO events VALUES (?, ?, ?, ?, x'00')", (where, match, seq + 1, '{"type":"note"}'))
        rehash(db)

    return do


def test_a_sound_ledger_fits_with_and_without_the_tree(club: Club) -> None:
    assert survey(club.log) == (EVENTS, 2)
    with club.forgetting():
        assert survey(club.log, [club.kept]) == (EVENTS, 2)
    with club.forgetting(checkpoints=True):
        assert survey(club.log, [club.kept]) == (EVENTS, 1)


@pytest.mark.parametrize("index", range(EVENTS))
def test_every_event_that_is_changed_deleted_or_cut_off_is_found_and_named(club: Club, index: int) -> None:
    for do, codes in (
        (edited(index), CHAIN),
        (edited(index, repaired=True), {"proofs.differs"}),
        (deleted(index), {"proofs.missing"}),
        (deleted(index, repaired=True), SEALED),
        (truncated(index), {"proofs.missing"}),
    ):
        error = club.found(do)
        assert error is not None
        assert (error.code in codes, error.place) == (True, club.place(index)), str(error)


@pytest.mark.parametrize("index", range(EVENTS))
def test_without_the_tree_every_change_is_found_and_named_if_the_hashes_allow(club: Club, index: int) -> None:
    """Somebody has removed the tree as well; and then the checkpoints too, but for one that is kept elsewhere."""
    for checkpoints in (False, True):
        given = [club.kept] if checkpoints else []
        with club.forgetting(checkpoints=checkpoints):
            error = club.found(edited(index), *given)
            assert error is not None
            assert (error.code, error.place) == ("store.hash", club.place(index))
            for do in (edited(index, repaired=True), deleted(index, repaired=True), truncated(index), deleted(index)):
                error = club.found(do, *given)
                assert error is not None
                assert error.code in {*CHAIN, "proofs.checkpoint", "proofs.missing"}
            error = club.found(edited(index, repaired=True), *given)
            first, last = (1, EVENTS) if checkpoints else (1, FIRST) if index < FIRST else (FIRST + 1, EVENTS)
            assert f"one of the events {first} to {last} of the ledger" in str(error)


def test_two_swapped_events_are_found_and_the_first_is_named(club: Club) -> None:
    for one, other in combinations(range(EVENTS), 2):
        error = club.found(swapped(one, other))
        assert error is not None
        assert (error.code, error.place) == ("proofs.moved", club.place(one)), str(error)
        with club.forgetting():
            assert club.found(swapped(one, other)) is not None


@pytest.mark.parametrize("index", range(EVENTS))
def test_every_event_that_is_put_in_is_found_and_named(club: Club, index: int) -> None:
    error = club.found(inserted(index))
    assert error is not None
    added = EventPlace(club.place(0).match, 7)
    assert (error.code, error.place) == ("proofs.inserted", added)


@pytest.mark.parametrize("position", [0, -1, -(1 << 62), -(1 << 63)])
def test_an_event_below_the_first_position_is_found(club: Club, position: int) -> None:
    error = club.found(inserted(0, position=position))
    assert error is not None
    assert (error.code, error.place) == ("proofs.inserted", EventPlace(club.place(0).match, 7))


def test_events_after_the_checkpoint_do_no_harm_and_their_hashes_are_checked(club: Club) -> None:
    added = inserted(EVENTS)
    assert club.found(added) is None

    def broken(db: sqlite3.Connection) -> None:
        added(db)
        db.execute("UPDATE events SET line = line || ' ' WHERE position = ?", (at(EVENTS),))

    error = club.found(broken)
    assert error is not None
    assert (error.code, error.place) == ("store.hash", EventPlace(club.place(0).match, 7))


@pytest.mark.parametrize(
    "change",
    [
        "line = CAST(line AS BLOB)", "line = ''", "line = 7", "line = x'ff'", "line = CAST(x'7bff7d' AS TEXT)",
        "hash = hex(hash)", "hash = 3", "hash = x''", "hash = zeroblob(32)", "hash = CAST(x'ff' AS TEXT)",
        "seq = seq + 0.5", "seq = 'x'", "seq = -seq", "seq = x'01'", "seq = 9223372036854775807",
        "match = match || 'x'", "match = CAST(match AS BLOB)", "match = ''", "match = CAST(x'ff' AS TEXT)",
        "position = 9223372036854775807", "position = -position",
    ],
)  # fmt: skip
def test_unreadable_rows_are_found_and_named_without_a_traceback(club: Club, change: str) -> None:
    for index in (0, 4, EVENTS - 1):
        error = club.found(
            lambda db, index=index: db.execute(f"UPDATE events SET {change} WHERE position = {at(index)}")
        )
        if "9223372036854775807" in change and index == EVENTS - 1 and change.startswith("position"):
            assert error is None  # the last one is still the last
            continue
        assert error is not None
        last = index if not change.startswith("position = -") else 0
        assert error.place == club.place(last), str(error)
        with club.forgetting():
            assert club.found(
                lambda db, index=index: db.execute(f"UPDATE events SET {change} WHERE position = {at(index)}")
            )


def flips(club: Club, step: int) -> None:
    """Flip bits in the content of every event: all bits, or one in `every`."""
    for index, (position, match, seq, line, hash) in enumerate(club.rows):
        for column, content in (("line", line.encode()), ("hash", hash), ("match", match.encode())):
            for bit in range(0, len(content) * 8, step):
                flipped = bytearray(content)
                flipped[bit // 8] ^= 1 << (bit // 8 + bit) % 8
                value = "?" if column == "hash" else "CAST(? AS TEXT)"
                update = f"UPDATE events SET {column} = {value} WHERE position = ?"
                self_ = club.tool
                self_.execute(update, (bytes(flipped), position))
                self_.commit()
                error = club.wrong()
                self_.execute(f"UPDATE events SET {column} = {value} WHERE position = ?", (content, position))
                self_.commit()
                assert error is not None, (index, column, bit)
                assert error.place == EventPlace(match, seq), (index, column, bit, str(error))


@pytest.mark.long
def test_a_flipped_bit_in_every_byte_of_every_event_is_found_and_named(club: Club) -> None:
    flips(club, 8)


@pytest.mark.long
def test_flipped_bits_of_every_event_are_found_and_named(club: Club) -> None:
    flips(club, many(5, 1))


@pytest.mark.long
def test_the_numbers_of_events_and_their_places_count_bit_by_bit(club: Club) -> None:
    for position, match, seq, *_ in club.rows:
        for bit in range(63):
            error = club.found(
                lambda db, changed=seq ^ 1 << bit, position=position: db.execute(
                    "UPDATE OR REPLACE events SET seq = ? WHERE position = ?", (changed, position)
                )
            )
            assert error is not None
            # Where the number was that of another event, that one is gone; the first of the two is named.
            other = next((row for row in club.rows if row[1:3] == (match, seq ^ 1 << bit)), (position,))
            assert error.place == club.place(min(position, other[0]) - 1)


# --- checkpoints that are not right themselves


def test_a_checkpoint_of_another_ledger_or_a_stranger_is_refused(club: Club, tmp_path: Path) -> None:
    with Ledger(tmp_path / "other.db") as ledger, Log(ledger) as other:
        record_some(ledger)
        foreign = other.seal()
        named_alike = sign(club.log.ring.origin, EVENTS, club.kept.root, NOW, other.ring.signer)
    for given in (foreign, named_alike):
        error = club.wrong(given)
        assert error is not None
        assert error.code == "proofs.signature"


def test_a_checkpoint_signed_over_other_events_is_detected(club: Club) -> None:
    ring = club.log.ring
    for size in (1, FIRST, EVENTS, EVENTS + 1):
        error = club.wrong(sign(ring.origin, size, bytes(32), NOW, ring.signer))
        assert error is not None
        assert error.code == ("proofs.missing" if size > EVENTS else "proofs.checkpoint")
    assert club.wrong(sign(ring.origin, 0, bytes(32), NOW, ring.signer)) is not None


def test_a_kept_checkpoint_that_was_changed_is_found(club: Club) -> None:
    path = club.log.checkpoints.path
    content = path.read_bytes()
    for place in range(0, len(content) - 1, 7):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert club.wrong() is not None or Checkpoints(path).last() != club.log.seal(), place
    path.write_bytes(content)


def test_no_checkpoint_is_made_if_the_end_of_the_ledger_was_changed(club: Club) -> None:
    before = club.log.checkpoints.all()
    for do in (truncated(8), deleted(EVENTS - 1), edited(EVENTS - 1, repaired=True)):
        with club.tampered(do):
            with pytest.raises(ProofError) as caught:
                seal(club.log)
            assert caught.value.place is not None
    assert club.log.checkpoints.all() == before


def test_an_event_that_was_changed_has_no_proof(club: Club) -> None:
    for index in range(EVENTS):
        with club.tampered(edited(index, repaired=True)), pytest.raises(ProofError) as caught:
            club.log.inclusion(club.place(index))
        assert (caught.value.code, caught.value.place) == ("proofs.differs", club.place(index))
        with club.tampered(deleted(index)), pytest.raises(ProofError) as caught:
            club.log.inclusion(club.place(index))
        assert (caught.value.code, caught.value.place) == ("proofs.missing", club.place(index))


def test_a_failed_survey_releases_the_ledger(club: Club) -> None:
    """An open question would hold an old state before the eyes of the thread, and the log of the database back."""
    error = club.found(edited(3))
    assert error is not None
    assert survey(club.log) == (EVENTS, 2)
    assert club.tool.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


def test_events_recorded_during_a_survey_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.record.proofs.survey.EVERY", 50)
    with Ledger(tmp_path / "club.db") as ledger, Log(ledger) as log:
        for seed in range(6):
            over(ledger, seed=seed)
        log.seal()

        def more(events: int) -> None:
            other = threading.Thread(target=lambda: (over(ledger, seed=events), log.seal()))
            other.start()
            other.join()

        assert survey(log, progress=more).checkpoints == 1
        assert survey(log).checkpoints >= 2
