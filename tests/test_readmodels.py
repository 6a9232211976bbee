"""Read models: folded by checkpoint, corrected by corrections, and rebuilt to the same content."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from cardledger.errors import StoreError
from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.readmodels import MODELS
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.conftest import SAMPLES
from tests.waiting import wait_until


def content(path: Path) -> list[str]:
    """Return all that is in a database, as SQL."""
    db = sqlite3.connect(path)
    dump = list(db.iterdump())
    db.close()
    return dump


def sample_matches() -> list[MatchInFile]:
    found = [match for path in sorted(SAMPLES.glob("*.jsonl")) for match in read_file(path)]
    return [match for match in found if isinstance(match, MatchInFile)]


@pytest.mark.long
def test_event_by_event_and_rebuilt_are_the_same(ledger: Ledger, tmp_path: Path) -> None:
    """Matches are recorded one event at a time, taking turns, so every row is folded in many small steps."""
    running = [(match, None, 0) for match in sample_matches()[:12]]
    while running:
        rest = []
        for match, id, done in running:
            step = match.events[done : done + 7]
            recorded = ledger.record(id, step, done)
            if done + 7 < len(match.events):
                rest.append((match, recorded.match, done + 7))
        running = rest
        ledger.views.catch_up()
    grown = content(tmp_path / "club.views.db")
    list(ledger.rebuild())
    assert content(tmp_path / "club.views.db") == grown


def test_a_dropped_file_is_folded_again_to_the_same(ledger: Ledger, tmp_path: Path) -> None:
    for path in SAMPLES.glob("diamonds-*.jsonl"):
        list(ledger.import_matches(read_file(path)))
    grown = content(tmp_path / "club.views.db")
    ledger.close()
    for path in tmp_path.glob("club.views.db*"):
        path.unlink()
    again = Ledger(tmp_path / "club.db")
    again.views.catch_up()
    assert content(tmp_path / "club.views.db") == grown
    again.close()


def test_tables_of_an_older_version_are_folded_again(ledger: Ledger, tmp_path: Path) -> None:
    list(ledger.import_matches(read_file(SAMPLES / "ruff-debts.jsonl")))
    grown = content(tmp_path / "club.views.db")
    ledger.close()
    db = sqlite3.connect(tmp_path / "club.views.db")
    db.execute("PRAGMA user_version = 999")
    db.execute("DROP TABLE tricks")
    db.close()
    again = Ledger(tmp_path / "club.db")
    again.views.catch_up()
    assert content(tmp_path / "club.views.db") == grown
    again.close()


def test_a_foreign_file_in_the_place_of_the_tables_is_left_alone(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "club.views.db")
    db.execute("CREATE TABLE letters (text)")
    db.commit()
    db.close()
    with pytest.raises(StoreError):
        Ledger(tmp_path / "club.db")
    assert "letters" in "".join(content(tmp_path / "club.views.db"))


def test_readers_of_the_tables_find_every_recorded_event(ledger: Ledger, tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as other:
        for number, match in enumerate(sample_matches()[:3], 1):
            ledger.record(None, match.events, 0)
            assert other.views.reader.execute("SELECT count(*) FROM matches").fetchone()[0] == number
            assert ledger.views.position == ledger.store.last_position()


@pytest.mark.long
def test_threads_that_record_and_read_find_their_own(ledger: Ledger) -> None:
    def play(game: MatchInFile) -> list[int]:
        id, seen = None, []
        for seq in range(0, len(game.events), 5):
            recorded = ledger.record(id, game.events[seq : seq + 5], seq)
            id = recorded.match
            row = ledger.views.reader.execute("SELECT seq FROM matches WHERE match = ?", (id,)).fetchone()
            seen.append(row[0] - recorded.seq)
        return seen

    with ThreadPoolExecutor(6) as pool:
        assert not any(behind for seen in pool.map(play, sample_matches()[:6]) for behind in seen)


@pytest.mark.long
def test_other_programs_see_new_events_after_a_moment(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(None, sample_matches()[0].events, 0)
    with closing(sqlite3.connect(tmp_path / "club.views.db")) as db:
        assert wait_until(lambda: db.execute("SELECT count(*) FROM matches").fetchone()[0]) == 1


def test_a_signal_before_background_work_starts_does_not_stop_the_closing(tmp_path: Path, monkeypatch) -> None:
    def interrupted(self: threading.Thread) -> None:
        raise KeyboardInterrupt

    with Ledger(tmp_path / "club.db") as ledger, monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(threading.Thread, "start", interrupted)
        ledger.views.background.soon("key", lambda: None)


def test_a_thread_that_reads_a_snapshot_does_not_wait_for_events_that_others_fold(ledger: Ledger) -> None:
    first, *later = sample_matches()[0].events
    match = ledger.record(None, [first], 0).match
    with ledger.views.reader.snapshot() as reader:
        position = ledger.views.position
        with Ledger(ledger.at) as other:
            other.record(match, later, 1)
            other.views.catch_up()
        assert ledger.views.reader is reader
        assert ledger.views.position == position
    assert ledger.views.position == position + len(later)


def test_closing_folds_all_pending_events(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(None, sample_matches()[0].events, 0)
    ledger.close()
    with closing(sqlite3.connect(tmp_path / "club.views.db")) as db:
        assert db.execute("SELECT count(*) FROM matches").fetchone()[0] == 1


def test_events_of_another_process_are_caught_up(ledger: Ledger, tmp_path: Path) -> None:
    match = ledger.record(None, [ev.Open(game="diversity", players=tuple("abcd"))], 0).match
    other = Ledger(tmp_path / "club.db")
    other.record(match, [ev.Deal(dealer=0, hands=None)], 1)
    other.close()
    assert ledger.views.reader.execute("SELECT count(*) FROM hands").fetchone()[0] == 1


def test_a_correction_corrects_every_table(ledger: Ledger) -> None:
    opening = ev.Open(game="diversity", players=tuple("abcd"), policy="record")
    deal = [ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))]
    second = [ev.Deal(dealer=1, hands=None), ev.Score(scores=(5, 5, 3, 0))]
    match = ledger.record(None, [opening, *deal, *second], 0).match
    ledger.record(match, [ev.Amend(about=3, event=ev.Claim(tricks=(7, 3, 2, 1)))], 5)
    rows = ledger.views.reader.query("SELECT hand, seat, score, total FROM seats ORDER BY hand, seat")
    assert [(row["score"], row["total"]) for row in rows] == [
        (7, 7), (3, 3), (2, 2), (1, 1), (5, 12), (5, 8), (3, 5), (0, 1),
    ]  # fmt: skip
    ledger.record(match, [ev.Retract(to=3)], 6)
    assert ledger.views.reader.execute("SELECT count(*) FROM hands").fetchone()[0] == 1


def test_a_ruling_on_an_earlier_hand_corrects_every_table(ledger: Ledger) -> None:
    opening = ev.Open(game="bridge", players=("ana", "ben", "chloe", "dev"), options={"boards": 3}, policy="record")
    boards = [
        event
        for board in (1, 2)
        for event in (ev.Deal(board=board, hands=None, contract="4S", declarer=0), ev.Claim(tricks=(10, 3, 0, 0)))
    ]
    match = ledger.record(None, [opening, *boards], 0).match
    ledger.record(match, [ev.Adjust(kind="tricks", law="64A1", to="ew", tricks=1, hand=1)], 5)
    reader = ledger.views.reader
    rows = reader.execute("SELECT hand, score, total FROM seats WHERE seat = 0 ORDER BY hand").fetchall()
    assert [tuple(row) for row in rows] == [(1, -50, -50), (2, 620, 570)]


def test_rows_agree_with_the_samples(ledger: Ledger) -> None:
    for path in sorted(SAMPLES.glob("*.jsonl")):
        list(ledger.import_matches(read_file(path)))
    tables = [match.stream.table for match in sample_matches()]
    count = {
        model.name: ledger.views.reader.execute(f"SELECT count(*) FROM {model.name}").fetchone()[0] for model in MODELS
    }
    assert count == {
        "matches": len(tables),
        "players": sum(table.n for table in tables),
        "hands": sum(len(table.hands) for table in tables),
        "deals": count["deals"],
        "arrivals": count["arrivals"],
        "calls": count["calls"],
        "boards": sum(len(table.hands) for table in tables if table.game.id == "bridge"),
        "seats": sum(len(table.hands) * table.n for table in tables),
        "company": 0,
        "tricks": sum(len(hand.tricks) for table in tables for hand in table.hands),
        "rulings": count["rulings"],
        "violations": sum(len(table.violations) for table in tables),
        "doubts": count["doubts"],
        "counts": sum(hand.scores is not None for table in tables for hand in table.hands),
    }
    totals = {row["match"]: row for row in ledger.views.reader.query("SELECT * FROM matches")}
    sums = ledger.views.reader.query("SELECT match, seat, sum(score) AS points FROM seats GROUP BY match, seat")
    for row in sums:
        match = totals[row["match"]]
        if not {'"chips":true', '"scoring":"rubber"'} & {*match["options"].strip("{}").split(",")}:
            assert f"{row['points'] or 0}" in match["totals"].strip("[]").split(",")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_column_is_explained(model) -> None:
    assert model.about.endswith(".")
    assert all(meaning for _, meaning in model.columns.values())
    assert set(model.key) <= set(model.columns)
