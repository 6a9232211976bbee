"""Players who know more or less of hidden cards: honest ones of several strengths and styles, and ones who see hands.

A player takes the table, chance, what the seats have seen, and the choices of the hand so far, and returns an event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from cardledger.rules.bots import cautious, random_bot
from cardledger.rules.bots.likely_worlds import Choices, LikelyWorlds, Shares
from cardledger.rules.bots.simulation import Dealer
from cardledger.rules.bots.trials import NOISE, Trials, options_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.seen import legal_cards
from cardledger.rules.games import start
from cardledger.rules.kernel.likelihood import mixed
from cardledger.rules.knowledge.possible_worlds import Knowledge
from cardledger.rules.questions import MANY

Player = Callable[[Any, Random, Knowledge, Choices], ev.Event]
LONG = 4
"""From so many cards on a suit is long."""


def one_hand(game: str, players: list[Player], seed: str, turned: int = 0) -> list[ev.Event]:
    """Return the events of a match of one hand for four; the first player sits `turned` seats on."""
    rng = Random(seed)
    opening = ev.Open(game=game, players=tuple("abcd"), options={}, policy="strict")
    table, dealer, knowledge, choices = start(opening), Dealer(rng), Knowledge(4), Choices()
    events: list[ev.Event] = [opening]
    while table.status == "open" and not (table.hands and table.hands[-1].scores is not None):
        event: ev.Event
        if table.hand.moment == "deal":
            event = dealer.deal(table)
        else:
            seat = table.choices()[0].seat
            assert seat is not None
            player = players[(table.hand.acts_for[seat] - turned) % 4]
            event = player(table, rng, knowledge, choices)
        choices.apply(table, event)
        knowledge.apply(table, event, len(events) + 1)
        events.append(event)
    return events


def careful(table: Any, rng: Random, *_: object) -> ev.Event:
    """Play as the careful bot of the game does."""
    return cautious.choose(table, rng)


def careless(table: Any, rng: Random, *_: object) -> ev.Event:
    """Play three cards of ten at random."""
    at_random = table.hand.moment == "play" and rng.random() < 0.3
    return (random_bot if at_random else cautious).choose(table, rng)


def _best(
    table: Any, rng: Random, knowledge: Knowledge | None, worlds: Callable[[Trials], Mapping[int, int]]
) -> ev.Event:
    """Return the choice with the best mean in some worlds; cards are passed as the careful bot does."""
    first = cautious.choose(table, rng)
    options = options_of(table, first)
    if isinstance(first, ev.Give) or len(options) < 2:
        return first
    trials = Trials(table, table.choices()[0].seat, knowledge, str(rng.getrandbits(64)), NOISE)
    if len(options) > MANY:
        options = [options[place] for place in trials.promising(options, range(-4, 0))]
    chosen = worlds(trials)
    points = trials.points(options, [*chosen])
    sums = [sum(one * times for one, times in zip(row, chosen.values(), strict=True)) for row in points]
    return options[max(range(len(options)), key=sums.__getitem__)]


def strong(table: Any, rng: Random, knowledge: Knowledge, choices: Choices) -> ev.Event:
    """Choose what is best in 100 possible worlds, all equally likely."""
    del choices
    return _best(table, rng, knowledge, lambda _: dict.fromkeys(range(100), 1))


def reader(table: Any, rng: Random, knowledge: Knowledge, choices: Choices) -> ev.Event:
    """Choose what is best in likely worlds."""
    return _best(table, rng, knowledge, lambda trials: LikelyWorlds(trials, choices).drawn(range(256), 64))


def expert(table: Any, rng: Random, knowledge: Knowledge, choices: Choices) -> ev.Event:
    """Know exactly how careful bots choose: 3,000 worlds, weighed with a share of random choices of 0.03."""
    sharp = Shares(0.03, 0.03)
    return _best(
        table, rng, knowledge, lambda trials: LikelyWorlds(trials, choices, sharp).drawn(range(3_000), 100, 20)
    )


def seer(share: float) -> Player:
    """See all hands in a share of the decisions, and else play with care."""

    def sees(table: Any, rng: Random, knowledge: Knowledge, choices: Choices) -> ev.Event:
        del knowledge, choices
        if rng.random() >= share:
            return cautious.choose(table, rng)
        return _best(table, rng, None, lambda _: dict.fromkeys(range(64), 1))

    return sees


def partners_seer(table: Any, rng: Random, knowledge: Knowledge, choices: Choices) -> ev.Event:
    """See the hand opposite."""
    del choices
    seat = table.choices()[0].seat
    before = knowledge.known[seat][(seat + 2) % 4]
    knowledge.known[seat][(seat + 2) % 4] = table.hand.held[(seat + 2) % 4]
    try:
        return _best(table, rng, knowledge, lambda _: dict.fromkeys(range(100), 1))
    finally:
        knowledge.known[seat][(seat + 2) % 4] = before


def signaller(table: Any, *_: object) -> ev.Event:
    """Say by a high card that a suit is long: the highest that does not take the trick, or a high one thrown away."""
    event, hand = cautious.sensible(table), table.hand
    if not isinstance(event, ev.Play) or not hand.trick:
        return event
    legal, held = legal_cards(table, table.choices()[0]), hand.held[event.seat]
    card = (table.pack.mask[event.card] & held).bit_length() - 1
    suits = [suit & held for suit in table.pack.suit_masks]
    if card // 13 == hand.trick[0] // 13:
        best = max(one for one in hand.trick if one // 13 == card // 13)
        told = [one for one in cards_in(legal & suits[card // 13]) if one < best]
        long = card < best and suits[card // 13].bit_count() >= LONG
    else:
        suit = max(range(3), key=lambda one: suits[one].bit_count())
        told = [one for one in cards_in(legal & suits[suit]) if one % 13 < 10]
        long = card // 13 != 3 and suits[suit].bit_count() >= LONG
    return ev.Play(seat=event.seat, card=table.pack.faces[told[-1]]) if long and told else event


def odd(table: Any, *_: object) -> ev.Event:
    """Bid two tricks less, pass the lowest cards, and signal."""
    event = cautious.sensible(table)
    if isinstance(event, ev.Bid) and event.amount > 3:
        return ev.Bid(seat=event.seat, amount=event.amount - 2)
    if isinstance(event, ev.Give) and isinstance(event.cards, tuple):
        held = sorted(cards_in(table.hand.held[event.seat]), key=lambda card: card % 13)
        lowest = sorted(table.pack.faces[card] for card in held[: len(event.cards)])
        return ev.Give(seat=event.seat, to=event.to, cards=tuple(lowest))
    return signaller(table)


class _Told(LikelyWorlds):
    """Likely worlds for somebody who knows by which way of playing each seat chooses."""

    ways: list[Player]

    def weights(self, numbers: Any) -> list[float]:
        seeds = (Chance.of(f"{self.trials.seed}/{number}").state for number in numbers)
        return [self.weight_of(self._drawn(seed)) for seed in seeds]

    def _chance_of_choice(self, before: Any, made: Any) -> float:
        options = len(options_of(before, made.event))
        if options < 2:
            return 1.0
        chosen: Any = self.ways[made.event.seat](before, Random(0), Knowledge(4), Choices())
        return mixed(ev.bare(chosen) == ev.bare(made.event), options, 0.02)


def told(*ways: Player) -> Player:
    """Read the choices of each seat by the way it really plays: its signals are known, if it has any."""

    def reads(table: Any, rng: Random, knowledge: Knowledge, choices: Choices) -> ev.Event:
        def worlds(trials: Trials) -> Mapping[int, int]:
            likely = _Told(trials, choices)
            likely.ways = [*ways]
            return likely.drawn(range(72), 40, 10)

        return _best(table, rng, knowledge, worlds)

    return reads
