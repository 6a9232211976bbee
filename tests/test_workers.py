"""Workers who help with `rebuild` and `verify` change nothing: the same rows, the same results in the same order."""

from __future__ import annotations

import pickle
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from cardledger.cli.crews import crew_for
from cardledger.cli.main import main
from cardledger.crew import Alone, Processes
from cardledger.errors import BusyError, ConflictError, LedgerError, RuleError, StoreError
from cardledger.record.matches.matchfile import read_file
from cardledger.record.people.people import Name
from cardledger.record.readmodels.filling import filling
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.verification import checked
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings.evening_events import Club
from tests.conftest import SAMPLES

Result = tuple[str, str | None, str | None, int | None]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one or two matches, so that there are many."""
    monkeypatch.setattr("cardledger.record.store.parts.EVENTS", 100)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with matches of many games, corrections, a club, and one person erased."""
    path = tmp_path_factory.mktemp("made") / "club.db"
    with Ledger(path) as ledger:
        for file in ("diversity-corrections", "hearts-moon", "bridge-club-night", "ruff-debts", "euchre-slips"):
            list(ledger.import_matches(read_file(SAMPLES / f"{file}.jsonl")))
        for seed in range(6):
            names = ("Annabella", "ben", "chloe", f"guest {seed}")
            events = [*simulate("diversity", 4, Random(seed), ["random"], {"hands": 1}, players=names, max_hands=1)]
            ledger.record(None, [*events, ev.Note(text=f"a late night, number {seed}")], 0, by="dev")
        ledger.evenings.record(None, [Club(name="Monday")], 0, by="dev", as_written=False)
        ledger.record_people([Name(player="chloe", name="Chloe of Nantes")], 0, "ben")
        erase(ledger, examine(ledger, "ben"), "dev")
    return path.parent


@pytest.fixture
def club(made: Path, tmp_path: Path) -> Iterator[Ledger]:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    with Ledger(tmp_path / "club.db") as ledger:
        yield ledger


def altered(ledger: Ledger, *statements: str) -> None:
    """Change the events or names with another tool, as an accident or an intruder does."""
    with closing(sqlite3.connect(str(ledger.at))) as db:
        for statement in ("DROP TRIGGER events_are_kept", "DROP TRIGGER events_are_final", *statements):
            db.execute(statement)
        db.commit()


def results(found: Iterator[tuple[str, LedgerError | None]]) -> list[Result]:
    return [(id, *((error.code, error.message, error.index) if error else (None,) * 3)) for id, error in found]


def rows(ledger: Ledger) -> list[str]:
    """Return all that is in the read models, as SQL in the order of the alphabet."""
    with closing(sqlite3.connect(ledger.views.file.path)) as db:
        return sorted(db.iterdump())


def test_rows_are_the_same_whoever_makes_them(club: Ledger) -> None:
    grown = rows(club)
    alone = list(club.rebuild())
    assert rows(club) == grown
    counted = list(club.rebuild(Alone(filling)))
    assert rows(club) == grown
    assert len(counted) > len(alone)
    assert counted == sorted(counted)
    assert counted[-1] == alone[-1]


def test_a_match_that_does_not_fold_is_left_out_by_all(club: Ledger) -> None:
    first = club.matches()[0]
    altered(club, f"UPDATE events SET line = '{{}}' WHERE match = '{first}' AND seq = 4")
    list(club.rebuild())
    alone = rows(club)
    list(club.rebuild(Alone(filling)))
    assert rows(club) == alone
    assert first not in {match for (match,) in club.views.reader.execute("SELECT match FROM matches")}


def test_a_rebuild_that_is_broken_off_changes_nothing(club: Ledger) -> None:
    before = rows(club)
    begun = club.rebuild(Alone(filling))
    next(begun)
    begun.close()  # type: ignore[attr-defined]
    assert rows(club) == before


def test_results_are_the_same_whoever_checks(club: Ledger) -> None:
    alone = results(club.verify())
    assert not [result for result in alone if result[1] is not None]
    assert results(club.verify(Alone(checked))) == alone


def test_errors_are_the_same_and_in_the_same_order(club: Ledger) -> None:
    third, fifth = club.matches()[2], club.matches()[4]
    altered(
        club,
        f"UPDATE events SET line = '{{}}' WHERE match = '{fifth}' AND seq = 4",
        f"DELETE FROM events WHERE match = '{third}' AND seq = 3",
        "DELETE FROM names WHERE text = '\"Annabella\"'",
    )
    alone = results(club.verify())
    wrong = [(id, code, index) for id, code, _, index in alone if code is not None]
    assert wrong[:2] == [(third, "store.gap", 2), (fifth, "store.hash", 3)]
    assert ("names", "store.name", None) in wrong
    assert results(club.verify(Alone(checked))) == alone


def test_a_name_stored_as_another_text_is_found_by_all(club: Ledger) -> None:
    altered(club, "UPDATE names SET kind = 'text' WHERE text = '\"guest 4\"'")
    alone = results(club.verify())
    assert [id for id, code, *_ in alone if code is not None] == ["names"]
    assert results(club.verify(Alone(checked))) == alone


def test_processes_do_the_same_for_the_commands(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.cli.crews.LARGE", 1)
    monkeypatch.setattr("cardledger.cli.crews.cores", lambda: 2)
    before, path = rows(club), str(club.at)
    last = club.matches()[-1]
    done = CliRunner().invoke(main, ["rebuild", "--db", path])
    assert (done.exit_code, rows(club)) == (0, before), done.output
    assert done.output == f"{list(club.rebuild())[-1]:,} events folded\n"
    done = CliRunner().invoke(main, ["verify", "--db", path])
    assert done.exit_code == 0, done.output
    assert done.output.endswith(f"{club.count():,} events: every hash and every result fits\n")
    altered(club, f"UPDATE events SET line = '{{}}' WHERE match = '{last}' AND seq = 4")
    done = CliRunner().invoke(main, ["verify", "--db", path])
    assert (done.exit_code, done.output.split(": ")[:2]) == (1, [f"{last}:4", "store.hash"])


def test_only_large_ledgers_on_several_cores_get_workers(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.cli.crews.cores", lambda: 2)
    with crew_for(filling, club) as crew:
        assert crew is None
    monkeypatch.setattr("cardledger.cli.crews.LARGE", 1)
    with crew_for(filling, club) as crew:
        assert isinstance(crew, Processes)
    monkeypatch.setattr("cardledger.cli.crews.cores", lambda: 1)
    with crew_for(filling, club) as crew:
        assert crew is None


@pytest.mark.parametrize(
    "error",
    [
        StoreError("store.hash", "it is not the stored one", 7),
        RuleError("follow.suit", "a club must be played", 2, ("4C", "5C")),
        ConflictError("a match", 3, 4),
        BusyError("another program writes", "process 5"),
    ],
)
def test_errors_come_back_whole_from_another_process(error: LedgerError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == str(error)
    assert again.args == error.args
