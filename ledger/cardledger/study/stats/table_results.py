"""Who does better at a game without rules: what each beat at the tables, by places alone, with an honest interval.

At a table with others, ahead of a share of them: 1 for the first alone, 0 for the last, 1/2 where all are level; partners
are one side. So tables of any size and points of any scale compare, and 1/2 is what anybody has by chance. An evening is one
observation. After few evenings the spread is that of all players together rather than the own one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.evening_list import list_evenings, other_games, spellings
from cardledger.rules.evenings.other_game import game_played
from cardledger.rules.evenings.places import places
from cardledger.rules.evenings.score_cards import fewest
from cardledger.rules.evenings.session import SessionState
from cardledger.study.stats.distributions import FALSE_DISCOVERIES, benjamini_hochberg, beyond, quantile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.evening_events import Result
    from cardledger.rules.evenings.lineup import Seated

FEWEST_EVENINGS: Final = 4
"""The fewest evenings of a player that a verdict needs, and of all players together for any interval."""
_LEAN: Final = 4
"""As many evenings of the whole field count beside the player's own."""
_MOST_EVENINGS: Final = 2000
"""The most evenings that are compared, the newest ones."""


class PlayerResults(NamedTuple):
    """A player's tables at a game.

    `first` counts tables at which nobody was ahead. `ahead` is the share of the others that the player was ahead of,
    level ones half, from 0 to 1; 0.5 is chance. `low` and `high` are the ends of its 95% interval, None after too few
    evenings of all players. `points` are those of a table on average, None if places alone were entered. `verdict` is
    `better` or `worse` beyond chance, corrected for all players, or None.
    """

    player: str
    evenings: int
    tables: int
    first: int
    ahead: float
    low: float | None
    high: float | None
    points: float | None
    verdict: str | None


class Met(NamedTuple):
    """How a player did at tables with another one: `ahead`, `level` or `behind` as opponents, and tables as partners."""

    other: str
    ahead: int
    level: int
    behind: int
    partners: int


class TableResults(NamedTuple):
    """The players of a game, the surest to be ahead first, with the number of evenings and tables; and whom one met."""

    evenings: int
    tables: int
    players: list[PlayerResults]
    met: list[Met]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        rows = {"players": [*map(_shortened, self.players)], "met": [each._asdict() for each in self.met]}
        return {"evenings": self.evenings, "tables": self.tables, **rows}


@dataclass
class _Seen:
    """What was seen of a player: shares by evening, and points."""

    shares: dict[str, list[float]] = field(default_factory=dict)
    first: int = 0
    points: list[int] = field(default_factory=list)


class _Side(NamedTuple):
    """A side at a table: its players, its place, and its points."""

    players: tuple[str, ...]
    place: int
    points: int | None


def table_results(
    ledger: Ledger,
    other_game: str,
    player: str | None = None,
    *,
    club: str | None = None,
    since: str | None = None,
    until: str | None = None,
) -> TableResults:
    """Return how the players of a game without rules did, whatever capitals and accents its name has.

    Evenings are those of a `club` (its id), from the day `since` to the day `until`; None for any. `player`, by any id,
    says for whom to tell the others met. Results of matches are left out, as those of another game are. Raises
    StoreError `store.unknown` for a game that no evening names.
    """
    if not spellings(ledger, other_game):
        known = ", ".join(other_games(ledger)) or "none yet"
        raise StoreError("store.unknown", f"no evening is of {other_game!r}: games without rules are {known}")
    who = None if player is None else ledger.people().person(player)
    seen: dict[str, _Seen] = {}
    met: dict[str, list[int]] = {}
    evenings, tables = set(), 0
    rows = list_evenings(ledger, _MOST_EVENINGS, other_game=other_game, club=club, since=since, until=until).evenings
    for evening, sides in _tables(ledger, [row["evening"] for row in reversed(rows)]):
        evenings.add(evening)
        tables += 1
        for side in sides:
            others = [other for other in sides if other is not side]
            share = sum((side.place < other.place) + (side.place == other.place) / 2 for other in others) / len(others)
            for one in side.players:
                of = seen.setdefault(one, _Seen())
                of.shares.setdefault(evening, []).append(share)
                of.first += side.place == 1
                of.points += [] if side.points is None else [side.points]
                if one == who:
                    _meet(met, one, side, others)
    found = [Met(other, *counts) for other, counts in met.items()]
    found.sort(key=lambda each: (-sum(each[1:]), each.other))
    return TableResults(len(evenings), tables, _compared(seen), found)


