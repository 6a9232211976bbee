"""The table of ratings: Weng and Lin's Plackett-Luce, game by game, match by match in the order of play.

A rating needs all matches before, so a match that arrives late or is corrected rates all later ones of its game anew.
That is done when ratings are asked for, not while somebody waits for an event to be stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from ledger.people import STREAM
from ledger.readmodels.model import Kept, Row

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

    from ledger.readmodels import ReadModels

RATINGS = Kept(
    "ratings",
    "Ratings after every complete match (Weng and Lin 2011, Plackett-Luce), brought up to date when they are asked for.",
    {
        "game": ("TEXT NOT NULL", "id of the game"),
        "number": ("INTEGER NOT NULL", "number of the match among the complete ones of the game, by date and position"),
        "seat": ("INTEGER NOT NULL", "seat, from 0 clockwise"),
        "match": ("TEXT NOT NULL", "id of the match"),
        "date": ("TEXT NOT NULL", "day of play, or else of recording"),
        "position": ("INTEGER NOT NULL", "place of the match's opening in the ledger"),
        "player": ("TEXT NOT NULL", "player id"),
        "place": ("INTEGER NOT NULL", "place in the match, from 1, equals sharing"),
        "played": ("INTEGER NOT NULL", "complete matches of the game the player has by then"),
        "mu": ("REAL NOT NULL", "strength after the match as believed; everybody starts at 25"),
        "sigma": ("REAL NOT NULL", "uncertainty of that, a standard deviation; everybody starts at 25/3"),
    },
    ("game", "number", "seat"),
)
SCHEMA = (
    RATINGS.schema,
    "CREATE INDEX ratings_match ON ratings (match)",
    "CREATE INDEX ratings_player ON ratings (game, player, number)",
    "CREATE TABLE rated (position INTEGER NOT NULL)",
    "INSERT INTO rated VALUES (0)",
)
TABLES = ("ratings", "rated")
_MATCHES = """SELECT p.match, p.date, p.position, p.seat, p.player, p.place FROM players AS p
    WHERE p.game = ? AND p.place > 0 AND (p.date, p.position) >= (?, ?) ORDER BY p.date, p.position, p.seat"""
_RESULT = "SELECT game, date, position, seat, player, place FROM {} WHERE match = ? AND place > 0 ORDER BY seat"
_LATEST = "SELECT mu, sigma, played FROM ratings WHERE game = ? AND player = ? ORDER BY number DESC LIMIT 1"


def touched(views: ReadModels, after: int, upto: int) -> set[str] | None:
    """Return the matches with events after one position up to another; None where any may have changed."""
    if after == 0:
        return None
    matches = views.source.store.between(after, upto)
    return None if STREAM in matches else matches  # who is who has changed, in any match


def drop(db: sqlite3.Connection) -> None:
    """Forget all ratings: they are computed anew when they are asked for."""
    db.execute("DELETE FROM ratings")
    db.execute("UPDATE rated SET position = 0")


def bring_up_to_date(views: ReadModels) -> int:
    """Rate what has been played or corrected since the last time; return the position in the ledger reached."""
    reader = views.reader
    upto: int = views.position
    if reader.execute("SELECT position FROM rated").fetchone()[0] == upto:
        return upto
    with views.file.writing() as db:
        upto = db.execute("SELECT position FROM checkpoint").fetchone()[0]
        (after,) = db.execute("SELECT position FROM rated").fetchone()
        changed = touched(views, after, upto)
        if changed is None:
            db.execute("DELETE FROM ratings")
            firsts = {game: ("", 0) for (game,) in db.execute("SELECT DISTINCT game FROM matches ORDER BY game")}
        else:
            firsts = _firsts(db, changed)
        for game, first in firsts.items():
            _rate(db, game, first)
        db.execute("UPDATE rated SET position = ?", (upto,))
    return upto


def _firsts(db: sqlite3.Connection, changed: set[str]) -> dict[str, tuple[str, int]]:
    """Return for each game the date and position from which on its matches are to be rated anew."""
    firsts: dict[str, tuple[str, int]] = {}
    for match in changed:
        was, now = (db.execute(_RESULT.format(table), (match,)).fetchall() for table in ("ratings", "players"))
        if was != now:
            for game, date, position, *_ in (*was[:1], *now[:1]):
                firsts[game] = min(firsts.get(game, (date, position)), (date, position))
    return dict(sorted(firsts.items()))


def _rate(db: sqlite3.Connection, game: str, first: tuple[str, int]) -> None:
    """Rate the matches of a game from one on, in place of the ratings there were."""
    (kept,) = db.execute(
        "SELECT coalesce(max(number), 0) FROM ratings WHERE game = ? AND (date, position) < (?, ?)", (game, *first)
    ).fetchone()
    db.execute("DELETE FROM ratings WHERE game = ? AND number > ?", (game, kept))
    db.executemany(
        f"INSERT INTO ratings VALUES ({', '.join('?' * len(RATINGS.columns))})", _rated(db, game, first, kept)
    )


def _rated(db: sqlite3.Connection, game: str, first: tuple[str, int], kept: int) -> Iterator[Row]:
    """Yield the ratings of a game from one match on; `kept` matches before it are rated already."""
    model = _model()
    start = (model.mu, model.sigma, 0)
    latest: dict[str, tuple[float, float, int]] = {}
    matches = groupby(db.execute(_MATCHES, (game, *first)).fetchall(), itemgetter(0, 1, 2))
    for number, ((match, date, position), group) in enumerate(matches, kept + 1):
        *_, seats, players, places = zip(*group, strict=True)
        for player in players:
            if player not in latest:
                latest[player] = kept and db.execute(_LATEST, (game, player)).fetchone() or start
        teams = [[model.rating(*latest[player][:2])] for player in players]
        rated = model.rate(teams, ranks=list(places))
        for seat, player, place, (now,) in zip(seats, players, places, rated, strict=True):
            played = latest[player][2] + 1
            latest[player] = now.mu, now.sigma, played
            yield game, number, seat, match, date, position, player, place, played, now.mu, now.sigma


def differing(views: ReadModels) -> bool:
    """Tell whether the ratings are not those that rating every match from the first on gives."""
    bring_up_to_date(views)
    reader = views.reader
    games = [game for (game,) in reader.execute("SELECT game FROM matches UNION SELECT game FROM ratings")]
    kept = "SELECT * FROM ratings WHERE game = ? ORDER BY number, seat"
    return any(reader.execute(kept, (game,)).fetchall() != list(_rated(reader, game, ("", 0), 0)) for game in games)


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # only who asks for ratings waits for it

    return PlackettLuce()
