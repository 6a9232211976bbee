"""Reviews of whole matches and players: computed and stored by hand, then summed beside the results of the hands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import RuleError
from cardledger.rules.games import game
from cardledger.rules.kernel import kernels
from cardledger.study.stats.distributions import quantile, wilson
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.luck.draw_luck import Drawn, draws_of
from cardledger.study.stats.luck.luck import compute_luck, interval, stored_luck
from cardledger.study.stats.luck.values import EDITION as VALUES_EDITION
from cardledger.study.stats.review.review import USUAL, Decision, Method, review

if TYPE_CHECKING:
    from cardledger.study.stats.luck.luck_store import LuckStore, StoredHand

WORTH_COMPILING = 20
"""How many hands of a game must wait."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A hand with its review; `decisions`, `draws` and `luck` are None if they are not computed (yet)."""

    hand: StoredHand
    luck: tuple[float, ...] | None
    decisions: list[Decision] | None
    draws: list[Drawn] | None

    @property
    def pending(self) -> bool:
        """Whether anything is still to be computed."""
        return self.unreviewed or self.hand.key is not None and self.luck is None

    @property
    def unreviewed(self) -> bool:
        """Whether decisions are still to be reviewed."""
        return self.hand.why is None and self.decisions is None

    def draw_luck(self, seat: int) -> float:
        """Return the luck of a seat's draws from the stock, in points."""
        return sum(one.luck for one in self.draws or () if one.seat == seat)

    def cost(self, seat: int) -> float:
        """Return the points a seat gave up in the hand."""
        return sum(one.cost for one in self.decisions or () if one.seat == seat)


@dataclass(frozen=True, slots=True)
class Player:
    """What a player scored and gave up: points a hand, cost of decisions a hand, bad decisions.

    A single match gives no 95% interval (None). `bad` counts the decisions whose cost is more than chance explains.
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


def stored_review(hand: StoredHand, store: LuckStore, method: Method = USUAL) -> Reviewed:
    """Return the stored review of a hand; compute nothing."""
    if hand.key is None:
        return Reviewed(hand, None, None, None)
    return _reviewed(hand, stored_luck(hand, store), store.review(hand.match, hand.hand, method.edition))


def stored_reviews(hands: Sequence[StoredHand], store: LuckStore, game: str, method: Method = USUAL) -> list[Reviewed]:
    """Return the stored reviews of many hands of one game."""
    rows, values = store.reviews(game, method.edition), store.values(game, VALUES_EDITION)
    return [
        _reviewed(hand, stored_luck(hand, store, values), rows.get((hand.match, hand.hand)))
        for hand in hands
        if hand.key is not None
    ]


def _reviewed(hand: StoredHand, lucky: tuple[float, ...] | None, rows: tuple[list[Any], list[Any]] | None) -> Reviewed:
    if rows is None:
        return Reviewed(hand, lucky, None, None)
    decisions, draws = rows
    return Reviewed(hand, lucky, [Decision(*row) for row in decisions], [Drawn(*row) for row in draws])


def compile_kernels(hands: Iterable[StoredHand], store: LuckStore) -> None:
    """Compile the games of which so many hands wait for a review that it takes less time than it saves."""
    waiting = Counter(hand.game for hand in hands if stored_review(hand, store).pending)
    for id, number in waiting.items():
        if number >= WORTH_COMPILING:
            with suppress(OSError):  # without a folder for kernels, all takes longer
                kernels.warm(game(id))


class Computed(NamedTuple):
    """A hand whose luck and review are there now; with `error` bots cannot play it again, and it has neither."""

    hand: StoredHand
    error: RuleError | None = None


def compute(hands: Iterable[StoredHand], store: LuckStore, method: Method | None = USUAL) -> Iterator[Computed]:
    """Compute and store luck and reviews of hands where they are missing; yield each hand when it is done.

    Without a method it is luck alone. One that cannot be played again does not end the work for the others.
    """
    for hand in hands:
        if hand.key is None:
            continue
        try:
            compute_luck(hand, store)
            if method is not None and hand.why is None and store.review(hand.match, hand.hand, method.edition) is None:
                _review(hand, store, method)
        except RuleError as error:
            yield Computed(hand, error)
        else:
            yield Computed(hand)


def _review(hand: StoredHand, store: LuckStore, method: Method) -> None:
    """Review a hand and store the result, unless a correction has changed the hand in the meantime."""
    for played in hands_of(store.ledger.stream(hand.match)):
        if played.hand.number == hand.hand and played.dealt == hand.dealt:
            assert played.dealt is not None
            decisions = review(played.dealt, hand.dealer, played.events, method)
            draws = draws_of(played.dealt, hand.dealer, played.events)
            store.keep_review(hand.match, hand.hand, method.edition, [*map(astuple, decisions)], [*map(astuple, draws)])


def by_player(reviewed: Sequence[Reviewed], players: dict[tuple[str, int], str]) -> list[Player]:
    """Return what each player gave up, sorted by id, over the reviewed hands of one game."""
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

    The spread between clusters, by the method of moments, gives the number of independent cases they are worth; the
    interval is Wilson's for that number.
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
