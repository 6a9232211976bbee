"""The rater: Weng and Lin's Plackett-Luce, day by day, and the chances of winning that it gives before each day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date as day
from math import exp, fsum, sqrt
from typing import Any, NamedTuple

USUAL_BREAK = 30
"""A longer gap between two matches, in days, counts as an absence."""
A_YEAR_AWAY = 4.0
"""How much a year of absence adds to the square of a player's uncertainty."""
START = 25 / 3
"""The uncertainty at the start, which is also the maximum."""
BETA = 25 / 6
"""The scale of chance before it is fitted: that of Weng and Lin's model."""


def after_absence(sigma: float, last: str, now: str) -> float:
    """Return a player's uncertainty on a day, given the one after the player's last match and that day.

    >>> after_absence(2.0, "2026-01-01", "2026-01-31")
    2.0
    >>> round(after_absence(2.0, "2026-01-01", "2027-01-31"), 2)
    2.83
    >>> round(after_absence(2.0, "2026-01-01", "2076-01-01"), 2)
    8.33
    """
    days = (day.fromisoformat(now) - day.fromisoformat(last)).days - USUAL_BREAK
    return sigma if days <= 0 else max(sigma, min(START, sqrt(sigma * sigma + A_YEAR_AWAY * days / 365)))


class RatedSeat(NamedTuple):
    """A player at a table: seat, side, and the side's place."""

    seat: int
    side: int
    player: str
    place: int


class RatedDay(NamedTuple):
    """The complete matches of a game on one day: by match and position, who sat there."""

    date: str
    matches: list[tuple[str, int, list[RatedSeat]]]


class Rater:
    """Rates day after day; `latest` is mean, uncertainty, matches and last day of each player known so far."""

    def __init__(
        self, beta: float, known: Callable[[str], tuple[float, float, int, str] | None] = lambda _: None
    ) -> None:
        from openskill.models import PlackettLuce  # imported here, because only ratings need it

        self.model = PlackettLuce(beta=beta)
        self.known = known
        self.latest: dict[str, tuple[float, float, int, str]] = {}

    def rate(self, day: RatedDay) -> list[tuple[dict[int, float], dict[str, tuple[float, float, int]]]]:
        """Rate a day.

        Return for each match the chance of each side before it, and what is known of its players after the day.

        Each match moves a player from where the day began, and says how much that is worth; what several say is put
        together as independent observations are. Sums do not depend on the order of the matches.
        """
        before = {one.player: self._before(one.player, day.date) for *_, seated in day.matches for one in seated}
        chances = []
        moved: dict[str, list[tuple[float, float]]] = {}
        for *_, seated in day.matches:
            teams: dict[int, list[Any]] = {}
            places: dict[int, int] = {}
            for one in seated:
                teams.setdefault(one.side, []).append(self.model.rating(*before[one.player]))
                places[one.side] = one.place
            chances.append(self._chances(teams))
            rated = self.model.rate(list(teams.values()), ranks=list(places.values()))
            now = dict(zip(teams, map(iter, rated), strict=True))
            for one in seated:
                after = next(now[one.side])
                moved.setdefault(one.player, []).append((after.mu, after.sigma))
        after_day = {player: _together(before[player], results) for player, results in moved.items()}
        played: dict[str, int] = {}
        rows = []
        for *_, seated in day.matches:
            known = {}
            for one in seated:
                played[one.player] = played.get(one.player, self.latest[one.player][2]) + 1
                known[one.player] = (*after_day[one.player], played[one.player])
            rows.append(known)
        self.latest |= {player: (*after_day[player], played[player], day.date) for player in after_day}
        return list(zip(chances, rows, strict=True))

    def _before(self, player: str, date: str) -> tuple[float, float]:
        """Return what is known of a player before a day."""
        if player not in self.latest:
            self.latest[player] = self.known(player) or (self.model.mu, self.model.sigma, 0, date)
        mu, sigma, _, last = self.latest[player]
        return mu, after_absence(sigma, last, date)

    def _chances(self, teams: Mapping[int, Sequence[Any]]) -> dict[int, float]:
        """Return the chance of each side to be first, as Plackett and Luce's model has it."""
        c = sqrt(fsum(fsum(one.sigma**2 for one in team) + self.model.beta**2 for team in teams.values()))
        strength = {side: fsum(one.mu for one in team) / c for side, team in teams.items()}
        most = max(strength.values())
        weight = {side: exp(one - most) for side, one in strength.items()}
        whole = fsum(weight.values())
        return {side: one / whole for side, one in weight.items()}


def _together(before: tuple[float, float], results: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return mean and uncertainty after several results, each of which alone would lead to one of these."""
    if len(results) == 1:
        return results[0]
    mu, sigma = before
    precision = fsum([1 / sigma**2, *(1 / one**2 - 1 / sigma**2 for _, one in results)])
    mean = fsum([mu / sigma**2, *(value / one**2 - mu / sigma**2 for value, one in results)]) / precision
    return mean, precision**-0.5
