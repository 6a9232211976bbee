"""Rollouts and values: they follow from the deal alone, are played by the rules, and change nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest

from cardledger.record.matches.replay import result
from cardledger.rules.bots import BOTS
from cardledger.rules.bots.rollouts import play_out
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.table_view import state
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.stats.luck.deals import Situation, hands_of
from cardledger.study.stats.luck.values import measure, measured_points, random_deal, replays_of, value
from tests.bench.expected import situations
from tests.stats.night import GAMES, evening, hands

TABLES = [(game.id, n) for game in games().values() if game.study.bot is not None for n in game.players]


def situation(game: str, n: int) -> Situation:
    return next(one for one in situations() if (one.game, one.n) == (game, n))


@pytest.mark.parametrize(("game", "n"), TABLES)
def test_a_rollout_without_noise_is_the_hand_that_the_cautious_bot_plays(game: str, n: int) -> None:
    dealt = random_deal(situation(game, n), Random(n))
    table = dealt.table()
    if dealt.stock:
        table.hand.stock_order = dealt.stock
    other = table.copy()
    scores = play_out(table, Chance(1), (0.0,) * n)
    hand, rng = other.hand, Random(1)
    while not hand.over:
        event = BOTS["cautious"](other, rng)
        if isinstance(event, ev.Draw) and event.source == "stock":
            choice = next(choice for choice in other.choices() if choice.sources == ("stock",))
            event = ev.Draw(seat=event.seat, source="stock", cards=choice.cards[: choice.count])
        other.apply(event, 9)
    assert hand.scores == scores


@pytest.mark.parametrize("game", GAMES)
def test_a_rollout_does_not_change_the_original_table(game: str) -> None:
    for played in hands(game, hands=1):
        assert played.dealt is not None
        table = played.dealt.table()
        before = result(table), state(table)
        play_out(table.copy(), Chance(1), (0.25,) * 4)
        assert (result(table), state(table)) == before


@pytest.mark.parametrize("game", GAMES)
def test_deals_recorded_and_deals_rebuilt_are_the_same_deals(game: str) -> None:
    seen = [played.dealt for played in hands(game)]
    rebuilt = hands(game, hidden=True)
    if any(played.why == "score" for played in rebuilt):
        assert game in ("hecto-diversity", "diamonds-draw")
    elif game in ("euchre", "hearts"):
        assert [played.dealt for played in rebuilt] == [None] * len(seen), "nobody sees cards laid away or passed"
    else:
        assert [played.dealt for played in rebuilt] == seen


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_has_the_same_fingerprint_wherever_its_dealer_sits(game: str) -> None:
    (events,) = evening(game, hands=1)
    opening, deal, *_ = events
    assert isinstance(deal, ev.Deal)
    assert deal.hands is not None
    stream = Stream.of(events)
    (played,) = hands_of(stream)
    moved = [opening]
    for event in events[1:]:
        change = {
            key: (getattr(event, key) + 1) % 4
            for key in ("seat", "to", "dealer", "starter", "source")
            if type(getattr(event, key, None)) is int
        }
        if isinstance(event, ev.Deal):
            change["hands"] = (deal.hands[-1], *deal.hands[:-1])
        moved.append(type(event)(**{name: getattr(event, name) for name in event.__struct_fields__} | change))
    (other,) = hands_of(Stream.of(moved))
    assert other.dealt == played.dealt
    assert other.dealt is not None
    assert played.dealt is not None
    assert other.dealt.fingerprint == played.dealt.fingerprint


@pytest.mark.parametrize("game", ["diversity", "ruff", "ruff-2"])
def test_the_values_of_a_deal_add_up_to_the_number_of_tricks(game: str) -> None:
    for played in hands(game):
        assert played.dealt is not None
        assert played.hand.scores is not None
        assert sum(value(played.dealt)) == replays_of(game) * sum(played.hand.scores)


def values(seed: str) -> str:
    """Return values of deals as another process finds them, under another seed of hashing."""
    program = (
        "from tests.stats.night import hands\n"
        "from cardledger.study.stats.luck.values import value\n"
        "for game in ('diamonds-bid', 'ruff', 'diamonds-draw', 'hecto-diversity'):\n"
        "    print([value(one.dealt) for one in hands(game)])"
    )
    env = os.environ | {"PYTHONHASHSEED": seed}
    return subprocess.run([sys.executable, "-c", program], env=env, check=True, capture_output=True, text=True).stdout


@pytest.mark.long
def test_values_are_the_same_in_any_order_and_any_process() -> None:
    told = values("1")
    assert told == values("2")
    backwards = [value(one.dealt) for one in reversed(hands("ruff")) if one.dealt]
    assert str(backwards[::-1]) in told


def test_expected_values_are_known_for_every_game_and_table_and_follow_from_the_bots() -> None:
    assert {one.text for one in situations()} == {text for id in games() for text in measured_points(id)}
    some = situation("ruff", 5)
    few = measure(some, 400)
    assert sum(few) == 400 * 10
    for a, b in zip(few, measured_points("ruff")[some.text], strict=True):
        assert a / 400 == pytest.approx(b / 20_000, abs=0.3)


def test_any_card_of_a_set_is_as_likely_as_any_other() -> None:
    chance, cards = Chance(1), 0b1011
    found = [chance.card(cards) for _ in range(3000)]
    assert {*found} == {*cards_in(cards)}
    assert min(map(found.count, {*found})) > 900
