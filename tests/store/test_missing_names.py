"""A name that is gone though nobody was erased is found by everything that says whether a ledger is well."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from click.testing import CliRunner, Result

from cardledger.cli.main import main
from cardledger.record.backup.following import BackupFollower, follow
from cardledger.record.backup.making import BackupSource
from cardledger.record.backup.manifest import utc_now
from cardledger.record.people.people import Name
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from tests.proofs.club import unnoticed

FOUR = ("Annabella", "ben", "chloe", "dev")


def play(ledger: Ledger, seed: int = 1) -> str:
    events = [*simulate("diversity", 4, Random(seed), ["random"], {"hands": 1}, players=FOUR, max_hands=1)]
    match, seq, *_ = ledger.record(None, events, 0, by="dev")
    ledger.record(match, [ev.Note(text="Annabella dropped a card")], seq)
    return match


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with names of every kind, and one person erased."""
    path = tmp_path_factory.mktemp("made") / "club.db"
    with Ledger(path) as ledger:
        play(ledger)
        ledger.record_people([Name(player="chloe", name="Chloe of Nantes")], 0, "ben")
        erase(ledger, examine(ledger, "ben"), "dev")
    return path.parent


@pytest.fixture
def club(made: Path, tmp_path: Path) -> Path:
    copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "club.db"


def altered(path: Path, statement: str) -> int:
    """Do something to the names with another tool, as an accident or an intruder does; return how many rows it met."""
    with unnoticed(path), closing(sqlite3.connect(path)) as db:
        met = db.execute(statement).rowcount
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return met


def run(*words: object, status: int = 0) -> Result:
    found = CliRunner().invoke(main, [str(word) for word in words])
    assert found.exit_code == status, found.output
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


def names(path: Path) -> set[tuple[str, str, str]]:
    with closing(sqlite3.connect(path)) as db:
        return {*db.execute("SELECT pseudonym, kind, text FROM names")}


WAYS = {
    "all": "DELETE FROM names",
    "one": "DELETE FROM names WHERE kind = 'player' AND text = '\"Annabella\"'",
    "a note": "DELETE FROM names WHERE kind = 'text'",
    "a display name": "DELETE FROM names WHERE kind = 'name'",
    "made to look erased": "UPDATE names SET kind = 'erased', text = '\"' || pseudonym || '\"', salt = x'' WHERE kind = 'player'",
    "all but those erased": "DELETE FROM names WHERE kind <> 'erased'",
}


@pytest.fixture(params=WAYS, ids=lambda way: way.replace(" ", "-"))
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    return WAYS[request.param]


@pytest.mark.parametrize("kind", ["text", "name", "word"])
def test_a_player_stored_as_another_kind_of_text_is_found(club: Path, kind: str, tmp_path: Path) -> None:
    """An erasure looks for players only, and would not find the name."""
    copy = tmp_path / "copy.db"
    run("backup", copy, "--db", club)
    before = names(copy)
    assert altered(club, f"UPDATE names SET kind = '{kind}' WHERE kind = 'player' AND text = '\"Annabella\"'") == 1
    run("rebuild", "--db", club)
    assert "store.name: the name of a player in event 1 of " in run("verify", "--db", club, status=1).stderr
    said = json.loads(run("doctor", "--json", "--db", club, status=1).stdout)
    assert {one["state"] for one in said["findings"] if one["name"] == "names"} == {"problem"}
    assert "store.name" in run("backup", copy, "--db", club, status=2).stderr
    assert names(copy) == before


@pytest.mark.parametrize("rebuilt", [True, False])
def test_verify_finds_missing_names(club: Path, way: str, rebuilt: bool) -> None:
    run("verify", "--db", club)
    assert altered(club, way) > 0
    if rebuilt:
        run("rebuild", "--db", club)
        said = run("verify", "--db", club, status=1).stderr
        assert "names:1: store.name: " in said
        assert "missing, though no event erased a person" in said
    else:
        run("verify", "--db", club, status=1)


def test_doctor_finds_missing_names(club: Path, way: str) -> None:
    said = json.loads(run("doctor", "--json", "--db", club).stdout)
    assert {one["state"] for one in said["findings"] if one["name"] == "names"} == {"ok"}
    altered(club, way)
    run("rebuild", "--db", club)
    said = json.loads(run("doctor", "--json", "--db", club, status=1).stdout)
    (found,) = [one for one in said["findings"] if one["name"] == "names"]
    assert found["state"] == "problem"
    assert "no event erased a person" in found["text"]
    assert "cardledger copy BACKUP" in found["advice"]


