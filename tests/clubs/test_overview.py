"""All clubs at a glance: what is told of each, whatever its files hold, without opening a ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import where
from cardledger.record.store.paths import Family
from cardledger_web.clubs.making import make_club
from cardledger_web.clubs.overview import overview
from cardledger_web.clubs.places import ClubPlace, places_at
from tests.test_cli import run
from tests.web.club import opened


def club(path: Path) -> Path:
    """Make a ledger with one match."""
    with Ledger(path) as ledger:
        ledger.record(None, [opened()], 0)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of clubs: one in order, one just made, and some that cannot be opened."""
    club(tmp_path / "ulm.db")
    make_club(tmp_path, "new", "Vogt", "a test")
    (tmp_path / "text.db").write_text("no database")
    (tmp_path / "lost.db").touch()
    Family(tmp_path / "lost.db").backups.write_text("{}")
    (tmp_path / "dir.db").mkdir()
    (tmp_path / "torn.db").write_bytes(club(tmp_path / "torn.db").read_bytes()[:5000])
    return tmp_path


def test_every_club_is_told_of_even_if_its_ledger_cannot_be_opened(folder: Path) -> None:
    states = {state.name: state for state in overview(places_at(folder))}
    assert [*states] == sorted(states)
    assert {name for name, state in states.items() if state.opens} == {"ulm", "new"}
    assert all(state.code and state.why and state.events is None for state in states.values() if not state.opens)
    assert str(folder) not in str(states), "who asks may be elsewhere"
    ulm = states["ulm"]
    assert (ulm.events, len(ulm.last or ""), ulm.copied) == (1, 10, None)
    assert states["new"].events == 0 and states["new"].last is None


def test_a_ledger_that_is_being_written_is_told_of_and_left_as_it_is(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ulm.db") as ledger:
        for count in (1, 2):
            ledger.record(None, [opened()], 0)
            (state,) = overview(places_at(tmp_path))
            assert state.events == count
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    overview(places_at(tmp_path))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_last_copy_and_the_size_of_all_files_are_told(tmp_path: Path) -> None:
    path = club(tmp_path / "ulm.db")
    run("backup", str(tmp_path / "copies"), "--db", str(path))
    (state,) = overview({"ulm": ClubPlace(path)})
    assert state.copied is not None and state.copied.startswith("20")
    assert state.bytes == sum(each.stat().st_size for each in Family(path).all() if each.exists())


def test_a_database_is_not_asked() -> None:
    (state,) = overview({"ulm": ClubPlace(where("postgresql://club@db.example.org/ledger"))})
    assert state.opens is None and state.well and state.events is None
    assert "asked when the club opens" in str(state.why)


def test_the_command_lists_them_for_people_and_programs(folder: Path) -> None:
    told = json.loads(run("clubs", "list", str(folder), "--json").stdout)
    assert {each["name"]: each["opens"] for each in told}["ulm"] is True
    table = run("clubs", "list", str(folder)).stdout
    assert "store.damaged: Its file is damaged or empty." in table and "opens" in table
