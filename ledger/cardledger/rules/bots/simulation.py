"""Simulated matches: cards are dealt and drawn at random, bots choose, and the real rules judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from random import Random
from string import ascii_lowercase
from typing import Any, Literal

from cardledger.rules.bots import Bot, bot
from cardledger.rules.bots.monte_carlo import MonteCarlo
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.unseen import without_unseen
from cardledger.rules.games import game as by_name
from cardledger.rules.games import start
from cardledger.rules.knowledge.possible_worlds import Knowledge

MAX_EVENTS = 2_000
"""A hand that is not over after this many events ends the match, because bots may never finish it."""
MAX_HANDS = 200
"""A match is ended after this many hands: bots that bid too high may never reach a target."""

Policy = Literal["strict", "record"]


class Dealer:
    """Shuffles and deals the cards of each hand, and holds the stock.

    Each hand has its own random generator, so the same match with other bots gets the same deals.
    """

    def __init__(self, rng: Random) -> None:
        self.seed = rng.getrandbits(64)
        self.chance = Random(self.seed)
        self.stock: list[str] = []

    def deal(self, table: Match[Any]) -> ev.Deal:
        """Deal the next hand; the first dealer is drawn at random."""
        seat = table.choices()[0].seat
        self.chance = Random(self.seed + len(table.hands))
        if seat is None:
            seat = self.chance.randrange(table.n)
        deck, _ = table.game.deal.cards(table, len(table.hands) + 1)
        cards = list(cards_in(deck))
        self.chance.shuffle(cards)
        deal: ev.Deal = table.game.deal.of_cards(table, seat, cards)
        self.stock = list(deal.stock or ())[::-1]
        return deal

    def draw(self, table: Match[Any]) -> ev.Draw:
        """Draw the cards that are due from the stock; an empty stock is refilled by shuffling the cards it may hold."""
        choice = next(choice for choice in table.choices() if choice.sources == ("stock",))
        assert choice.seat is not None
        if not self.stock:
            self.stock = list(choice.cards)
            self.chance.shuffle(self.stock)
        cards = tuple(self.stock.pop() for _ in range(choice.count))
        return ev.Draw(seat=choice.seat, source="stock", cards=cards)


def simulate(
    game: str,
    n: int,
    rng: Random,
    bots: Sequence[str | Bot],
    options: Mapping[str, Any] | None = None,
    *,
    policy: Policy = "strict",
    hidden: bool = False,
    players: Sequence[str] | None = None,
    max_hands: int = MAX_HANDS,
) -> list[ev.Event]:
    """Play a whole match and return its events, beginning with the opening.

    `bots` are bots or their names, seat 0 first; with fewer of them than seats they repeat around the table. By default
    a player is named after the bot and the seat (`cautious-a`). With `hidden` the events are those of a scorer who
    cannot see the hands, the stock, or any card that lies face down. A match that takes too long (MAX_EVENTS in a hand,
    `max_hands`) is closed with `end`. Raises the errors of `cardledger.rules.games.start`, and FormatError
    `format.bot`.
    """
    seated = list(islice(cycle(bots), n))
    knowledge = Knowledge(n)
    seats = [_seeing(bot(each) if isinstance(each, str) else each, knowledge) for each in seated]
    opening = ev.Open(
        game=game,
        players=tuple(players or (f"{name}-{ascii_lowercase[i]}" for i, name in enumerate(seated))),
        options=dict(options or {}),
        policy=policy,
    )
    table, dealer = start(opening), Dealer(rng)
    scorer = Scorer(opening) if hidden else None
    events: list[ev.Event] = [opening]
    deal_at = 0
    while table.status == "open":
        event: ev.Event
        if table.hand.moment == "deal":
            deal_at = len(events)
            event = (
                dealer.deal(table) if len(table.hands) < max_hands else ev.End(reason=f"{max_hands} hands were played")
            )
        elif len(events) - deal_at >= MAX_EVENTS:
            event = ev.End(reason=f"{MAX_EVENTS} events did not end the hand")
        else:
            # To ask for all choices takes longer than to play a card.
            seat = table.hand.turn if table.hand.moment == "play" else table.choices()[0].seat
            assert seat is not None
            event = seats[table.hand.acts_for[seat]](table, rng)
            if isinstance(event, ev.Draw) and event.source == "stock":
                event = dealer.draw(table)
        knowledge.apply(table, event, len(events) + 1)
        if scorer is None:
            events.append(event)
        else:
            events += scorer.record(event, table, len(events) + 1)
    return events


def _seeing(bot: Bot, knowledge: Knowledge) -> Bot:
    """Return a bot that uses what the seats have seen, if it can."""
    return replace(bot, knowledge=knowledge) if isinstance(bot, MonteCarlo) else bot


class Scorer:
    """A scorer who sees the table and no hand, and keeps a match of their own."""

    def __init__(self, opening: ev.Open) -> None:
        self.table = start(opening)

    def record(self, event: ev.Event, players: Match[Any], seq: int) -> list[ev.Event]:
        """Return the event as the scorer records it, with a score if only the players know that the hand is over."""
        event = without_unseen(event, self.table.game)
        self.table.apply(event, seq)
        if not players.hand.over or self.table.hand.over or self.table.status != "open":
            return [event]
        scores = players.hands[-1].scores
        assert scores is not None
        score = ev.Score(scores=tuple(scores))
        self.table.apply(score, seq + 1)
        return [event, score]


def league(
    game: str,
    n: int,
    seed: int | str,
    matches: int,
    bots: Sequence[str] = ("cautious", "random"),
    *,
    options: Mapping[str, Any] | None = None,
    policy: Policy = "strict",
    hidden: bool = False,
    max_hands: int = MAX_HANDS,
) -> Iterator[list[ev.Event]]:
    """Yield matches in which the entrants move one seat on after each match, so that no seat favours anybody.

    There are as many entrants as seats, or as bots if there are more bots. An entrant keeps its player id (`random-b`)
    at every seat. The random generator of a match depends only on `seed` and its number: match k is the same in every
    league with the same seed. After a multiple of the number of entrants everybody has sat everywhere equally often.

    Raises FormatError `format.game`, RuleError `table.range` at the first match.
    """
    by_name(game).expect_size(n)
    size = max(n, len(bots))
    letters = [*ascii_lowercase, *(str(i) for i in range(len(ascii_lowercase) + 1, size + 1))]
    entrants = [(name, f"{name}-{letters[i]}") for i, name in enumerate(islice(cycle(bots), size))]
    for number in range(matches):
        seated = [entrants[(number + seat) % size] for seat in range(n)]
        yield simulate(
            game,
            n,
            Random(f"{seed}/{game}/{n}/{number}"),
            [name for name, _ in seated],
            options,
            policy=policy,
            hidden=hidden,
            players=[player for _, player in seated],
            max_hands=max_hands,
        )
