"""What a partner's call was worth: the truth of simulated leagues is found, and no call is shown before its time."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardledger.errors import StoreError
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import game, games
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.partner_calls import has_partners_calls, partner_calls, worth_of_calls

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

CALLS = ("1", "2", "3", "nil")
TRUE = np.array([-4.0, 0.0, 6.0, 1.0])
"""Points a hand that each call is worth beside the others."""


def league(rng: np.random.Generator, evenings: int, hands: int, form: float) -> tuple[np.ndarray, ...]:
    """Return call, points, high cards, player and evening of hands; who holds high cards scores more, and so do some players."""
    number = evenings * hands
    call = rng.choice(4, number, p=[0.35, 0.35, 0.2, 0.1])
    high, player = rng.integers(1, 8, number), rng.integers(0, 8, number)
    evening = np.repeat(np.arange(evenings), hands)
    points = TRUE[call] + 5 * high + 3 * player + form * rng.standard_normal((evenings, 4))[evening, call]
    return call, points + 20 * rng.standard_normal(number), high, player, evening


def coverage(evenings: int, leagues: int, form: float = 0.0) -> float:
    """Return how often intervals held what calls are worth less their mean."""
    rng = np.random.default_rng([evenings, leagues])
    truth = dict(zip(CALLS, TRUE - TRUE @ np.array([0.35, 0.35, 0.2, 0.1]), strict=True))
    held = []
    for _ in range(leagues):
        call, points, high, player, evening = league(rng, evenings, 60, form)
        found = worth_of_calls(
            [CALLS[one] for one in call], points, high.astype(float), player, np.zeros(len(call), dtype=int), evening
        )
        held += [one.low <= truth[one.call] <= one.high for one in found if one.low is not None]
    return float(np.mean(held))


def test_intervals_hold_what_a_call_is_worth() -> None:
    assert 0.92 <= coverage(12, 60) <= 0.98


@pytest.mark.long
@pytest.mark.parametrize("form", [0.0, 5.0])
@pytest.mark.parametrize("evenings", [8, 12, 30])
def test_between_93_and_97_percent_of_intervals_hold(evenings: int, form: float) -> None:
    share = coverage(evenings, 500, form)
    print(f"{evenings} evenings, form {form:g}: {share:.3f}")  # noqa: T201
    assert 0.93 <= share <= 0.97


def test_own_high_cards_and_the_player_are_taken_off() -> None:
    """The partner bids high where the player holds little: without the expectation, the call would look bad."""
    rng = np.random.default_rng(3)
    high, player = rng.integers(1, 8, 4000), rng.integers(0, 4, 4000)
    call = np.where(rng.random(4000) < high / 8, "1", "3")
    points = 10.0 * high + 20.0 * player + rng.standard_normal(4000) + 2.0 * (call == "3")
    evening = np.arange(4000) // 100
    found = {
        one.call: one for one in worth_of_calls(call.tolist(), points, high.astype(float), player, evening * 0, evening)
    }
    assert found["3"].points < found["1"].points
    assert 0.3 < found["3"].worth < 2.1
    assert found["1"].worth < 0
    assert found["3"].expected == pytest.approx(found["3"].points - found["3"].worth)


def recorded(ledger: Ledger, id: str, days: int) -> None:
    """Record a match of bots a day."""
    for day in range(1, days + 1):
        opening, *events = simulate(id, 4, Random(day), ["cautious"] * 4, max_hands=4)
        assert isinstance(opening, ev.Open)
        ledger.record(
            None,
            [
                ev.Open(
                    **{
                        **{name: getattr(opening, name) for name in opening.__struct_fields__},
                        "date": f"2026-01-{day:02}",
                    }
                ),
                *events,
            ],
            0,
        )


def test_every_game_of_partners_who_call_has_the_table_and_no_other(ledger: Ledger) -> None:
    asked = {id for id in games() if has_partners_calls(id)}
    assert {"spades", "bridge", "euchre"} <= asked
    statistics = Statistics.of(ledger.views)
    for id in games():
        sheet = statistics.sheets.sheet(id)
        if id in asked:
            assert partner_calls(ledger.views, sheet, Query()).rows == []
        else:
            with pytest.raises(StoreError, match="no partners who call"):
                partner_calls(ledger.views, sheet, Query())


@pytest.mark.parametrize("id", ["spades", "euchre", "bridge"])
def test_hands_are_those_whose_partner_called_so(ledger: Ledger, id: str) -> None:
    recorded(ledger, id, 9)
    ledger.views.catch_up()
    statistics = Statistics.of(ledger.views)
    table = partner_calls(ledger.views, statistics.sheets.sheet(id), Query(), "calls")
    expected: dict[str, list[int]] = {}
    for match in ledger.matches():
        for hand in ledger.stream(match).table.hands:
            if hand.scores is None:
                continue
            events = ledger.stream(match).events[hand.first - 1 : hand.last]
            for seat in range(4):
                said = [event.called() for event in events if getattr(event, "seat", None) == (seat + 2) % 4]
                made = [call for call in said if call]
                if made:
                    first = next((call for call in made if call != "pass"), "pass")
                    expected.setdefault(first, []).append(hand.scores[seat])
    assert {row["call"]: row["hands"] for row in table.rows} == {call: len(hands) for call, hands in expected.items()}
    for row in table.rows:
        assert row["points"] == pytest.approx(np.mean(expected[row["call"]]), rel=1e-4)
    assert any(row["low"] is not None for row in table.rows)
    with pytest.raises(StoreError, match="not grouped"):
        partner_calls(ledger.views, statistics.sheets.sheet(id), Query(), "weather")
    assert game(id).has_sides
