"""The random bot: chooses any legal event, all equally likely."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import SUITS
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.match import Match

ONE_CARD = {"play": ev.Play, "discard": ev.Discard, "close": ev.Close, "layoff": ev.Layoff}
"""The events that have only a seat and a card, by type."""


def choose(match: Match[Any], rng: Random) -> ev.Event:
    """Return a random legal event; always close when possible, because otherwise hands would hardly ever end."""
    # A choice without a seat (claim, score) belongs to the table, not to a player.
    choices = [choice for choice in match.choices() if choice.seat is not None]
    closing = [choice for choice in choices if choice.type == "close"]
    return rng.choice([event for choice in closing or choices for event in events_of(choice)])


def events_of(choice: Choice) -> Iterator[ev.Event]:
    """Yield every event that a choice allows; a draw from the stock comes once, without cards."""
    seat, cards = choice.seat, choice.cards
    assert seat is not None
    if choice.type in ONE_CARD:
        yield from (ONE_CARD[choice.type](seat=seat, card=card) for card in cards)
    match choice.type:
        case "give":
            assert choice.to is not None
            if choice.count == 1:
                yield from (ev.Give(seat=seat, to=choice.to, card=card) for card in cards)
            else:
                yield from (ev.Give(seat=seat, to=choice.to, cards=some) for some in combinations(cards, choice.count))
        case "call":
            yield from (ev.Call(seat=seat, call=call) for call in choice.calls)
        case "pass":
            yield ev.Pass(seat=seat)
        case "bid":
            assert choice.amounts is not None
            lowest, highest = choice.amounts
            yield from (ev.Bid(seat=seat, amount=bid) for bid in range(lowest, highest + 1) if bid not in choice.barred)
        case "collect":
            yield from (ev.Collect(seat=seat, source=int(debtor)) for debtor in choice.sources)
        case "ask":
            yield from (ev.Ask(seat=seat, source=int(choice.sources[0]), suit=suit) for suit in SUITS)
        case "draw" if choice.sources == ("discards",):
            yield ev.Draw(seat=seat, source="discards", cards=cards)
        case "draw":
            yield ev.Draw(seat=seat, source="stock", cards=())
