"""Match files in short: a trick on one line, and seats by the names of their players."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from cardledger.record.matches.matchfile import MatchInFile, Problem
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from tests.tables import read

OPEN = {"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"], "policy": "record"}
DEAL = {"type": "deal", "dealer": 0, "hands": None}
TRICK = {"type": "trick", "lead": 1, "cards": ["9S", "10♠", "2S", "AS"]}


def events_of(*lines: Any) -> list[ev.Event]:
    (match,) = read(*lines)
    assert isinstance(match, MatchInFile), match
    return match.events


def problem(*lines: Any) -> Problem:
    (wrong,) = read(*lines)
    assert isinstance(wrong, Problem)
    return wrong


def in_short(events: list[ev.Event], players: tuple[str, ...]) -> list[Any]:
    """Return the lines of a match with its plays as tricks, and its seats as names."""
    lines: list[Any] = []
    for event in events:
        value = msgspec.to_builtins(event)
        for key in ("seat", "dealer", "to", "from"):
            if isinstance(value.get(key), int):
                value[key] = players[value[key]]
        if value["type"] == "play":
            trick = lines[-1] if lines[-1]["type"] == "trick" else None
            if trick and len(trick["cards"]) < len(players):
                trick["cards"].append(value["card"])
                continue
            value = {"type": "trick", "lead": value["seat"], "cards": [value["card"]]}
        lines.append(value)
    return lines


@pytest.mark.parametrize(("game", "n"), [("hearts", 4), ("ruff", 3), ("oh-hell", 5), ("whist", 4)])
def test_a_whole_match_in_short_is_the_match(game: str, n: int) -> None:
    players = tuple(["ana", "ben", "chloe", "dev", "eva"][:n])
    events = simulate(game, n, Random(3), ["cautious"], players=players, max_hands=2)
    assert events_of(*in_short(events, players)) == events


def test_a_trick_is_played_by_those_whose_turn_it_is() -> None:
    plays = events_of(OPEN, DEAL, TRICK)[2:]
    faces = ("9S", "TS", "2S", "AS")
    assert plays == [ev.Play(seat=seat, card=face) for seat, face in zip((1, 2, 3, 0), faces, strict=True)]


def test_a_trick_is_shorter_where_a_player_sits_out() -> None:
    for seed in range(60):
        events = simulate("euchre", 4, Random(seed), ["random"], max_hands=1)
        if any(isinstance(event, ev.Call) and "alone" in event.call for event in events):
            break
    start = next(place for place, event in enumerate(events) if isinstance(event, ev.Play))
    plays = [event for event in events[start:] if isinstance(event, ev.Play)]
    lines = [
        {"type": "trick", "lead": plays[first].seat, "cards": [play.card for play in plays[first : first + 3]]}
        for first in range(0, 15, 3)
    ]
    assert events_of(*events[:start], *lines) == events[: start + 15]
    longer = {**lines[0], "cards": [play.card for play in plays[:4]]}
    assert "over after 3" in problem(*events[:start], longer).error.message


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (TRICK | {"lead": 7}, "table.range", "there is no seat 7"),
        (TRICK | {"lead": 2}, "table.turn", "it is the turn of"),
        (TRICK | {"lead": "eva"}, "format.value", "'eva' does not play in this match; its players are ana, ben, chloe, dev"),
        (TRICK | {"lead": None}, "format.value", "seat is null"),
        (TRICK | {"seat": 1}, "format.key", "'seat'"),
        ({"type": "trick", "cards": ["9S"]}, "format.key", "'lead'"),
        (TRICK | {"cards": []}, "format.value", "list of cards"),
        (TRICK | {"cards": "9S"}, "format.value", "list of cards"),
        (TRICK | {"cards": [9]}, "format.value", "expected str"),
        (TRICK | {"cards": ["9S", "TS", "2S", "AS", "KD"]}, "format.value", "it has 5 cards, but is over after 4"),
        ({"type": "play", "seat": "eva", "card": "9S"}, "format.value", "seat: 'eva' does not play"),
        ({"type": "amend", "about": 2, "event": {"type": "deal", "dealer": "eva", "hands": None}}, "format.value", "dealer: 'eva'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_line(line: dict[str, Any], code: str, words: str) -> None:
    wrong = problem(OPEN, DEAL, line)
    assert (wrong.line, wrong.error.code) == (3, code)
    assert words in wrong.error.message


def test_a_trick_cannot_begin_within_another_nor_before_the_match() -> None:
    within = problem(OPEN, DEAL, {"type": "play", "seat": 1, "card": "9S"}, TRICK | {"lead": 2})
    assert (within.line, within.error.code) == (4, "table.phase")
    assert problem(TRICK).error.code == "format.open"


def test_names_of_seats_are_those_of_the_corrected_opening() -> None:
    renamed = {"type": "amend", "about": 1, "event": OPEN | {"players": ["ana", "Benedict", "chloe", "dev"]}}
    lead = {"type": "play", "seat": "Benedict", "card": "9S"}
    corrected = {"type": "amend", "about": 4, "event": lead | {"card": "♠8"}}
    *_, play, amend = events_of(OPEN, renamed, DEAL, lead, corrected)
    assert play == ev.Play(seat=1, card="9S")
    assert amend == ev.Amend(about=4, event=ev.Play(seat=1, card="8S"))


def test_reading_goes_on_after_a_wrong_trick() -> None:
    wrong, right = read(OPEN, DEAL, TRICK | {"lead": 2}, TRICK, OPEN, DEAL, TRICK, keep_going=True)
    assert isinstance(wrong, Problem)
    assert isinstance(right, MatchInFile)
    assert len(right.events) == 6
