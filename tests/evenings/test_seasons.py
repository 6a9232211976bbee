"""A season of evenings with absences, late arrivals and corrections, beside a small program that knows no events."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from cardledger.rules.engine.events import encode
from cardledger.rules.evenings.drawing import remember, table_events, who_comes
from cardledger.rules.evenings.evening_events import decode
from cardledger.rules.evenings.league import LeagueState
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.seating import History
from cardledger.rules.evenings.shape import event_of
from cardledger.rules.evenings.standings import night
from cardledger.rules.evenings.stream import EveningStream
from tests.evenings.evening import add, opening, ranking, session, stream

PLAYERS = [f"player {number}" for number in range(1, 15)]
POINTS = (4, 3, 2, 1)
Table = list[tuple[str, int]]
"""What the small program knows of a table: who sat there, and the points of each, as they are right in the end."""


def played(rng: Random, day: int, history: History) -> tuple[EveningStream, list[Table]]:
    """Return an evening with mistakes that were corrected, and what happened."""
    evening = stream(opening("places", "player") | {"date": f"2026-01-{day:02}"})
    here = rng.sample(PLAYERS, rng.randint(6, 12))
    for player in here[:-1]:
        add(evening, type="arrive", player=player)
    tables: list[Table] = []
    for round in (1, 2, 3):
        if round == 2:
            add(evening, type="arrive", player=here[-1], after=1)
        for event in table_events(who_comes(session(evening), history, sizes=(3, 4, 5)).tables, round):
            evening.append(event)
            tables.append(entered(rng, evening, round, event.table, [str(player) for player in event.seats]))
        if round == 2 and len(session(evening).here) > 6:
            add(evening, type="leave", player=here[0])
    remember(session(evening), history)
    return evening, tables


def entered(rng: Random, evening: EveningStream, round: int, table: int, seats: list[str]) -> Table:
    right = [rng.randrange(20) for _ in seats]
    result: dict[str, Any] = {"type": "result", "round": round, "table": table, "points": right}
    mistake = rng.random()
    if mistake < 0.2:
        add(evening, **result | {"points": right[::-1]})
        add(evening, type="amend", about=evening.seq, event=result, reason="wrong way round")
    elif mistake < 0.4:
        before = evening.seq
        add(evening, **result | {"points": [0] * len(right)})
        add(evening, type="retract", to=before)
        add(evening, **result)
    else:
        add(evening, **result)
    return list(zip(seats, right, strict=True))


def by_hand(nights: list[list[Table]], best: int, least: int) -> dict[str, str]:
    """The small program: points for places, added up, the best nights of those who came often enough."""
    values: dict[str, list[Fraction]] = {}
    for tables in nights:
        tonight: dict[str, Fraction] = {}
        for table in tables:
            for player, points in table:
                above = sum(other > points for _, other in table)
                equal = sum(other == points for _, other in table)
                won = [POINTS[place] if place < 4 else 0 for place in range(above, above + equal)]
                tonight[player] = tonight.get(player, Fraction(0)) + Fraction(sum(won), equal)
        for player, value in tonight.items():
            values.setdefault(player, []).append(value)
    return {
        player: printed(sum(sorted(each, reverse=True)[:best])) for player, each in values.items() if len(each) >= least
    }


@pytest.mark.parametrize("seed", range(3))
def test_the_table_of_a_season_is_the_one_that_a_small_program_computes(seed: int) -> None:
    rng, history = Random(seed), History()
    season = [played(rng, day, history) for day in range(1, 13)]
    count = {"best": 6, "min_nights": 5}
    league = stream(
        {"type": "league", "club": None, "name": "2026", "from": "2026-01-01", "until": "2026-12-31", "count": count},
        *({"type": "counts", "session": str(number)} for number in range(12)),
    )
    assert isinstance(league.state, LeagueState)
    rules = league.state.opening.count
    nights = {
        str(number): night(session(evening), str(number), ranking(evening), rules)
        for number, (evening, _) in enumerate(season)
    }
    lines = league.state.table(nights.__getitem__)
    placed = {line.player: printed(line.total) for line in lines if line.place}
    assert placed == by_hand([tables for _, tables in season], 6, 5)
    assert [line.total for line in lines if line.place] == sorted(
        (line.total for line in lines if line.place), reverse=True
    )


def test_events_of_an_evening_read_back_from_their_lines() -> None:
    evening, _ = played(Random(1), 6, History())
    again = EveningStream.of([decode(encode(event)) for event in evening.events])
    assert vars(session(again)) == vars(session(evening))
    assert event_of({"type": "note", "text": "x"}) == decode(b'{"type":"note","text":"x"}')
