"""The commands of proofs: what they print, what they refuse, and how they name the first bad event."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardledger.cli import main as cli
from cardledger.record.recording.ledger import Ledger
from tests.proofs.club import copied, over, record_some, rehash, tampering
from tests.proofs.verifier import verifier


@pytest.fixture
def club(tmp_path: Path) -> Path:
    with Ledger(tmp_path / "club.db") as ledger:
        record_some(ledger)
        over(ledger)
    return tmp_path / "club.db"


def run(*words: str, db: Path, status: int = 0) -> Result:
    result = CliRunner().invoke(cli.main, [*words, "--db", str(db)])
    assert result.exit_code == status, (words, result.output, result.exception)
    return result


def test_a_checkpoint_is_printed_as_it_is_kept(club: Path) -> None:
    said = run("checkpoint", db=club)
    assert club.with_name("club.checkpoints").read_text() == said.stdout + "\n"
    assert "events, sealed at 20" in said.stderr
    assert run("checkpoint", db=club).stdout == said.stdout
    verifier.checkpoint_of(said.stdout)


def test_verify_compares_with_stored_and_given_checkpoints(club: Path, tmp_path: Path) -> None:
    assert run("verify", db=club).stdout.endswith("every result fits\n")
    assert not club.with_name("club.key").exists()
    (tmp_path / "kept.txt").write_text(run("checkpoint", db=club).stdout)
    (tmp_path / "receipt.json").write_text(run("receipt", "aaaa", db=club).stdout)
    assert run("verify", db=club).stdout.endswith("every result fits, and 1 checkpoint too\n")
    for kept in ("kept.txt", "receipt.json"):
        run("verify", "--checkpoint", str(tmp_path / kept), db=club)
    (tmp_path / "other.txt").write_text("no checkpoint")
    assert "proofs.note" in run("verify", "--checkpoint", str(tmp_path / "other.txt"), db=club, status=2).stderr


def test_the_first_event_that_differs_from_its_seal_is_named(club: Path, tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text(run("checkpoint", db=club).stdout)
    changed = copied(tmp_path, "changed")
    with tampering(changed) as db:
        match, seq = db.execute("SELECT match, seq FROM events WHERE position = 5").fetchone()
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE position = 5')
        rehash(db)
    for words in (("verify",), ("verify", "--checkpoint", str(tmp_path / "kept.txt")), ("checkpoint",)):
        said = run(*words, db=changed, status=1)
        assert said.stderr.startswith(f"{match}:{seq}: proofs.differs: event {seq} of {match}"), said.stderr
    # A thorough forger removes all derived files; a checkpoint saved elsewhere still reveals the change.
    for name in ("club.proofs.db", "club.checkpoints"):
        changed.with_name(name).unlink()
    assert "fits" in run("verify", db=changed).stdout
    said = run("verify", "--checkpoint", str(tmp_path / "kept.txt"), db=changed, status=1)
    assert said.stderr.startswith("proofs.checkpoint: one of the events 1 to ")


def test_a_checkpoint_cannot_be_compared_without_the_key_file(club: Path, tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text(run("checkpoint", db=club).stdout)
    club.with_name("club.key").unlink()
    for words in (("verify",), ("verify", "--checkpoint", str(tmp_path / "kept.txt")), ("checkpoint",), ("key",)):
        assert "proofs.key" in run(*words, db=club, status=2).stderr
    assert not club.with_name("club.key").exists()


def test_proofs_and_receipts_pass_the_published_checker(club: Path) -> None:
    key = run("key", db=club).stdout.split()[0]
    proof = run("prove", "aaaa#3", db=club).stdout
    assert "event 3 is number 4 of" in "\n".join(verifier.check(proof, key))
    assert "event 6 is number" in "\n".join(verifier.check(run("prove", "aaaa", db=club).stdout, key))
    receipt = run("receipt", "aaaa", db=club).stdout
    assert "its 6 events follow" in "\n".join(verifier.check(receipt, key))
    assert json.loads(receipt)["keys"] == [key]


@pytest.mark.parametrize(
    ("event", "code"),
    [("aaaa#7", "proofs.range"), ("aaaa#0", "proofs.range"), ("zz", "store.unknown"), ("", "store.ambiguous")],
)
def test_a_missing_event_cannot_be_proven(club: Path, event: str, code: str) -> None:
    with Ledger(club) as ledger:
        over(ledger, seed=2)
        over(ledger, seed=3)
    assert code in run("prove", event, db=club, status=2).stderr


def test_a_place_that_is_not_a_number_is_explained(club: Path) -> None:
    assert "write the number of an event after #" in run("prove", "aaaa#x", db=club, status=2).stderr


def test_keys_are_shown_with_those_before_them(club: Path) -> None:
    (old,) = run("key", db=club).stdout.splitlines()
    new, before = run("key", "--rotate", db=club).stdout.splitlines()
    assert before.startswith(old.split()[0])
    assert ", until 20" in before
    assert new.split()[0] != old.split()[0]
    assert run("verify", db=club).stdout.endswith("and 1 checkpoint too\n")
