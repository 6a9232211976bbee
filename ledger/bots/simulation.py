"""Simulated matches: chance deals and supplies the stock, bots choose, the real table judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from string import ascii_lowercase
from typing import Any, Literal

import msgspec

from ledger import events as ev
from ledger.bots import bot
from ledger.cards import cards_in
from ledger.game import TrickGame
from ledger.games import start
from ledger.table import Table

MAX_EVENTS = 2_000
"""A hand that has not ended after so many events ends the match: bots need not be able to finish."""
MAX_HANDS = 200
"""A match that has not ended after so many hands is ended: bots that bid too high may never reach a target."""

Policy = Literal["strict", "record"]


class Dealer:
    """Chance: shuffles for every hand and holds the stock.

    Each hand has a source of chance of its own, so the same match with other bots gets the same deals.
    """

    def __init__(self, rng: Random) -> None:
        self.seed = rng.getrandbits(64)
        self.chance = Random(self.seed)
        self.stock: list[str] = []

    def deal(self, table: Table) -> ev.Deal:
        """Deal the next hand: its dealer is whose turn it is, at first any seat."""
        game, n = table.game, table.n
        seat = table.choices()[0].seat
        self.chance = Random(self.seed + len(table.hands))
        if seat is None:
            seat = self.chance.randrange(n)
        pack, deck, each = table.pack, table.pack.full, 7
        if isinstance(game, TrickGame):
            pack, deck, each = game.cards_of(table.options, n)
        cards = list(cards_in(deck))
        self.chance.shuffle(cards)
        hands = (sorted(cards[each * i : each * (i + 1)]) for i in range(n))
        rest = [pack.faces[card] for card in cards[each * n :]]
        upcard = rest.pop(0) if "upcard" in game.deal_keys else None
        self.stock = rest[::-1]
        return ev.Deal(
            dealer=seat if "dealer" in game.deal_keys else None,
            starter=seat if "starter" in game.deal_keys else None,
            hands=tuple(tuple(pack.faces[card] for card in hand) for hand in hands),
            aside=tuple(rest) if rest and "aside" in game.deal_keys else None,
            upcard=upcard,
            stock=tuple(rest) if "stock" in game.deal_keys else None,
        )

    def draw(self, table: Table) -> ev.Draw:
        """Draw from the stock what is due; a stock that is used up is shuffled anew from the cards it may hold."""
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
    bots: Sequence[str],
    options: Mapping[str, Any] | None = None,
    *,
    policy: Policy = "strict",
    hidden: bool = False,
    players: Sequence[str] | None = None,
    max_hands: int = MAX_HANDS,
) -> list[ev.Event]:
    """Play a whole match and return its events, from the opening on.

    `bots` are names, seat 0 first, repeated around the table when they are fewer than the seats; `players` default to
    the bot's name and the seat's letter (`cautious-a`). With `hidden` the events are those of a scorer who cannot see
    hands or stock. A match that goes on for too long (MAX_EVENTS in a hand, `max_hands`) is closed by `end`. Raises as
    `ledger.games.start` does, and FormatError `format.bot`.
    """
    names = list(islice(cycle(bots), n))
    seats = [bot(name) for name in names]
    opening = ev.Open(
        game=game,
        players=tuple(players or (f"{name}-{ascii_lowercase[i]}" for i, name in enumerate(names))),
        options=dict(options or {}),
        policy=policy,
    )
    table, dealer = start(opening), Dealer(rng)
    scorer = Scorer(opening) if hidden else None
    events: list[ev.Event] = [opening]
    deal_at = 0
    while table.phase != "over":
        event: ev.Event
        if table.phase == "deal":
            deal_at = len(events)
            event = (
                dealer.deal(table) if len(table.hands) < max_hands else ev.End(reason=f"{max_hands} hands were played")
            )
        elif len(events) - deal_at >= MAX_EVENTS:
            event = ev.End(reason=f"{MAX_EVENTS} events did not end the hand")
        else:
            assert table.turn is not None
            event = seats[table.turn](table, rng)
            if isinstance(event, ev.Draw) and event.source == "stock":
                event = dealer.draw(table)
        table.apply(event, len(events) + 1)
        if scorer is None:
            events.append(event)
        else:
            events += scorer.record(event, table, len(events) + 1)
    return events


class Scorer:
    """Whoever records a match without seeing hands or stock, at a table of its own."""

    def __init__(self, opening: ev.Open) -> None:
        self.table = start(opening)

    def record(self, event: ev.Event, players: Table, seq: int) -> list[ev.Event]:
        """Return an event as the scorer writes it down, and the score if only the players know that the hand is over."""
        if isinstance(event, ev.Deal):
            event = msgspec.structs.replace(event, hands=None, stock=None)
        self.table.apply(event, seq)
        if players.hand is not None or self.table.hand is None or self.table.phase == "over":
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
    """Yield matches among entrants who move on one seat from match to match, so that no seat favours anyone.

    There are as many entrants as seats or bots, whichever are more; an entrant keeps its player id (`random-b`) at
    every seat. Each match has chance of its own out of `seed` and its number: match k is the same in every league
    of the same seed that is long enough. Everyone sat everywhere equally often after a multiple of the entrants.
    """
    size = max(n, len(bots))
    entrants = [(name, f"{name}-{ascii_lowercase[i]}") for i, name in enumerate(islice(cycle(bots), size))]
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
