"""The table of ratings: Weng and Lin's Plackett-Luce, game by game, day by day in the order of play.

A side is one team: its strength is the sum of the partners' strengths, and its result moves both the same way, the more
uncertain one more. The uncertainty grows during an absence: see `after_absence`. The matches of a day are rated
together, all from the ratings before it, so the order of recording does not matter.

How much chance decides differs from game to game: its scale is fitted (`rating_scales`). The chances of winning that
are kept with each match are forecasts: they know nothing of the match's day or of later ones, the scale included.

A rating depends on all earlier matches, so after a late or corrected match all later ones of its game are rated again.
That is done when ratings are read, not while an event is being stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.people.people import STREAM
from cardledger.record.readmodels.columns import DATE, GAME, MATCH, PLACE, PLAYER, POSITION, SEAT
from cardledger.record.readmodels.model import DerivedTable, Row
from cardledger.record.readmodels.tables.rater import BETA, USUAL_BREAK, RatedDay, RatedSeat, Rater, after_absence
from cardledger.record.readmodels.tables.rating_scales import FittedScale, fitted_scale, matches_to_fit

if TYPE_CHECKING:
    from cardledger.record.readmodels import ReadModels
    from cardledger.record.store.readers import Readable

__all__ = [
    "BETA", "RATINGS", "SCHEMA", "TABLES", "USUAL_BREAK", "Calibration", "after_absence", "bring_up_to_date", "calibration",
    "differing", "drop", "expect", "touched",
]  # fmt: skip

RATINGS = DerivedTable(
    "ratings",
    "Ratings after the day of every complete match (Weng and Lin 2011, "
    "Plackett-Luce), brought up to date when they are read.",
    {
        "game": GAME,
        "number": ("INTEGER NOT NULL", "number of the match among the complete ones of the game, by date and position"),
        "seat": SEAT,
        "match": MATCH,
        "date": (f"{DATE[0]} NOT NULL", f"{DATE[1]}; here always known, as other matches are not rated"),
        "position": POSITION,
        "player": PLAYER,
        "place": PLACE,
        "played": ("INTEGER NOT NULL", "the player's complete matches of the game so far"),
        "chance": (
            "REAL NOT NULL",
            "the chance of winning that the player's side had by all that was known before the day",
        ),
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
_MATCHES = """SELECT p.match, p.date, p.position, p.seat, coalesce(p.side, p.seat), p.player, p.place FROM players AS p
    WHERE p.game = ? AND p.place > 0 AND p.date >= ? ORDER BY p.date, p.position, p.seat"""
_RESULT = "SELECT game, date, position, seat, player, place FROM {} WHERE match = ? AND place > 0 AND date IS NOT NULL ORDER BY seat"
_COUNTED = "SELECT count(DISTINCT match) FROM players WHERE game = ? AND place > 0 AND date IS NOT NULL"
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
    wanted = _to_fit(db, game)
    if stored and stored[0] == wanted and stored[1] < first[0]:
        _replace(db, game, first[0], FittedScale(stored[1], stored[2], {}))
        return
    fitted = fitted_scale(_days(db, game, ""), wanted)
    values = (game, wanted, fitted.upto, fitted.beta)
    db.execute("INSERT OR REPLACE INTO rating_scales VALUES (?, ?, ?, ?)", values)
    same = stored and stored[2] == fitted.beta and stored[1] < first[0]
    _replace(db, game, first[0] if same else "", fitted)


def _to_fit(db: Readable, game: str) -> int:
    """Return to how many matches of a game the scale of chance is fitted."""
    (played,) = db.execute(_COUNTED, (game,)).fetchone()
    return matches_to_fit(int(played))


def _replace(db: sqlite3.Connection, game: str, day: str, fitted: FittedScale) -> None:
    """Replace the ratings of a game from a day on."""
    (earlier,) = db.execute(
        "SELECT coalesce(max(number), 0) FROM ratings WHERE game = ? AND date < ?", (game, day)
    ).fetchone()
    db.execute("DELETE FROM ratings WHERE game = ? AND number > ?", (game, earlier))
    places = ", ".join("?" * len(RATINGS.columns))
    db.executemany(f"INSERT INTO ratings VALUES ({places})", _rated(db, game, day, earlier, fitted))


def _days(db: Readable, game: str, first: str) -> Iterator[RatedDay]:
    """Yield the days of a game from a given one on."""
    rows = db.execute(_MATCHES, (game, first)).fetchall()
    for date, of_day in groupby(rows, itemgetter(1)):
        matches = groupby(of_day, itemgetter(0, 2))
        yield RatedDay(date, [(match, at, [RatedSeat(*row[3:]) for row in seated]) for (match, at), seated in matches])


def _rated(db: Readable, game: str, first: str, earlier: int, fitted: FittedScale) -> Iterator[Row]:
    """Yield the ratings of a game from a given day on; the `earlier` matches before it are already rated."""
    rater = Rater(fitted.beta, lambda player: db.execute(_LATEST, (game, player)).fetchone() if earlier else None)
    number = earlier
    for one_day in _days(db, game, first):
        for (match, position, seated), (chances, known) in zip(one_day.matches, rater.rate(one_day), strict=True):
            number += 1
            told = fitted.foretold.get(match, chances)
            for one in seated:
                mu, sigma, played = known[one.player]
                yield (
                    game, number, one.seat, match, one_day.date, position, one.player, one.place, played,
                    told[one.side], mu, sigma,
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
    yield from _rated(reader, game, "", 0, fitted_scale(_days(reader, game, ""), _to_fit(reader, game)))
