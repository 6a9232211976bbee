"""What a deal is worth to each seat: the mean of replays by fixed bots, and what deals of its kind are worth on average."""

from __future__ import annotations

from random import Random
from typing import Any

from ledger.cards import cards_in
from ledger.game import TrickGame
from ledger.stats.deals import Dealt, Situation
from ledger.stats.expected import EXPECTED
from ledger.stats.rollouts import play_out, stack

EDITION = "cautious-1"
"""Names the bots and how they replay: raised whenever values change."""
NOISE = 0.25
"""Chance of any legal card instead of the bot's. With less the replays of a deal are too much alike to stand for other
players, with more they no longer look like play (measured from 0.1 to 1: README, "Luck and review")."""
REPLAYS = {
    "diversity": 96, "diamonds-bid": 12, "poison-hearts": 80, "hecto-diversity": 32, "ruff": 8, "ruff-2": 8,
    "diamonds-draw": 24,
}  # fmt: skip
"""Replays of a deal: enough for 95% of what endless ones would explain, 19 (1 − r) / r where one explains a share r."""
DEALS = 20_000
"""Deals that an expected value is the mean of."""
FEW_DEALS = 500
"""The same after debts: there are many ways to owe, and errors cancel out over them and over the seats."""


def value(dealt: Dealt) -> tuple[int, ...]:
    """Return the points of each seat, from the dealer on, added up over REPLAYS of a deal.

    Chance in them comes from the content of the deal alone. A replay that does not end counts as its situation's
    expectation would: not at all, and another is played in its place.
    """
    start, key = dealt.table(), dealt.key
    total = [0] * start.n
    done = number = 0
    while done < REPLAYS[dealt.situation.game]:
        scores = replay(start, dealt.stock, Random(f"{EDITION}/{key}/{number}"))
        number += 1
        if scores is not None:
            done += 1
            total = [a + b for a, b in zip(total, scores, strict=True)]
    return tuple(total)


def replay(start: Any, stock: tuple[str, ...], rng: Random) -> list[int] | None:
    """Return the points of one replay from a table just dealt, which stays as it is."""
    table = start.copy()
    stack(table, stock, rng)
    return play_out(table, rng, (NOISE,) * table.n)


def expected(situation: Situation) -> tuple[int, tuple[int, ...]]:
    """Return so many random deals, and the points of each seat, from the dealer on, added up over one replay of each."""
    known = EXPECTED.get(situation.text)
    if known is not None:
        return DEALS, known
    deals = DEALS if situation.taken is None else FEW_DEALS
    return deals, measured(situation, deals)


def measured(situation: Situation, deals: int) -> tuple[int, ...]:
    """Return the points of each seat added up over one replay of each of so many random deals."""
    total, done, number = [0] * situation.n, 0, 0
    while done < deals:
        rng = Random(f"{EDITION}/{situation.text}/{number}")
        number += 1
        dealt = random_deal(situation, rng)
        scores = replay(dealt.table(), dealt.stock, rng)
        if scores is not None:
            done += 1
            total = [a + b for a, b in zip(total, scores, strict=True)]
    return tuple(total)


def random_deal(situation: Situation, rng: Random) -> Dealt:
    """Return any deal, each as likely as any other, its stock in order."""
    table = situation.table()
    pack, deck, each = table.pack, table.pack.full, 7
    if isinstance(table.game, TrickGame):
        pack, deck, each = table.game.cards_of(table.options, table.n)
    cards = [*cards_in(deck)]
    rng.shuffle(cards)
    n, faces = situation.n, pack.faces
    hands = tuple(tuple(faces[card] for card in sorted(cards[each * i : each * (i + 1)])) for i in range(n))
    rest = [faces[card] for card in cards[each * n :]]
    upcard = rest.pop() if "upcard" in table.game.deal_keys else None
    stock = tuple(rest) if "stock" in table.game.deal_keys else ()
    return Dealt(situation, hands, upcard, stock, bool(stock))
