"""Leaderboards: who leads follows from the scores, and nobody leads by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import events as ev
from ledger.games import games
from ledger.readmodels import leaderboards
from ledger.readmodels.leaderboards import MIN_HANDS, leaderboard, table_sizes

if TYPE_CHECKING:
    from ledger.ledger import Ledger

GAMES = games()


def played(ledger: Ledger, game: str, scores: dict[str, int], hands: int) -> str:
    """Record a match of score sheets: so many hands, each with the same points for everyone."""
    many = {"diversity": {"hands": 1000}, "ruff": {"rounds": 1000}}[game]
    opening = ev.Open(game=game, players=tuple(scores), options=many)
    deals = [
        event
        for number in range(hands)
        for event in (ev.Deal(dealer=number % len(scores), hands=None), ev.Score(scores=tuple(scores.values())))
    ]
    return ledger.record(None, [opening, *deals], 0).match


@pytest.mark.parametrize(("game", "first"), [("diversity", "low"), ("ruff", "high")])
def test_the_better_points_a_hand_lead_whichever_way_a_game_counts(ledger: Ledger, game: str, first: str) -> None:
    played(ledger, game, {"low": 1, "high": 7, "mid": 3, "other": 3}, MIN_HANDS)
    board = leaderboard(ledger, GAMES[game], 4, 10)
    assert board.leaders[0].player == first
    assert [leader.rank for leader in board.leaders] == [1, 2, 2, 4], "equals share a rank"
    assert board.leaders[0].a_hand == {"low": 1, "high": 7}[first]


def test_with_fewer_hands_than_it_takes_nobody_is_ranked(ledger: Ledger) -> None:
    match = played(ledger, "ruff", {"a": 9, "b": 1, "c": 1}, MIN_HANDS - 1)
    board = leaderboard(ledger, GAMES["ruff"], 3, 10)
    assert (board.leaders, board.ranked, board.unranked) == ([], 0, 3)
    assert board.nearest == ("a", MIN_HANDS - 1)
    seq = ledger.stream(match).seq
    ledger.record(match, [ev.Deal(dealer=1, hands=None), ev.Score(scores=(0, 1, 2))], seq)
    board = leaderboard(ledger, GAMES["ruff"], 3, 10)
    assert [leader.hands for leader in board.leaders] == [MIN_HANDS] * 3
    assert board.nearest is None


def test_a_correction_corrects_the_board(ledger: Ledger) -> None:
    match = played(ledger, "ruff", {"a": 9, "b": 1, "c": 2}, MIN_HANDS)
    seq = ledger.stream(match).seq
    ledger.record(match, [ev.Amend(about=seq, event=ev.Score(scores=(9, 1000, 2)))], seq)
    assert leaderboard(ledger, GAMES["ruff"], 3, 1).leaders[0].player == "b"
    ledger.record(match, [ev.Retract(to=seq - 2)], seq + 1)
    assert leaderboard(ledger, GAMES["ruff"], 3, 1).leaders == []


def test_tables_of_different_sizes_are_not_mixed(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboards, "MIN_HANDS", 1)
    played(ledger, "ruff", {"a": 5, "b": 5, "c": 5}, 2)
    played(ledger, "ruff", {"a": 1, "b": 1, "c": 1, "d": 9}, 3)
    assert table_sizes(ledger) == {"ruff": [4, 3]}
    assert leaderboard(ledger, GAMES["ruff"], 4, 9).leaders[0].player == "d"
    assert {leader.points for leader in leaderboard(ledger, GAMES["ruff"], 3, 9).leaders} == {10}


def test_hands_under_way_do_not_count(ledger: Ledger) -> None:
    match = played(ledger, "ruff", {"a": 1, "b": 2, "c": 3}, 1)
    ledger.record(match, [ev.Deal(dealer=1, hands=None)], 3)
    assert leaderboard(ledger, GAMES["ruff"], 3, 9).nearest == ("a", 1)