def test_a_backup_never_takes_the_place_of_one_with_more_names(club: Path, way: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    run("backup", copy, "--db", club)
    before = names(copy)
    altered(club, way)
    run("rebuild", "--db", club)
    said = run("backup", copy, "--db", club, status=2).stderr
    assert "store.name" in said
    assert "nothing was replaced" in said
    assert f"cardledger copy {copy} {club}" in said
    assert names(copy) == before
    # Better a backup without names than none, but it is said.
    first = run("backup", tmp_path / "first.db", "--db", club, status=1)
    assert "missing, though no event erased a person" in first.stderr
    assert (tmp_path / "first.db").exists()


def test_a_second_place_keeps_its_names_and_reports_missing_ones(club: Path, way: str, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    copy = tmp_path / "away" / "copy.db"
    with Ledger(club) as ledger:
        source = BackupSource.of(club, ledger.store)
        with BackupFollower(source, copy, with_key=False) as follower:
            follower.step(utc_now())
        before = names(copy)
        altered(club, way)
        ledger.store.names.forget()
        play(ledger, seed=2)
        with closing(follow(source, copy, 0.1, with_key=False)) as passes:
            first = next(passes)
    assert (first.error, first.new > 0) == (None, True), "what is recorded comes there all the same"
    assert "no event erased a person" in str(first.missing_names)
    assert before <= names(copy)


def test_names_lost_while_following_are_reported_with_the_next_pass(club: Path, way: str, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    with Ledger(club) as ledger:
        source = BackupSource.of(club, ledger.store)
        with BackupFollower(source, tmp_path / "away" / "copy.db", with_key=False) as follower:
            follower.step(utc_now())
            assert follower.missing_names is None
            altered(club, way)
            follower.step(utc_now())
            assert follower.missing_names is not None


@pytest.mark.parametrize("what", ["all", "one", "a note", "a display name"])
def test_names_come_back_from_a_backup(club: Path, what: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    run("backup", copy, "--db", club)
    before = names(club)
    altered(club, WAYS[what])
    run("copy", copy, club)
    assert {row for row in before if row[1] != "erased"} <= names(club)
    run("rebuild", "--db", club)
    run("verify", "--db", club)
    run("backup", copy, "--db", club)


# --- and nothing is said where nothing was lost


def test_erased_names_do_not_count_as_missing(club: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    run("backup", copy, "--db", club)
    with Ledger(club) as ledger:
        erase(ledger, examine(ledger, "Annabella"), "dev")
    run("verify", "--db", club)
    run("backup", copy, "--db", club)
    assert not any("Annabella" in text for _, _, text in names(copy))
    run("doctor", "--db", club)


def test_names_left_out_on_purpose_do_not_count_as_missing(club: Path, tmp_path: Path) -> None:
    archive, other = tmp_path / "all.parquet", tmp_path / "other.db"
    run("pack", archive, "--without-names", "--db", club)
    run("unpack", archive, "--db", other)
    run("verify", "--db", other)
    (tmp_path / "away").mkdir()
    for target in (tmp_path / "away" / "copied.db", tmp_path / "away" / "restored.db"):
        run(*(("copy", other) if "copied" in target.name else ("restore", other)), target)
        run("verify", "--db", target)
    run("backup", tmp_path / "away" / "saved.db", "--db", other)
    said = json.loads(run("doctor", "--json", "--db", other).stdout)
    (found,) = [one for one in said["findings"] if one["name"] == "names"]
    assert (found["state"], "left out when this ledger was made" in found["text"]) == ("warning", True)
    run("doctor", "--db", other)
    # A full backup is not replaced by a ledger that was made without names.
    full = tmp_path / "full.db"
    run("backup", full, "--db", club)
    before = names(full)
    assert "store.name" in run("backup", full, "--db", other, status=2).stderr
    assert names(full) == before
    # They may come later.
    run("copy", full, other)
    run("rebuild", "--db", other)
    run("verify", "--db", other)
    assert "Annabella" in run("export", "--db", other).output


def test_a_ledger_restored_to_before_an_erasure_has_every_event(club: Path, tmp_path: Path) -> None:
    with Ledger(club) as ledger:
        position = ledger.store.last_position()
    for cut in (position - 1, 5):
        target = tmp_path / f"{cut}.db"
        run("restore", club, target, "--to-position", cut)
        run("verify", "--db", target)
        run("doctor", "--db", target)


@pytest.mark.parametrize(
    "lie",
    [
        "text = '\"mallory\"'",
        "kind = 'withheld', text = '\"mallory\"', salt = x''",
        "kind = 'erased', text = '\"mallory\"', salt = x''",
        "kind = 'withheld'",
    ],
)
def test_nobody_can_replace_a_name(club: Path, tmp_path: Path, lie: str) -> None:
    """Neither as a name, nor as what is left of somebody erased, nor as the mark of one that was left out."""
    backup = tmp_path / "backup.db"
    run("backup", backup, "--db", club)
    before = names(backup)
    assert altered(club, f"UPDATE names SET {lie} WHERE kind = 'player' AND text = '\"Annabella\"'") == 1
    for words in (["verify"], ["doctor"], ["backup", backup], ["rebuild"], ["export"]):
        found = CliRunner().invoke(main, [*map(str, words), "--db", str(club)])
        assert found.exit_code != 0, words
        assert "store.name" in found.output, words
        assert "mallory" not in found.output
    assert names(backup) == before


def test_a_pseudonym_of_an_erased_person_cannot_get_another_name(club: Path) -> None:
    assert altered(club, "UPDATE names SET text = '\"mallory\"' WHERE kind = 'erased'") > 0
    for word in ("verify", "doctor", "export"):
        found = CliRunner().invoke(main, [word, "--db", str(club)])
        assert found.exit_code != 0 and "store.name" in found.output and "mallory" not in found.output, word
