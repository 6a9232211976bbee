"""Days are the club's: a match recorded without a day is of the day on the calendar there; one of a file has none."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.record.matches.matchfile import write
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import UNKNOWN

OPEN = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> str:
    """A time zone in which it is now another day than in UTC; returns that day."""
    with monkeypatch.context() as zone:
        now = datetime.now(UTC)
        zone.setenv("TZ", "Etc/GMT+12" if now.hour < 11 else "Etc/GMT-14")
        time.tzset()
        here = now.astimezone().date().isoformat()
        assert here != now.date().isoformat()
        yield here
    time.tzset()


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    with Ledger(tmp_path / "club.db") as opened:
        yield opened


def dates(ledger: Ledger) -> list[str | None]:
    """The days of all matches, as lists of matches and of players have them."""
    ledger.views.catch_up()
    days = [day for (day,) in ledger.views.reader.execute("SELECT date FROM matches ORDER BY position")]
    of_players = "SELECT DISTINCT p.date FROM players AS p JOIN matches AS m ON m.match = p.match AND m.date IS p.date"
    assert {day for (day,) in ledger.views.reader.execute(of_players)} == set(days)
    return days


def test_a_match_is_filed_under_the_day_of_the_server_which_is_in_its_opening(ledger: Ledger, elsewhere: str) -> None:
    match = ledger.record(None, [OPEN], 0).match
    assert dates(ledger) == [elsewhere]
    assert ledger.events(match)[0].date == elsewhere  # type: ignore[attr-defined]


def test_it_keeps_its_day_when_rebuilt_in_another_time_zone(
    ledger: Ledger, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.record(None, [OPEN], 0)
    for zone in ("UTC", "Pacific/Kiritimati"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        list(ledger.rebuild())
        assert dates(ledger) == [elsewhere]
        assert [error for _, error in ledger.verify() if error] == []


def test_the_day_that_an_opening_names_is_the_day(ledger: Ledger, elsewhere: str) -> None:
    ledger.record(None, [ev.Open(game="ruff", players=("a", "b", "c"), date="2026-11-21")], 0)
    assert dates(ledger) == ["2026-11-21"]


def test_an_event_with_its_own_time_is_stored_as_written(ledger: Ledger, elsewhere: str) -> None:
    match = ledger.record(None, [ev.Open(game="ruff", players=("a", "b", "c"), at="2025-11-23T02:30:00Z")], 0).match
    assert ledger.events(match)[0].date is None  # type: ignore[attr-defined]
    assert dates(ledger) == ["2025-11-23"]


def test_an_opening_sent_again_is_recognised_without_a_day(ledger: Ledger, elsewhere: str) -> None:
    opening = ev.Open(game="ruff", players=("a", "b", "c"), id="00000000-0000-4000-8000-000000000001")
    first, again = ledger.record(None, [opening], 0), ledger.record(None, [opening], 0)
    assert (first.new, again.new, first.hash) == (True, False, again.hash)


def test_an_amended_opening_without_a_day_keeps_the_old_day(ledger: Ledger, elsewhere: str) -> None:
    match = ledger.record(None, [OPEN], 0).match
    ledger.record(
        match, [ev.Amend(about=1, event=ev.Open(game="diversity", players=("eva", "ben", "chloe", "dev")))], 1
    )
    assert dates(ledger) == [elsewhere]
    dated = ev.Open(game="diversity", players=("eva", "ben", "chloe", "dev"), date="2026-11-21")
    ledger.record(match, [ev.Amend(about=1, event=dated)], 2)
    assert dates(ledger) == ["2026-11-21"]


def test_a_file_without_days_has_none_and_is_stored_once(tmp_path: Path, elsewhere: str) -> None:
    file, db = tmp_path / "night.jsonl", tmp_path / "club.db"
    file.write_bytes(write([OPEN]))
    for said in ("1 match, 1 event stored", "stored already"):
        done = CliRunner().invoke(main, ["import", str(file), "--db", str(db)])
        assert done.exit_code == 0, done.output
        assert said in done.stdout
        assert "file.day: 1 match has no day" in done.stderr
    with Ledger(db) as ledger:
        assert dates(ledger) == [None]
        assert ledger.events(ledger.matches()[0])[0].date == UNKNOWN  # type: ignore[attr-defined]
        (exported,) = ledger.export(ledger.matches())
    again, copy = tmp_path / "again.jsonl", tmp_path / "copy.db"
    again.write_text(exported)
    assert CliRunner().invoke(main, ["import", str(again), "--db", str(copy)]).exit_code == 0
    with Ledger(copy) as ledger:
        assert [*ledger.export(ledger.matches())] == [exported]


def test_a_file_without_days_that_was_corrected_is_recognised(tmp_path: Path, elsewhere: str) -> None:
    file, db = tmp_path / "night.jsonl", tmp_path / "club.db"
    deal = ev.Deal(dealer=0, hands=None)
    for points, status in (((4, 3, 3, 3), 0), ((3, 4, 3, 3), 2)):
        file.write_bytes(write([OPEN, deal, ev.Score(scores=points)]))
        done = CliRunner().invoke(main, ["import", str(file), "--db", str(db)])
        assert done.exit_code == status, done.output
    assert "store.similar" in done.output
