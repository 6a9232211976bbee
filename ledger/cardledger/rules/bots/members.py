"""Players of a club: bots that play a card with care or without, and a scorer who makes mistakes now and then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import msgspec

from cardledger.errors import RuleError
from cardledger.rules.bots import Bot, cautious, random_bot
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.seen import legal_cards
from cardledger.rules.stream import Stream

SLIP = 0.02
"""How often a card played without care may break a rule, if the hand holds a card that does."""


def member(care: float) -> Bot:
    """Return the bot of a member.

    `care` is the chance that a card is played with care, and bids and calls always are.
    """

    def choose(match: Match[Any], rng: Random) -> ev.Event:
        if match.hand.moment != "play" or rng.random() < care:
            return cautious.choose(match, rng)
        if rng.random() < SLIP and (slip := _slip(match, rng)) is not None:
            return slip
        return random_bot.choose(match, rng)

    return choose


def _slip(match: Match[Any], rng: Random) -> ev.Event | None:
    """Return a play that breaks a rule and is recorded all the same; None if the hand holds no such card."""
    choice = match.choices()[0]
    assert choice.seat is not None
    broken = match.hand.held[choice.seat] & ~legal_cards(match, choice)
    if not broken:
        return None
    slip = ev.Play(seat=choice.seat, card=match.pack.faces[rng.choice(cards_in(broken))])
    try:
        match.copy().apply(slip, match.seq + 1)
    except RuleError:
        return None
    return slip


def as_score_sheet(events: Sequence[ev.Event]) -> list[ev.Event]:
    """Return a match as recorded from its score sheet: for each hand a deal without cards, and its points."""
    table = Stream.of(events).table
    deals = (event for event in events if isinstance(event, ev.Deal))
    sheet: list[ev.Event] = [events[0]]
    for deal, hand in zip(deals, table.hands, strict=True):
        if hand.scores is not None:
            first = deal.dealer if deal.dealer is not None else deal.starter
            points_only = table.game.deal.without_cards(table, first)
            same = msgspec.structs.replace(points_only, board=deal.board, vulnerable=deal.vulnerable)
            sheet += same, ev.Score(scores=(*hand.scores,))
    return sheet


def with_card_taken_back(events: Sequence[ev.Event], rng: Random) -> list[ev.Event]:
    """Return a match in which the scorer once entered another card, and took it back."""
    at = rng.choice([place for place, event in enumerate(events) if isinstance(event, ev.Play)])
    choice, right = Stream.of(events[:at]).table.choices()[0], events[at]
    assert choice.seat is not None
    others = [face for face in choice.cards if ev.Play(seat=choice.seat, card=face) != right]
    if not others:
        return [*events]
    wrong = ev.Play(seat=choice.seat, card=rng.choice(others))
    return [*events[:at], wrong, ev.Retract(to=at, reason="the scorer took down another card"), *events[at:]]


def timed(events: Sequence[ev.Event], start: datetime, by: str, rng: Random) -> list[ev.Event]:
    """Return events with their times, a few seconds apart, more for a deal, and with the scorer's name."""
    dated, now = [], start
    for event in events:
        now += timedelta(seconds=rng.randint(40, 80) if isinstance(event, ev.Deal) else rng.randint(2, 7))
        dated.append(msgspec.structs.replace(event, at=written(now), by=by))
    return dated


def written(moment: datetime) -> str:
    """Return a time in UTC as events carry it."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.000Z"
