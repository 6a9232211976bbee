"""What comes before the play, in kernels: rollouts and trials that begin with a bid, a call or cards to pass are those of the live table."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.bots import random_bot
from cardledger.rules.bots.rollouts import cards_gone, play_out
from cardledger.rules.bots.trials import Trials, options_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.engine.phases import Bids, Calls
from cardledger.rules.games import game, start
from cardledger.rules.kernel import kernels
from cardledger.rules.kernel.subset import before_play
from cardledger.rules.knowledge.possible_worlds import Knowledge
from tests.kernel.chosen import OF_TRICKS
from tests.thorough import THOROUGH, many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.state import Hand

CARRIED = ("hearts", "spades", "oh-hell", "bridge", "diamonds-bid")
IN_CI = CARRIED if THOROUGH else ("hearts", "oh-hell", "bridge")
NOISES = (0.0, 0.1, 1.0)


def test_bids_calls_and_passing_are_in_the_kernel() -> None:
    assert tuple(id for id in OF_TRICKS if before_play(game(id)) is not None) == CARRIED


def test_a_blind_nil_is_left_to_the_live_table() -> None:
    phase = before_play(game("spades"))
    assert isinstance(phase, Bids)
    table = start(ev.Open(game="spades", players=(*"abcd",)))
    said = [ev.Bid(seat=0, amount=4), ev.Call(seat=0, call="nil"), ev.Call(seat=0, call="blind nil")]
    assert [phase.number(table, event) for event in said] == [4, 0, None]


def moments(played: Game[Any], number: int) -> Iterator[tuple[Match[Any], Knowledge]]:
    """Yield tables of a game before the play, after some legal choices at random, under all options, and what the seats know."""
    rng = Random(played.id)
    for at in range(number):
        n = played.players[at % len(played.players)]
        options = {
            option.name: rng.choice(option.choices or (False, True))
            for option in played.options
            if option.of_hand and (option.choices or isinstance(option.default_for(n), bool))
        }
        opening = ev.Open(game=played.id, players=tuple(map(str, range(n))), options=options, policy="record")
        table = start(opening)
        cards = [*cards_in(played.deal.cards(table, 1)[0])]
        rng.shuffle(cards)
        knowledge = Knowledge(n)
        knowledge.apply(table, played.deal.of_cards(table, at % n, cards), 2)
        for _ in range(rng.randrange(n)):
            event = random_bot.choose(table, rng)
            if isinstance(event, ev.Call) and isinstance(table.phase, Calls) and rng.random() < 0.3:
                event = ev.Call(seat=event.seat, call=rng.choice(played.shown.words).call)  # it may break a rule
            knowledge.apply(table, event, 3)
        if table.phase is before_play(table.game):
            yield table, knowledge


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", IN_CI)
def test_every_rollout_from_before_the_play_is_that_of_the_live_table(id: str) -> None:
    kernels.warm(game(id), kernels.Kernel)
    for at, (table, _) in enumerate(moments(game(id), many(200, 4_000))):
        kernel = kernels.kernel_of(table)
        assert kernel is not None
        noise = (NOISES[at % 3],) * table.n
        row = kernel.pack(table, cards_gone(table.hand))
        assert kernel.play_out([row], [at], noise) == [play_out(table.copy(), Chance(at), noise)]


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", IN_CI)
def test_every_trial_of_a_choice_before_the_play_is_that_of_the_live_table(id: str) -> None:
    kernels.warm(game(id), kernels.Kernel)
    tried = 0
    for at, (table, knowledge) in enumerate(moments(game(id), many(60, 2_000))):
        rng = Random(at)
        choice = rng.choice([choice for choice in table.choices() if choice.seat is not None])
        assert choice.seat is not None
        options = options_of(table, next(random_bot.events_of(choice)))
        options = rng.sample(options, min(len(options), 12))
        trials = Trials(table, choice.seat, None if at % 5 == 0 else knowledge, str(at), NOISES[at % 3])
        assert trials.numbers(options) is not None
        quick = trials.points(options, range(3))
        trials.kernel = None
        assert trials.points(options, range(3)) == quick
        tried += len(options)
    assert tried > 200


def bold(hand: Hand, seat: int, allowed: int) -> int:
    """Bid as much as is allowed."""
    return allowed.bit_length() - 1


def lowest_cards(hand: Hand, seat: int, count: int) -> int:
    """Pass the cards of the lowest numbers."""
    cards, held = 0, hand.held[seat]
    for _ in range(count):
        cards |= held & -held
        held &= held - 1
    return cards


def one_club(hand: Hand, seat: int) -> int:
    """Bid one club if nobody has called yet, else pass."""
    return 3 if len(hand.calls) == 0 else 0  # type: ignore[attr-defined]


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize(
    ("id", "choice"), [("oh-hell", {"bid": bold}), ("hearts", {"give": lowest_cards}), ("bridge", {"call": one_club})]
)
def test_the_kernel_of_another_choice_before_the_play_is_found_out(id: str, choice: dict[str, Any]) -> None:
    right = game(id)
    assert right.study.bot is not None
    wrong = replace(right, study=replace(right.study, bot=replace(right.study.bot, **choice)))
    kernel = kernels.kernel(wrong, right.pack({}), compiling=True)
    assert kernel is not None
    kernel.before = before_play(right)
    moved = differing = 0
    for at, (table, _) in enumerate(moments(right, 40)):
        if not kernel.begins_before_play(table):
            continue
        moved += 1
        row, noise = kernel.pack(table, 0), (0.1,) * table.n
        differing += kernel.play_out([row], [at], noise) != [play_out(table.copy(), Chance(at), noise)]
    assert differing > moved / 2
