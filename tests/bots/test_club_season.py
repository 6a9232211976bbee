"""The season of the demo's club: made up, whole, valid, and the same every time."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from cardledger.record.matches.matchfile import Problem
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.club_season import NIGHTS, PEOPLE, season
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.stream import Stream
from cardledger_web.commands.demo import import_season
from tests.web.server import ENV

if TYPE_CHECKING:
    from pathlib import Path

FIRST_EVENINGS = 14
"""Results of an import of the club, its league, and the first evening and a little more."""
HASH = """
import sys
from tests.bots.test_club_season import chain
print(chain(sys.argv[1], None))
"""


def chain(path: Path | str, number: int | None = FIRST_EVENINGS) -> str:
    """Store so many matches, clubs, sessions and leagues of the season; return a hash over their chains."""
    with Ledger(path) as ledger:
        results = [*islice(import_season(ledger), number)]
        assert not [each for each in results if isinstance(each, Problem)]
        return sha256(b"".join(row.hash for row in ledger.store.read_all())).hexdigest()


def test_the_first_evenings_are_the_same_bytes_in_two_ledgers_and_stored_again_add_nothing(tmp_path: Path) -> None:
    assert chain(tmp_path / "one.db") == chain(tmp_path / "two.db") == chain(tmp_path / "one.db")


def test_the_salts_of_others_stay_secret_after_the_season(tmp_path: Path) -> None:
    pseudonyms = set()
    for name in ("one.db", "two.db"):
        with Ledger(tmp_path / name) as ledger:
            [*islice(import_season(ledger), 1)]
            pseudonyms.add(ledger.store.names.shared("player", "ana").pseudonym)
    assert len(pseudonyms) == 2


@pytest.mark.long
def test_the_whole_season_is_the_same_whatever_the_order_of_sets(tmp_path: Path) -> None:
    hashes = {
        subprocess.run(
            [sys.executable, "-c", HASH, str(tmp_path / f"{seed}.db")],
            env=ENV | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(hashes) == 1


@pytest.mark.long
def test_a_season_has_everything_that_a_club_sees(tmp_path: Path) -> None:
    """Every event is judged valid; the league, corrections, breaches, a void match, and evenings of all kinds are there."""
    matches: dict[str, list[ev.Event]] = {}
    for part in season():
        matches |= {str(events[0].id): events for events in part.matches}
    tables = [Stream.of(events).table for events in matches.values()]
    assert {table.game.id for table in tables} == {
        "hearts", "spades", "whist", "oh-hell", "euchre", "diversity", "ruff", "poison-hearts",
    }  # fmt: skip
    assert Counter(table.status for table in tables).keys() == {"complete", "open", "void"}
    assert sum(len(table.violations) for table in tables) > 20
    kinds = Counter(type(event) for events in matches.values() for event in events)
    assert kinds[ev.Retract] > 5
    assert kinds[ev.Amend] == kinds[ev.Void] == 1
    with Ledger(tmp_path / "club.db") as ledger:
        assert not [result for result in import_season(ledger) if isinstance(result, Problem)]
        assert [error for _, error in ledger.verify() if error] == []
        (club,), (league,), sessions = (ledger.evenings.ids(kind) for kind in ("club", "league", "session"))
        assert len([*ledger.evenings.stream(club).state.members("2026-02-01")]) == 14
        assert len(PEOPLE) == 16
        states = [ledger.evenings.stream(id).state for id in sessions]
        assert [state.status for state in states] == ["closed"] * (NIGHTS - 1) + ["open"]
        assert {len(row["counted"]) for row in ledger.evenings.rankings.ranking(league).rows[:8]} == {10}
        published = [each for id in (*sessions, league) for each in ledger.evenings.rankings.published(id)]
        assert len(published) == NIGHTS
        assert all(each.fits for each in published)
        changed = [
            id
            for id in sessions[:-1]
            for each in ledger.evenings.rankings.published(id)
            if ledger.evenings.rankings.compared(id, each.event.at_position).rows
        ]
        assert len(changed) == 1
        told = Counter(type(event) for id in sessions for event in ledger.evenings.events(id))
        for kind in (evenings.Leave, evenings.Absent, evenings.EveningAdjust, ev.Note):
            assert told[kind]
        assert any(arrival for id in sessions for arrival in ledger.evenings.events(id) if getattr(arrival, "after", 0))
        # The stronger half of the club is well ahead.
        care = {one.name: one.care for one in PEOPLE}
        order = [care[row["players"][0]] for row in ledger.evenings.rankings.ranking(league).rows]
        assert sum(order[:8]) > sum(order[8:]) + 1
