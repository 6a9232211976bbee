"""The table of ratings: Weng and Lin's Plackett-Luce, game by game, day by day in the order of play.

A side is one team: its strength is the sum of the partners' strengths, and its result moves both the same way, the more
uncertain one more. The uncertainty grows during an absence: see `after_absence`. The matches of a day are rated
together, all from the ratings before it, so the order of recording does not matter.

How much chance decides differs from game to game: its scale is the one under which ratings would have foretold the
winners of each day best (`rating_scales`). It is fitted again whenever the number of matches has doubled.

A rating depends on all earlier matches, so after a late or corrected match all later ones of its game are rated again.
That is done when ratings are read, not while an event is being stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date as day
from itertools import groupby
from math import exp, fsum, log, sqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.record.people.people import STREAM
from cardledger.record.readmodels.columns import DATE, GAME, MATCH, PLACE, PLAYER, POSITION, SEAT
from cardledger.record.readmodels.model import DerivedTable, Row

if TYPE_CHECKING:
    from cardledger.record.readmodels import ReadModels
    from cardledger.record.store.readers import Readable

RATINGS = DerivedTable(
    "ratings",
    "Ratings after the day of every complete match (Weng and Lin 2011, "
    "Plackett-Luce), brought up to date when they are read.",
    {
        "game": GAME,
        "number": ("INTEGER NOT NULL", "number of the match among the complete ones of the game, by date and position"),
        "seat": SEAT,
        "match": MATCH,
        "date": DATE,
        "position": POSITION,
        "player": PLAYER,
        "place": PLACE,
        "played": ("INTEGER NOT NULL", "the player's complete matches of the game so far"),
        "chance": ("REAL NOT NULL", "the chance of winning that the ratings before the day gave the player's side"),
        "mu": ("REAL NOT NULL", "estimated strength after the day; everybody starts at 25"),
        "sigma": (
            "REAL NOT NULL",
            "its uncertainty, a standard deviation; everybody starts at 25/3, and it grows during an absence",
        ),
    },
    ("game", "number", "seat"),
)
SCHEMA = (
    RATINGS.schema,
    "CREATE INDEX ratings_match ON ratings (match)",
    "CREATE INDEX ratings_player ON ratings (game, player, number)",
    "CREATE TABLE rating_scales (game TEXT PRIMARY KEY, "
    "matches INTEGER NOT NULL, upto TEXT NOT NULL, beta REAL NOT NULL)",
    "CREATE TABLE rated (position INTEGER NOT NULL)",
    "INSERT INTO rated VALUES (0)",
    "CREATE TABLE unrated (match TEXT NOT NULL)",
)
TABLES = ("ratings", "rating_scales", "rated", "unrated")
USUAL_BREAK = 30
"""A longer gap between two matches, in days, counts as an absence."""
A_YEAR_AWAY = 4.0
"""How much a year of absence adds to the square of a player's uncertainty."""
START = 25 / 3
"""The uncertainty at the start, which is also the maximum."""
_MATCHES = """SELECT p.match, p.date, p.position, p.seat, coalesce(p.side, p.seat), p.player, p.place FROM players AS p
    WHERE p.game = ? AND p.place > 0 AND p.date >= ? ORDER BY p.date, p.position, p.seat"""
_RESULT = "SELECT game, date, position, seat, player, place FROM {} WHERE match = ? AND place > 0 ORDER BY seat"
FEWEST, MOST = 32, 1024
"""The scale of chance is fitted from so many matches on, and to at most so many (with the whole last day)."""
BETA = 25 / 6
"""The scale of chance before it is fitted: that of Weng and Lin's model."""
_SCALES = (1.0, 1.5, 2.25, 3.5, 5.0, 7.5, 11.0)
"""The scales tried, as multiples of that."""
_LEAST = 1e-9
# By seat: what the player's side won (a win is shared by all who share it), the forecast, and equal chances.
_FORETOLD = """WITH m AS (
    SELECT number, count(*) AS seats, sum(chance) AS whole, sum(place = 1) AS winners FROM ratings
    WHERE game = :game AND date > (SELECT min(date) FROM ratings WHERE game = :game) GROUP BY number
), s AS (
    SELECT m.number, m.whole, r.chance, m.whole / m.seats AS equal, (r.place = 1) * m.whole / m.winners AS won
    FROM m JOIN ratings AS r ON r.game = :game AND r.number = m.number
) SELECT count(DISTINCT number), total((chance - equal) * (chance - equal)), total((chance - equal) * (won - equal)),
    total((won - chance) * (won - chance) / whole), total((won - equal) * (won - equal) / whole) FROM s"""
