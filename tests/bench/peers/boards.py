"""python-chess and PokerKit: moves of random games pushed to a board, and calls at a table of hold'em."""

from __future__ import annotations

from random import Random

import chess
from measured import speed
from pokerkit import Automation, NoLimitTexasHoldem, State


def main() -> None:
    """Measure both."""
    rng = Random(1)
    games = [any_game(rng) for _ in range(15)]
    moves = sum(map(len, games))
    speed("chess checked", moves, lambda: [checked(game) for game in games])
    speed("chess unchecked", moves, lambda: [unchecked(game) for game in games])
    speed("pokerkit checked", sum(called() for _ in range(10)), lambda: [called() for _ in range(10)])


def any_game(rng: Random) -> list[chess.Move]:
    """Return up to eighty moves of a game at random."""
    board, moves = chess.Board(), []
    while len(moves) < 80 and not board.is_game_over():
        moves.append(rng.choice(list(board.legal_moves)))
        board.push(moves[-1])
    return moves


def checked(game: list[chess.Move]) -> None:
    """Push moves from their text, legal ones only."""
    board = chess.Board()
    for move in game:
        board.push_uci(move.uci())


def unchecked(game: list[chess.Move]) -> None:
    """Push moves in trust."""
    push = chess.Board().push
    for move in game:
        push(move)


def called() -> int:
    """Play a hand of hold'em in which everyone calls, chance left to PokerKit, and count the calls."""
    state: State = NoLimitTexasHoldem.create_state(
        tuple(Automation), ante_trimming_status=True, raw_antes=0, raw_blinds_or_straddles=(1, 2), min_bet=2,
        raw_starting_stacks=200, player_count=4,
    )  # fmt: skip
    calls = 0
    while state.status:
        state.check_or_call()
        calls += 1
    return calls


if __name__ == "__main__":
    main()
