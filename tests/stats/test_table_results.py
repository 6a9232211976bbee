"""Players of a game without rules are compared by places at the tables: intervals, verdicts, and who was ahead of whom."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import StoreError
from cardledger.record.people.people import Merge
from cardledger.study.stats.table_results import PlayerResults, TableResults, table_results
from tests.evenings.evening import opening
from tests.evenings.night import record

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

FOUR = ("ana", "ben", "cai", "dan")


def evening(
    ledger: Ledger, *results: tuple[int, ...], day: str = "2026-01-06", seats: tuple[str, ...] = FOUR, **keys: object
) -> str:
    """Record an evening of one table for each result."""
    scoring = {"scoring": {"kind": "total", **({"fewest": True} if keys.pop("fewest", False) else {})}}
    first = opening("total", "player") | {"other_game": "Skat", "date": day} | scoring | keys
    tables = []
    for round, points in enumerate(results, 1):
        tables.append({"type": "table", "round": round, "table": 1, "seats": [*seats]})
        tables.append({"type": "result", "round": round, "table": 1, "points": [*points]})
    return record(ledger, None, first, *({"type": "arrive", "player": one} for one in seats), *tables)


def of(found: TableResults, player: str) -> PlayerResults:
    (row,) = [row for row in found.players if row.player == player]
    return row


def test_each_is_ahead_of_a_share_of_the_others(ledger: Ledger) -> None:
    evening(ledger, (30, 20, 20, 10))
    found = table_results(ledger, "SKAT")
    assert [(row.player, round(row.ahead, 2), row.first) for row in found.players] == [
        ("ana", 1.0, 1), ("ben", 0.5, 0), ("cai", 0.5, 0), ("dan", 0.0, 0),
    ]  # fmt: skip
    assert (found.evenings, found.tables, of(found, "ana").points) == (1, 1, 30)
    evening(ledger, (30, 20, 20, 10), other_game="Rummy", fewest=True)
    assert of(table_results(ledger, "Rummy"), "dan").ahead == 1


def test_partners_are_one_side(ledger: Ledger) -> None:
    evening(ledger, (500, 200, 500, 200), partners=True, sizes=[4])
    found = table_results(ledger, "Skat", "ana")
    assert [(row.player, row.ahead) for row in found.players] == [("ana", 1), ("cai", 1), ("ben", 0), ("dan", 0)]
    assert {each.other: each[1:] for each in found.met} == {
        "ben": (1, 0, 0, 0),
        "dan": (1, 0, 0, 0),
        "cai": (0, 0, 0, 1),
    }


def test_after_few_evenings_nothing_is_sure_and_after_many_it_is(ledger: Ledger) -> None:
    for week in range(3):
        evening(ledger, (9, 1, 2, 3), day=f"2026-01-{week + 1:02}")
    early = of(table_results(ledger, "Skat"), "ana")
    assert early.ahead == 1
    assert early.verdict is None
    assert early.low is not None
    assert early.low < 0.7
    for week in range(20):
        evening(ledger, (9, 1, 2, 3), (9, 3, 2, 1), day=f"2026-02-{week + 1:02}")
    late = table_results(ledger, "Skat")
    assert of(late, "ana").verdict == "better"
    assert of(late, "ana").low > early.low
    assert late.players[0].player == "ana"
    assert len(table_results(ledger, "Skat", since="2026-02-01", until="2026-02-05").players) == 4
    assert table_results(ledger, "Skat", since="2026-02-01", until="2026-02-05").evenings == 5


def test_of_equal_players_few_stand_out(ledger: Ledger) -> None:
    """In twenty clubs of equal players, chance makes hardly a verdict, and intervals hold a half as often as they say."""
    rng, verdicts, inside, rows = Random(5), 0, 0, 0
    for club in range(20):
        for week in range(8):
            points = [tuple(rng.sample(range(100), 4)) for _ in range(3)]
            evening(ledger, *points, day=f"2026-03-{week + 1:02}", other_game=f"Game {club}")
        for row in table_results(ledger, f"Game {club}").players:
            rows, verdicts = rows + 1, verdicts + (row.verdict is not None)
            inside += row.low <= 0.5 <= row.high
    assert verdicts <= 4
    assert inside / rows > 0.9


def test_results_of_matches_and_of_one_player_alone_are_left_out(ledger: Ledger) -> None:
    evening(ledger, (5, 4), seats=FOUR[:2])
    session = evening(ledger, other_game="Bohnen")
    assert session
    assert table_results(ledger, "Bohnen").players == []
    with pytest.raises(StoreError, match="no evening is of 'Tarock': games without rules are"):
        table_results(ledger, "Tarock")


def test_two_ids_of_one_person_are_one(ledger: Ledger) -> None:
    evening(ledger, (5, 4), seats=("ana", "ben"))
    evening(ledger, (5, 4), seats=("Ana 2", "ben"), day="2026-01-13")
    ledger.record_people([Merge(player="Ana 2", into="ana")], ledger.people().seq, "tests")
    assert of(table_results(ledger, "Skat", "Ana 2"), "ana").evenings == 2
