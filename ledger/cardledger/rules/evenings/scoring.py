"""How an evening is scored: the kind with its options, and the points of a board for each table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from cardledger.rules.evenings.awards import Artificial, Award, BoardRow, Weights, turned
from cardledger.rules.evenings.imps import butler, cross_imps
from cardledger.rules.evenings.matchpoints import in_field, matchpoints, percentile

Kind = Literal["matchpoints", "percentile", "cross_imps", "butler", "teams", "total", "places"]
TieRule = Literal["meeting", "best_board", "tops", "lot"]
COMPARED: frozenset[str] = frozenset({"matchpoints", "percentile"})
"""Kinds that compare each result with the field, and so have a percentage."""
ON_BOARDS: frozenset[str] = COMPARED | {"cross_imps", "butler", "teams"}
"""Kinds whose results are those of boards."""


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The scoring of a session: its kind, the number of decimals printed, tie rules in order, options of the kind.

    `matchpoints`: `session_average`, `small_groups`. `cross_imps`: `divisor`. `butler`: `drop`, `unit` in points,
    `halves`. `teams`: `vp` (victory points, else IMPs), `vp_table`, `bye_vp`. `total`: `per_hand`. `places`: `points`
    by place, or `scaled`. `fewest`: fewest points win, in `total` and `places` without a game that says so.
    """

    kind: Kind
    decimals: Annotated[int, Meta(ge=0, le=9)] = 2
    ties: tuple[TieRule, ...] = ()
    session_average: bool = True
    small_groups: bool = False
    divisor: Literal["results-1", "results", "none"] = "results-1"
    drop: Annotated[int, Meta(ge=0)] = 1
    unit: Annotated[int, Meta(ge=1)] = 10
    halves: Literal["away", "zero"] = "away"
    vp: bool = True
    vp_table: tuple[float | int, ...] = ()
    bye_vp: float | int = 12
    per_hand: bool = False
    points: tuple[float | int, ...] = (4, 3, 2, 1)
    scaled: bool = False
    fewest: bool = False


class BoardPoints(NamedTuple):
    """What an entry gets for a board or a match: its points, the most it could get (0 where there is no such), and how.

    `percent` is that of an artificial score. `won`: more than the average of the field, or the first place; `best`:
    nobody in the line had more.
    """

    value: Fraction
    top: Fraction = Fraction(0)
    percent: Fraction | None = None
    won: bool = False
    best: bool = False


def board_points(rows: Sequence[BoardRow], field: int, scoring: Scoring) -> list[tuple[BoardPoints, BoardPoints]]:
    """Return the points of north-south and of east-west at each table of a board, for kinds that compare whole fields.

    `field` is the most results that any board has: boards with fewer are counted as if they had as many (Neuberg).
    Real results are compared within their group, and without artificial ones.
    """
    ns = _line([(row.ns, row.group) for row in rows], field, scoring)
    ew = _line([(turned(row.ew), row.group) for row in rows], field, scoring)
    return [*zip(ns, ew, strict=True)]


def _line(awards: Sequence[tuple[Award, int]], field: int, scoring: Scoring) -> list[BoardPoints]:
    groups: dict[int, list[tuple[int, Weights]]] = {}
    points: dict[int, BoardPoints] = {}
    for place, (award, group) in enumerate(awards):
        if isinstance(award, Artificial):
            points[place] = artificial(award.percent, field, scoring)
        else:
            groups.setdefault(group, []).append((place, award))
    for compared in groups.values():
        values = _values([award for _, award in compared], field, scoring, fouled=len(groups) > 1)
        top = _top(field, scoring)
        for (place, _), value in zip(compared, values, strict=True):
            points[place] = BoardPoints(value, top, None, 2 * value > top, value == max(values))
    return [points[place] for place in range(len(awards))]


def _values(awards: Sequence[Weights], field: int, scoring: Scoring, fouled: bool) -> list[Fraction]:
    if scoring.kind == "matchpoints":
        return in_field(awards, field, fouled and scoring.small_groups)
    if scoring.kind == "percentile":
        return [percentile(points, len(awards)) for points in matchpoints(awards)]
    if scoring.kind == "cross_imps":
        return cross_imps(awards, scoring.divisor)
    return butler(awards, scoring.drop, scoring.unit, scoring.halves)


def _top(field: int, scoring: Scoring) -> Fraction:
    return {"matchpoints": Fraction(2 * (field - 1)), "percentile": Fraction(100)}.get(scoring.kind, Fraction(0))


def artificial(percent: Fraction, field: int, scoring: Scoring) -> BoardPoints:
    """Return the points for an artificial percentage (L12C2): that part of the top; 60 % is 2 IMPs, at teams 3 IMPs."""
    top = _top(field, scoring)
    if scoring.kind in COMPARED:
        return BoardPoints(percent * top / 100, top, percent)
    return BoardPoints((percent - 50) * Fraction(3 if scoring.kind == "teams" else 2, 10), top, percent)


def with_session_average(points: Sequence[BoardPoints]) -> list[BoardPoints]:
    """Return the points of an entry with 60 % raised, and 40 % lowered, to its own percentage on its other boards (L12C2).

    The percentage is computed once, on the boards without an artificial score.
    """
    real = [each for each in points if each.percent is None and each.top]
    if not real:
        return [*points]
    own = sum((each.value for each in real), Fraction(0)) / sum((each.top for each in real), Fraction(0))

    def adjusted(each: BoardPoints) -> BoardPoints:
        better = each.percent == 60 and own > Fraction(60, 100)
        worse = each.percent == 40 and own < Fraction(40, 100)
        return each._replace(value=own * each.top) if better or worse else each

    return [*map(adjusted, points)]