def _meet(met: dict[str, list[int]], one: str, side: _Side, others: list[_Side]) -> None:
    """Count whom a player met at a table."""
    for other in others:
        for opponent in other.players:
            met.setdefault(opponent, [0, 0, 0, 0])[1 + (side.place > other.place) - (side.place < other.place)] += 1
    for partner in side.players:
        if partner != one:
            met.setdefault(partner, [0, 0, 0, 0])[3] += 1


def _tables(ledger: Ledger, ids: list[str]) -> Iterator[tuple[str, list[_Side]]]:
    """Yield the results of evenings that were entered without a match: each its evening, and its sides."""
    person = ledger.people().person
    for id in ids:
        state = ledger.evenings.stream(id).state
        assert isinstance(state, SessionState)
        rounds = {round: state.tables(round) for round in state.rounds}
        for (round, table, _), (_, result) in sorted(state.results.items(), key=lambda each: each[0][:2]):
            seated = rounds[round][table]
            if result.match is None and seated.game is None:
                sides = [
                    side._replace(players=tuple(map(person, side.players)))
                    for side in _sides(state, round, seated, result)
                ]
                if len(sides) > 1:
                    yield id, sides


def _sides(state: SessionState, round: int, seated: Seated, result: Result) -> list[_Side]:
    """Return the sides of a table with their places; partners are one side."""
    n = len(seated.seats)
    values = (result.points if result.points is not None else result.places or ())[:n]
    game = game_played(state)
    side_of = game.sides(n) if game is not None and state.opening.unit == "player" else (*range(n),)
    of_sides = [values[side_of.index(side)] for side in sorted({*side_of})]
    low = result.points is None or fewest(state)
    return [
        _Side(
            tuple(
                player
                for seat, entry in enumerate(seated.seats)
                if side_of[seat] == side and entry
                for player in state.players(entry, round)
            ),
            place,
            value if result.points is not None else None,
        )
        for side, (place, value) in enumerate(zip(places(of_sides, low=low), of_sides, strict=True))
    ]


def _compared(seen: dict[str, _Seen]) -> list[PlayerResults]:
    """Return the players with their intervals and verdicts, the surest to be ahead first."""
    spread, of_field = 0.0, 0
    for each in seen.values():
        for shares in each.shares.values():
            spread += (sum(shares) - len(shares) / 2) ** 2 / len(shares)
            of_field += 1
    usual = spread / of_field if of_field >= FEWEST_EVENINGS else None
    rows, chances = [], []
    for player, each in seen.items():
        tables = sum(map(len, each.shares.values()))
        ahead = sum(map(sum, each.shares.values())) / tables
        low = high = None
        chance = 1.0
        if usual is not None:
            own = sum((sum(shares) - len(shares) * ahead) ** 2 / len(shares) for shares in each.shares.values())
            df = len(each.shares) - 1 + _LEAN
            error = sqrt((own + _LEAN * usual) / df / tables)
            reach = quantile(df) * error
            low, high = max(0.0, ahead - reach), min(1.0, ahead + reach)
            if error and len(each.shares) >= FEWEST_EVENINGS:
                chance = beyond((ahead - 0.5) / error, df)
        points = sum(each.points) / len(each.points) if each.points else None
        rows.append(PlayerResults(player, len(each.shares), tables, each.first, ahead, low, high, points, None))
        chances.append(chance)
    sure = benjamini_hochberg(chances) if chances else []
    judged = [
        row._replace(verdict=("better" if row.ahead > 0.5 else "worse") if q <= FALSE_DISCOVERIES else None)
        for row, q in zip(rows, sure, strict=True)
    ]
    return sorted(judged, key=lambda row: (-(row.low if row.low is not None else row.ahead), -row.ahead, row.player))


def _shortened(row: PlayerResults) -> dict[str, Any]:
    """Return a row as JSON data, its figures with four decimals."""
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in row._asdict().items()}
