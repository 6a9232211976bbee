"""Read models: folded by checkpoint, corrected by corrections, and rebuilt to the same content."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from ledger import events as ev
from ledger.errors import StoreError
from ledger.ledger import Ledger
from ledger.matchfile import Match, read_file
from ledger.readmodels import MODELS
from tests.conftest import SAMPLES


def content(path: Path) -> list[str]:
    """Return all that is in a database, as SQL."""
    db = sqlite3.connect(path)
    dump = list(db.iterdump())
    db.close()
    return dump


def sample_matches() -> list[Match]:
    found = [match for path in sorted(SAMPLES.glob("*.jsonl")) for match in read_file(path)]
    return [match for match in found if isinstance(match, Match)]


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


def test_tables_of_an_older_version_are_folded_anew(ledger: Ledger, tmp_path: Path) -> None:
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


def test_whoever_reads_the_tables_finds_all_that_is_recorded(ledger: Ledger, tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as other:
        for number, match in enumerate(sample_matches()[:3], 1):
            ledger.record(None, match.events, 0)
            assert other.views.database["matches"].count == number
            assert ledger.views.position == ledger.store.last_position()


def test_threads_that_record_and_read_find_their_own(ledger: Ledger) -> None:
    def play(game: Match) -> list[int]:
        id, seen = None, []
        for seq in range(0, len(game.events), 5):
            recorded = ledger.record(id, game.events[seq : seq + 5], seq)
            id = recorded.match
            row = ledger.views.reader.execute("SELECT seq FROM matches WHERE match = ?", (id,)).fetchone()
            seen.append(row[0] - recorded.seq)
        return seen

    with ThreadPoolExecutor(6) as pool:
        assert not any(behind for seen in pool.map(play, sample_matches()[:6]) for behind in seen)


def test_other_programs_find_what_is_recorded_after_a_moment(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(None, sample_matches()[0].events, 0)
    with closing(sqlite3.connect(tmp_path / "club.views.db")) as db:
        until = time.monotonic() + 20
        while not (found := db.execute("SELECT count(*) FROM matches").fetchone()[0]) and time.monotonic() < until:
            time.sleep(0.05)
    assert found == 1


def test_closing_leaves_nothing_to_be_folded(ledger: Ledger, tmp_path: Path) -> None:
    ledger.record(None, sample_matches()[0].events, 0)
    ledger.close()
    with closing(sqlite3.connect(tmp_path / "club.views.db")) as db:
        assert db.execute("SELECT count(*) FROM matches").fetchone()[0] == 1


def test_what_another_process_wrote_is_caught_up(ledger: Ledger, tmp_path: Path) -> None:
    match = ledger.record(None, [ev.Open(game="diversity", players=tuple("abcd"))], 0).match
    other = Ledger(tmp_path / "club.db")
    other.record(match, [ev.Deal(dealer=0, hands=None)], 1)
    other.close()
    assert ledger.views.database["hands"].count == 1


def test_a_correction_corrects_every_table(ledger: Ledger) -> None:
    opening = ev.Open(game="diversity", players=tuple("abcd"), policy="record")
    deal = [ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(1, 2, 3, 7))]
    second = [ev.Deal(dealer=1, hands=None), ev.Score(scores=(5, 5, 3, 0))]
    match = ledger.record(None, [opening, *deal, *second], 0).match
    ledger.record(match, [ev.Amend(about=3, event=ev.Claim(tricks=(7, 3, 2, 1)))], 5)
    rows = ledger.views.database.query("SELECT hand, seat, score, total FROM seats ORDER BY hand, seat")
    assert [(row["score"], row["total"]) for row in rows] == [
        (7, 7), (3, 3), (2, 2), (1, 1), (5, 12), (5, 8), (3, 5), (0, 1),
    ]  # fmt: skip
    ledger.record(match, [ev.Retract(to=3)], 6)
    assert ledger.views.database["hands"].count == 1


def test_rows_say_what_the_samples_say(ledger: Ledger) -> None:
    for path in sorted(SAMPLES.glob("*.jsonl")):
        list(ledger.import_matches(read_file(path)))
    tables = [match.stream.table for match in sample_matches()]
    count = {model.name: ledger.views.database[model.name].count for model in MODELS}
    assert count == {
        "matches": len(tables),
        "players": sum(table.n for table in tables),
        "hands": sum(len(table.hands) for table in tables),
        "seats": sum(len(table.hands) * table.n for table in tables),
        "tricks": sum(len(hand.tricks) for table in tables for hand in table.hands),
        "rulings": count["rulings"],
        "violations": sum(len(table.violations) for table in tables),
        "counts": sum(hand.scores is not None for table in tables for hand in table.hands),
    }
    totals = {row["match"]: row for row in ledger.views.database.query("SELECT * FROM matches")}
    sums = ledger.views.database.query("SELECT match, seat, sum(score) AS points FROM seats GROUP BY match, seat")
    for row in sums:
        match = totals[row["match"]]
        if '"chips":true' not in match["options"]:
            assert f"{row['points'] or 0}" in match["totals"].strip("[]").split(",")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_column_is_explained(model) -> None:
    assert model.about.endswith(".")
    assert all(meaning for _, meaning in model.columns.values())
    assert set(model.key) <= set(model.columns)
