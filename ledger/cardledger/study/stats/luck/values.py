"""What a deal is worth to each seat: the mean over replays by fixed bots, and the average over random deals."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from cardledger.rules.bots.rollouts import order_stock, play_out, play_up
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.games import game, games
from cardledger.rules.kernel.kernels import kernel_of
from cardledger.study.stats.estimators import WORTH
from cardledger.study.stats.luck.deals import Dealt, Situation

EDITION = WORTH.edition
"""Names the bots, the way they replay, and how often; raised whenever values change."""
USUAL = "cautious-2"
"""Names the bots, the way they replay, and the random deals whose average is taken off.

The measured values of games are of these.
"""
NOISE = 0.25
"""Probability of a random legal card instead of the bot's. With less noise all replays of a deal are too similar to
represent other players; with more they no longer look like play (measured from 0.1 to 1:
ledger/cardledger/study/stats/README.md).
"""
DEALS = 20_000
"""How many random deals an expected value is averaged over."""
FEW_DEALS = 500
"""The same for hands with debts: there are many ways to owe, and errors cancel out over them and over the seats."""


def replays_of(id: str) -> int:
    """Return how many times a deal of a game is replayed; raises KeyError for a game without a bot."""
    bot = game(id).study.bot
    if bot is None:
        raise KeyError(id)
    return bot.replays


def value(dealt: Dealt) -> tuple[int, ...]:
    """Return the points of each seat, from the dealer on, summed over the replays of a deal (`Bot.replays`).

    The random seed depends only on the content of the deal. A replay that does not end does not count; another is
    played in its place.
    """
    start, key = dealt.table(), dealt.key
    wanted = start.game.study.bot.replays
    total = [0] * start.n
    done = number = 0
    while done < wanted:
        seeds = [Chance.of(f"{EDITION}/{key}/{number + more}").state for more in range(wanted - done)]
        number += len(seeds)
        for scores in replays(start, dealt.stock, seeds):
            if scores is not None:
                done += 1
                total = [a + b for a, b in zip(total, scores, strict=True)]
    return tuple(total)


def replays(
    start: Any, stock: tuple[str, ...], seeds: list[int], noise: tuple[float, ...] | None = None
) -> list[list[int] | None]:
    """Return the points of replays of a table just dealt, one for each seed; None for one that does not end.

    `noise` is by seat, `NOISE` unless it is given.
    The kernel plays the tricks if there is one. It plays all replays from the same moment if nothing before the play of
    cards depended on chance.
    """
    noise = noise or (NOISE,) * start.n
    kernel = kernel_of(start)
    if kernel is None:
        return [replay(start, stock, Chance(seed), noise) for seed in seeds]
    table, chance = start.copy(), Chance(seeds[0])
    if kernel.begins_before_play(table) or play_up(table, chance, noise) and chance.state == seeds[0]:
        order_stock(table, stock, None)
        return kernel.play_out([kernel.pack(table, 0, len(stock))], seeds, noise)
    found: list[list[int] | None] = []
    for seed in seeds:
        table, chance = start.copy(), Chance(seed)
        order_stock(table, stock, chance)
        if play_up(table, chance, noise):
            found += kernel.play_out([kernel.pack(table, 0)], [chance.state], noise)
        else:
            found.append(table.hand.scores)
    return found


def replay(start: Any, stock: tuple[str, ...], chance: Chance, noise: tuple[float, ...]) -> list[int] | None:
    """Return the points of one replay of a table just dealt; `start` itself does not change."""
    table = start.copy()
    order_stock(table, stock, chance)
    return play_out(table, chance, noise)


def measured_points(id: str) -> Mapping[str, tuple[int, ...]]:
    """Return what was measured of the deals of a game, by situation.

    Points by seat from the dealer on, summed over `DEALS` deals.
    """
    known = games().get(id)
    return known.study.measured.expected if known and known.study.measured else {}


def expected(situation: Situation) -> tuple[int, tuple[int, ...]]:
    """Return a number of random deals, and the points of each seat from the dealer on, summed over one replay of each."""
    points = measured_points(situation.game).get(situation.text)
    if points is not None:
        return DEALS, points
    deals = DEALS if situation.taken is None else FEW_DEALS
    return deals, measure(situation, deals)


def measure(situation: Situation, deals: int) -> tuple[int, ...]:
    """Return the points of each seat, summed over one replay of each of `deals` random deals."""
    total, done, number = [0] * situation.n, 0, 0
    while done < deals:
        rng = Random(f"{USUAL}/{situation.text}/{number}")
        number += 1
        dealt = random_deal(situation, rng)
        (scores,) = replays(dealt.table(), dealt.stock, [rng.getrandbits(64)])
        if scores is not None:
            done += 1
            total = [a + b for a, b in zip(total, scores, strict=True)]
    return tuple(total)


def random_deal(situation: Situation, rng: Random) -> Dealt:
    """Return a random deal, with the order of its stock."""
    table = situation.table()
    deck, _ = table.game.deal.cards(table, 1)
    cards = [*cards_in(deck)]
    rng.shuffle(cards)
    deal = table.game.deal.of_cards(table, 0, cards)
    upcard = deal.upcard if isinstance(deal.upcard, str) else None
    return Dealt(situation, deal.hands, upcard, deal.stock or (), deal.stock is not None)
