"""A night in a ledger: a club, a session with matches that were played, a league."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as match_events
from cardledger.rules.evenings.shape import event_of

FOUR = ("Annabella", "ben", "chloe", "dev")
TWELVE = tuple(f"player {letter}" for letter in "ABCDEFGHIJKL")


class Night(NamedTuple):
    """The ids of a club, a session and a league, and of the matches of the session."""

    club: str
    session: str
    league: str
    matches: list[str]


def record(ledger: Ledger, id: str | None, *events: dict[str, Any], by: str = "tests") -> str:
    """Record events of an evening; return its id."""
    expected = ledger.evenings.stream(id).seq if id else 0
    return ledger.evenings.record(id, [event_of(event) for event in events], expected, by, as_written=True).match


def play(ledger: Ledger, players: tuple[str, ...] = FOUR, seed: int = 1) -> str:
    """Record a match of one hand; return its id."""
    return ledger.record(None, _played(players, seed), 0, "tests").match


@cache
def _played(players: tuple[str, ...], seed: int) -> list[match_events.Event]:
    return [*simulate("diversity", 4, Random(seed), ["random"], {"hands": 1}, players=players, max_hands=1)]


def opening(**keys: Any) -> dict[str, Any]:
    return {
        "type": "session", "club": None, "name": "Tuesday", "date": "2026-01-06", "game": "diversity",
        "unit": "player", "scoring": {"kind": "places"}, **keys,
    }  # fmt: skip


OPENINGS: dict[str, dict[str, Any]] = {
    "club": {"type": "club", "name": "Whist on Tuesday"},
    "session": opening(),
    "league": {"type": "league", "club": None, "name": "Spring", "from": "2026-01-01", "until": "2026-06-30", "count": {}},
}  # fmt: skip
"""An opening of each kind."""


def table(round: int, players: tuple[str, ...] = FOUR) -> dict[str, Any]:
    return {"type": "table", "round": round, "table": 1, "seats": [*players]}


def result(round: int, match: str) -> dict[str, Any]:
    return {"type": "result", "round": round, "table": 1, "match": match}


def made(ledger: Ledger) -> Night:
    """Record a club with a member, a session of two rounds, and a league that counts it."""
    club = record(
        ledger, None, {"type": "club", "name": "Whist on Tuesday", "place": "Porto"},
        {"type": "member", "player": "Annabella", "number": "Nr. 4711"},
    )  # fmt: skip
    session = record(ledger, None, opening(club=club), *({"type": "arrive", "player": player} for player in FOUR))
    matches = [play(ledger, seed=seed) for seed in (1, 2)]
    for round, match in enumerate(matches, 1):
        record(ledger, session, table(round), result(round, match))
    league = record(
        ledger, None,
        {"type": "league", "club": club, "name": "Spring", "from": "2026-01-01", "until": "2026-06-30", "count": {"best": 3}},
        {"type": "counts", "session": session},
    )  # fmt: skip
    return Night(club, session, league, matches)


def end_early(ledger: Ledger, match: str) -> None:
    """Take a match back to its deal."""
    ledger.record(match, [match_events.Retract(to=2, reason="Annabella misdealt")], ledger.stream(match).seq, "tests")


def under_way(ledger: Ledger, tables: int = 3, events: int = 2 * 53 + 9) -> tuple[str, list[str]]:
    """Open an evening of twelve with the tables of a round; return its id and the matches.

    At the first, so many events were recorded: two hands and two tricks.
    """
    session = record(ledger, None, opening(), *({"type": "arrive", "player": player} for player in TWELVE))
    seats = [TWELVE[4 * at : 4 * at + 4] for at in range(tables)]
    matches = [each.match or "" for each in ledger.evenings.rounds.open(session, "tests", tables=seats)]
    play_on(ledger, matches[0], events)
    return session, matches


def play_on(ledger: Ledger, match: str, events: int) -> None:
    """Record the first events of a match of diversity that was opened."""
    players = ledger.stream(match).table.players
    _, *played = simulate("diversity", 4, Random(1), ["random"], players=players, max_hands=3)
    ledger.record(match, played[:events], 1, "tests")
