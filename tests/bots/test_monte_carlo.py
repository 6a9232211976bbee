"""The Monte Carlo bot: it follows from the seed alone, uses what its seat has seen, and is stronger than the cautious one."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

import pytest

from cardledger.cli.simulate import tally
from cardledger.rules.bots import BOTS, bot, cautious, monte_carlo
from cardledger.rules.bots.monte_carlo import WORLDS, MonteCarlo
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games, start
from cardledger.rules.knowledge.possible_worlds import Knowledge
from cardledger.rules.stream import Stream
from tests.bench.strength import interval, lead
from tests.bots.test_bot_secrecy import same_choices

FEW = MonteCarlo(2)
PLAYERS = ("a", "b", "c", "d")


def hand(game: str, one: MonteCarlo = FEW, seed: int = 1) -> list[ev.Event]:
    """Return a hand of this bot and three cautious ones."""
    return simulate(game, 4, Random(seed), [one, "cautious", "cautious", "cautious"], players=PLAYERS, max_hands=1)


def until(game: str, type: str) -> tuple[ev.Event, ...]:
    """Return the events of a hand of cautious bots up to the first of a type."""
    events = simulate(game, 4, Random(2), ["cautious"], players=PLAYERS, max_hands=1)
    at = next(at for at, event in enumerate(events) if ev.type_of(event) == type)
    return tuple(events[:at])


def test_it_has_a_name_and_a_hundred_worlds() -> None:
    assert bot("monte-carlo") == MonteCarlo(WORLDS)
    assert WORLDS == 100


@pytest.mark.parametrize("game", ["ruff", "euchre", "diamonds-draw"])
def test_a_hand_follows_from_the_seed_in_any_number_of_threads(game: str) -> None:
    alone = [hand(game, seed=seed) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as threads:
        assert [*threads.map(lambda seed: hand(game, seed=seed), (1, 2))] == alone
    assert alone[0] != alone[1]


@pytest.mark.parametrize("game", ["diamonds-draw"])
def test_its_choices_do_not_depend_on_cards_not_seen(game: str) -> None:
    assert all(same_choices(FEW, game, games()[game].players[0], "cautious"))


def test_a_void_that_the_play_has_shown_is_in_every_world() -> None:
    """The bot is handed what the simulation has seen; at the next deal that is forgotten."""
    seen: list[list[int]] = []

    class Watching(MonteCarlo):
        def __call__(self, match: object, rng: Random) -> ev.Event:
            assert self.knowledge is not None
            seen.append([match.hand.tricks_done, *self.knowledge.void])  # type: ignore[attr-defined]
            return cautious.choose(match, rng)  # type: ignore[arg-type]

    simulate("whist", 4, Random(3), [Watching(), "cautious", "cautious", "cautious"], players=PLAYERS, max_hands=2)
    second = next(at for at, (tricks, *_) in enumerate(seen) if tricks == 0 and at)
    assert any(seen[second - 1][1:])
    assert not any(seen[second][1:])


@pytest.mark.parametrize(("game", "type"), [("hearts", "give"), ("spades", "bid")])
def test_bids_and_passes_are_taken_from_the_worlds_too(game: str, type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 286 ways to pass three cards, the most promising are tried; `plainly` leaves such decisions to the cautious bot."""
    monkeypatch.setattr(monte_carlo, "SCREENING", 1)
    stream, rng = Stream.of(until(game, type)), Random(1)
    chosen = MonteCarlo(1)(stream.table, rng)
    assert ev.type_of(chosen) == type
    stream.table.copy().apply(chosen, 9)
    assert MonteCarlo(1, plainly={type})(stream.table, rng) == cautious.sensible(stream.table)


def test_in_a_game_without_a_bot_of_its_own_it_plays_at_random() -> None:
    opening = ev.Open(game="ruff", players=PLAYERS, policy="strict")
    table = start(opening)
    for event in until("ruff", "play")[1:]:
        table.apply(event, 2)
    table.game = replace(table.game, study=replace(table.game.study, bot=None))
    assert FEW(table, Random(4)) == BOTS["random"](table, Random(4))


def test_in_a_game_without_tricks_it_plays_like_the_cautious_bot() -> None:
    table = Stream.of(until("hecto-diversity", "draw")).table
    assert FEW(table, Random(4)) == cautious.choose(table, Random(5))
    assert hand("hecto-diversity", MonteCarlo(1))[1:] == hand("hecto-diversity")[1:]


def test_points_are_told_under_its_whole_name() -> None:
    points: dict[str, list[float]] = defaultdict(list)
    names = ("monte-carlo-a", "cautious-b", "monte-carlo-c", "cautious-d")
    tally(Stream.of(simulate("whist", 4, Random(1), ["cautious"], players=names, max_hands=1)), points)
    assert sorted(points) == ["cautious", "monte-carlo"]


def test_what_is_shown_is_learnt_only_if_the_event_happens() -> None:
    stream = Stream.of(until("whist", "play"))
    table, knowledge = stream.table, Knowledge(4)
    turn = table.hand.turn
    wrong = ev.Play(seat=(turn + 1) % 4, card="2C")
    with pytest.raises(Exception, match="turn"):
        knowledge.apply(table, wrong, 9)
    assert knowledge.void == [0] * 4


@pytest.mark.long
@pytest.mark.parametrize("game", ["ruff"])
def test_it_is_stronger_than_the_cautious_bot(game: str) -> None:
    found, _ = lead(game, MonteCarlo(8), BOTS["cautious"], 80)
    middle, half = interval(found)
    assert middle - half > 0, f"{middle:+.2f} ± {half:.2f} points a hand"
