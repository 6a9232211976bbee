"""The kernel of a game of turns: equal to the live table in every rollout, every trial and every value of a deal."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.rollouts import order_stock, play_out
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.fields import option_fields
from cardledger.rules.games import game, games
from cardledger.rules.kernel import kernels
from cardledger.rules.kernel.fit import unfit
from cardledger.rules.kernel.source import fields_of, module_text
from cardledger.rules.kernel.turn_kernel import TurnKernel
from cardledger.rules.kernel.turns import CLOSE, FROM_DISCARDS, PASS
from cardledger.rules.kernel.twister import python_random
from cardledger.study.stats.luck.values import random_deal, value
from cardledger.study.stats.review.review import review
from tests.bench.expected import situations
from tests.stats.night import hands
from tests.tables import Sitting
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from collections.abc import Iterator

OF_TURNS = [id for id, one in games().items() if one.collecting is not None]
STRAIGHT = "1 12 23 34 45 56 67"


@pytest.mark.parametrize("id", OF_TURNS)
def test_every_game_of_turns_has_a_kernel_written_from_its_own_source(id: str) -> None:
    chosen = game(id)
    assert unfit(chosen) == []
    text = module_text(chosen, chosen.pack(chosen.fill({}, 4)), TurnKernel.entries)
    folder = id.replace("-", "_")
    for own in ("bot__parts_with", "bot__takes", "bot__lays_off", "closing__may_lay_off", "diverse__best_part"):
        assert f"def games_{folder}_{own}(" in text
    assert [name for name, _ in fields_of(chosen)][-1:] == [*option_fields(chosen.hand)]


def test_chance_in_the_kernel_is_that_of_python() -> None:
    for seed in (0, 1, 7, 2**32 - 1, 2**32, 2**64 - 1, *(Random(3).getrandbits(64) for _ in range(10))):
        for n in (1, 2, 7, 8, 9):
            assert python_random(np.uint64(seed), n) == Random(seed).choice(range(n))


def test_what_is_not_possible_has_no_number_in_the_kernel() -> None:
    kernel = TurnKernel.__new__(TurnKernel)
    one = game("hecto-diversity")
    kernel.collecting, kernel.cards = one.collecting, one.pack(one.fill({}, 2)).of
    match = Sitting("hecto-diversity", 2).deal(STRAIGHT, "78 71 2 13 24 35 46", upcard="80")
    table = match.table
    seat = table.hand.turn
    assert kernel.number(table, ev.Draw(seat=seat, source="stock", cards=())) == 0
    assert kernel.number(table, ev.Draw(seat=seat, source="discards", cards=("80",))) == FROM_DISCARDS
    assert kernel.number(table, ev.Draw(seat=seat, source="discards", cards=("79",))) is None
    assert kernel.number(table, ev.Discard(seat=seat, card="1")) is None
    table = match.draw("80", "discards").table
    assert kernel.number(table, ev.Discard(seat=seat, card="80")) == 79
    assert kernel.number(table, ev.Close(seat=seat, card="80")) == CLOSE + 79
    assert kernel.number(table, ev.Close(seat=seat, card="2")) is None
    assert kernel.number(table, ev.Discard(seat=seat, card="99")) is None
    table = match.close("80").table
    assert kernel.number(table, ev.Pass(seat=1)) == PASS
    assert kernel.number(table, ev.Layoff(seat=1, card="78")) == 77
    assert kernel.number(table, ev.Layoff(seat=1, card="2")) is None


def moments(id: str, number: int) -> Iterator[tuple[Any, tuple[float, ...]]]:
    """Yield tables of a game at any moment of a hand, with every size and layout, the stock in order or not, and a noise."""
    rng = Random(id)
    of_game = [one for one in situations() if one.game == id]
    for at in range(number):
        dealt = random_deal(of_game[at % len(of_game)], rng)
        table = dealt.table(strict=False)
        if at % 2:
            order_stock(table, dealt.stock, Chance(at))
        steps = rng.choice((0, 1, 2, 9, 30, 90))  # the longest empty the stock
        while steps and not table.hand.over:
            offered = [one for choice in table.choices() if choice.seat is not None for one in events_of(choice)]
            some = [one for one in offered if steps < 3 or not isinstance(one, ev.Close | ev.Layoff)]
            event = rng.choice(some or offered)
            if isinstance(event, ev.Draw) and not event.cards:
                event = ev.Draw(seat=event.seat, source="stock", cards=(rng.choice(table.choices()[0].cards),))
            table.apply(event, 9)
            steps -= 1
        if not table.hand.over:
            yield table, ((0.0, 0.1, 0.25, 1.0)[at % 4],) * table.n


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", OF_TURNS)
def test_every_rollout_of_turns_in_the_kernel_is_that_of_the_live_table(id: str) -> None:
    (first, *_) = kernels.warm(game(id))
    seen = set()
    for number, (table, noise) in enumerate(moments(id, 4000 if THOROUGH else 400)):
        kernel = kernels.kernel_of(table)
        assert kernel is first
        seed = Chance.of(str(number)).state
        seen |= {table.hand.moment, f"renewed {table.hand.renewed}", f"order {table.hand.stock_order is not None}"}
        expected = play_out(table.copy(), Chance(seed), noise)
        assert kernel.play_out([kernel.pack(table, 0)], [seed], noise) == [expected]
    assert len(seen) == 7  # draws, discards and lay-offs, with and without a renewed stock and a known order


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", OF_TURNS)
def test_reviews_and_luck_of_turns_are_the_same_without_the_kernel(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels.warm(game(id))
    played = [one for n in (2, 4, 8) for one in hands(id, n, hands=1)]
    deals = [random_deal(one, Random(1)) for one in situations() if one.game == id]

    def judged() -> list[object]:
        by_review = [
            review(one.dealt, one.hand.dealer, one.events, open_hands=open_hands)
            for one in played
            for open_hands in (False, True)
            if one.dealt is not None
        ]
        return [*by_review, *map(value, deals)]

    quick = judged()
    monkeypatch.setenv(kernels.SWITCH, "0")
    assert kernels.kernel_of(deals[0].table()) is None
    assert judged() == quick
