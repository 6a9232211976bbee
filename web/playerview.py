"""A player as the page shows it: rows of the read models added up by game, place, seat and month."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any

from ledger.games import games
from ledger.stats.student import quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.game import Game


@dataclass(slots=True)
class Tally:
    """What adds up over matches: how many, how many of them complete and won, their hands and points."""

    matches: int = 0
    complete: int = 0
    won: int = 0
    hands: int = 0
    points: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row of `careers`."""
        self.matches += row["matches"]
        self.complete += row["matches"] if row["place"] else 0
        self.won += row["won"]
        self.hands += row["hands"]
        self.points += row["points"]

    @property
    def a_hand(self) -> float | None:
        """Points a hand; None without a hand."""
        return self.points / self.hands if self.hands else None


@dataclass(slots=True)
class GameRow(Tally):
    """What a player has to show in a game at tables of one size: in all, by place (0: not complete), seat and month."""

    game: str = ""
    seats: int = 0
    places: Counter[int] = field(default_factory=Counter)
    by_seat: dict[int, Tally] = field(default_factory=dict)
    by_month: dict[str, Tally] = field(default_factory=dict)

    @property
    def rules(self) -> Game | None:
        """The game itself; None for one whose package is gone."""
        return games().get(self.game)


def game_rows(rows: Iterable[Mapping[str, Any]]) -> list[GameRow]:
    """Return what a player's rows of `careers` add up to, the game with most matches first."""
    found: dict[tuple[str, int], GameRow] = {}
    for row in rows:
        key = row["game"], row["seats"]
        shown = found.get(key) or found.setdefault(key, GameRow(game=row["game"], seats=row["seats"]))
        shown.add(row)
        shown.places[row["place"]] += row["matches"]
        shown.by_seat.setdefault(row["seat"], Tally()).add(row)
        shown.by_month.setdefault(row["month"], Tally()).add(row)
    return sorted(found.values(), key=lambda shown: (-shown.matches, -shown.hands, shown.game, shown.seats))


def chosen(rows: list[GameRow], game: str | None, seats: int | None) -> GameRow | None:
    """Return the row asked for, or the first; None where there is none such."""
    for row in rows:
        if game in (None, row.game) and seats in (None, row.seats):
            return row
    return None


def in_all(rows: Iterable[GameRow]) -> Tally:
    """Return matches and hands over all games; their points do not compare."""
    total = Tally()
    for row in rows:
        total.matches += row.matches
        total.complete += row.complete
        total.won += row.won
        total.hands += row.hands
    return total


def difference(row: Mapping[str, Any]) -> tuple[float, float | None, float | None]:
    """Return points a hand that one has more than another, with the 95% interval, from a row of `met`; one hand at least.

    The hands of a match belong together; from one match there is no interval.

    >>> row = {"points": 6, "hands": 4, "played": 2, "squares": 20, "products": 12, "hands_squared": 8}
    >>> [round(end, 2) for end in difference(row)]
    [1.5, -4.85, 7.85]
    """
    mean, n = row["points"] / row["hands"], row["played"]
    if n < 2:
        return mean, None, None
    squares = row["squares"] - 2 * mean * row["products"] + mean * mean * row["hands_squared"]
    half = quantile(n - 1) * sqrt(max(squares, 0.0) * n / (n - 1)) / row["hands"]
    return mean, mean - half, mean + half


def month_days(month: str) -> dict[str, str]:
    """Return the days of a month as filters.

    >>> month_days("2026-02")
    {'since': '2026-02-01', 'until': '2026-02-28'}
    """
    year, number = map(int, month.split("-"))
    return {"since": f"{month}-01", "until": f"{month}-{monthrange(year, number)[1]}"}
