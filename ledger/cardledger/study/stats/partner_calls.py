"""What a partner's call was worth: points of the hands in which the partner made it, less what such hands expect."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.shared_deals import held_hands
from cardledger.record.readmodels.tables.calls import calling
from cardledger.rules.games import game
from cardledger.sentence import Sentence, advising, choosing
from cardledger.study.stats.card_worth import FEWEST_EVENINGS, worth_of_cards
from cardledger.study.stats.estimators import PARTNER_CALLS
from cardledger.study.stats.measures.evening_of import evenings_of
from cardledger.study.stats.measures.of_game import sides_of
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.stats_table import StatsTable, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels
    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query

GROUPINGS = ("kinds", "calls")
"""How calls can be grouped: a bid in any of the four suits is one kind, or each call stands alone."""
_NO_BID = "pass"
_IN_SUIT = re.compile(r"(\d+)[CDHS]")
_USUAL = 20
"""The weight, in hands, of the average player in what a player's own hands expect."""
_CALLS = """SELECT c.match, c.hand, m.seats, c.seat, c.call FROM calls AS c CROSS JOIN matches AS m USING (match)
    WHERE m.game = :game AND c.seat IS NOT NULL
    AND c.match || ' ' || c.hand NOT IN (SELECT value FROM json_each(:held)) ORDER BY c.match, c.hand, c.nth"""
_MEANING = (
    "call: the first of the partner's that was no pass; with passes alone it is pass",
    "expected: points of such hands over all calls, by the high cards in the player's own hand where the deal is known,"
    " and by how the player usually scores",
    f"worth: points less expected; an evening is one observation, and figures need {FEWEST_EVENINGS} evenings",
)


@dataclass(frozen=True, slots=True)
class CallWorth:
    """What a partner's call was worth to a player, in points a hand.

    `points` is the mean of the hands in which the partner made it, `expected` what such hands expect over all calls,
    and `worth` the difference, with the ends of its 95% interval; these are None with too few evenings.
    """

    call: str
    hands: int
    evenings: int
    points: float
    expected: float | None
    worth: float | None
    low: float | None
    high: float | None


def has_partners_calls(game_id: str) -> bool:
    """Tell whether a game has partners for a whole match who call; raises FormatError `format.game`."""
    rules = game(game_id)
    return rules.has_sides and rules.sides_of_hand is None and bool(calling(rules.phases))


def partner_calls(views: ReadModels, sheet: Sheet, query: Query, of: str = "kinds") -> StatsTable:
    """Return what each call of a partner was worth, the most made first.

    Hands count whose play is known, as the calls of a hand that others have yet to play are not shown. `of` is one of
    `GROUPINGS`. Raises StoreError `store.unknown` for a game without partners who call, or an unknown `of`.
    """
    if not has_partners_calls(sheet.game):
        raise StoreError(
            "store.unknown", advising(f"{sheet.game} has no partners who call: choose a game of partners with bids")
        )
    if of not in GROUPINGS:
        raise StoreError("store.unknown", choosing(Sentence("calls are not grouped by {of!r}", of=of), of, GROUPINGS))
    tally = Tally(sheet, query)
    hands = np.flatnonzero(tally.hands & (sheet.hands["played"] > 0))
    row = sheet.hands["row"][hands]
    match = sheet.seats["row"][row]
    of_partner = _partners(sheet.game, views)
    said = [of_partner.get(key, "") for key in _keys(sheet, hands, row, match)]
    kinds = [kind_of(call) if of == "kinds" else call for call in said]
    counted = np.array([bool(kind) for kind in kinds], dtype=bool)
    hands, row, match = hands[counted], row[counted], match[counted]
    found = worth_of_calls(
        [kind for kind in kinds if kind],
        sheet.hands["points"][hands].astype(float),
        sheet.hands["high_cards"][hands].astype(float),
        sheet.seats["player"][row],
        sheet.matches["rules"][match].astype(np.int64) * 64 + sheet.matches["size"][match],
        evenings_of(sheet)[match],
    )
    columns = tuple(field.name for field in fields(CallWorth))
    basis = replace(tally.basis(), valued=0)  # what the partner holds is part of the luck of the deal
    rows = [shortened(asdict(one)) for one in found]
    return StatsTable(
        "partner-calls", columns, rows, query.text, {sheet.game: basis}, _MEANING, definitions=(PARTNER_CALLS,)
    )


