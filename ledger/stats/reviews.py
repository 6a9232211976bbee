"""Reviews of whole matches and players: computed hand by hand, kept, and added up with what came of the hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from ledger.stats.deals import hands_of
from ledger.stats.draws import Drawn, draws_of
from ledger.stats.luck import interval, kept_luck, luck_of
from ledger.stats.review import EDITION, Decision, review
from ledger.stats.student import quantile, wilson
from ledger.stats.values import EDITION as VALUES_EDITION

if TYPE_CHECKING:
    from ledger.stats.kept import Kept, KeptHand


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A hand with its outcome beside its review; `decisions`, `draws` and `luck` are None where they are not computed (yet)."""

    hand: KeptHand
    luck: tuple[float, ...] | None
    decisions: list[Decision] | None
    draws: list[Drawn] | None

    @property
    def pending(self) -> bool:
        """Whether there is more to come."""
        return self.hand.why is None and (self.decisions is None or self.luck is None)

    def draw_luck(self, seat: int) -> float:
        """Return what a seat's cards from the stock added to its points beyond the average."""
        return sum(one.luck for one in self.draws or () if one.seat == seat)

    def cost(self, seat: int) -> float:
        """Return the points a seat gave up in the hand."""
        return sum(one.cost for one in self.decisions or () if one.seat == seat)


@dataclass(frozen=True, slots=True)
class Player:
    """What a player gave up, with what came of it: points a hand as scored, points a hand given up, bad moves.

    The ends of 95% intervals are None with a single match. `bad` out of `decisions` cost more than chance explains.
    """

    player: str
    hands: int
    matches: int
    points: float
    low: float | None
    high: float | None
    cost: float
    cost_low: float | None
    cost_high: float | None
    decisions: int
    bad: int
    bad_low: float
    bad_high: float


def kept_review(hand: KeptHand, kept: Kept) -> Reviewed:
    """Return what is kept of a hand, computing nothing."""
    if hand.why is not None:
        return Reviewed(hand, None, None, None)
    return _reviewed(hand, kept_luck(hand, kept), kept.review(hand.match, hand.hand, EDITION))


def kept_reviews(hands: Sequence[KeptHand], kept: Kept, game: str) -> list[Reviewed]:
    """Return what is kept of many hands of one game."""
    rows, values = kept.reviews(game, EDITION), kept.values(game, VALUES_EDITION)
    return [
        _reviewed(hand, kept_luck(hand, kept, values), rows.get((hand.match, hand.hand)))
        for hand in hands
        if hand.why is None
    ]


def _reviewed(hand: KeptHand, lucky: tuple[float, ...] | None, rows: tuple[list[Any], list[Any]] | None) -> Reviewed:
    if rows is None:
        return Reviewed(hand, lucky, None, None)
    decisions, draws = rows
    return Reviewed(hand, lucky, [Decision(*row) for row in decisions], [Drawn(*row) for row in draws])


def compute(hands: Iterable[KeptHand], kept: Kept) -> Iterator[KeptHand]:
    """Compute and keep luck and review of hands that lack them, yielding each when it is done."""
    for hand in hands:
        if hand.why is not None:
            continue
        luck_of(hand, kept)
        if kept.review(hand.match, hand.hand, EDITION) is None:
            _review(hand, kept)
        yield hand


def _review(hand: KeptHand, kept: Kept) -> None:
    """Review a hand and keep that, unless the match has taken another course by now."""
    for played in hands_of(kept.ledger.stream(hand.match)):
        if played.hand.number == hand.hand and played.dealt == hand.dealt:
            assert played.dealt is not None
            decisions = review(played.dealt, hand.dealer, played.events)
            draws = draws_of(played.dealt, hand.dealer, played.events)
            kept.keep_review(hand.match, hand.hand, EDITION, [*map(astuple, decisions)], [*map(astuple, draws)])


def by_player(reviewed: Sequence[Reviewed], players: dict[tuple[str, int], str]) -> list[Player]:
    """Return what every player gave up, by name, over hands of one game that are reviewed."""
    cells: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0] * 5))
    for one in reviewed:
        hand = one.hand
        if one.decisions is None:
            continue
        assert hand.scores is not None
        for seat, score in enumerate(hand.scores):
            own = [decision for decision in one.decisions if decision.seat == seat]
            cell = cells[players[hand.match, seat]][hand.match]
            amounts = (
                1,
                score,
                sum(decision.cost for decision in own),
                len(own),
                sum(decision.bad for decision in own),
            )
            for i, amount in enumerate(amounts):
                cell[i] += amount
    return [_player(player, [*matches.values()]) for player, matches in sorted(cells.items())]


def _player(player: str, matches: Sequence[Sequence[float]]) -> Player:
    hands = [int(cell[0]) for cell in matches]
    decisions, bad = (int(sum(cell[i] for cell in matches)) for i in (3, 4))
    rate = beta_binomial([int(cell[4]) for cell in matches], [int(cell[3]) for cell in matches])
    points = interval([cell[1] for cell in matches], hands)
    cost = interval([cell[2] for cell in matches], hands)
    return Player(player, sum(hands), len(matches), *points, *cost, decisions, bad, *rate)


def beta_binomial(successes: Sequence[int], trials: Sequence[int]) -> tuple[float, float]:
    """Return the 95% interval of a rate whose cases come in clusters that differ (beta-binomial).

    The spread between clusters, by the method of moments, says how many independent cases they are worth; over these
    it is Wilson's interval.
    """
    total = sum(trials)
    if not total:
        return 0.0, 1.0
    rate, clusters = sum(successes) / total, len(trials)
    worth = float(total)
    if clusters > 1 and 0 < rate < 1:
        spread = sum((k - n * rate) ** 2 for k, n in zip(successes, trials, strict=True)) * clusters / (clusters - 1)
        worth /= max(1.0, spread / (total * rate * (1 - rate)))
    return wilson(rate, worth, quantile(max(1, clusters - 1)) if clusters > 1 else 1.96)
