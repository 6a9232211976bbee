"""The log beside a ledger: grown event by event, sealed once, kept for good, and never signed against itself."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from cardledger.errors import StoreError
from cardledger.record.backup.making import BackupSource
from cardledger.record.proofs import DAMAGE, EventPlace, ProofError
from cardledger.record.proofs import log as logs
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.keys import read_ring
from cardledger.record.proofs.log import CLOCKS_DIFFER, Log
from cardledger.record.proofs.sealer import Sealer
from cardledger.record.proofs.survey import seal, survey
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.proofs import naive
from tests.proofs.club import EVENTS, NOW, copied, over, places, record_some, rows, tampering
from tests.proofs.verifier import verifier
from tests.thorough import many
from tests.waiting import LIMIT


@pytest.fixture
def log(ledger: Ledger):
    record_some(ledger)
    with Log(ledger) as opened:
        yield opened


def contents(log: Log) -> list[object]:
    return [log.tree.file.reader.execute(f"SELECT * FROM {table}").fetchall() for table in ("state", "tiles", "runs")]


def test_anybody_can_compute_a_leaf_from_a_match_file_and_the_salt(log: Log) -> None:
    log.seal()
    data = []
    for index, (_, match, seq, _, hash) in enumerate(rows(log.ledger.store.file.path)):
        place = EventPlace(match, seq)
        data.append(f"{match} {seq} {hash.hex()} {log.ring.leaves.salt(place).hex()}".encode())
        assert (log.tree.index(place), log.tree.place(index)) == (index, place)
        found = log.inclusion(place)
        assert (found.data, found.path) == (data[-1], log.tree.tiles.inclusion(index, EVENTS))
    assert log.tree.tiles.root() == naive.mth(data)
    assert log.tree.place(EVENTS) is None
    assert log.tree.index(EventPlace("x", 1)) is None
    assert log.tree.index(EventPlace(places(log.ledger.store.file.path)[0].match, 99)) is None


def test_the_tree_grows_to_the_same_rows_however_it_grew(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.seal()
    match = over(log.ledger)
    log.seal()
    log.ledger.record(match, [ev.Note(text="late")], len(log.ledger.store.read(match)))
    last = log.seal()
    grown = contents(log)
    for batch in (1, 2, 7, 5_000):
        monkeypatch.setattr("cardledger.record.proofs.tree.BATCH", batch)
        log.tree.drop()
        assert log.seal() == last
        assert contents(log) == grown


def test_growing_reads_only_new_events(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.seal()
    over(log.ledger)
    asked: list[int] = []
    real = log.ledger.store.read_all
    monkeypatch.setattr(log.ledger.store, "read_all", lambda after=0: asked.append(after) or real(after))
    log.seal()
    assert asked == [EVENTS]


def test_a_checkpoint_is_made_once_and_kept(log: Log) -> None:
    first = log.seal(NOW)
    assert (first.size, log.signed_at(first)) == (EVENTS, NOW)
    assert log.seal() == first
    over(log.ledger)
    second = log.seal()
    assert second.size > EVENTS
    assert log.checkpoints.all() == [first, second]
    assert log.latest() == second
    assert log.checkpoints.of_size(EVENTS) == first
    assert log.checkpoints.of_size(1) is None
    proof = log.consistency(first.size, second.size)
    assert verifier.goes_on(first.size, second.size, first.root, second.root, proof.path)


def test_an_empty_ledger_has_a_checkpoint_too(ledger: Ledger) -> None:
    with Log(ledger) as log:
        assert log.latest().size == 0
        record_some(ledger)
        assert log.seal().size == EVENTS
        assert survey(log) == (EVENTS, 2)


@pytest.mark.parametrize(("first", "second"), [(0, 3), (4, 3), (3, EVENTS + 1), (10**17, 10**17)])
def test_invalid_sizes_are_refused(log: Log, first: int, second: int) -> None:
    log.seal()
    with pytest.raises(ProofError) as caught:
        log.consistency(first, second)
    assert caught.value.code == "proofs.range"


def test_a_missing_event_has_no_proof(log: Log) -> None:
    for place in (EventPlace("x", 1), EventPlace(places(log.ledger.store.file.path)[0].match, 99)):
        with pytest.raises(ProofError) as caught:
            log.inclusion(place)
        assert caught.value.code == "proofs.range"


def test_a_new_event_is_sealed_when_its_proof_is_requested(log: Log) -> None:
    log.seal()
    match = over(log.ledger)
    found = log.inclusion(EventPlace(match, 1))
    assert found.checkpoint == log.checkpoints.last()
    assert found.index == EVENTS


# --- keys


def test_the_key_is_created_once_and_readable_by_its_owner_only(log: Log) -> None:
    path = log.key_path
    assert path.name == "club.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with Log(log.ledger) as again:
        assert again.ring.verifier == log.ring.verifier
    assert path.read_bytes() == before
    assert log.ring.origin.startswith("cardledger/club-")


def test_the_key_belongs_to_the_ledger_wherever_its_read_models_are(log: Log, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    path = log.key_path.with_name("club.db")
    with Ledger(path, views=elsewhere / "rows.db") as ledger, Log(ledger) as again:
        assert (again.key_path, again.ring.verifier) == (log.key_path, log.ring.verifier)
        assert BackupSource.of(path, ledger.store).side.key == log.key_path
    assert not [*elsewhere.glob("*.key")]


def test_two_processes_that_start_at_once_agree_on_one_key(ledger: Ledger) -> None:
    found: list[str] = []

    def first() -> None:
        with Log(ledger) as log:
            found.append(str(log.ring.verifier))

    threads = [threading.Thread(target=first) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len({*found}) == 1


def test_a_new_key_signs_together_with_the_old_one_which_remains_known(log: Log) -> None:
    old = log.ring.verifier
    before = log.seal(NOW)
    ring = log.rotate(NOW)
    assert ring.verifiers == [ring.verifier, old]
    assert ring.verifier != old
    last = log.checkpoints.last()
    assert last is not None
    assert last.signed_at(old) == last.signed_at(ring.verifier) == NOW
    over(log.ledger)
    newest = log.seal()
    with pytest.raises(ProofError):
        newest.signed_at(old)
    with Log(log.ledger) as again:
        assert survey(again, [before, last, newest])[1] == 2
    assert stat.S_IMODE(log.key_path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"-----BEGIN PRIVATE KEY-----", b'{"origin": 7}', b"\xff\xfe", b"[" * 100_000]
)
def test_a_foreign_key_file_is_refused_and_left_alone(ledger: Ledger, content: bytes) -> None:
    path = ledger.store.file.path.with_name("club.key")
    path.write_bytes(content)
    with pytest.raises(ProofError) as caught:
        Log(ledger)
    assert caught.value.code == "proofs.key"
    assert path.read_bytes() == content


def test_every_bit_of_the_key_file_that_signs_counts(log: Log, tmp_path: Path) -> None:
    ring, whole = log.ring, log.key_path.read_bytes()
    copy = tmp_path / "copy.key"
    start, end = whole.index(b'"signer"'), whole.index(b'"salts"')
    for place in range(start * 8, end * 8, 3):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        copy.write_bytes(flipped)
        with suppress(ProofError):
            assert read_ring(copy).signer.private_bytes_raw() == ring.signer.private_bytes_raw()


def test_without_its_key_a_log_does_not_start_over(log: Log) -> None:
    log.seal()
    log.key_path.unlink()
    with pytest.raises(ProofError) as caught:
        Log(log.ledger)
    assert caught.value.code == "proofs.key"
    assert not log.key_path.exists()
    log.checkpoints.path.rename(log.checkpoints.path.with_suffix(".old"))
    with Log(log.ledger) as fresh:
        assert fresh.seal().origin != log.ring.origin


def test_a_foreign_file_in_place_of_the_tree_is_refused_and_left_alone(ledger: Ledger) -> None:
    path = ledger.store.file.path.with_name("club.proofs.db")
    path.write_bytes(b"a letter to somebody")
    with pytest.raises(StoreError) as caught:
        Log(ledger)
    assert caught.value.code == "store.open"
    assert path.read_bytes() == b"a letter to somebody"


# --- the file of checkpoints


def test_a_checkpoint_cut_off_during_writing_does_not_count_and_does_not_block_others(log: Log) -> None:
    first = log.seal()
    over(log.ledger)
    second = log.seal()
    whole = log.checkpoints.path.read_bytes()
    begin = len(first.note.encode()) + 1
    assert whole == f"{first.note}\n{second.note}\n".encode()
    for length in range(begin, len(whole)):
        log.checkpoints.path.write_bytes(whole[:length])
        assert log.checkpoints.all() == [first]
        assert log.checkpoints.last() == first
    for length in (begin + 1, begin + 70, begin + 120, len(whole) - 1):
        log.checkpoints.path.write_bytes(whole[:length])
        with log.tree.file.writing() as db:  # what was not written whole was not noted either
            db.execute("UPDATE sealed SET notes = 1, size = ?", (first.size,))
        assert log.seal().root == second.root
        assert [each.root for each in log.checkpoints.all()] == [first.root, second.root]


def test_the_last_of_many_checkpoints_is_found_from_the_end(tmp_path: Path, log: Log) -> None:
    kept = Checkpoints(tmp_path / "many")
    made = [logs.notes.sign("x", size, bytes(32), NOW, log.ring.signer) for size in range(40)]
    for each in made:
        kept.add(each)
    assert kept.path.stat().st_size > 8_192
    assert kept.last() == made[-1]
    assert kept.all() == made
    assert kept.of_size(7) == made[7]
    with kept.path.open("ab") as file:
        file.write(made[3].note.encode()[:-20])
    assert kept.last() == made[-1]


def test_no_checkpoint_is_given_out_that_cannot_be_stored(log: Log) -> None:
    log.checkpoints.path.mkdir()
    with pytest.raises(ProofError) as caught:
        log.seal()
    assert caught.value.code in ("proofs.write", "proofs.note")


_SEAL = """
import sys
from cardledger.record.backup.making import BackupSource
from cardledger.record.recording.ledger import Ledger
from cardledger.record.proofs.log import Log
from tests.proofs.club import over
for _ in range(6):
    with Ledger(sys.argv[1]) as ledger, Log(ledger) as log:
        over(ledger, seed=int(sys.argv[2]))
        print(log.seal().note)
