"""Rollouts: a hand played to its end by fixed bots, through the rules, from any moment on."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ledger import events as ev
from ledger.bots import random_bot
from ledger.bots.cautious import CARDS, POLICIES
from ledger.cards import cards_in
from ledger.games.diamonds_draw import DrawingTable
from ledger.table import Table
from ledger.tricks import TrickTable

LONGEST = 1_000
"""Events after which a hand is given up: bots need not be able to finish."""


def play_out(table: Table, rng: Random, noise: Sequence[float]) -> list[int] | None:
    """Play the hand under way to its end and return its points by seat; the table is changed.

    Every seat is played by the cautious bot, which with the chance `noise` takes any legal card instead: without that,
    all rollouts of a deal would be one. None for a hand that does not end (see LONGEST).
    """
    hand = table.hand
    assert hand is not None
    if isinstance(table, TrickTable) and table.game.id in CARDS:
        _tricks(table, rng, noise)
    else:
        _turns(table, rng, noise)
    return hand.scores


def _tricks(table: TrickTable, rng: Random, noise: Sequence[float]) -> None:
    """Play tricks; all that a seat has not seen is what others hold and what is in nobody's hand."""
    hand = table.hand
    assert hand is not None
    card_of, chance = CARDS[table.game.id], rng.random
    away = table.deck & ~sum(table.held)
    for card in table.trick:
        away &= ~(1 << card)
    for _, cards, taker, _ in hand.tricks:
        if taker is not None:
            for card in cards:
                away &= ~(1 << card)
    seq = table.seq
    for _ in range(LONGEST):
        seat = table.turn
        assert seat is not None
        if table.phase != "play":
            event = _other(table, rng, noise)
            table.apply(event, seq)
            if isinstance(event, ev.Draw):
                away &= ~table.held[seat]
        else:
            held = table.held
            legal = table.legal_cards(held[seat])
            if not legal:
                table.apply(ev.Pass(seat=seat), seq)
                continue
            if not legal & (legal - 1):
                card = legal.bit_length() - 1
            elif chance() < noise[seat]:
                card = any_of(legal, rng)
            else:
                card = card_of(table, seat, legal, sum(held) ^ held[seat] | away)
            table.play(seat, card, seq)
        if table.hand is not hand:
            return


def stack(table: Any, top: Sequence[str], rng: Random) -> None:
    """Put the stock in order: what is known of its top, and any order of the rest."""
    if isinstance(table, DrawingTable):
        rest = table.stack
    elif hasattr(table, "in_stock"):
        rest = table.in_stock()
    else:
        return
    faces = [face for face in table.pack.list(rest) if face not in top]
    rng.shuffle(faces)
    order = (*top, *faces)
    if isinstance(table, DrawingTable):
        table.stack_order = order
    else:
        table.stock_order = order


def any_of(cards: int, rng: Random) -> int:
    """Return any card of a set, each as likely as any other."""
    for _ in range(int(rng.random() * cards.bit_count())):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def _turns(table: Any, rng: Random, noise: Sequence[float]) -> None:
    hand, seq = table.hand, table.seq
    for _ in range(LONGEST):
        table.apply(_other(table, rng, noise), seq)
        if table.hand is not hand:
            return


def _other(table: Any, rng: Random, noise: Sequence[float]) -> ev.Event:
    """Return what the bots do where there is no card to play to a trick."""
    if table.phase == "discard" and rng.random() < noise[table.turn]:
        event = random_bot.choose(table, rng)
    else:
        event = POLICIES[table.game.id](table)
    if isinstance(event, ev.Draw) and event.source == "stock":
        return drawn(table, rng)
    return event


def drawn(table: Any, rng: Random) -> ev.Draw:
    """Return a draw from the stock: its top where the order is known, else any of its cards."""
    faces = table.pack.faces
    if isinstance(table, DrawingTable):
        count, order, left, stock = table.due, table.stack_order, table.stack_left, table.stack
    else:
        count, order, left, stock = 1, table.stock_order, table.stock_left, 0
    if order and left:
        cards = order[-left:][:count]
    else:
        cards = tuple(faces[card] for card in rng.sample([*cards_in(stock or table.in_stock())], count))
    return ev.Draw(seat=table.turn, source="stock", cards=cards)
