"""Limits: the least and the most that rules allow a measure to be. No interval reaches further."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.rules.engine.measures import FIELD
from cardledger.rules.games import game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.measures import Measure
    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.measures.tally import Cells

_OF_POINTS = {"points": (1, 0), "fair": (1, 1), "luck": (0, 1), **dict.fromkeys(FIELD, (0, 1))}
"""Amounts that are points of a hand, differences of two, or both: how often each end, and their distance, counts."""


def has_limits(measure: Measure, of: Game[Any]) -> bool:
    """Tell whether it is known what the rules of a game allow a measure to be.

    A share always has limits; a mean gives both ends, unless they follow from the points of a hand or from places; a
    mean of counts gives the most, and so does a rate.
    """
    if measure.kind == "share" or measure.amount == "place":
        return True
    if measure.amount in _OF_POINTS and measure.most is None:
        return of.scoring.span is not None
    return measure.most is not None and (measure.kind != "mean" or measure.least is not None)


def limits(measure: Measure, cells: Cells, group: NDArray[Any], groups: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the least and the most value that rules allow, by group, after `par` is subtracted.

    Where they depend on options or on the number of players, they are the mean over the cases of a group. They are
    infinite where the game does not say (`has_limits`).
    """
    least = measure.least if measure.least is not None else -inf if measure.kind == "mean" else 0.0
    most = measure.most if measure.most is not None else 1.0 if measure.kind == "share" else inf
    ends = np.full(groups, least), np.full(groups, most)
    if measure.most is None and (of_match := _by_match(measure, cells.tally.sheet)) is not None:
        sheet, of = cells.tally.sheet, cells.of(measure.of)
        match = sheet.seats["row"][cells.tally.rows[cells.at]]
        cases = np.bincount(group, of, groups)
        low, high = (np.bincount(group, end[match] * of, groups) / np.maximum(cases, 1) for end in of_match)
        ends = low, high
    return ends[0] - measure.par, ends[1] - measure.par


def _by_match(measure: Measure, sheet: Sheet) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Return the limits of one case by match; None if they are not known."""
    sizes = sheet.matches["size"].astype(np.int64)
    if measure.amount == "place":
        return np.ones(len(sizes)), sizes.astype(np.float64)
    if measure.amount not in _OF_POINTS or (span := game(sheet.game).scoring.span) is None:
        return None
    rules, options = game(sheet.game), dict(enumerate(sheet.text("options")))
    kinds, kind = np.unique(np.stack([sizes, sheet.matches["options"].astype(np.int64)]), axis=1, return_inverse=True)
    spans = np.zeros((kinds.shape[1], 2))
    for at, (n, code) in enumerate(kinds.T.tolist()):
        usual = {option.name: option.default_for(n) for option in rules.options}
        spans[at] = span(n, usual | json.loads(options.get(code, "{}")))
    once, apart = _OF_POINTS[measure.amount]
    far = apart * (spans[:, 1] - spans[:, 0])
    kind = kind.reshape(-1)
    return (once * spans[:, 0] - far)[kind], (once * spans[:, 1] + far)[kind]
