"""open_spiel: hearts and spades played from Python, the legality of actions checked or not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pyspiel
from measured import speed

GAMES = 60


def main() -> None:
    """Measure both games."""
    for name in ("hearts", "spades"):
        measure(name, pyspiel.load_game(name))


def measure(name: str, game: pyspiel.Game) -> None:
    """Measure a game."""
    rng = Random(1)
    played = [any_game(game, rng) for _ in range(GAMES)]
    decisions = sum(not chance for actions in played for _, chance in actions)
    for what, play in (("unchecked", unchecked), ("checked", checked), ("checked in C++", checked_inside)):
        speed(f"spiel {name} {what}", decisions, partial(all_of, play, game, played))


def all_of(play: Callable[..., None], game: pyspiel.Game, played: list[list[tuple[int, bool]]]) -> None:
    """Play all games."""
    for actions in played:
        play(game, actions)


def any_game(game: pyspiel.Game, rng: Random) -> list[tuple[int, bool]]:
    """Return the actions of a game at random, each with whether it is chance's: the deal, card by card."""
    state, actions = game.new_initial_state(), []
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        actions.append((action, state.is_chance_node()))
        state.apply_action(action)
    return actions


def unchecked(game: pyspiel.Game, actions: list[tuple[int, bool]]) -> None:
    """Apply actions in trust."""
    apply = game.new_initial_state().apply_action
    for action, _ in actions:
        apply(action)


def checked(game: pyspiel.Game, actions: list[tuple[int, bool]]) -> None:
    """Ask for the legal actions before each that a player chose, as a program does that was handed a record."""
    state = game.new_initial_state()
    apply, legal = state.apply_action, state.legal_actions
    for action, chance in actions:
        if not chance and action not in legal():
            raise ValueError(action)
        apply(action)


def checked_inside(game: pyspiel.Game, actions: list[tuple[int, bool]]) -> None:
    """Let open_spiel itself refuse what is illegal, the legal actions never becoming a list of Python."""
    state = game.new_initial_state()
    apply, tried = state.apply_action, state.apply_action_with_legality_check
    for action, chance in actions:
        apply(action) if chance else tried(action)


if __name__ == "__main__":
    main()
