"""Leaderboards: points a hand in a game at tables of one size, for those who have played enough hands to compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.game import Game
    from ledger.ledger import Ledger

MIN_HANDS = 20
"""Hands that somebody must have played to be ranked: with fewer, chance decides the place."""


@dataclass(frozen=True, slots=True)
class Leader:
    """Somebody ranked: equal points a hand share a rank."""

    rank: int
    player: str
    points: int
    hands: int
    matches: int
    won: int

    @property
    def a_hand(self) -> float:
        """Points a hand."""
        return self.points / self.hands


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best of a game at tables of `seats` players, and how many more are ranked or have too few hands for it.

    `nearest` is who lacks the fewest hands to be ranked, with the hands played; None where there is nobody.
    """

    game: Game
    seats: int
    leaders: list[Leader]
    ranked: int
    unranked: int
    nearest: tuple[str, int] | None


def table_sizes(ledger: Ledger) -> dict[str, list[int]]:
    """Return for each game that has been played the sizes of its tables, the one with most hands first."""
    rows = ledger.views.reader.execute(
        "SELECT game, seats FROM standings GROUP BY game, seats HAVING sum(hands) > 0"
        " ORDER BY game, sum(hands) DESC, seats"
    )
    found: dict[str, list[int]] = {}
    for game, seats in rows:
        found.setdefault(game, []).append(seats)
    return found


def leaderboard(ledger: Ledger, game: Game, seats: int, limit: int) -> Leaderboard:
    """Return the leaderboard of a game at tables of one size; where the fewest points win, they lead."""
    read = ledger.views.reader.execute
    asked = {"game": game.id, "seats": seats, "least": MIN_HANDS, "limit": limit}
    here = "FROM standings WHERE game = :game AND seats = :seats"
    rows = read(
        f"SELECT player, points, hands, matches, won {here} AND hands >= :least"
        f" ORDER BY points * 1.0 / hands {'ASC' if game.fewest else 'DESC'}, hands DESC, player LIMIT :limit",
        asked,
    )
    leaders: list[Leader] = []
    for place, (player, points, hands, matches, won) in enumerate(rows, 1):
        last = leaders[-1] if leaders else None
        rank = last.rank if last and last.points * hands == points * last.hands else place
        leaders.append(Leader(rank, player, points, hands, matches, won))
    ranked, unranked = read(
        f"SELECT total(hands >= :least), total(hands BETWEEN 1 AND :least - 1) {here}", asked
    ).fetchone()
    nearest = read(
        f"SELECT player, hands {here} AND hands BETWEEN 1 AND :least - 1 ORDER BY hands DESC, player LIMIT 1", asked
    ).fetchone()
    return Leaderboard(game, seats, leaders, int(ranked), int(unranked), nearest)
