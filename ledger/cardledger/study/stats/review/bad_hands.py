"""Whether players play worse after a bad hand: the next hand against the player's other hands of the same match.

Regression to the mean must not answer. The player's results say which hands are bad, whatever their order. So if
nothing changes in a player, the next hand is any of the others. It is compared with the hands of the match that are
neither the bad one nor the next: they are chosen without regard to their results, so the difference is 0 on average,
however short the match. With the bad hand among the others, everybody would seem to play better after it. The hands
that follow no bad hand are no comparison either: more of them are bad (Miller and Sanjurjo 2018, Econometrica 86:6).
Opponents and the form of the evening are the same in a match; places from the dealer are taken off.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.errors import StoreError
from cardledger.rules.games import game
from cardledger.sentence import Sentence, choosing
from cardledger.study.stats.distributions import benjamini_hochberg, beyond, quantile
from cardledger.study.stats.estimators import BAD_HANDS
from cardledger.study.stats.luck.luck import interval
from cardledger.study.stats.measures.evening_of import FEWEST_EVENINGS, evenings_of
from cardledger.study.stats.measures.tally import Tally, numbered
from cardledger.study.stats.stats_table import StatsTable, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query

BAD: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "play": ("fair", "points without the luck of the deal"),
        "result": ("points", "points as scored"),
        "deal": ("luck", "what the deal was worth"),
    }
)
"""By what a hand is bad: a column of the sheet, in words."""
SHARE = 0.2
"""A hand is bad if it is in this lowest share of the player's own hands of the game, and below their median."""
FALSE_ALARMS = 0.03
"""The share of verdicts that may be due to chance; below 0.05, for skewed results of few evenings give p-values that
are low."""
FEWEST_HANDS = 3
"""A match needs so many hands: the bad one, the next, and another to compare with."""


@dataclass(frozen=True, slots=True)
class AfterBadHand:
    """How much worse a player does in the hand after a bad one, in points a hand; below 0 is better.

    `player` is None for all players together. `measure` tells in what: `cost`, the points that decisions gave up, or
    `points` lost, without the luck of the deal where it is known. `bad` is the number of bad hands with a next hand.
    An evening is one observation; `low` and `high` are the ends of the 95% interval and `q` is the p-value of no
    difference, corrected for all rows: None with too few evenings. `found` tells whether the effect is beyond chance.
    """

    player: str | None
    measure: str
    bad: int
    evenings: int
    effect: float
    low: float | None
    high: float | None
    q: float | None
    found: bool


@dataclass(frozen=True, slots=True)
class OrderedHands:
    """Hands of players, as columns: a row is a hand of a player.

    `run` numbers the matches of players, `number` the hands of a match, in order. `value` tells bad hands from others,
    the lower the worse; `outcomes` are the measures, in points lost. A value or an outcome that is not known is NaN.
    `chosen` tells which hands may be the bad one.
    """

    player: NDArray[Any]
    evening: NDArray[Any]
    run: NDArray[Any]
    number: NDArray[Any]
    value: NDArray[Any]
    outcomes: Mapping[str, NDArray[Any]]
    chosen: NDArray[Any]


def after_bad_hands(sheet: Sheet, account: Mapping[str, Any] | None, query: Query, bad: str = "play") -> StatsTable:
    """Return how much worse players do in the hand after a bad one, all together first, then the largest effect.

    `account` is that of habits (`accountant.habits`), without it there is no measure `cost`. `bad` is a key of `BAD`.
    Filters of hands choose the bad hands; others of the match are compared whatever they were.
    Raises StoreError `store.unknown` for an unknown `bad`.
    """
    if bad not in BAD:
        raise StoreError("store.unknown", choosing(Sentence("a hand is not bad by {bad!r}", bad=bad), bad, BAD))
    tally = Tally(sheet, query)
    rows = effects(ordered_hands(sheet, tally, account, bad), sheet.text("player"))
    notes = (
        f"bad: in the lowest {SHARE:.0%} of the player's own hands by {BAD[bad][1]}",
        "effect: points a hand lost in the next hand, less those in the player's other hands of the match; "
        "the bad hand is not among them, so that a return to the mean is none",
        f"found: beyond chance, corrected for all rows (at most {FALSE_ALARMS:.0%}); an evening is one observation",
    )
    columns = tuple(field.name for field in fields(AfterBadHand))
    found = [shortened(asdict(one)) for one in rows]
    return StatsTable(
        "after-bad-hand", columns, found, query.text, {sheet.game: tally.basis()}, notes, definitions=(BAD_HANDS,)
    )


