"""Leagues of players of known strength: from a statistical model, or drawn from matches that bots have played."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ledger.bots import cautious, random_bot
from ledger.bots.simulation import simulate
from ledger.corrections import Stream
from ledger.ledger import Ledger
from ledger.matchfile import Match
from ledger.stats.query import Query
from ledger.stats.sheet import Sheet, Sheets
from ledger.stats.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ledger.bots import Bot
    from ledger.events import Event
    from ledger.table import Table


@dataclass(frozen=True, slots=True)
class League:
    """A simulated league of diversity (fewest points are best): how strong each player is, and what was recorded.

    `strength` are true differences from the field in points a hand, against opponents like the field.
    """

    strength: dict[str, float]
    tally: Tally


def played(rng: np.random.Generator, strength: NDArray[np.float64], matches: int, hands: int = 4, n: int = 4) -> League:
    """Return a league whose tables are drawn at random.

    What a player scores in a hand is 3.25, plus the own strength less the mean of the opponents', plus luck of the
    match and of the hand; luck adds up to 0 at a table, as tricks do, and points are whole numbers.
    """
    players = [f"player-{number:02}" for number in range(len(strength))]
    strength = strength - strength.mean()
    sheet = Sheet("diversity")
    seated = np.array([rng.permutation(len(players))[:n] for _ in range(matches)])
    codes = sheet.code("player", players)
    zeros = np.zeros(matches, dtype=np.int32)
    sheet.code("date", ["2026-01-01"])
    sheet.matches = dict.fromkeys(sheet.matches, zeros) | {
        "match": np.arange(matches),
        "size": zeros + n,
        "begun": zeros + hands,
        "complete": zeros + hands,
    }
    sheet.seats = {
        "row": np.repeat(np.arange(matches), n),
        "seat": np.tile(np.arange(n), matches),
        "player": codes[seated].ravel(),
        "place": np.zeros(matches * n, dtype=np.int32),
        "won": np.zeros(matches * n, dtype=np.int32),
    }
    own = strength[seated]
    expected = 3.25 + own - (own.sum(axis=1, keepdims=True) - own) / (n - 1)
    luck = rng.normal(0, 0.7, (matches, 1, n)) + rng.normal(0, 1.8, (matches, hands, n))
    luck -= luck.mean(axis=2, keepdims=True)
    points = np.rint(expected[:, None, :] + luck)
    seat = np.broadcast_to(np.arange(n), points.shape)
    row = seat + np.arange(matches)[:, None, None] * n
    turn = (seat - np.arange(hands)[:, None] - 1) % n + 1
    flat = {
        "row": row,
        "turn": turn,
        "lead": np.full(points.shape, -1),
        "hands": np.ones(points.shape),
        "points": points,
    }
    nothing = np.zeros(points.size, dtype=np.int32)
    sheet.hands = dict.fromkeys(sheet.hands, nothing) | {name: column.ravel() for name, column in flat.items()}
    return League(dict(zip(players, strength.tolist(), strict=True)), Tally(sheet, Query()))


def mixed(share: float) -> Bot:
    """Return a cautious bot that plays at random in a share of its decisions: the more, the weaker."""

    def choose(table: Table, rng: Random) -> Event:
        return (random_bot if rng.random() < share else cautious).choose(table, rng)

    return choose


def pool(folder: Path, game: str, bots: Mapping[str, Bot], matches: int, hands: int) -> Sheet:
    """Let bots, whose names are the players' too, play at tables of four drawn at random; return what is recorded."""
    rng = Random(f"{game} {sorted(bots)}")
    with Ledger(folder / "pool.db") as ledger, pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.bots.BOTS", bots)
        played = []
        for _ in range(matches):
            names = rng.sample(sorted(bots), 4)
            events = simulate(game, 4, rng, names, players=names, max_hands=hands)
            played.append(Match("bots", 1, Stream.of(events), events))
        for _ in ledger.import_matches(played):
            pass
        return Sheets(ledger.views).sheet(game)


def drawn(rng: np.random.Generator, sheet: Sheet, matches: int, players: int = 0) -> Tally:
    """Return a league of matches drawn from a pool, one as often as chance has it.

    With `players`, so many share the seats at random instead of those who sat there.
    """
    chosen = rng.integers(len(sheet.matches["match"]), size=matches)
    league = Sheet(sheet.game)
    league.texts = {name: codes.copy() for name, codes in sheet.texts.items()}
    league.matches = {name: column[chosen] for name, column in sheet.matches.items()}
    seats = _parts(sheet.seats["row"], chosen)
    hands = _parts(sheet.hands["row"], seats)
    league.seats = {name: column[seats] for name, column in sheet.seats.items()}
    league.hands = {name: column[hands] for name, column in sheet.hands.items()}
    league.seats["row"] = np.repeat(np.arange(matches), np.bincount(sheet.seats["row"])[chosen])
    league.hands["row"] = np.repeat(
        np.arange(len(seats)), np.bincount(sheet.hands["row"], minlength=len(sheet.seats["row"]))[seats]
    )
    if players:
        codes = league.code("player", [f"twin-{number}" for number in range(players)])
        league.seats["player"] = np.concatenate([rng.permutation(codes)[:4] for _ in range(matches)])
    return Tally(league, Query())


def _parts(row: NDArray[np.int32], chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of the rows that belong to the chosen ones, one after the other."""
    order = np.argsort(row, kind="stable")
    count = np.bincount(row, minlength=int(chosen.max()) + 1)
    first = np.cumsum(count) - count
    size = count[chosen]
    within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    places: NDArray[np.int64] = order[np.repeat(first[chosen], size) + within]
    return places


def kendall(one: Sequence[str], other: Sequence[str]) -> float:
    """Return Kendall's τ of two orders of the same players."""
    place = {player: at for at, player in enumerate(other)}
    pairs = [(place[a] < place[b]) for i, a in enumerate(one) for b in one[i + 1 :]]
    return 2 * sum(pairs) / len(pairs) - 1