_LATEST = "SELECT mu, sigma, played, date FROM ratings WHERE game = ? AND player = ? ORDER BY number DESC LIMIT 1"


def touched(views: ReadModels, after: int, upto: int) -> set[str] | None:
    """Return the matches with events after one position up to another; None if any match may have changed."""
    if after == 0:
        return None
    matches = views.source.store.between(after, upto)
    return None if STREAM in matches else matches  # player ids were merged or split, which may concern any match


def drop(db: sqlite3.Connection) -> None:
    """Drop all ratings; they are computed again at the next read."""
    db.execute("DELETE FROM ratings")
    db.execute("DELETE FROM rating_scales")
    db.execute("UPDATE rated SET position = 0")


def expect(db: sqlite3.Connection, matches: Collection[str]) -> None:
    """Note matches whose results came into the tables, or went, without an event of their own."""
    db.executemany("INSERT INTO unrated VALUES (?)", [(match,) for match in matches])


def bring_up_to_date(views: ReadModels) -> int:
    """Rate matches played or corrected since the last time; return the position in the ledger reached."""
    reader = views.reader
    upto: int = views.position
    waiting = reader.execute("SELECT 1 FROM unrated LIMIT 1").fetchone()
    if reader.execute("SELECT position FROM rated").fetchone()[0] == upto and not waiting:
        return upto
    with views.file.writing() as db:
        upto = db.execute("SELECT position FROM checkpoint").fetchone()[0]
        (after,) = db.execute("SELECT position FROM rated").fetchone()
        changed = touched(views, after, upto)
        noted = {match for (match,) in db.execute("SELECT match FROM unrated")}
        db.execute("DELETE FROM unrated")
        if changed is None:
            db.execute("DELETE FROM ratings")
            db.execute("DELETE FROM rating_scales")
            firsts = {game: ("", 0) for (game,) in db.execute("SELECT DISTINCT game FROM matches ORDER BY game")}
        else:
            firsts = _firsts(db, changed | noted)
        for game, first in firsts.items():
            _rate(db, game, first)
        db.execute("UPDATE rated SET position = ?", (upto,))
    return upto


def _firsts(db: sqlite3.Connection, changed: set[str]) -> dict[str, tuple[str, int]]:
    """Return for each game the date and position from which its matches must be rated again."""
    firsts: dict[str, tuple[str, int]] = {}
    for match in changed:
        was, now = (db.execute(_RESULT.format(table), (match,)).fetchall() for table in ("ratings", "players"))
        if was != now:
            for game, date, position, *_ in (*was[:1], *now[:1]):
                firsts[game] = min(firsts.get(game, (date, position)), (date, position))
    return dict(sorted(firsts.items()))


def _rate(db: sqlite3.Connection, game: str, first: tuple[str, int]) -> None:
    """Rate the matches of a game from the day of a given one on, and replace the old ratings."""
    stored = db.execute("SELECT matches, upto, beta FROM rating_scales WHERE game = ?", (game,)).fetchone()
    count, upto, beta = stored or (0, *_store_scale(db, game, _first_matches(db, game)))
    _replace(db, game, first[0], beta)
    wanted = _first_matches(db, game)
    if stored and (wanted != count or first[0] <= upto):
        _, now = _store_scale(db, game, wanted)
        if now != beta:
            _replace(db, game, "", now)


def _first_matches(db: Readable, game: str) -> int:
    """Return to how many matches of a game the scale of chance is fitted."""
    (played,) = db.execute("SELECT count(DISTINCT match) FROM players WHERE game = ? AND place > 0", (game,)).fetchone()
    return min(1 << (int(played).bit_length() - 1), MOST) if played >= FEWEST else 0


def _store_scale(db: sqlite3.Connection, game: str, matches: int) -> tuple[str, float]:
    """Fit the scale of chance of a game and store it; return the last day it is fitted to, and the scale."""
    upto, beta = fitted_scale(db, game, matches)
    db.execute("INSERT OR REPLACE INTO rating_scales VALUES (?, ?, ?, ?)", (game, matches, upto, beta))
    return upto, beta


def _replace(db: sqlite3.Connection, game: str, day: str, beta: float) -> None:
    """Replace the ratings of a game from a day on."""
    (earlier,) = db.execute(
        "SELECT coalesce(max(number), 0) FROM ratings WHERE game = ? AND date < ?", (game, day)
    ).fetchone()
    db.execute("DELETE FROM ratings WHERE game = ? AND number > ?", (game, earlier))
    places = ", ".join("?" * len(RATINGS.columns))
    db.executemany(f"INSERT INTO ratings VALUES ({places})", _rated(db, game, day, earlier, beta))


