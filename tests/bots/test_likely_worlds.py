"""Likely worlds: worlds weighed by the choices made so far tell better where the cards are, and leave no world out."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from cardledger.rules.bots import BOTS
from cardledger.rules.bots.likely_worlds import CANDIDATES, Choices, LikelyWorlds, effective, flattened
from cardledger.rules.bots.monte_carlo import MonteCarlo
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.bots.trials import NOISE, Trials
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.chance import Chance
from cardledger.rules.games import game, games, start
from cardledger.rules.kernel import kernels
from cardledger.rules.knowledge.possible_worlds import Knowledge
from tests.kernel.conftest import fast  # noqa: F401 - a fixture
from tests.stats.leagues import mixed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.rules.bots import Bot

READ = ["hearts", "spades", "whist", "euchre"]
"""Cards passed, bids, plays alone, and a card laid away."""
PLAYERS: dict[str, Bot] = {"cautious": BOTS["cautious"], "careless": mixed(0.25), "worlds": MonteCarlo(20)}
"""Who plays as the weights expect, who does so in three of four choices, and who does not."""


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> None:
    """No kernels."""
    monkeypatch.setenv(kernels.SWITCH, "0")


def moments(events: Sequence[ev.Event], every: int = 1) -> Iterator[tuple[int, Any, Knowledge, Choices, int]]:
    """Yield moments at which somebody acts: event, table, what the seats have seen, the choices so far, and who acts."""
    opening, *rest = events
    assert isinstance(opening, ev.Open)
    table, knowledge, choices = start(opening), Knowledge(len(opening.players)), Choices()
    for seq, event in enumerate(rest, 2):
        if any(table.hand.held) and hasattr(event, "seat") and not table.hand.over and seq % every == 0:
            yield seq, table, knowledge, choices, event.seat
        choices.apply(table, event)
        knowledge.apply(table, event, seq)


def likely(table: Any, seat: int, knowledge: Knowledge, choices: Choices, seed: object) -> LikelyWorlds:
    return LikelyWorlds(Trials(table, seat, knowledge, str(seed), NOISE), choices)


def by_bots(id: str, seed: object, n: int = 4, bot: str | Bot = "cautious") -> list[ev.Event]:
    return simulate(id, n, Random(f"{id}/{seed}"), [bot], players=[*"abcdefgh"[:n]], max_hands=1)


def places(table: Any) -> list[int]:
    return [*table.hand.held, getattr(table.hand, "stock", 0) or table.hand.aside]


def ranks(id: str, hands: int) -> Iterator[float]:
    """Yield the share of worlds that are less likely than the true deal, equal ones half."""
    for hand in range(hands):
        for seq, table, knowledge, choices, seat in moments(by_bots(id, hand), every=9):
            worlds = likely(table, seat, knowledge, choices, seq)
            true = worlds.weight_of(places(worlds.match))
            weights = np.array(worlds.weights(range(32)))
            yield float((weights < true).mean() + (weights == true).mean() / 2)


def off(id: str, hands: int, candidates: int, every: int, bot: str | Bot = "cautious") -> np.ndarray:
    """Return by hand how far the share of a card in each hand is off (Brier): in possible worlds, and in likely ones."""
    found = []
    for number in range(hands):
        of_hand = []
        for seq, table, knowledge, choices, seat in moments(by_bots(id, number, bot=bot), every):
            worlds = likely(table, seat, knowledge, choices, seq)
            dealt = [
                worlds.worlds.draw(Chance.of(f"{worlds.trials.seed}/{i}")).hand.held for i in range(candidates)
            ]  # the worlds that are weighed
            weights = flattened(worlds.weights(range(candidates)), candidates / 8)
            for card in cards_in(worlds.worlds.deals.cards):
                true = np.array([held >> card & 1 for held in worlds.match.hand.held])
                holds = np.array([[held >> card & 1 for held in hands] for hands in dealt])
                share = np.average(holds, axis=0, weights=weights)
                of_hand.append((((holds.mean(0) - true) ** 2).sum(), ((share - true) ** 2).sum()))
        if of_hand:
            found.append(np.mean(of_hand, axis=0))
    return np.array(found)


@pytest.mark.usefixtures("live")
@pytest.mark.parametrize("id", READ)
def test_the_true_deal_is_likelier_than_most(id: str) -> None:
    assert np.mean([*ranks(id, 5)]) > 0.55


@pytest.mark.usefixtures("live")
def test_likely_worlds_know_better_where_cards_are() -> None:
    possible, weighed = off("hearts", 8, 64, 11).T
    assert weighed.mean() < possible.mean()


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", READ)
@pytest.mark.parametrize("name", PLAYERS)
def test_they_do_so_in_hundreds_of_hands(id: str, name: str) -> None:
    kernels.warm(game(id), kernels.Kernel)
    possible, weighed = off(id, 200, CANDIDATES, 9, PLAYERS[name]).T
    gain = possible - weighed
    error = gain.std() / len(gain) ** 0.5
    print(f"{id}, {name}: {possible.mean():.4f}, {weighed.mean():.4f}, gain {gain.mean():.4f} ± {error:.4f}")  # noqa: T201
    assert gain.mean() > 4 * error


@pytest.mark.usefixtures("live")
@pytest.mark.parametrize("id", games())
def test_no_world_is_left_out_and_all_is_settled_by_the_seed(id: str) -> None:
    n = game(id).sizes[-1]
    for seq, table, knowledge, choices, seat in moments(by_bots(id, "support", n=n), every=13):
        worlds = likely(table, seat, knowledge, choices, seq)
        weights = worlds.weights(range(8))
        assert min(weights) > 0
        assert worlds.weight_of(places(worlds.match)) > 0
        assert weights == likely(table, seat, knowledge, choices, seq).weights(range(8))
        drawn = worlds.drawn(range(8), 4, 2)
        assert sum(drawn.values()) == 4
        assert drawn.keys() <= {*range(8)}


@pytest.mark.usefixtures("live")
@pytest.mark.parametrize("id", ["whist", "spades"])
def test_cards_not_seen_change_no_weight(id: str) -> None:
    """Two cards of a suit that two others still hold change places in the deal: for the seat nothing has changed."""
    events = by_bots(id, "same")
    deal, compared = events[1], 0
    assert isinstance(deal, ev.Deal)
    assert deal.hands is not None
    for seq, table, knowledge, choices, seat in moments(events, every=7):
        one, other = (table.hand.held[(seat + i) % 4] & ~knowledge.known[seat][(seat + i) % 4] for i in (1, 2))
        pair = next(((a, b) for a in cards_in(one) for b in cards_in(other) if a // 13 == b // 13), None)
        if pair is None or table.hand.moment != "play":
            continue
        a, b = (table.pack.faces[card] for card in pair)
        changed = tuple(tuple({a: b, b: a}.get(face, face) for face in hand) for hand in deal.hands)
        changed_events = [events[0], msgspec.structs.replace(deal, hands=changed), *events[2:seq]]
        _, same, *seen, _ = next(one for one in moments(changed_events) if one[0] == seq)
        assert same.hand.held != table.hand.held
        weights = likely(table, seat, knowledge, choices, "same").weights(range(16))
        assert len({*weights}) > 1
        assert likely(same, seat, *seen, "same").weights(range(16)) == weights
        compared += 1
    assert compared > 2


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", ["hearts", *(pytest.param(id, marks=pytest.mark.long) for id in ("euchre", "spades"))])
def test_the_kernel_weighs_as_the_table_does(id: str) -> None:
    kernels.warm(game(id), kernels.Kernel)
    compared = 0
    for seq, table, knowledge, choices, seat in moments(by_bots(id, "kernel"), every=4):
        worlds = likely(table, seat, knowledge, choices, seq)
        assert isinstance(worlds.trials.kernel, kernels.Kernel)
        compiled = worlds.weights(range(12))
        worlds.trials.kernel = None
        assert worlds.weights(range(12)) == compiled
        compared += 1
    assert compared > 3


def test_flattened_weights_let_enough_worlds_count() -> None:
    weights = [10.0**-k for k in range(64)]
    assert effective(weights) < 2
    assert 24 <= effective(flattened(weights, 24)) < 25
    assert flattened([2.0, 1.0], 1) == [1.0, 0.5]
    assert flattened([1.0, 0.0], 8) == [1.0, 1.0], "with fewer worlds than wanted, all count alike"
