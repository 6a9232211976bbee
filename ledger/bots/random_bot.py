"""The random bot: any legal event, each as likely as any other."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ledger import events as ev
from ledger.bots.seen import SUITS
from ledger.choice import Choice
from ledger.table import Table

ONE_CARD = {"play": ev.Play, "discard": ev.Discard, "close": ev.Close, "layoff": ev.Layoff}
"""The events that name nothing but a seat and a card, by their types."""


def choose(table: Table, rng: Random) -> ev.Event:
    """Return any of the legal events; a close whenever there is one, since hands would hardly ever end else."""
    # A choice without a seat (claim, score) is the table's, not a player's.
    choices = [choice for choice in table.choices() if choice.seat is not None]
    closing = [choice for choice in choices if choice.type == "close"]
    return rng.choice([event for choice in closing or choices for event in events_of(choice)])


def events_of(choice: Choice) -> Iterator[ev.Event]:
    """Yield every event that a choice allows, a draw from the stock once and without its cards."""
    seat, cards = choice.seat, choice.cards
    assert seat is not None
    if choice.type in ONE_CARD:
        yield from (ONE_CARD[choice.type](seat=seat, card=card) for card in cards)
    match choice.type:
        case "give":
            assert choice.to is not None
            yield from (ev.Give(seat=seat, to=choice.to, card=card) for card in cards)
        case "pass":
            yield ev.Pass(seat=seat)
        case "bid":
            assert choice.amounts is not None
            lowest, highest = choice.amounts
            yield from (ev.Bid(seat=seat, amount=bid) for bid in range(lowest, highest + 1))
        case "collect":
            yield from (ev.Collect(seat=seat, source=int(debtor)) for debtor in choice.sources)
        case "ask":
            yield from (ev.Ask(seat=seat, source=int(choice.sources[0]), suit=suit) for suit in SUITS)
        case "draw" if choice.sources == ("discards",):
            yield ev.Draw(seat=seat, source="discards", cards=cards)
        case "draw":
            yield ev.Draw(seat=seat, source="stock", cards=())
