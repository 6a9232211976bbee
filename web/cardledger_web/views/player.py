"""A player as the page shows it: rows of the read models added up by game, place, seat and month."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardledger.rules.games import games

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardledger.rules.engine.game import Game


@dataclass(slots=True)
class MatchSums:
    """Sums over matches: the number of matches, of complete and won ones, of hands and points."""

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
        """Points a hand; None without hands."""
        return self.points / self.hands if self.hands else None


@dataclass(slots=True)
class GameRow(MatchSums):
    """A player's record in a game at tables of one size: total, and by place (0: not complete), seat and month.

    Matches of an unknown day are in no month.
    """

    game: str = ""
    seats: int = 0
    places: Counter[int] = field(default_factory=Counter)
    by_seat: dict[int, MatchSums] = field(default_factory=dict)
    by_month: dict[str, MatchSums] = field(default_factory=dict)

    @property
    def last_place(self) -> int:
        """The last place there is: a side has one."""
        return len(set(self.rules.sides(self.seats))) if self.rules else self.seats

    @property
    def rules(self) -> Game[Any] | None:
        """The game itself; None if its package is no longer installed."""
        return games().get(self.game)


def game_rows(rows: Iterable[Mapping[str, Any]]) -> list[GameRow]:
    """Return the sums of a player's rows of `careers`, the game with the most matches first."""
    by_game: dict[tuple[str, int], GameRow] = {}
    for row in rows:
        key = row["game"], row["seats"]
        shown = by_game.get(key) or by_game.setdefault(key, GameRow(game=row["game"], seats=row["seats"]))
        shown.add(row)
        shown.places[row["place"]] += row["matches"]
        shown.by_seat.setdefault(row["seat"], MatchSums()).add(row)
        if row["month"]:
            shown.by_month.setdefault(row["month"], MatchSums()).add(row)
    return sorted(by_game.values(), key=lambda shown: (-shown.matches, -shown.hands, shown.game, shown.seats))


def chosen(rows: list[GameRow], game: str | None, seats: int | None) -> GameRow | None:
    """Return the requested row, or the first; None if there is no such row."""
    for row in rows:
        if game in (None, row.game) and seats in (None, row.seats):
            return row
    return None


def in_all(rows: Iterable[GameRow]) -> MatchSums:
    """Return matches and hands over all games; points of different games cannot be compared."""
    total = MatchSums()
    for row in rows:
        total.matches += row.matches
        total.complete += row.complete
        total.won += row.won
        total.hands += row.hands
    return total


def span_of(since: str | None, until: str | None) -> tuple[str, str] | None:
    """Return the first and the last day of a filter if they are one day or one whole month.

    >>> span_of("2026-02-01", "2026-02-28"), span_of("2026-02-01", "2026-02-27")
    (('2026-02-01', '2026-02-28'), None)
    """
    if since is None or until is None:
        return None
    one = since == until or {"since": since, "until": until} == month_days(since[: len("2026-02")])
    return (since, until) if one else None


def month_days(month: str) -> dict[str, str]:
    """Return the days of a month as filters.

    >>> month_days("2026-02")
    {'since': '2026-02-01', 'until': '2026-02-28'}
    """
    year, number = map(int, month.split("-"))
    return {"since": f"{month}-01", "until": f"{month}-{monthrange(year, number)[1]}"}
