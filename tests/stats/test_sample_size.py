"""How many more hands: a question that needs n more has an interval just narrow enough after n more, and not before."""

from __future__ import annotations

import numpy as np
import pytest

from cardledger.study.stats.sample_size import MOST, more_hands


@pytest.mark.parametrize("hands", [10, 300])
@pytest.mark.parametrize("difference", [0.3, 1.0])
def test_after_so_many_more_hands_nearly_all_intervals_are_narrow_enough(hands: int, difference: float) -> None:
    spread = 3.0
    more = more_hands(spread / hands**0.5, hands, difference)
    assert more is not None
    assert more == 0 or 1.96 * spread / (hands + more) ** 0.5 == pytest.approx(difference, rel=0.02)
    if more:
        means = np.random.default_rng(hands).normal(0, spread, (2000, hands + more)).mean(axis=1)
        assert np.mean(np.abs(means) <= difference) == pytest.approx(0.95, abs=0.02)


def test_no_difference_and_no_end_are_no_number() -> None:
    assert more_hands(1.0, 10, 0.0) is None
    assert more_hands(1.0, 10, -1.0) is None
    assert more_hands(1.0, 10, 1e-200) is None
    assert more_hands(float("inf"), 10, 1.0) is None
    assert more_hands(0.0, 10, 1.0) == 0
    largest = max(more for more in (more_hands(1.0, 10, 10.0**-k) for k in range(12)) if more is not None)
    assert largest <= MOST
