"""Evenings of bridge in a ledger: pairs, teams and single players, with boards of which only contract and result are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, NamedTuple

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as match_events
from tests.evenings.night import opening, record

PASSED = ("pass", 0, 0)
"""A board that all four passed."""


def words_of(name: str, scoring: str, movement: str, *more: str, game: str = "bridge") -> tuple[str, ...]:
    """Return what follows `evening new` on the command line."""
    return ("--name", name, "--game", game, "--scoring", scoring, "--movement", movement, *more)


class Made(NamedTuple):
    """A contract, the seat of its declarer, and the tricks of the declarer."""

    contract: str
    declarer: int
    tricks: int


def names(numbers: Iterable[int], size: int = 2) -> list[dict[str, Any]]:
    """Return entries with players called after their number: `a7` and `b7` are pair 7."""
    return [{"type": "entry", "number": n, "players": [f"{'abcd'[k]}{n}" for k in range(size)]} for n in numbers]


def begun(ledger: Ledger, entries: int, movement: Mapping[str, Any], size: int = 2, **keys: Any) -> str:
    """Open an evening of bridge with its entries and its movement; return its id."""
    unit = {1: "player", 2: "pair", 4: "team"}[size]
    usual = {"game": "bridge", "name": "Bridge on Tuesday", "unit": unit, "scoring": {"kind": "matchpoints"}}
    first = opening(**usual | keys)
    return record(ledger, None, first, *names(range(1, entries + 1), size), {"type": "movement", **movement})


def pairs(ledger: Ledger, tables: int = 4, boards: int = 2, **keys: Any) -> str:
    """Open an evening of pairs in a Mitchell."""
    return begun(ledger, 2 * tables, {"kind": "mitchell", "tables": tables, "boards": boards}, **keys)


def board(number: int, made: tuple[str, int, int], **deal: Any) -> list[match_events.Event]:
    """Return the events of a board of which only contract and result are known."""
    contract, declarer, tricks = made
    if contract == "pass":
        dealer = (number - 1) % 4
        calls = [match_events.Call(seat=(dealer + place) % 4, call="pass") for place in range(4)]
        return [match_events.Deal(board=number, hands=None, **deal), *calls]
    ours, theirs = tricks, 13 - tricks
    sides = (ours, theirs, 0, 0) if declarer % 2 == 0 else (theirs, ours, 0, 0)
    return [
        match_events.Deal(board=number, hands=None, contract=contract, declarer=declarer, **deal),
        match_events.Claim(tricks=sides),
    ]


def score_table(ledger: Ledger, match: str, results: Mapping[int, tuple[str, int, int]]) -> None:
    """Record the boards of a table."""
    events = [event for number, made in results.items() for event in board(number, made)]
    ledger.record(match, events, ledger.stream(match).seq, "tests")


def open_round(ledger: Ledger, session: str) -> dict[int, str]:
    """Open the next round; return the match of each table."""
    return {each.number: each.match or "" for each in ledger.evenings.rounds.open(session, "tests")}


def some_result(random: Random) -> tuple[str, int, int]:
    """Return a contract with its result, by chance; sometimes the board is passed out."""
    if random.random() < 0.05:
        return PASSED
    level, strain = random.randint(1, 7), random.choice(("C", "D", "H", "S", "NT"))
    contract = f"{level}{strain}{random.choice(('', '', '', 'X', 'XX'))}"
    return Made(contract, random.randrange(4), min(13, max(0, level + 6 + random.randint(-3, 2))))


Played = dict[tuple[int, int, int], tuple[str, int, int]]
"""The result of each board by round, table and board."""


def play(ledger: Ledger, session: str, random: Random, rounds: int | None = None) -> Played:
    """Play an evening by chance, all its rounds or some; return the results."""
    state = ledger.evenings.stream(session).state
    played: Played = {}
    for round in state.rounds[:rounds]:
        for table, match in open_round(ledger, session).items():
            results = {number: some_result(random) for number in state.tables(round)[table].boards}
            score_table(ledger, match, results)
            played |= {(round, table, number): made for number, made in results.items()}
    return played


HOWELL: list[dict[str, Any]] = [
    opening(game="bridge", name="Howell", unit="pair", scoring={"kind": "matchpoints"}),
    *names(range(1, 6)),
    {"type": "movement", "kind": "howell", "entries": 6, "boards": 2},
    {"type": "result", "round": 1, "table": 2, "board": 9, "score": 420},
    {"type": "result", "round": 1, "table": 3, "board": 9, "score": -50},
    {"type": "adjust", "round": 1, "table": 3, "board": 9, "ns": 60, "ew": 40},
]
"""An evening of five pairs in a Howell for six; number 6 is an empty place, and event 10 a ruling."""


def play_boards(ledger: Ledger, session: str, round: int) -> None:
    """Play what is left of the matches of a round: three no trump by north, each table with another result."""
    state = ledger.evenings.stream(session).state
    tables: dict[tuple[int, str], list[int]] = {}
    for (at, table, number), (_, result) in state.results.items():
        if at == round and result.match and number:
            tables.setdefault((table, result.match), []).append(number)
    for (table, match), boards in tables.items():
        played = {hand.board for hand in ledger.stream(match).table.hands}
        results = {number: Made("3NT", 0, 8 + table % 5) for number in boards if number not in played}
        if results:
            score_table(ledger, match, results)
