"""`cardledger games` says why a game has no kernel, and what of one is left to the live table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cardledger.rules.engine.game import Game
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases import Between, Draws, TrickPlay
from cardledger.rules.engine.study import Bot, Study
from cardledger.rules.games import game, games
from cardledger.rules.kernel.fit import at_the_table, unfit


class Announced(TrickPlay):
    """Does something of its own after a trick, which no kernel has."""

    def complete(self, match: Match[Any], hand: Any, seats: tuple[int, ...]) -> None:
        super().complete(match, hand, seats)


class Patient(Draws):
    """Draws later."""

    def go_on(self, match: Match[Any], hand: Any, taker: int) -> bool:
        return super().go_on(match, hand, taker)


PATIENT = Patient(lambda hand, taker: 1, "draw.winner", "hand.end")


class Wordy(TrickPlay):
    """Shows what it does in other words; its play is that of any game."""

    def kinds(self, match: Match[Any], hand: Any) -> tuple[str, ...]:
        return (*super().kinds(match, hand), "play")


def with_play(kind: type[TrickPlay], id: str = "diversity", **parts: Any) -> Game[Any]:
    """Return a game with another class of play."""
    known = game(id)
    old = known.phases[-1]
    fields = {name: getattr(old, name) for name, field in old.__dataclass_fields__.items() if field.init}
    return replace(known, phases=(*known.phases[:-1], kind(**{**fields, **parts})))


def unscored(match: Match[Any], hand: Any) -> list[int]:
    return [0] * match.n


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (lambda: with_play(Announced), "Announced has a `complete` of its own"),
        (lambda: with_play(TrickPlay, "diamonds-draw", between=PATIENT), "Patient has a `go_on`"),
        (lambda: with_play(TrickPlay, between=Between()), "Between is a step between tricks of its own"),
        (lambda: replace(game("whist"), study=Study()), "it has no bot"),
        (lambda: replace(game("whist"), study=Study(bot=Bot())), "its bot has no `card`"),
        (lambda: replace(game("ruff"), scoring=replace(game("ruff").scoring, score=unscored)), "carry what it needs"),
        (lambda: replace(game("hecto-diversity"), study=Study()), "its last phase is not TrickPlay"),
    ],
)  # fmt: skip
def test_the_reason_names_what_no_kernel_has(odd: Callable[[], Game[Any]], why: str) -> None:
    found = unfit(odd())
    assert len(found) == 1
    assert why in found[0]


def test_a_play_that_only_shows_itself_differently_has_a_kernel() -> None:
    assert unfit(with_play(Wordy)) == []


def test_what_is_left_to_the_live_table_is_said() -> None:
    found = {id: at_the_table(one) for id, one in games().items() if at_the_table(one)}
    assert {id: len(said) for id, said in found.items()} == {"whist": 1, "euchre": 1, "ruff": 1, "ruff-2": 1}
    assert found["whist"][0].startswith("with honours its points need more than the hand")
    assert "call and discard come before it" in found["euchre"][0]
