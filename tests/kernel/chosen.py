"""The games whose kernels are tested."""

from __future__ import annotations

from cardledger.rules.games import games
from tests.thorough import THOROUGH

OF_TRICKS = [id for id in games() if id != "hecto-diversity"]
IN_CI = OF_TRICKS if THOROUGH else ["diversity", "diamonds-draw", "poison-hearts", "bridge"]
"""Games whose kernels every run of CI compiles: with draws, with ties, with a dummy; the others in thorough runs."""
