"""Accuracy: a scale whose ends are bots, so that a player's place on it says how often decisions are random."""

from __future__ import annotations

import numpy as np
import pytest

from cardledger.rules.engine.measured import Scale
from cardledger.rules.games import games
from cardledger.study.stats.review import accuracy as scales
from cardledger.study.stats.review.accuracy import CLEAR, accuracy
from cardledger.study.stats.review.review import EDITION
from tests.bench.accuracy import costs, scale


def test_the_scale_was_measured_with_the_reviews_of_today() -> None:
    """After a change of the reviews: `python -m tests.bench.accuracy 240 GAME...`."""
    assert scales.EDITION == EDITION
    measured = [
        one for game in games().values() if game.study.measured for one in game.study.measured.accuracy.values()
    ]
    assert len(measured) > 10
    for one in measured:
        assert one.more > CLEAR * one.of_more**0.5
        assert all(map(np.isfinite, one))


def drawn(rng: np.random.Generator, share: float, matches: int, ends: Scale) -> list[tuple[str, int, float]]:
    """Return decisions of which a share is random, with moods of a match, as match, seats and cost."""
    rows = []
    for match in range(matches):
        mood = rng.normal(0, 0.05)
        for _ in range(60):
            more = ends.more if rng.random() < share else 0.0
            rows.append((f"m{match}", 4, ends.careful + more + mood + rng.normal(0, 0.4)))
    return rows


def test_intervals_of_accuracy_hold_and_a_few_matches_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, held = np.random.default_rng(1), []
    for share in (0.1, 0.4):
        for _ in range(100):
            careful, more = rng.normal(0.1, 0.01), rng.normal(0.6, 0.03)  # the scale is measured, too
            ends = {("ruff", 4): Scale(0.1, 0.6, 0.01**2, 0.03**2, 0.0)}
            monkeypatch.setattr(scales, "scale_of", lambda *of, ends=ends: ends.get(of))
            found = accuracy("ruff", drawn(rng, share, 12, Scale(careful, more, 0, 0, 0)))
            assert found is not None
            held.append(found["low"] <= 100 * (1 - share) <= found["high"])
    assert 0.92 <= np.mean(held) <= 0.99
    assert accuracy("ruff", drawn(rng, 0.1, 3, Scale(0.1, 0.6, 0, 0, 0))) is None
    assert accuracy("diversity", drawn(rng, 0.1, 12, Scale(0.1, 0.6, 0, 0, 0))) is None


@pytest.mark.long
@pytest.mark.parametrize("game", ["diamonds-bid"])
def test_bots_stand_on_the_scale_where_they_belong(game: str) -> None:
    """Bots that were not measured, at hands that were not: their accuracy is the share of decisions they do not leave to chance."""
    rows: dict[float, list[tuple[str, int, float]]] = {0.2: [], 0.5: []}
    for number, hand in enumerate(costs(game, 4, 30, "other hands", (0.2, 0.5))):
        for share, decisions, cost in hand:
            rows[share] += [(f"m{number}", 4, cost / decisions)] * decisions
    for share, of in rows.items():
        found = accuracy(game, of)
        assert found is not None
        value, low, high = (round(found[name]) for name in ("value", "low", "high"))
        print(f"{game}: {100 * (1 - share):.0f} is shown as {value} ({low} to {high})")  # noqa: T201
        assert found["low"] - 5 <= 100 * (1 - share) <= found["high"] + 5


def test_the_scale_is_found_again_from_costs_that_grow_with_random_play() -> None:
    rng = np.random.default_rng(2)
    rows = [
        [(share, 10, 10 * (0.2 + 0.5 * share) + float(rng.normal(0, 0.5))) for share in (0.0, 0.1, 0.3, 1.0)]
        for _ in range(200)
    ]
    careful, more, *variances = scale(rows)
    assert careful == pytest.approx(0.2, abs=4 * variances[0] ** 0.5)
    assert more == pytest.approx(0.5, abs=4 * variances[1] ** 0.5)
