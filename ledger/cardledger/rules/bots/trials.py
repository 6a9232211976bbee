"""Trials: every option of a decision, played out by the cautious bots in the same possible worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardledger.rules.bots import cautious
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.rollouts import cards_gone, draw_from_stock, play_out, play_up
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.phases import Exchange
from cardledger.rules.kernel.kernels import kernel_of
from cardledger.rules.kernel.turn_kernel import TurnKernel
from cardledger.rules.knowledge.possible_worlds import Knowledge, PossibleWorlds
from cardledger.rules.questions import MANY

NOISE = 0.1
"""Probability that a bot of the rollouts takes any legal card."""


class Trials:
    """Rollouts of several options from the same worlds, each with the same random seed."""

    def __init__(self, table: Any, seat: int, knowledge: Knowledge | None, seed: str, noise: float) -> None:
        self.worlds = None if knowledge is None else PossibleWorlds(table, seat, knowledge)
        if self.worlds is not None:
            table = self.worlds.match
        self.table = table
        self.seat = seat
        self.seed = seed
        self.bots = (noise,) * table.n
        self.sign = -1 if table.game.scoring.fewest else 1
        self.kernel = kernel_of(table)

    def points(self, options: Sequence[ev.Event], numbers: Sequence[int]) -> list[list[int]]:
        """Return the seat's points (more is better) by option and world.

        The kernel makes the worlds and plays the hands if there is one, unless it has no such options; then it only
        plays the tricks.
        """
        seeds = [Chance.of(f"{self.seed}/{number}").state for number in numbers]
        chosen = self.numbers(options)
        if self.kernel is None or chosen is None:
            found = self._tried(options, seeds)
        else:
            row = self.kernel.pack(self.table, cards_gone(self.table.hand))
            worlds = None if self.worlds is None else (self.worlds.seen, self.worlds.deals.table)
            found = self.kernel.trials(row, self.seat, worlds, seeds, chosen, self.bots)
        return [[self.sign * points for points in of_option] for of_option in found]

    def promising(self, options: Sequence[ev.Event], numbers: range) -> list[int]:
        """Return the places of the first option and of those with the most points in a few worlds, MANY in all."""
        screened = self.points(options[1:], numbers)
        best = sorted(range(len(screened)), key=lambda i: -sum(screened[i]))[: MANY - 1]
        return [0, *(i + 1 for i in sorted(best))]

    def numbers(self, options: Sequence[ev.Event]) -> list[int] | None:
        """Return what the kernel calls the options of the seat to act, cards, bids or sets of cards to pass.

        None if it has no such options.
        """
        table, hand, kernel = self.table, self.table.hand, self.kernel
        if kernel is None or hand.turn not in (self.seat, None):
            return None
        found: list[Any]
        if isinstance(kernel, TurnKernel):
            found = [kernel.number(table, option) for option in options]
        elif kernel.begins_before_play(table):
            found = [table.phase.number(table, option) for option in options]
        elif table.playing is not None and hand.moment == "play":
            found = [self._card(option) for option in options]
        else:
            return None
        return None if None in found else found

    def _card(self, option: ev.Event) -> int | None:
        """Return the card that an option plays from the hand of the seat to act."""
        held = self.table.hand.held[self.seat]
        cards = self.table.pack.mask.get(option.card, 0) & held if isinstance(option, ev.Play) else 0
        return (cards & -cards).bit_length() - 1 if cards else None

    def _tried(self, options: Sequence[ev.Event], seeds: Sequence[int]) -> list[list[int]]:
        """Return the seat's points by option and world.

        Each option is applied at the table, and the rest played out.
        """
        by_option: list[list[int]] = [[] for _ in options]
        waiting = []
        for seed in seeds:
            chance = Chance(seed)
            table = self.table
            lie = table if self.worlds is None else self.worlds.draw(chance)
            if isinstance(table.phase, Exchange):
                lie = self._others_passed(lie)
            after = chance.bits()
            for option, points in zip(options, by_option, strict=True):
                other, chance = lie.copy(), Chance(after)
                scores = self._after(other, option, chance)
                if scores is None and self.kernel is not None and other.playing is not None and not other.hand.over:
                    row = self.kernel.pack(other, cards_gone(other.hand))
                    waiting.append((points, len(points), row, chance.state))
                points.append(scores[self.seat] if scores else 0)
        if waiting:
            assert self.kernel is not None
            played = self.kernel.play_out([row for *_, row, _ in waiting], [seed for *_, seed in waiting], self.bots)
            for (points, place, _, _), scores in zip(waiting, played, strict=True):
                points[place] = scores[self.seat] if scores else 0
        return by_option

    def _others_passed(self, table: Any) -> Any:
        """Return a table at which the others have passed their cards.

        All pass at once, so the option changes nothing for them.
        """
        other = table.copy()
        for choice in table.choices():
            if choice.type == "give" and choice.seat != self.seat:
                other.apply(cautious.chosen(other, choice), other.seq)
        return other

    def _after(self, table: Any, option: ev.Event, chance: Chance) -> list[int] | None:
        """Return the points of the hand after an option.

        None if the kernel is to play its tricks, or if it does not end.
        """
        hand = table.hand
        if isinstance(option, ev.Draw) and option.source == "stock":
            option = draw_from_stock(table, chance)
        table.apply(option, table.seq)
        scores: list[int] | None = hand.scores
        if hand.over:
            return scores
        if self.kernel is None:
            return play_out(table, chance, self.bots)
        return None if play_up(table, chance, self.bots) else hand.scores


def options_of(table: Any, act: Any) -> list[ev.Event]:
    """Return the options of a seat, the one it chose first; empty if the table offers the seat no choice."""
    if isinstance(act, ev.Draw) and act.source == "stock":
        act = ev.Draw(seat=act.seat, source="stock", cards=())
    offered = [event for choice in table.choices() if choice.seat == act.seat for event in events_of(choice)]
    return [act, *(event for event in offered if _sorted(event) != _sorted(act))] if offered else []


def as_offered(table: Any, act: Any) -> Any:
    """Return what a seat chose as the table offers it, with its cards in that order; as it is if it was not offered."""
    offered = (event for choice in table.choices() if choice.seat == act.seat for event in events_of(choice))
    return next((event for event in offered if _sorted(event) == _sorted(act)), act)


def _sorted(event: Any) -> Any:
    """Return an event with its cards sorted: the order in which three cards are passed is not a choice."""
    if isinstance(event, ev.Give) and isinstance(event.cards, tuple):
        return ev.Give(seat=event.seat, to=event.to, cards=tuple(sorted(event.cards)))
    return event