def fitted_scale(db: Readable, game: str, matches: int) -> tuple[str, float]:
    """Return the scale of chance under which the first matches of a game are foretold best, and the last day of these.

    Fewer than 32 matches say nothing: then it is Weng and Lin's.
    """
    if not matches:
        return "", BETA
    days: list[RatedDay] = []
    counted = 0
    for one in _days(db, game, ""):
        days.append(one)
        counted += len(one.matches)
        if counted >= matches:
            break
    foretold = {}
    for scale in _SCALES:
        rater = Rater(BETA * scale)
        foretold[scale] = fsum(
            log(max(fsum(chance for chance, place in zip(*told, strict=True) if place == 1), 1e-9))
            for one in days
            for told in rater.forecast(one)
        )
    best = max(_SCALES, key=lambda scale: (foretold[scale], -scale))
    return days[-1].date, BETA * best


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


def _days(db: Readable, game: str, first: str) -> Iterator[RatedDay]:
    """Yield the days of a game from a given one on."""
    rows = db.execute(_MATCHES, (game, first)).fetchall()
    for date, of_day in groupby(rows, itemgetter(1)):
        matches = groupby(of_day, itemgetter(0, 2))
        yield RatedDay(date, [(match, at, [RatedSeat(*row[3:]) for row in seated]) for (match, at), seated in matches])


class Rater:
    """Rates day after day; `latest` is mean, uncertainty, matches and last day of each player known so far."""

    def __init__(
        self, beta: float, known: Callable[[str], tuple[float, float, int, str] | None] = lambda _: None
    ) -> None:
        from openskill.models import PlackettLuce  # imported here, because only ratings need it

        self.model = PlackettLuce(beta=beta)
        self.known = known
        self.latest: dict[str, tuple[float, float, int, str]] = {}

    def forecast(self, day: RatedDay) -> Iterator[tuple[list[float], list[int]]]:
        """Rate a day; yield for each match the chances that ratings gave its sides, and their places."""
        for (_, _, seated), (chances, _) in zip(day.matches, self.rate(day), strict=True):
            places = {one.side: one.place for one in seated}
            yield [chances[side] for side in places], [*places.values()]

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


def _rated(db: Readable, game: str, first: str, earlier: int, beta: float) -> Iterator[Row]:
    """Yield the ratings of a game from a given day on; the `earlier` matches before it are already rated."""
    rater = Rater(beta, lambda player: db.execute(_LATEST, (game, player)).fetchone() if earlier else None)
    number = earlier
    for one_day in _days(db, game, first):
        for (match, position, seated), (chances, known) in zip(one_day.matches, rater.rate(one_day), strict=True):
            number += 1
            for one in seated:
                mu, sigma, played = known[one.player]
                yield (
                    game, number, one.seat, match, one_day.date, position, one.player, one.place, played,
                    chances[one.side], mu, sigma,
                )  # fmt: skip


class Calibration(NamedTuple):
    """How good the chances of winning were that ratings gave before each day.

    `slope` is 1 if they are right, below 1 if they are too bold; None if all chances were equal. `brier` is the mean
    squared error of a match, `equal` that of equal chances for all sides: lower is better (Brier 1950).
    """

    matches: int
    slope: float | None
    brier: float
    equal: float


def calibration(reader: Readable, game: str) -> Calibration | None:
    """Return how good the forecasts of a game were, over all matches but those of the first day; None without any."""
    (told,) = reader.execute(_FORETOLD, {"game": game}).fetchall()
    matches, squares, together, brier, equal = told
    if not matches:
        return None
    return Calibration(matches, together / squares if squares > _LEAST else None, brier / matches, equal / matches)


def differing(views: ReadModels) -> bool:
    """Tell whether the ratings differ from a fresh rating of all matches."""
    bring_up_to_date(views)
    reader = views.reader
    games = [game for (game,) in reader.execute("SELECT game FROM matches UNION SELECT game FROM ratings")]
    stored = "SELECT * FROM ratings WHERE game = ? ORDER BY number, seat"
    return any(reader.execute(stored, (game,)).fetchall() != list(_afresh(reader, game)) for game in games)


def _afresh(reader: Readable, game: str) -> Iterator[Row]:
    """Yield the ratings of a game from its first match on, with the scale of chance fitted afresh."""
    yield from _rated(reader, game, "", 0, fitted_scale(reader, game, _first_matches(reader, game))[1])
