"""Likely worlds: possible worlds, weighed by how likely the choices made so far are in each.

The weight of a world is the product of the chances that the bot of the game, with a share of random choices, would have
bid, called, passed, discarded and played there what the others did. No weight is 0, so every possible world stays one.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.bots import cautious
from cardledger.rules.bots.rollouts import cards_gone
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.phases import Bids, Calls, Exchange
from cardledger.rules.engine.seen import legal_cards, unseen_cards
from cardledger.rules.kernel.kernels import Kernel
from cardledger.rules.kernel.likelihood import FEW, mixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardledger.rules.bots.trials import Trials
    from cardledger.rules.engine.match import Match


HALVINGS = 12
"""How exactly the power is found that flattens weights."""


class Shares(NamedTuple):
    """The shares of random choices that a weight allows for: `before` the play, and `in_play`."""

    before: float
    in_play: float


USUAL = Shares(0.3, 0.5)
"""Larger than careless players need, so that players who choose otherwise than the bot are read with care too."""
CANDIDATES = 256
"""How many worlds are dealt for the likely ones to be drawn from."""
LEAST = 24.0
"""How many worlds must count: where fewer do, weights are flattened, for then chance would say more than they."""


class Made(NamedTuple):
    """A choice: the match before it, its event, and the card played (-1 if none was)."""

    before: Match[Any]
    event: Any
    card: int


class Choices:
    """The choices of a hand so far, no matter who saw them."""

    def __init__(self) -> None:
        self.made: list[Made] = []

    def apply(self, match: Match[Any], event: ev.Event) -> None:
        """Note an event that the match is about to apply; a deal begins again."""
        if isinstance(event, ev.Deal):
            self.made = []
        elif isinstance(event, ev.Bid | ev.Call | ev.Give | ev.Discard | ev.Play):
            card = -1
            if isinstance(event, ev.Play):
                cards = match.pack.mask.get(event.card, 0) & match.hand.held[event.seat]
                card = (cards & -cards).bit_length() - 1
            self.made.append(Made(match.copy(), event, card))


class _Judged(NamedTuple):
    """A choice to be judged, and the cards that have been played since by seat.

    `laid_away` tells whether its seat has laid a card away since, and `came` is the card turned up if it took that.
    """

    made: Made
    left: list[int]
    laid_away: bool
    came: int


class LikelyWorlds:
    """The worlds of some trials, each with its weight: deterministic, for the worlds follow from the trials' seed.

    What a choice says counts as long as the hand it was made from can be told: cards drawn or paid since hide it. Of
    cards passed that the seat has not seen, the likeliest are taken: what their receiver would pass on.
    """

    def __init__(self, trials: Trials, choices: Choices, shares: Shares = USUAL) -> None:
        assert trials.worlds is not None
        self.trials, self.worlds, self.shares = trials, trials.worlds, shares
        self.match = self.worlds.match
        hand = self.match.hand
        self._played = [0] * hand.n
        for made in choices.made:
            if made.card >= 0:
                self._played[made.event.seat] |= 1 << made.card
        self._played = [played & ~held for played, held in zip(self._played, hand.held, strict=True)]  # ties go back
        mine = (trials.seat, hand.acts_for[trials.seat])
        gives = [made for made in choices.made if isinstance(made.before.phase, Exchange)]
        self.passed = self._passed(gives) if len(gives) == hand.n and hand.moment != "give" else []
        self.judged: list[_Judged] = []
        since = [0] * hand.n
        for made in reversed(choices.made):
            if made.card >= 0:
                since[made.event.seat] |= 1 << made.card
            if made.before.hand.acts_for[made.event.seat] not in mine:
                self._judge(made, since)
        self.judged.sort(key=lambda one: one.made.card < 0)  # the kernel, which has all cards, begins with them

    def weights(self, numbers: Iterable[int]) -> list[float]:
        """Return the weights of some worlds by their numbers, which are those of the trials; only their ratios count."""
        seeds = [Chance.of(f"{self.trials.seed}/{number}").state for number in numbers]
        kernel = self.trials.kernel
        if not isinstance(kernel, Kernel):
            return [self.weight_of(self._drawn(seed)) for seed in seeds]
        known: list[tuple[bytes, int, int, Sequence[int]]] = []
        rest = []
        for one in self.judged:
            number = _number(kernel, one.made)
            if number is None or one.laid_away or one.came:
                rest.append(one)
            else:
                known.append(
                    (
                        kernel.pack(one.made.before, cards_gone(one.made.before.hand)),
                        one.made.event.seat,
                        number,
                        one.left,
                    )
                )
        row = kernel.pack(self.match, cards_gone(self.match.hand))
        deals = self.worlds.seen, self.worlds.deals.table
        held, weights = kernel.weigh(row, self.trials.seat, deals, seeds, known, self.passed, self._played, self.shares)
        if not rest:
            return weights
        return [self._weight(cards, rest, weight) for cards, weight in zip(held, weights, strict=True)]

    def weight_of(self, held: Sequence[int]) -> float:
        """Return the weight of a world, given the cards of each hand and then the stock or the cards left over."""
        return self._weight(held, self.judged, self._chance_of_passes(held) if self.passed else 1.0)

    def drawn(self, numbers: Sequence[int], wanted: int, least: float = LEAST) -> dict[int, int]:
        """Return as many worlds as wanted, drawn by weight out of some: how often each comes, by its number.

        The weights are flattened first, so that at least so many worlds count. The draw is even (systematic
            resampling): a world comes as often as its share says, up to one time.
        """
        weights = flattened(self.weights(numbers), least)
        step = sum(weights) / wanted
        found: dict[int, int] = {}
        reached, drawn = 0.0, 0
        for number, weight in zip(numbers, weights, strict=True):
            reached += weight
            times = min(wanted, int(reached / step + 0.5)) - drawn
            if times > 0:
                found[number] = times
                drawn += times
        return found

    def _drawn(self, seed: int) -> list[int]:
        world = self.worlds.draw(Chance(seed))
        stock = getattr(world.hand, "stock", 0)
        return [*world.hand.held, stock or world.hand.aside]

    def _judge(self, made: Made, since: Sequence[int]) -> None:
        """Add a choice to be judged, given the cards played since by seat.

        Cards passed are judged together; a choice is left out if cards moved since that others may not have seen.
        """
        before, now = made.before.hand, self.match.hand
        if isinstance(made.event, ev.Give):
            return
        left, laid_away, came = [0] * now.n, False, 0
        for seat in {made.event.seat, before.acts_for[made.event.seat]}:
            left[seat] = since[seat] & ~now.held[seat]
            laid_away |= before.held[seat] & ~now.held[seat] & ~since[seat] != 0
            came |= (now.held[seat] | since[seat]) & ~before.held[seat]
        turned_up = 1 << now.upcard if now.upcard >= 0 else 0
        if not (laid_away and self.worlds.deals.needs[-1] != 1 or came & ~turned_up):
            self.judged.append(_Judged(made, left, laid_away, came))

    def _passed(self, gives: Sequence[Made]) -> list[int]:
        """Return the cards passed, by giver, as far as the seat has seen them (-1: it has not)."""
        passed = [-1] * self.match.n
        for before, event, _ in gives:
            phase: Any = before.phase
            if self.trials.seat in (event.seat, event.to):
                passed[event.seat] = phase.number(before, event)
        return passed

    def _weight(self, held: Sequence[int], judged: Sequence[_Judged], weight: float) -> float:
        """Return the chance of all choices in a world, given where its cards are and the chance of those not judged here."""
        for made, left, laid_away, came in judged:
            before = made.before.copy()
            hand, seat = before.hand, made.event.seat
            for other in (seat, hand.acts_for[seat]):
                hand.held[other] = held[other] | left[other]
            if laid_away:
                lying = self.worlds.deals.cards & ~held[-1]
                for cards in held[:-1]:
                    lying &= ~cards
                hand.held[seat] |= lying
            if came:
                hand.held[seat] &= ~came
            weight *= self._chance_of_choice(before, made)
        return weight

    def _chance_of_choice(self, before: Match[Any], made: Made) -> float:
        """Return the chance that the bot makes a choice from a hand; the kernel has the same again."""
        event, phase, hand = made.event, before.phase, before.hand
        choice = next(
            (one for one in before.choices() if one.seat == event.seat and one.type == ev.type_of(event)), None
        )
        if choice is None:
            return 1.0
        if isinstance(event, ev.Play):
            bot = before.game.study.bot
            assert bot is not None
            assert bot.card is not None
            legal = legal_cards(before, choice)
            if not legal & (legal - 1) or not legal >> made.card & 1:
                return 1.0
            card = bot.card(hand, event.seat, legal, unseen_cards(hand, event.seat))
            return mixed(before.pack.faces[card] == event.card, legal.bit_count(), self.shares.in_play)
        chosen: Any = cautious.chosen(before, choice)
        if isinstance(event, ev.Call) and isinstance(chosen, ev.Call):
            same = chosen.call == event.call  # an alert or an explanation is no other call
        else:
            same = ev.bare(chosen) == ev.bare(event)
        if isinstance(phase, Bids):
            return mixed(same, phase.allowed(hand, event.seat).bit_count(), self.shares.before)
        if isinstance(phase, Calls) and phase.in_numbers is not None:
            return mixed(same, FEW, self.shares.before)
        return mixed(same, len(choice.calls or choice.cards) or 1, self.shares.before)

    def _chance_of_passes(self, world: Sequence[int]) -> float:
        """Return the chance of the cards that the others passed; the kernel has the same again."""
        phase = next(phase for phase in self.match.game.phases if isinstance(phase, Exchange))
        bot, table = self.match.game.study.bot, self.match.copy()
        assert bot is not None
        assert bot.give is not None
        hand, n, given = table.hand, table.n, [*self.passed]
        step = phase.step(table, hand) or 0
        hand.held = [cards | played for cards, played in zip(world[:n], self._played, strict=True)]
        for giver, cards in enumerate(self.passed):
            if cards < 0:
                given[giver] = bot.give(hand, (giver + step) % n, phase.count)
        for giver, cards in enumerate(given):
            hand.held[(giver + step) % n] &= ~cards
        weight = 1.0
        for giver, cards in enumerate(given):
            if giver != self.trials.seat:
                hand.held[giver] |= cards
                options = comb(hand.held[giver].bit_count(), phase.count) if self.passed[giver] >= 0 else 1
                weight *= mixed(bot.give(hand, giver, phase.count) == cards, options, self.shares.before)
        return weight


def effective(weights: Sequence[float]) -> float:
    """Return how many worlds of equal weight say as much as some weighed ones (Kish).

    >>> effective([1, 1, 1, 1]), effective([1, 0, 0, 0])
    (4.0, 1.0)
    """
    return sum(weights) ** 2 / sum(weight * weight for weight in weights)


def flattened(weights: Sequence[float], least: float) -> list[float]:
    """Return weights raised to the highest power up to 1 with which so many worlds count, or all if there are fewer.

    >>> effective(flattened([1.0, 0.1, 0.01, 0.001], 2)) >= 2
    True
    """
    most = max(weights)
    shares = [weight / most for weight in weights]
    if effective(shares) >= least:
        return shares
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if effective([share**middle for share in shares]) >= least:
            low = middle
        else:
            high = middle
    return [share**low for share in shares]


def _number(kernel: Kernel, made: Made) -> int | None:
    """Return what the kernel calls a choice; None if it has no such choices."""
    before = made.before
    if made.card >= 0:
        return made.card if before.playing is not None and before.hand.moment == "play" else None
    if isinstance(before.phase, Bids | Calls) and kernel.begins_before_play(before):
        number: int | None = before.phase.number(before, made.event)
        return number
    return None
