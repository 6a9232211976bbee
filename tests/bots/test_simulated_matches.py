"""Simulated matches: they finish, break no rule, replay to the same result, and follow from their seed alone."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import FormatError
from cardledger.record.matches.replay import result
from cardledger.rules.bots import simulation
from cardledger.rules.bots.simulation import league, simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.unseen import without_unseen
from cardledger.rules.games import games
from cardledger.rules.stream import Stream

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

SIZES = [(game.id, n) for game in games().values() for n in game.players]
VARIANTS = [
    ("poison-hearts", 4, {"double_suits": True}),
    ("hecto-diversity", 3, {"layout": "10x8"}),
    ("hecto-diversity", 4, {"target": 50}),
    ("diamonds-bid", 3, {"chips": True}),
    ("diversity", 4, {"hands": 6}),
]
MIXED = ("cautious", "random")


def replayed(events: list[ev.Event]) -> Match[Any]:
    stream = Stream(events[0])
    for event in events[1:]:
        stream.append(event)
    return stream.table


def match(game: str, n: int, seed: int = 1, bots: tuple[str, ...] = MIXED, **more: object) -> list[ev.Event]:
    return simulate(game, n, Random(seed), bots, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("bots", [("cautious",), MIXED])
@pytest.mark.parametrize(("game", "n"), SIZES)
def test_a_match_is_played_to_the_end_its_rules_say(game: str, n: int, bots: tuple[str, ...]) -> None:
    table = replayed(match(game, n, bots=bots))
    assert (table.status, len(table.winners) > 0) == ("complete", True)


@pytest.mark.parametrize("bots", [("cautious",), ("random",)])
@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize(("game", "n"), SIZES)
def test_bots_never_break_a_rule(game: str, n: int, policy: str, bots: tuple[str, ...]) -> None:
    assert replayed(match(game, n, bots=bots, policy=policy, max_hands=4)).violations == []


@pytest.mark.parametrize(("game", "n", "options"), VARIANTS)
def test_matches_with_options_are_played_too(game: str, n: int, options: dict[str, object]) -> None:
    table = replayed(match(game, n, options=options))
    assert (table.status, table.violations) == ("complete", [])


@pytest.mark.parametrize(("game", "n"), SIZES)
def test_a_scorer_who_sees_no_hands_gets_the_same_result(game: str, n: int) -> None:
    seen = result(replayed(match(game, n, max_hands=4)))
    events = match(game, n, hidden=True, max_hands=4)
    assert all(event.hands is None and event.stock is None for event in events if isinstance(event, ev.Deal))
    assert all(without_unseen(event, games()[game]) == event for event in events), "nothing that lies face down"
    unseen = result(replayed(events))
    for hand in (*seen["hands"], *unseen["hands"]):
        # Scores from a sheet come without the penalties behind them.
        hand.pop("penalties", None)
        hand.pop("agreed", None)
    assert unseen == seen


@pytest.mark.parametrize("game", games())
def test_the_first_dealer_is_any_seat_unless_the_game_names_it(game: str) -> None:
    n = games()[game].players[-1]
    played = [match(game, n, seed, max_hands=1) for seed in range(40)]
    first = (events[1] for events in played)
    dealers = {deal.starter if deal.dealer is None else deal.dealer for deal in first if isinstance(deal, ev.Deal)}
    due = replayed(played[0][:1]).choices()[0].seat
    assert dealers == (set(range(n)) if due is None else {due})


@pytest.mark.parametrize("game", games())
def test_the_same_seed_gives_the_same_match(game: str) -> None:
    n = games()[game].players[0]
    assert match(game, n, 7, max_hands=3) == match(game, n, 7, max_hands=3)
    assert match(game, n, 7, max_hands=3) != match(game, n, 8, max_hands=3)


def test_the_same_seed_gives_the_same_match_in_another_process() -> None:
    code = (
        "from random import Random; from hashlib import sha256; from cardledger.rules.games import games;"
        "from cardledger.rules.bots.simulation import simulate; from cardledger.rules.engine.events import encode;"
        "print(sha256(b''.join(encode(event) for game in games().values() for event in "
        "simulate(game.id, game.players[-1], Random(5), ('cautious', 'random'), max_hands=3))).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            check=True, capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(digests) == 1


@pytest.mark.parametrize("game", games())
def test_other_bots_get_the_same_deals(game: str) -> None:
    n = games()[game].players[0]

    def deals(bots: tuple[str, ...]) -> list[ev.Event]:
        return [event for event in match(game, n, 3, bots, max_hands=3) if isinstance(event, ev.Deal)]

    both = list(zip(deals(("cautious",)), deals(("random",)), strict=False))
    assert all(one == other for one, other in both)


def test_players_are_named_after_bot_and_seat_unless_the_caller_names_them() -> None:
    assert match("ruff", 3)[0].players == ("cautious-a", "random-b", "cautious-c")  # type: ignore[attr-defined]
    assert match("ruff", 3, players=["x", "y", "z"])[0].players == ("x", "y", "z")  # type: ignore[attr-defined]


def test_a_match_too_long_is_ended() -> None:
    events = match("diamonds-bid", 4, bots=("random",), max_hands=3)
    assert events[-1] == ev.End(reason="3 hands were played")
    assert len(replayed(events).hands) == 3


def test_a_hand_too_long_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MAX_EVENTS", 6)
    events = match("hecto-diversity", 3, bots=("random",))
    assert isinstance(events[-1], ev.End)
    assert replayed(events).status == "ended"


def test_an_unknown_bot_is_refused_with_the_names_of_the_known_ones() -> None:
    with pytest.raises(FormatError, match="cautious") as refused:
        match("ruff", 3, bots=("genius",))
    assert refused.value.code == "format.bot"


@pytest.mark.parametrize("bots", [MIXED, ("random",), MIXED * 3])
def test_in_a_league_every_entrant_sits_everywhere_equally_often(bots: tuple[str, ...]) -> None:
    size = max(4, len(bots))
    seated = Counter(
        (player, seat)
        for events in league("diversity", 4, "seats", 2 * size, bots, max_hands=1)
        for seat, player in enumerate(replayed(events).players)
    )
    assert set(seated.values()) == {2}
    assert len(seated) == 4 * size


def test_a_match_of_a_league_does_not_depend_on_those_before_it() -> None:
    short, long = (list(league("ruff", 3, 1, matches, max_hands=1)) for matches in (2, 4))
    assert long[:2] == short


def test_the_random_bot_closes_whenever_it_may() -> None:
    events = match("hecto-diversity", 3, bots=("random",))
    stream = Stream(events[0])
    could = 0
    for event in events[1:]:
        closing = any(choice.type == "close" for choice in stream.table.choices())
        assert not closing or isinstance(event, ev.Close)
        could += closing
        stream.append(event)
    assert could > 0
