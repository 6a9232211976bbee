"""The table of a league: the best nights of each player, and the order of players with equal totals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from cardledger.rules.evenings.ranking import rank
from cardledger.rules.evenings.rounding import Number, printed


class Count(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How the nights of a league count: the `best` N (None: all), for those with `min_nights`, as a total or a mean.

    `value` of a night: the percentage, the victory points or the points of the entry a player was in, or `place`, by
    the scaled place in the ranking. Without it, what the evening ranks by.
    """

    best: Annotated[int, Meta(ge=1)] | None = None
    min_nights: Annotated[int, Meta(ge=0)] = 0
    per: Literal["total", "mean"] = "total"
    value: Literal["percent", "vp", "points", "place"] | None = None
    decimals: Annotated[int, Meta(ge=0, le=9)] = 2


class Night(NamedTuple):
    """An evening as the league sees it: the value of each player, who won, its weight and its day (ISO)."""

    session: str
    values: Mapping[str, Number]
    won: Collection[str] = ()
    weight: Number = 1
    date: str = ""


class LeagueLine(NamedTuple):
    """A player in the table of a league: place as printed, total, and the nights that count, in order of play."""

    player: str
    place: str
    total: Fraction
    nights: int
    won: int
    counted: tuple[str, ...]


def table(nights: Sequence[Night], count: Count) -> list[LeagueLine]:
    """Return the table of a league after some evenings, in the order of play.

    The best nights count by value, of equal ones the earlier. A mean is divided by the nights that count, at least
    `min_nights`. Players who came less often are listed last, without a place. Ties are broken by the number of
    nights won, then by the best night, then by the next best; otherwise the place is shared.
    """
    values: dict[str, list[tuple[Fraction, int]]] = {}
    for number, night in enumerate(nights):
        for player, value in night.values.items():
            values.setdefault(player, []).append((Fraction(value) * Fraction(night.weight), number))
    records = [_record(player, values[player], nights, count) for player in sorted(values)]
    rows = rank(
        {number: record.line.total for number, record in enumerate(records)},
        [
            lambda tied: {number: records[number].line.won for number in tied},
            lambda tied: {number: records[number].values for number in tied},
        ],
        [number for number, record in enumerate(records) if record.line.nights < count.min_nights],
    )
    return [records[placed.entry].line._replace(place=placed.place) for placed in rows]


class _SeasonOfPlayer(NamedTuple):
    """What a player did over the season: the values of all nights, best first, and the line in the table."""

    values: list[Fraction]
    line: LeagueLine


def _record(
    player: str, came: Sequence[tuple[Fraction, int]], nights: Sequence[Night], count: Count
) -> _SeasonOfPlayer:
    ordered = sorted(came, key=lambda one: (-one[0], one[1]))
    best = ordered[: count.best]
    total = sum((value for value, _ in best), Fraction(0))
    if count.per == "mean":
        total /= max(len(best), count.min_nights)
    counted = tuple(nights[number].session for number in sorted(number for _, number in best))
    won = sum(player in night.won for night in nights)
    return _SeasonOfPlayer([value for value, _ in ordered], LeagueLine(player, "", total, len(came), won, counted))


def as_printed(lines: Sequence[LeagueLine], count: Count) -> list[dict[str, Any]]:
    """Return the table of a league as JSON data, every number of points as it is printed."""
    return [
        {
            "place": line.place,
            "players": [line.player],
            "total": printed(line.total, count.decimals),
            "nights": line.nights,
            "won": line.won,
            "counted": [*line.counted],
        }
        for line in lines
    ]
