"""Leagues of players of known strength: from a statistical model, or drawn from matches that bots have played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardledger.record.matches.matchfile import MatchInFile
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots import cautious, random_bot
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine.sides import each_alone
from cardledger.rules.stream import Stream
from cardledger.study.stats.compare import compare
from cardledger.study.stats.distributions import quantile
from cardledger.study.stats.luck.dealt_luck import DealtLuck
from cardledger.study.stats.measures.sheet import Sheet
from cardledger.study.stats.measures.sheets import Sheets
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.query import Query
from cardledger.study.stats.strength.company import Company, leagues
from cardledger.study.stats.strength.company import LinkedPlayers as Linked
from cardledger.study.stats.strength.strengths import strengths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cardledger.rules.bots import Bot
    from cardledger.rules.engine.events import Event
    from cardledger.rules.engine.match import Match
    from cardledger.study.stats.strength.strengths import Strengths


@dataclass(frozen=True, slots=True)
class League:
    """A simulated league of diversity (fewest points are best): how strong each player is, and what was recorded.

    `strength` are true differences from the field in points a hand, against opponents like the field.
    """

    strength: dict[str, float]
    tally: Tally


def played(
    rng: np.random.Generator,
    strength: NDArray[np.float64],
    matches: int,
    hands: int = 4,
    n: int = 4,
    seated: NDArray[np.int64] | None = None,
    swing: NDArray[np.float64] | None = None,
    moved: NDArray[np.float64] | None = None,
) -> League:
    """Return a league whose tables are drawn at random, or given by `seated`.

    What a player scores in a hand is 3.25, plus the own strength less the mean of the opponents', plus luck of the
    match and of the hand, `swing` times as much by player; luck adds up to 0 at a table, as tricks do, and points are
    whole numbers. The first player's strength is `moved` by so much in each match, played a day after the other.
    """
    strength = strength - strength.mean()
    if seated is None:
        seated = np.array([rng.permutation(len(strength))[:n] for _ in range(matches)])
    matches, n = seated.shape
    own = strength[seated]
    if moved is not None:
        own = own + moved[:, None] * (seated == 0)
    expected = 3.25 + own - (own.sum(axis=1, keepdims=True) - own) / (n - 1)
    luck = rng.normal(0, 0.7, (matches, 1, n)) + rng.normal(0, 1.8, (matches, hands, n))
    if swing is not None:
        luck *= swing[seated][:, None, :]
    luck -= luck.mean(axis=2, keepdims=True)
    sheet = recorded("diversity", seated, {"points": np.rint(expected[:, None, :] + luck)})
    if moved is not None:
        days = [(date(2026, 1, 1) + timedelta(day)).isoformat() for day in range(matches)]
        sheet.matches["date"] = sheet.code("date", days)
    return League(dict(zip(names(len(strength)), strength.tolist(), strict=True)), Tally(sheet, Query()))


def dealt(
    rng: np.random.Generator,
    strength: NDArray[np.float64],
    matches: int,
    share: float,
    known: float = 1.0,
    hands: int = 4,
    seated: NDArray[np.int64] | None = None,
    styles: bool = False,
) -> League:
    """Return a league of diversity in which the luck of the deal makes up a share of the variance of a hand's points.

    Of so many hands (`known`) the worth of the deal has been computed. With `styles` players turn it into points in
    their own way, from 0.6 to 1.2 points for each.
    """
    slope = rng.uniform(0.6, 1.2, len(strength)) if styles else np.ones(len(strength))
    strength = strength - strength.mean()
    if seated is None:
        seated = np.array([rng.permutation(len(strength))[:4] for _ in range(matches)])
    matches, n = seated.shape
    shape = (matches, hands, n)
    own = strength[seated]
    expected = 3.25 + own - (own.sum(axis=1, keepdims=True) - own) / (n - 1)
    worth, noise = (rng.normal(0, 1.8 * part**0.5, shape) for part in (share, 1 - share))
    noise += rng.normal(0, 0.5, (matches, 1, n))
    worth -= worth.mean(axis=2, keepdims=True)
    luck = slope[seated][:, None, :] * worth + noise
    luck -= luck.mean(axis=2, keepdims=True)
    sheet = recorded("diversity", seated, {"points": np.rint(expected[:, None, :] + luck)})
    at = [(match, hand) for match in range(matches) for hand in range(hands) if rng.random() < known]
    which = tuple(np.array(at, dtype=np.int64).reshape(-1, 2).T)
    number = which[1] + 1
    sheet.hands["number"] = np.broadcast_to(np.arange(1, hands + 1)[:, None], shape).ravel()
    told = DealtLuck(
        [f"match-{match}" for match in which[0]], number, np.full(len(number), n), which[0] % 10, worth[which].ravel(),
        1, doubtful=False,
    )  # fmt: skip
    return League(
        dict(zip(names(len(strength)), strength.tolist(), strict=True)), Tally(sheet.with_luck(told), Query())
    )


def of_evenings(
    rng: np.random.Generator,
    strength: NDArray[np.float64],
    evenings: int,
    form: float,
    rounds: int = 4,
) -> League:
    """Return a league of evenings: in each everybody plays so many rounds, at tables drawn anew.

    A player is better or worse all evening: by `form`, a standard deviation in points a hand.
    """
    strength = strength - strength.mean()
    tables = len(strength) // 4
    seated = np.concatenate(
        [rng.permutation(len(strength))[: 4 * tables].reshape(-1, 4) for _ in range(evenings * rounds)]
    )
    evening = np.repeat(np.arange(evenings), rounds * tables)
    own = strength[seated] + rng.normal(0, form, (evenings, len(strength)))[evening[:, None], seated]
    league = scored(rng, strength, seated, own)
    sheet = league.tally.sheet
    days = [(date(2026, 1, 1) + timedelta(7 * int(one))).isoformat() for one in evening]
    sheet.matches["date"] = sheet.code("date", days)
    sheet.matches["event"] = sheet.code("event", ["Club night"] * len(seated))
    return league


def scored(
    rng: np.random.Generator,
    strength: NDArray[np.float64],
    seated: NDArray[np.int64],
    own: NDArray[np.float64],
    places: Sequence[float] = (0.0,) * 4,
    hands: int = 4,
) -> League:
    """Return a league of tables of four; `own` is how strong each is there, and `places` what each seat is worth."""
    expected = 3.25 + own - (own.sum(axis=1, keepdims=True) - own) / 3 + np.array(places) - np.mean(places)
    shape = (len(seated), hands, 4)
    luck = rng.normal(0, 0.7, (len(seated), 1, 4)) + rng.normal(0, 1.8, shape)
    luck -= luck.mean(axis=2, keepdims=True)
    sheet = recorded("diversity", seated, {"points": np.rint(expected[:, None, :] + luck)})
    return League(dict(zip(names(len(strength)), strength.tolist(), strict=True)), Tally(sheet, Query()))


def guests_once(rng: np.random.Generator, regulars: int, guests: int, visits: int) -> NDArray[np.int64]:
    """Return the seating of regulars, each of whose guests comes so many times, and of as many matches without guests."""
    with_guest = [
        rng.permutation([regulars + guest, *rng.permutation(regulars)[:3]])
        for guest in range(guests)
        for _ in range(visits)
    ]
    return np.array([*with_guest, *(rng.permutation(regulars)[:4] for _ in range(guests))])


def left_of_the_dealer(rng: np.random.Generator, players: int, matches: int, always: float) -> NDArray[np.int64]:
    """Return the seating if the first player, in a given share of the matches, sits in seat 1; others play without."""
    seated = []
    for _ in range(matches):
        others = 1 + rng.permutation(players - 1)[:4]
        seated.append(np.array([others[0], 0, *others[1:3]]) if rng.random() < always else others)
    return np.array(seated)


def of_pairs(rng: np.random.Generator, strength: NDArray[np.float64], boards: int) -> Sheet:
    """Return boards of whist among pairs who never part: player 2i and 2i + 1 are a pair of strength i."""
    pairs = len(strength)
    drawn = np.concatenate([rng.permutation(pairs)[: pairs // 2 * 2].reshape(-1, 2) for _ in range(boards)])
    won = strength[drawn[:, 0]] - strength[drawn[:, 1]] + rng.normal(0, 2, len(drawn))
    points = np.rint(10 * won)[:, None] * np.array([1, -1, 1, -1])
    seated = np.stack([2 * drawn[:, 0], 2 * drawn[:, 1], 2 * drawn[:, 0] + 1, 2 * drawn[:, 1] + 1], axis=1)
    return recorded("whist", seated, {"points": points[:, None, :]})


def two_clubs(rng: np.random.Generator, each: int, matches: int, across: int) -> NDArray[np.int64]:
    """Return who sits where in two clubs that play as often, and share the last matches, two players of each."""
    clubs = [np.arange(each), np.arange(each, 2 * each)]
    inside = [rng.permutation(clubs[number % 2])[:4] for number in range(matches - across)]
    both = [rng.permutation(np.concatenate([rng.permutation(club)[:2] for club in clubs])) for _ in range(across)]
    return np.array([*inside, *both])


def guest(rng: np.random.Generator, visits: int, matches: int = 200) -> NDArray[np.int64]:
    """Return the seating of two clubs of ten; one player sits at the other club a given number of times."""
    seated = two_clubs(rng, 10, matches - visits, 0)
    away = [rng.permutation([0, *rng.permutation(np.arange(10, 20))[:3]]) for _ in range(visits)]
    return np.array([*seated, *away])


def in_line(rng: np.random.Generator, players: int, matches: int, neighbours: int) -> NDArray[np.int64]:
    """Return the seating if everybody only meets neighbours in a line."""
    starts = rng.integers(0, players - neighbours + 1, matches)
    return np.array([start + rng.permutation(neighbours)[:4] for start in starts])


def with_guests(rng: np.random.Generator, guests: int, matches: int) -> NDArray[np.int64]:
    """Return the seating if two or three of four regulars meet changing guests."""
    return np.array(
        [
            rng.permutation([*rng.permutation(4)[:regulars], *(4 + rng.permutation(guests)[: 4 - regulars])])
            for regulars in rng.integers(2, 4, matches)
        ]
    )


def strong_with_strong(
    rng: np.random.Generator, strength: NDArray[np.float64], matches: int, share: float
) -> NDArray[np.int64]:
    """Return the seating if in a given share of matches the weaker and the stronger half stay among themselves."""
    order = np.argsort(strength)
    halves = np.array_split(order, 2)
    return np.array(
        [rng.permutation(halves[rng.integers(2)] if rng.random() < share else order)[:4] for _ in range(matches)]
    )


def names(players: int) -> list[str]:
    """Return what the players of a league are called."""
    return [f"player-{number:02}" for number in range(players)]


def recorded(game: str, seated: NDArray[np.int64], counts: Mapping[str, NDArray[np.float64]]) -> Sheet:
    """Return a sheet of who sat where, match by match, with counts by match, hand and seat."""
    sheet = Sheet(game)
    matches, n = seated.shape
    shape = next(iter(counts.values())).shape
    codes = sheet.code("player", names(int(seated.max()) + 1))
    zeros = np.zeros(matches, dtype=np.int32)
    sheet.code("date", ["2026-01-01"])
    sheet.code("match", [f"match-{number}" for number in range(matches)])
    sheet.matches = dict.fromkeys(sheet.matches, zeros) | {
        "match": np.arange(matches),
        "size": zeros + n,
        "begun": zeros + shape[1],
        "complete": zeros + shape[1],
    }
    sheet.seats = {
        "row": np.repeat(np.arange(matches), n),
        "seat": np.tile(np.arange(n), matches),
        "player": codes[seated].ravel(),
        "place": np.zeros(matches * n, dtype=np.int32),
        "won": np.zeros(matches * n, dtype=np.int32),
    }
    seat = np.broadcast_to(np.arange(n), shape)
    ones = np.ones(shape, dtype=np.int32)
    flat = {
        "row": seat + np.arange(matches)[:, None, None] * n,
        "turn": (seat - np.arange(shape[1])[:, None] - 1) % n + 1,
        "lead": -ones,
        "hands": ones,
        "played": ones,
        "fair": counts.get("points", ones),
        **counts,
    }
    nothing = np.zeros(seat.size, dtype=np.int32)
    sheet.hands = dict.fromkeys(sheet.hands, nothing) | {name: column.ravel() for name, column in flat.items()}
    return sheet


def bids(rng: np.random.Generator, error: NDArray[np.float64], matches: int, hands: int = 4) -> Sheet:
    """Return a league of diamonds-bid whose players misjudge their tricks by a given amount: undertricks are rare counts."""
    seated = np.array([rng.permutation(len(error))[:4] for _ in range(matches)])
    cards = rng.dirichlet([3.0] * 4, (matches, hands))
    taken = rng.multinomial(13, cards)
    off = rng.normal(0, 1, taken.shape) * error[seated][:, None, :]
    bid = np.clip(np.rint(13 * cards - 1 + off), 0, 13).astype(int)
    under, over = np.maximum(bid - taken, 0), np.maximum(taken - bid, 0)
    return recorded(
        "diamonds-bid",
        seated,
        {
            "points": np.where(under > 0, 10 * taken - 10 * under, 10 * bid + over), "bid": bid, "taken": taken,
            "made": (under == 0).astype(int), "over": over, "under": under, "lost_bidding": 9 * over + 10 * under,
            "lost_play": 20 * under,
        },
    )  # fmt: skip


def mixed(share: float) -> Bot:
    """Return a cautious bot that plays at random in a share of its decisions: the more, the weaker."""

    def choose(table: Match[Any], rng: Random) -> Event:
        return (random_bot if rng.random() < share else cautious).choose(table, rng)

    return choose


def pool(folder: Path, game: str, bots: Mapping[str, Bot], matches: int, hands: int) -> Sheet:
    """Let bots play at random tables of four, under their own names; return the recorded matches."""
    rng = Random(f"{game} {sorted(bots)}")
    with Ledger(folder / "pool.db") as ledger, pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardledger.rules.bots.BOTS", bots)
        played = []
        for _ in range(matches):
            names = rng.sample(sorted(bots), 4)
            events = simulate(game, 4, rng, names, players=names, max_hands=hands)
            played.append(MatchInFile("bots", 1, Stream.of(events), events))
        for _ in ledger.import_matches(played):
            pass
        return Sheets(ledger.views).sheet(game)


def drawn(
    rng: np.random.Generator,
    sheet: Sheet,
    matches: int,
    players: int = 0,
    seated: NDArray[np.int64] | None = None,
) -> Tally:
    """Return a league of matches drawn from a pool, one as often as chance has it.

    With `players`, so many share the seats at random, or as `seated`, instead of those who sat there.
    """
    chosen = rng.integers(len(sheet.matches["match"]), size=matches)
    league = Sheet(sheet.game)
    league.texts = {name: codes.copy() for name, codes in sheet.texts.items()}
    league.matches = {name: column[chosen] for name, column in sheet.matches.items()}
    of = sheet.seats["row"][sheet.hands["row"]]
    seats, hands = _parts(sheet.seats["row"], chosen), _parts(of, chosen)
    league.seats = {name: column[seats] for name, column in sheet.seats.items()}
    league.hands = {name: column[hands] for name, column in sheet.hands.items()}
    size = sheet.matches["size"][chosen]
    league.seats["row"] = np.repeat(np.arange(matches), size)
    first = np.repeat(np.cumsum(size) - size, np.bincount(of, minlength=len(sheet.matches["size"]))[chosen])
    league.hands["row"] = first + sheet.seats["seat"][sheet.hands["row"][hands]]
    if players:
        codes = league.code("player", [f"twin-{number}" for number in range(players)])
        if seated is None:
            seated = np.array([rng.permutation(players)[:4] for _ in range(matches)])
        league.seats["player"] = codes[seated].ravel()
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


def partnered(
    rng: np.random.Generator, strength: NDArray[np.float64], matches: int, stay: float, pairs: float = 0.0
) -> tuple[Linked, NDArray[np.float64]]:
    """Return a league of two sides of two: partners stay together in a given share of matches, else they are drawn.

    What a side scores is the mean of its two, and what that pair is better or worse than its players, `pairs` on average.
    Also return how strong everybody is with average partners.
    """
    k = len(strength)
    effect = rng.normal(0, pairs, (k, k))
    effect = np.triu(effect, 1) + np.triu(effect, 1).T
    couples = np.arange(k).reshape(-1, 2)
    who = np.array(
        [
            couples[rng.permutation(len(couples))[:2]].ravel() if rng.random() < stay else rng.permutation(k)[:4]
            for _ in range(matches)
        ]
    )
    side = (strength[who[:, ::2]] + strength[who[:, 1::2]]) / 2 + effect[who[:, ::2], who[:, 1::2]]
    points = 2 * (side - side.mean(1, keepdims=True))
    noise = rng.normal(0, 1, points.shape)
    points += noise - noise.mean(1, keepdims=True)
    company = Company(who, (0, 0, 1, 1), points, np.full(points.shape, 4.0), np.arange(matches))
    return Linked(tuple(range(k)), (company,), 0.0), strength + 2 * effect.mean(1)


@dataclass
class Held:
    """How often 95% intervals held over many leagues, and how often players got a verdict, or a wrong one."""

    adjusted: list[bool]
    believed: list[bool]
    pairs: list[bool]
    told: list[bool]
    wrong: list[bool]
    apart: list[bool]

    @classmethod
    def nothing(cls) -> Held:
        """Return the count before any league."""
        return cls([], [], [], [], [], [])

    def league(self, league: League) -> None:
        """Compare the players of a league with known true strengths, each with the players of the same pool."""
        found = compare(league.tally, sides=each_alone, fewest=True)
        names = league.tally.sheet.text("player")
        for part in leagues(league.tally, each_alone):
            known = strengths(part)
            true = np.array([league.strength[names[code]] for code in part.players if code is not None])
            for at in range(len(true)):
                contrast = known.against_group(at)
                self._contrast(known, contrast, true, float(known.freedom[at]))
            for at in range(1, len(true)):
                contrast = np.zeros(len(true))
                contrast[[0, at]] = 1, -1
                error = known.belief.error(contrast)
                self.pairs.append(error is not None and abs(contrast @ (known.belief.mean - true)) <= 1.96 * error)
        self.apart.append(any(one.verdict for one in found.players))
        for one in found.players:
            if one.verdict:
                pool = found.pools[one.pool - 1]
                hands = {other.player: other.hands for other in found.players}
                total = sum(hands[player] for player in pool.players)
                field = sum(league.strength[player] * hands[player] for player in pool.players) / total
                better = league.strength[one.player] < field
                self.told.append(True)
                self.wrong.append((one.verdict == "better") != better)

    def _contrast(
        self, known: Strengths, contrast: NDArray[np.float64], true: NDArray[np.float64], freedom: float
    ) -> None:
        off = abs(contrast @ (known.strength - true))
        self.adjusted.append(bool(off <= quantile(max(int(freedom), 1)) * known.error(contrast)))
        error = known.belief.error(contrast)
        self.believed.append(error is not None and abs(contrast @ (known.belief.mean - true)) <= 1.96 * error)

    def __str__(self) -> str:
        parts = ("adjusted", self.adjusted), ("believed", self.believed), ("pairs", self.pairs), ("apart", self.apart)
        shares = ", ".join(f"{name} {np.mean(some):.3f}" for name, some in parts)
        return f"{shares}; {len(self.told)} verdicts, {sum(self.wrong)} of the wrong sign"
