"""What deals are worth on average, computed again: the table that is shipped is that of the present rules and bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.rules.games import game
from cardledger.rules.kernel import kernels
from cardledger.study.stats.luck.values import DEALS, measure, measured_points
from tests.bench.expected import situations
from tests.kernel.chosen import IN_CI
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from cardledger.study.stats.luck.deals import Situation


def rows(*ids: str) -> list[Situation]:
    """Return what hands of some games begin from: the first of each game, all of them in thorough runs."""
    found = []
    for id in ids:
        of_game = [one for one in situations() if one.game == id]
        found += of_game if THOROUGH else of_game[:1]
    return found


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("one", rows(*IN_CI, "hecto-diversity"), ids=lambda one: one.text)
def test_the_expected_values_of_games_are_those_of_the_present_bots(one: Situation) -> None:
    kernels.warm(game(one.game), kernels.kinds_of(game(one.game))[0])
    assert measure(one, DEALS) == measured_points(one.game)[one.text]
