"""The sealer: checkpoints come by themselves, soon after something was recorded, and not too many."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from cardledger.record.proofs.log import Log
from cardledger.record.proofs.sealer import AT_LEAST_SECONDS, AT_MOST_SECONDS, Sealer
from cardledger.rules.engine import events as ev
from tests.clock import Clock
from tests.proofs.club import over, record_some, rehash

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger


def kept(ledger: Ledger) -> list[int]:
    with Log(ledger) as log:
        return [checkpoint.size for checkpoint in log.checkpoints.all()]


def test_an_empty_ledger_is_left_alone(ledger: Ledger, tmp_path: Path) -> None:
    Sealer(ledger).look(0)
    assert not (tmp_path / "club.key").exists()


def test_recorded_events_are_sealed_once_within_a_minute(ledger: Ledger) -> None:
    match, _ = record_some(ledger)
    sealer = Sealer(ledger)
    sealer.look(0)
    assert kept(ledger) == [11]
    ledger.record(match, [ev.Note(text="one")], 6)
    sealer.look(AT_LEAST_SECONDS)
    ledger.record(match, [ev.Note(text="two")], 7)
    sealer.look(AT_MOST_SECONDS - 1)
    assert kept(ledger) == [11]
    sealer.look(AT_MOST_SECONDS)
    assert kept(ledger) == [11, 13]
    sealer.look(10 * AT_MOST_SECONDS)
    assert kept(ledger) == [11, 13]


def test_a_match_that_ends_is_sealed_at_once(ledger: Ledger) -> None:
    record_some(ledger)
    sealer = Sealer(ledger)
    sealer.look(0)
    over(ledger)
    sealer.look(AT_LEAST_SECONDS - 1)
    assert len(kept(ledger)) == 1
    sealer.look(AT_LEAST_SECONDS)
    assert len(kept(ledger)) == 2


def test_a_ledger_that_was_changed_is_not_sealed_and_the_log_of_the_server_says_so_once(
    ledger: Ledger, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    match, other = record_some(ledger)
    sealer = Sealer(ledger)
    sealer.look(0)
    tool = sqlite3.connect(tmp_path / "club.db")
    for name in ("events_are_kept", "events_are_final"):
        tool.execute(f"DROP TRIGGER {name}")
    tool.execute("UPDATE events SET line = replace(line, '~', '-') WHERE position = 1")
    rehash(tool)
    tool.commit()
    tool.close()
    for turn in (1, 2, 3):
        ledger.record(other, [ev.Note(text="more")], ledger.stream(other).seq)
        sealer.look(1_000.0 * turn)
    assert sealer.wrong is not None
    assert sealer.wrong.code == "proofs.differs"
    assert f"event 1 of {match}" in sealer.wrong.message
    assert kept(ledger) == [11]
    assert len([record for record in caplog.records if record.name == "cardledger.proofs"]) == 1


def test_surveys_take_no_more_than_a_hundredth_of_the_time(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = record_some(ledger)
    surveyed, clock = [], Clock()
    monkeypatch.setattr("cardledger.record.proofs.sealer.time", clock)

    def slow(log: Log, **_: object) -> None:
        surveyed.append(log)
        clock.now += 0.05

    monkeypatch.setattr("cardledger.record.proofs.sealer.survey", slow)
    sealer = Sealer(ledger)
    monkeypatch.setattr("cardledger.record.proofs.sealer.SHARE", 10_000)
    for turn in range(8):
        ledger.record(match, [ev.Note(text="more")], 6 + turn)
        sealer.look(AT_MOST_SECONDS * turn)
    assert len(surveyed) == 1
    ledger.record(match, [ev.Note(text="more")], 14)
    sealer.look(AT_MOST_SECONDS * 100)
    assert len(surveyed) == 2
    assert len(kept(ledger)) == 9


def test_a_ledger_that_is_closed_is_sealed_first(tmp_path: Path) -> None:
    from cardledger.record.recording.ledger import Ledger

    with Ledger(tmp_path / "club.db") as ledger:
        record_some(ledger)
        Sealer(ledger).start()
    assert len((tmp_path / "club.checkpoints").read_text().split("\n\n")) == 3


def test_the_server_goes_on_without_writing(ledger: Ledger, tmp_path: Path) -> None:
    record_some(ledger)
    (tmp_path / "club.checkpoints").mkdir()
    sealer = Sealer(ledger)
    sealer.look(0)
    assert sealer.wrong is not None
    (tmp_path / "club.checkpoints").rmdir()
    sealer.look(AT_MOST_SECONDS)
    assert sealer.wrong is None
    assert kept(ledger) == [11]
