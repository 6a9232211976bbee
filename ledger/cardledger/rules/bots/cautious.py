"""The cautious bot: plays each game as a careful person would. Each game brings its own bot."""

from __future__ import annotations

from random import Random
from typing import Any

from cardledger.rules.bots import random_bot
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.events import Event, Play
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases import Bids, Calls, Exchange
from cardledger.rules.engine.seen import legal_cards, unseen_cards


def choose(match: Match[Any], rng: Random) -> Event:
    """Return the choice of the game's bot; in a game without one, a random event."""
    return random_bot.choose(match, rng) if match.game.study.bot is None else sensible(match)


def sensible(match: Match[Any]) -> Event:
    """Return what a careful person would do; there is no chance in it."""
    hand = match.hand
    if (
        match.game.collecting is not None and hand.turn is not None
    ):  # it looks at the cards itself, so nobody needs to list the choices
        return chosen(match, Choice(hand.moment, hand.turn))
    return chosen(match, match.choices()[0])


def chosen(match: Match[Any], choice: Choice) -> Event:
    """Return what a careful person would do about a choice."""
    bot, hand, phase, seat = match.game.study.bot, match.hand, match.phase, choice.seat
    if seat is not None and choice.type == "play":
        card = bot.card(hand, seat, legal_cards(match, choice), unseen_cards(hand, seat))
        return Play(seat=seat, card=match.pack.faces[card])
    if seat is not None and bot.bid is not None and isinstance(phase, Bids):
        return phase.event(seat, bot.bid(hand, seat, phase.allowed(hand, seat)))
    if seat is not None and bot.give is not None and isinstance(phase, Exchange):
        return phase.event(match, hand, seat, bot.give(hand, seat, choice.count))
    if seat is not None and bot.call is not None and isinstance(phase, Calls):
        return phase.event(match, seat, bot.call(hand, seat))
    event: Event = bot.other(match, hand, choice)
    return event