"""


@pytest.mark.long
def test_processes_that_seal_at_once_make_one_series_of_checkpoints(log: Log, tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent
    sealers = [
        subprocess.Popen(
            [sys.executable, "-c", _SEAL, str(tmp_path / "club.db"), str(n)],
            stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(root)},
        )
        for n in range(2)
    ]  # fmt: skip
    told = [sealer.communicate(timeout=LIMIT)[0] for sealer in sealers]
    assert all(sealer.returncode == 0 for sealer in sealers)
    kept = log.checkpoints.all()
    assert {note for text in told for note in text.split("\n\n")[:-1:2]} <= {
        each.note.split("\n\n")[0] for each in kept
    }
    sizes = [each.size for each in kept]
    assert sizes == sorted({*sizes})
    assert survey(log) == (log.tree.tiles.size, len(kept))


# --- changed events are not signed


def test_a_ledger_cut_off_behind_its_checkpoint_gets_no_new_one(log: Log, tmp_path: Path) -> None:
    log.seal()
    last = places(tmp_path / "club.db")[-1]
    with tampering(copied(tmp_path, "cut")) as db:
        db.execute("DELETE FROM events WHERE position = (SELECT max(position) FROM events)")
    with Ledger(tmp_path / "cut" / "club.db") as ledger:
        with pytest.raises(StoreError, match="other files go further"):
            Log(ledger)
        ledger.store.refusal = None  # as for a program that does not look
        with Log(ledger) as opened:
            for _ in range(2):  # with what is recorded on top of it, neither
                with pytest.raises(ProofError) as caught:
                    seal(opened)
                assert (caught.value.code, caught.value.place) == ("proofs.missing", last)
                over(ledger)
            assert len(opened.checkpoints.all()) == 1


def test_a_tree_that_was_lost_or_damaged_is_made_again(log: Log) -> None:
    log.seal()
    sound = contents(log)
    damages = (
        "DELETE FROM tiles", "UPDATE tiles SET hashes = zeroblob(length(hashes))", "DELETE FROM runs",
        "UPDATE state SET size = 3", "UPDATE runs SET match = 'x'", "UPDATE runs SET seq = -1 << 60", "DELETE FROM state",
    )  # fmt: skip
    for damage in damages:
        with log.tree.file.writing() as db:
            db.execute(damage)
        over(log.ledger)
        made = seal(log)
        assert made.size == survey(log).events
        assert log.checkpoints.last() == made
    log.tree.drop()
    seal(log)
    assert contents(log)[0] != sound[0]


@pytest.mark.long
def test_a_destroyed_tree_file_is_rebuilt(log: Log, tmp_path: Path) -> None:
    log.seal()
    whole = contents(log)
    path = copied(tmp_path, "damaged").with_name("club.proofs.db")
    content = path.read_bytes()
    random = Random(12)
    for _ in range(many(150, 3000)):
        at, size = random.randrange(100, len(content) - 64), random.choice([1, 2, 8, 64])
        damage = random.choice([b"\xff" * size, bytes(size), random.randbytes(size)])
        path.write_bytes(content[:at] + damage + content[at + size :])
        with Ledger(path.with_name("club.db")) as ledger, Log(ledger) as opened:
            assert survey(opened)[0] == EVENTS, (at, damage)
            assert seal(opened).root == log.seal().root, (at, damage)
            assert contents(opened) == whole, (at, damage)
        path.with_name("club.proofs.db-wal").unlink(missing_ok=True)


def test_a_full_disk_is_an_error_with_a_code(log: Log) -> None:
    log.seal()
    over(log.ledger)
    log.tree.file.writer.execute("PRAGMA max_page_count = 1")
    for seed in range(60):
        over(log.ledger, seed=seed)
    with pytest.raises(ProofError) as caught:
        log.seal()
    assert caught.value.code == "proofs.write"
    log.tree.file.writer.execute("PRAGMA max_page_count = 1073741823")
    assert survey(log)[1] >= 1
    assert log.seal().size == survey(log)[0]


# --- the clock


def test_checkpoints_never_go_back_in_time(log: Log) -> None:
    first = log.signed_at(log.seal(NOW))
    for back, refused in (
        (timedelta(days=400), True),
        (CLOCKS_DIFFER + timedelta(seconds=1), True),
        (timedelta(minutes=4), False),
    ):
        over(log.ledger, seed=int(back.total_seconds()) % 97)
        if refused:
            for sealing in (log.seal, log.rotate):
                with pytest.raises(ProofError) as caught:
                    sealing(NOW - back)
                assert caught.value.code == "proofs.clock"
            assert len(log.checkpoints.all()) == 1
        else:
            assert log.signed_at(log.seal(NOW - back)) == first, "as time servers set clocks"
    over(log.ledger, seed=98)
    assert log.signed_at(log.seal(NOW + timedelta(days=1))) == NOW + timedelta(days=1)
    log.rotate(NOW + timedelta(days=1))
    times = [log.signed_at(each) for each in log.checkpoints.all()]
    assert times == sorted(times)


def test_a_clock_that_is_behind_is_no_finding(log: Log) -> None:
    log.seal(datetime(2126, 1, 1, tzinfo=UTC))
    told: list[object] = []
    sealer = Sealer(log.ledger, lambda wrong, *, whole: told.append(wrong))
    over(log.ledger)
    sealer.look(0)
    assert sealer.wrong is not None
    assert sealer.wrong.code == "proofs.clock"
    assert sealer.wrong.code not in DAMAGE