def kind_of(call: str) -> str:
    """Return the kind of a call: bids of one height in a suit are one kind.

    >>> kind_of("1H"), kind_of("1NT"), kind_of("3"), kind_of("order up")
    ('1 of a suit', '1NT', '3', 'order up')
    """
    found = _IN_SUIT.fullmatch(call)
    return f"{found[1]} of a suit" if found else call


def worth_of_calls(
    calls: Sequence[str],
    points: NDArray[Any],
    high_cards: NDArray[Any],
    player: NDArray[Any],
    table: NDArray[Any],
    evening: NDArray[Any],
) -> list[CallWorth]:
    """Return what each call of a partner is worth, the most made first.

    Args:
        calls: The partner's call, by hand of a player.
        points: Points of each hand.
        high_cards: A number for the high cards in the player's own hand, 0 where the deal is not known.
        player: Code of the player of each hand.
        table: A number for the rules and the size of the table; hands of one table number share their expectation.
        evening: A number for each hand. An evening is one observation.
    """
    if not calls:
        return []
    names, which = np.unique(np.array(calls), return_inverse=True)
    known = (high_cards > 0).astype(np.int64)
    _, place = np.unique(table * 2 + known, return_inverse=True)
    own = points - _by_high_cards(points, high_cards, place, known)
    level = _mean_by(own, place)[place]
    _, who = np.unique(player, return_inverse=True)
    number = np.bincount(who)
    usual = np.bincount(who, own - level) / (number + _USUAL)
    every = np.arange(len(points))
    worth = worth_of_cards(
        [(name, name, "") for name in names.tolist()], (every, which), own - usual[who], place, evening
    )
    found = []
    for at, one in enumerate(worth):
        scored = float(points[which == at].mean())
        expected = None if one.worth is None else scored - one.worth
        found.append(CallWorth(one.card, one.hands, one.evenings, scored, expected, one.worth, one.low, one.high))
    return sorted(found, key=lambda one: (-one.hands, one.call))


def _by_high_cards(points: NDArray[Any], high: NDArray[Any], place: NDArray[Any], known: NDArray[Any]) -> NDArray[Any]:
    """Return how many points the own high cards bring beyond the average, along one line for each place."""
    off = (high - _mean_by(high, place)[place]) * known
    squares = np.bincount(place, off**2)
    slope = np.bincount(place, off * points) / np.where(squares > 0, squares, 1)
    more: NDArray[Any] = slope[place] * off
    return more


def _mean_by(values: NDArray[Any], group: NDArray[Any]) -> NDArray[Any]:
    means: NDArray[Any] = np.bincount(group, values) / np.maximum(np.bincount(group), 1)
    return means


def _keys(sheet: Sheet, hands: NDArray[Any], row: NDArray[Any], match: NDArray[Any]) -> list[tuple[str, int, int]]:
    """Return match, number and seat of some hands."""
    names = np.array(sheet.text("match"), dtype=object)[sheet.matches["match"][match]].tolist()
    return list(zip(names, sheet.hands["number"][hands].tolist(), sheet.seats["seat"][row].tolist(), strict=True))


def _partners(game_id: str, views: ReadModels) -> dict[tuple[str, int, int], str]:
    """Return by match, hand and seat the call of the partner."""
    asked = {"game": game_id, "held": held_hands(views)}
    by_hand: dict[tuple[str, int, int], dict[int, str]] = defaultdict(dict)
    for match, hand, n, seat, call in views.current.execute(_CALLS, asked):
        said = by_hand[match, hand, n]
        if said.get(seat, _NO_BID) == _NO_BID:
            said[seat] = call
    partners = {n: _partner_of(sides_of(game_id)(n)) for n in {n for *_, n in by_hand}}
    return {
        (match, hand, seat): said[other]
        for (match, hand, n), said in by_hand.items()
        for seat, other in partners[n].items()
        if other in said
    }


def _partner_of(sides: Sequence[int]) -> dict[int, int]:
    """Return the partner of each seat that has just one."""
    seats = {side: [seat for seat, own in enumerate(sides) if own == side] for side in sides}
    return {one: other for pair in seats.values() if len(pair) == 2 for one, other in (pair, pair[::-1])}
