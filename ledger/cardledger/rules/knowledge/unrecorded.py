"""Hands whose cards were not recorded: where each card can be, counted over all ways in which the cards may lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.deals import PossibleDeals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.hidden import World
    from cardledger.rules.engine.match import Match


class Whereabouts(NamedTuple):
    """Where cards can be: surely held ones by seat, the share of each other card by place, and how many deals there are.

    The places are the seats, and then what nobody holds.
    """

    known: list[int]
    shares: dict[int, dict[int, float]]
    deals: int

    def sizes(self, places: int) -> list[float]:
        """How many of the other cards each place has; a mean where a tie may or may not have left the hands."""
        sums = [0.0] * places
        for share in self.shares.values():
            for place, some in share.items():
                sums[place] += some
        return [round(some) if abs(some - round(some)) < 1e-9 else some for some in sums]


def whereabouts(match: Match[Any], void: Sequence[int]) -> Whereabouts | None:
    """Count over every way in which the cards of a hidden hand may lie; None if there is none.

    `void` are the cards that a seat has shown not to hold. Ways that differ in more than the unseen cards count as many
    deals as each has.
    """
    counted = [(world, _deals(world, void)) for world in match.worlds]
    fitting = [(world, deals) for world, deals in counted if deals is not None and deals.number]
    if not fitting:
        return None
    number = sum(deals.number for _, deals in fitting)
    sure = [_common([world.known[seat] for world, _ in fitting]) for seat in range(match.n)]
    certain, somewhere = 0, 0
    for cards in sure:
        certain |= cards
    for world, deals in fitting:
        for cards in (deals.cards, *world.known):
            somewhere |= cards
    shares: dict[int, dict[int, float]] = {card: {} for card in cards_in(somewhere & ~certain)}
    for world, deals in fitting:
        weight = deals.number / number
        counted_here = deals.shares()
        for card, share in shares.items():
            for place, some in (counted_here.get(card) or {_place(world, card, match.n): 1.0}).items():
                share[place] = share.get(place, 0.0) + weight * some
    return Whereabouts(sure, {card: dict(sorted(share.items())) for card, share in shares.items()}, number)


def _deals(world: World, void: Sequence[int]) -> PossibleDeals | None:
    """Return the deals of a world's unseen cards, to the seats and then to nobody; None if they are too few."""
    needs = [left - known.bit_count() for left, known in zip(world.left, world.known, strict=True)]
    over = world.pool.bit_count() - sum(needs)
    lacking = any(known & away for known, away in zip(world.known, void, strict=True))
    if over < 0 or min(needs) < 0 or lacking:
        return None
    barred = [~only | away for only, away in zip(world.only, void, strict=True)]
    return PossibleDeals(world.pool, [*needs, over], [*barred, 0])


def _common(cards: Sequence[int]) -> int:
    common = -1
    for some in cards:
        common &= some
    return common


def _place(world: World, card: int, n: int) -> int:
    """Return the seat that surely holds a card in a world, or the place of what nobody holds."""
    return next((seat for seat, known in enumerate(world.known) if known >> card & 1), n)
