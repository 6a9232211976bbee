"""Rules are written in a subset of Python, so that one source serves the table, the kernel and later targets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.engine.state import Hand
from cardledger.rules.games import editions
from cardledger.rules.kernel.subset import Outside, outside

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game

GAMES = [game for known in editions().values() for game in known.values()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.book.edition)
def test_every_rule_and_every_card_a_bot_chooses_is_in_the_subset(game: Game[Any]) -> None:
    assert outside(game) == []


WORDS = {"a": 1}


def strange(hand: Hand, trick: list[int]) -> int:
    best = max(trick, key=lambda card: hand.tricks[0])
    held = {card + 1 for card in trick}
    words = [f"{card}" for card in trick]
    hand.scores = None
    return best + len(held) + len(words) + WORDS["a"] + helper(hand)


def helper(hand: Hand) -> int:
    with Path("rules").open() as file:
        return len(file.read()) + hand.number


@pytest.mark.parametrize(
    "what",
    ["with names of arguments", "uses Lambda", "reads hand.tricks", "uses SetComp", "uses ListComp", "uses JoinedStr",
     "reads hand.scores", "has the constant None", "uses WORDS, a dict", "helper:", "uses With", "calls file.read"],
)  # fmt: skip
def test_code_outside_the_subset_is_named_with_its_place(what: str) -> None:
    looking = Outside(Hand)
    looking.look(strange)
    assert any(what in line for line in looking.found), looking.found


def test_every_rule_function_is_a_named_function_of_a_module() -> None:
    looking = Outside(Hand)
    looking.look(lambda hand: 1)
    looking.look("".join)

    def made(hand: Hand) -> int:
        return 1

    looking.look(made)
    told = [line.partition(" ")[2] for line in looking.found]
    assert told == [
        "has no name: rules are functions, not lambdas",
        "is no function of a source file",
        "is made by another function: rules stand in a module",
    ]
