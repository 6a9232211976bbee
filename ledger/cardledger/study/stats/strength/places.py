"""Places from the dealer: what they are worth is fitted together with strengths; some cannot be told from a player."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.study.stats.strength.least_squares import inverse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.study.stats.strength.company import Company, LinkedPlayers

_SAME = 1e-6
"""A direction of places that strengths explain up to this share of its variance cannot be told from them."""
_EVEN = 1e-9


def without_places(leagues: Sequence[LinkedPlayers]) -> list[LinkedPlayers]:
    """Return the leagues with what places are worth taken off points.

    As they are where everybody sat in all places alike.

    A place is worth the same in all leagues of a game.
    """
    columns = [_turns(one) for league in leagues for one in league.companies]
    if not any(np.abs(turns).max(initial=0) > _EVEN for turns in columns):
        return list(leagues)
    parts = [_normal_equations(league) for league in leagues]
    squares = sum(square for square, *_ in parts)
    left = squares - sum(cross.T @ moved for _, cross, moved, _ in parts)
    values, vectors = np.linalg.eigh((left + left.T) / 2)
    whole = np.einsum("pi,pq,qi->i", vectors, squares, vectors)
    told = values > _SAME * np.maximum(whole, _EVEN * max(float(np.trace(squares)), 1e-300))
    inverted = (vectors[:, told] / values[told]) @ vectors[:, told].T
    worth = inverted @ sum(seen for *_, seen in parts)
    confused = vectors[:, ~told & (whole > _SAME * max(float(whole.max()), 1e-300))]
    root = vectors[:, told] / np.sqrt(values[told])
    found = []
    for league, (_, _, moved, _) in zip(leagues, parts, strict=True):
        axes, lengths, _ = np.linalg.svd(_centred(moved @ confused), full_matrices=False)
        effect = moved @ root
        companies = tuple(
            replace(one, points=np.where(one.hands > 0, one.points - _turns(one) @ worth, one.points))
            for one in league.companies
        )
        found.append(replace(league, companies=companies, placed=effect @ effect.T, unplaced=axes[:, lengths > _SAME]))
    return found


def _normal_equations(
    league: LinkedPlayers,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the squares of places, their products with strengths, the strengths that explain them, and what points say."""
    k = len(league.players)
    information, seen = np.zeros((k, k)), np.zeros(k)
    number = _turns(league.companies[0]).shape[2]
    squares, cross, worth = np.zeros((number, number)), np.zeros((k, number)), np.zeros(number)
    for one in league.companies:
        turns, weight = _turns(one), np.where(one.hands > 0, one.lengths, 0.0)
        information += one.information(weight, k)
        seen += one.scattered(weight * one.points, k)
        squares += np.einsum("jh,jhp,jhq->pq", weight, turns, turns)
        worth += np.einsum("jh,jhp,jh->p", weight, turns, one.points)
        cross += np.stack([one.scattered(weight * turns[:, :, at], k) for at in range(number)], axis=1)
    inverted, _ = inverse(information, all(one.single for one in league.companies))
    moved = inverted @ cross
    return squares, cross, moved, worth - moved.T @ seen


def _turns(one: Company) -> NDArray[Any]:
    assert one.turns is not None
    return one.turns


def _centred(directions: NDArray[Any]) -> NDArray[Any]:
    """Return directions less the common level, which says nothing."""
    return directions - directions.mean(0) if directions.size else directions
