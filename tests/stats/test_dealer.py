"""Is the dealer favoured? What is worked out by hand, and how often a dealer without any favour is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardledger.study.stats import Statistics
from cardledger.study.stats.dealer import Differences, dealers_favour, differences, favours
from tests.stats.leagues import recorded

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


def test_the_dealer_is_compared_with_the_others_of_the_hand() -> None:
    """The dealer of hand 1 is seat 3 in these sheets, of hand 2 seat 0; in hearts the fewest points win."""
    sheet = recorded("hearts", np.array([[0, 1, 2, 3]]), {"points": np.array([[[2, 3, 4, 17], [0, 13, 12, 1]]])})
    sheet.hands["number"] = np.repeat([1, 2], 4)
    turn = sheet.hands["turn"].reshape(2, 4)
    dealers = np.argmax(turn == 4, axis=1).tolist()
    points = sheet.hands["points"].reshape(2, 4)
    expected = [-(points[at, one] - np.delete(points[at], one).mean()) for at, one in enumerate(dealers)]
    assert differences(sheet).points.tolist() == pytest.approx(expected)


def test_partners_of_the_dealer_are_left_out() -> None:
    sheet = recorded("whist", np.array([[0, 1, 2, 3]]), {"points": np.array([[[3, 0, 3, 0]]])})
    sheet.hands["number"] = np.full(4, 1)
    dealer = int(np.argmax(sheet.hands["turn"] == 4))
    assert differences(sheet).points.tolist() == [3.0 if dealer % 2 == 0 else -3.0]


def league(rng: np.random.Generator, favour: float, form: float) -> dict[str, Differences]:
    """Return games of a club: 12 evenings of 20 hands each, on scales that differ by a factor of ten."""
    found = {}
    for scale, id in ((1.0, "whist"), (10.0, "hearts"), (3.0, "ruff"), (100.0, "bridge")):
        evening = np.repeat(np.arange(12), 20)
        noise = rng.standard_normal(240) + form * rng.standard_normal(12)[evening]
        found[id] = Differences(scale * (favour + noise), evening)
    return found


@pytest.mark.parametrize("form", [0.0, 0.4])
def test_where_nobody_is_favoured_somebody_is_named_in_few_clubs(form: float) -> None:
    rng = np.random.default_rng(11)
    named, held = 0, []
    for _ in range(400):
        rows = favours(league(rng, 0.0, form), whole=True)
        named += any(one.found for one in rows)
        held += [one.low <= 0 <= one.high for one in rows if one.low is not None]
    assert named / 400 <= 0.06
    assert 0.93 <= np.mean(held) <= 0.97


def test_a_favour_in_every_game_is_found_over_the_club_first() -> None:
    rng = np.random.default_rng(12)
    clubs = [favours(league(rng, 0.12, 0.0), whole=True) for _ in range(100)]
    assert all(rows[0].game is None for rows in clubs)
    whole = np.mean([rows[0].found for rows in clubs])
    single = np.mean([one.found for rows in clubs for one in rows[1:]])
    assert whole >= 0.7 > 0.4 > single
    assert all(rows[0].favoured == pytest.approx(0.12, abs=0.15) for rows in clubs)


def test_too_few_evenings_have_no_interval(ledger: Ledger) -> None:
    (only,) = favours({"whist": Differences(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 2]))}, whole=False)
    assert (only.low, only.high, only.q, only.found) == (None, None, None, False)
    assert dealers_favour(Statistics.of(ledger.views)).rows == []
