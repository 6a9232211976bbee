"""The table of ratings: Weng and Lin's Plackett-Luce, game by game, match by match in the order of play.

A side is one team: its strength is the sum of the partners' strengths, and its result moves both the same way, the more
uncertain one more. The uncertainty grows during an absence: see `after_absence`.

A rating depends on all earlier matches, so after a late or corrected match all later ones of its game are rated again.
That is done when ratings are read, not while an event is being stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from datetime import date as day
from functools import cache
from itertools import groupby
from math import sqrt
from operator import itemgetter
from typing import TYPE_CHECKING

from cardledger.record.people.people import STREAM
from cardledger.record.readmodels.columns import DATE, GAME, MATCH, PLACE, PLAYER, POSITION, SEAT
from cardledger.record.readmodels.model import DerivedTable, Row

if TYPE_CHECKING:
    from openskill.models import PlackettLuce, PlackettLuceRating

    from cardledger.record.readmodels import ReadModels
    from cardledger.record.store.readers import Readable

RATINGS = DerivedTable(
    "ratings",
    "Ratings after every complete match (Weng and Lin 2011, Plackett-Luce), brought up to date when they are read.",
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
        "mu": ("REAL NOT NULL", "estimated strength after the match; everybody starts at 25"),
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
    "CREATE TABLE rated (position INTEGER NOT NULL)",
    "INSERT INTO rated VALUES (0)",
    "CREATE TABLE unrated (match TEXT NOT NULL)",
)
TABLES = ("ratings", "rated", "unrated")
USUAL_BREAK = 30
"""A longer gap between two matches, in days, counts as an absence."""
A_YEAR_AWAY = 4.0
"""How much a year of absence adds to the square of a player's uncertainty."""
START = 25 / 3
"""The uncertainty at the start, which is also the maximum."""
_MATCHES = """SELECT p.match, p.date, p.position, p.seat, coalesce(p.side, p.seat), p.player, p.place FROM players AS p
    WHERE p.game = ? AND p.place > 0 AND (p.date, p.position) >= (?, ?) ORDER BY p.date, p.position, p.seat"""
_RESULT = "SELECT game, date, position, seat, player, place FROM {} WHERE match = ? AND place > 0 ORDER BY seat"
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
    """Rate the matches of a game from a given one on, and replace the old ratings."""
    (earlier,) = db.execute(
        "SELECT coalesce(max(number), 0) FROM ratings WHERE game = ? AND (date, position) < (?, ?)", (game, *first)
    ).fetchone()
    db.execute("DELETE FROM ratings WHERE game = ? AND number > ?", (game, earlier))
    db.executemany(
        f"INSERT INTO ratings VALUES ({', '.join('?' * len(RATINGS.columns))})", _rated(db, game, first, earlier)
    )


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


def _rated(db: Readable, game: str, first: tuple[str, int], earlier: int) -> Iterator[Row]:
    """Yield the ratings of a game from a given match on; the `earlier` matches before it are already rated."""
    model = _model()
    latest: dict[str, tuple[float, float, int, str]] = {}
    matches = groupby(db.execute(_MATCHES, (game, *first)).fetchall(), itemgetter(0, 1, 2))
    for number, ((match, date, position), group) in enumerate(matches, earlier + 1):
        seated = list(group)
        teams: dict[int, list[PlackettLuceRating]] = {}
        places: dict[int, int] = {}
        for *_, side, player, place in seated:
            if player not in latest:
                before = earlier and db.execute(_LATEST, (game, player)).fetchone()
                latest[player] = before or (model.mu, model.sigma, 0, date)
            mu, sigma, _, last = latest[player]
            teams.setdefault(side, []).append(model.rating(mu, after_absence(sigma, last, date)))
            places[side] = place
        rated = dict(zip(teams, map(iter, model.rate(list(teams.values()), ranks=list(places.values()))), strict=True))
        for *_, seat, side, player, place in seated:
            now = next(rated[side])
            played = latest[player][2] + 1
            latest[player] = now.mu, now.sigma, played, date
            yield game, number, seat, match, date, position, player, place, played, now.mu, now.sigma


def differing(views: ReadModels) -> bool:
    """Tell whether the ratings differ from a fresh rating of all matches."""
    bring_up_to_date(views)
    reader = views.reader
    games = [game for (game,) in reader.execute("SELECT game FROM matches UNION SELECT game FROM ratings")]
    stored = "SELECT * FROM ratings WHERE game = ? ORDER BY number, seat"
    return any(reader.execute(stored, (game,)).fetchall() != list(_rated(reader, game, ("", 0), 0)) for game in games)


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # imported here, because only ratings need it

    return PlackettLuce()