def effects(hands: OrderedHands, names: list[str]) -> list[AfterBadHand]:
    """Return the effect for each player and measure, and for all together; `names` are the players by number."""
    bad = bad_hands(hands)
    found: list[tuple[str | None, str, int, float, float | None, float | None, int]] = []
    for measure, outcome in hands.outcomes.items():
        at, more = next_less_others(hands, bad, outcome)
        for player in (None, *np.unique(hands.player[at]).tolist()):
            own = slice(None) if player is None else hands.player[at] == player
            evenings, place = np.unique(hands.evening[at][own], return_inverse=True)
            if not len(evenings):
                continue
            counts = np.bincount(place)
            effect, low, high = interval(np.bincount(place, more[own]).tolist(), counts.tolist())
            if len(evenings) < FEWEST_EVENINGS:
                low = high = None
            name = None if player is None else names[player]
            found.append((name, measure, int(counts.sum()), effect, low, high, len(evenings)))
    chances = [
        1.0 if high is None or low is None or high <= low
        else beyond(2 * effect / (high - low) * quantile(evenings - 1), evenings - 1)
        for _, _, _, effect, low, high, evenings in found
    ]  # fmt: skip
    rows = [
        AfterBadHand(name, measure, number, evenings, effect, low, high, None if low is None else q, q <= FALSE_ALARMS)
        for (name, measure, number, effect, low, high, evenings), q in zip(
            found, benjamini_hochberg(chances), strict=True
        )
    ]
    return sorted(
        rows,
        key=lambda one: (one.player is not None, not one.found, one.low is None, -one.effect, one.player, one.measure),
    )


def bad_hands(hands: OrderedHands) -> NDArray[Any]:
    """Tell for each hand whether it is bad: in the lowest share of the player's own, and below their median."""
    bad = np.zeros(len(hands.value), dtype=bool)
    known = np.flatnonzero(~np.isnan(hands.value))
    order = known[np.argsort(hands.player[known], kind="stable")]
    for own in np.split(order, np.flatnonzero(np.diff(hands.player[order])) + 1):
        if len(own):
            value = hands.value[own]
            bad[own] = (value <= np.quantile(value, SHARE)) & (value < np.median(value))
    return bad


def next_less_others(
    hands: OrderedHands, bad: NDArray[Any], outcome: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return where the bad hands with a next hand are, and by how much the outcome of the next exceeds the others'.

    The others are the hands of the match that are neither the bad hand nor the next.
    """
    order = np.lexsort((hands.number, hands.run))
    run, number = hands.run[order], hands.number[order]
    known = ~np.isnan(outcome[order])
    amount = np.where(known, outcome[order], 0.0)
    follows = np.zeros(len(order), dtype=bool)
    follows[:-1] = (run[1:] == run[:-1]) & (number[1:] == number[:-1] + 1) & known[1:]
    size = int(run.max(initial=-1)) + 1
    count, total = (np.bincount(run, each, size)[run] for each in (known, amount))
    others = count - known - 1
    at = np.flatnonzero((bad & hands.chosen)[order] & follows & (others >= FEWEST_HANDS - 2))
    after = amount[at + 1]
    return order[at], after - (total[at] - amount[at] - after) / others[at]


def ordered_hands(sheet: Sheet, tally: Tally, account: Mapping[str, Any] | None, bad: str) -> OrderedHands:
    """Return the hands of the matches and players that pass the filters.

    Where the fewest points win, signs are turned.
    """
    passed = np.zeros(len(sheet.seats["row"]), dtype=bool)
    passed[tally.rows] = True
    rows = np.flatnonzero(passed[sheet.hands["row"]])
    of_seat = sheet.hands["row"][rows]
    match = sheet.seats["row"][of_seat]
    place = numbered(sheet.matches["size"][match].astype(np.int64) * 100 + sheet.hands["turn"][rows])[1]
    better = -1.0 if game(sheet.game).scoring.fewest else 1.0
    value = better * sheet.hands[BAD[bad][0]][rows]
    if bad == "deal":
        value[sheet.hands["valued"][rows] == 0] = np.nan
    outcomes = {"points": centred(-better * sheet.hands["fair"][rows], place)}
    cost = _costs(sheet, rows, account)
    if not np.isnan(cost).all():
        outcomes = {"cost": centred(cost, place)} | outcomes
    return OrderedHands(
        sheet.seats["player"][of_seat], evenings_of(sheet)[match], of_seat.astype(np.int64),
        sheet.hands["number"][rows], centred(value, place), outcomes, tally.hands[rows],
    )  # fmt: skip


def centred(amounts: NDArray[Any], place: NDArray[Any]) -> NDArray[Any]:
    """Take off the mean of each place from the dealer: after a bad place always comes the same other place."""
    known = ~np.isnan(amounts)
    size = int(place.max(initial=-1)) + 1
    number, total = np.bincount(place[known], minlength=size), np.bincount(place[known], amounts[known], size)
    left: NDArray[Any] = amounts - (total / np.maximum(number, 1))[place]
    return left


def _costs(sheet: Sheet, rows: NDArray[Any], account: Mapping[str, Any] | None) -> NDArray[Any]:
    """Return what the decisions of each hand gave up, NaN if it was not reviewed."""
    given_up: defaultdict[tuple[str, int], defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    for of_player in account["decided"].values() if account else ():
        for one in of_player:
            given_up[one.match, one.hand][one.decision.seat] += one.decision.cost
    names = sheet.text("match")
    of_seat = sheet.hands["row"][rows]
    match = sheet.matches["match"][sheet.seats["row"][of_seat]].tolist()
    number, seat = sheet.hands["number"][rows].tolist(), sheet.seats["seat"][of_seat].tolist()
    keys = ((names[code], hand) for code, hand in zip(match, number, strict=True))
    return np.array(
        [given_up[key][at] if key in given_up else np.nan for key, at in zip(keys, seat, strict=True)], dtype=float
    )
