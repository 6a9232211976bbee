"""Clubs, sessions and leagues as JSON data: who is here, who competes, the tables of each round with their results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from cardledger.rules.engine.events import Event, bare
from cardledger.rules.evenings.club import ClubState, is_guest
from cardledger.rules.evenings.league import LeagueState
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.stream import State


def described(state: State, numbers: bool = True) -> dict[str, Any]:
    """Return a club, a session or a league as it stands, with its opening; `numbers` shows those of members."""
    description: dict[str, Any] = {"opening": state.opening}
    match state:
        case ClubState():
            layouts = [bare(layout) for layout in state.layouts.values()]
            tables = [bare(table) for table in state.masterpoints.values()]
            return description | {"members": [*_members(state, numbers)], "layouts": layouts, "masterpoints": tables}
        case SessionState():
            return description | _session(state)
        case LeagueState():
            return description | {
                "sessions": [{"session": id, "weight": weight} for id, weight in state.sessions.items()]
            }


def _members(club: ClubState, numbers: bool) -> Iterator[dict[str, Any]]:
    for player, member in club.players.items():
        number = {"number": member.number} if numbers and member.number is not None else {}
        yield {"player": player, "guest": is_guest(member), "from": member.since, "until": member.until, **number}


def _session(session: SessionState) -> dict[str, Any]:
    """Return an evening: events of results, absences and rulings by their numbers in the stream."""
    return {
        "here": [{"player": player, "guest": guest} for player, guest in session.here.items()],
        "entries": [
            {
                "number": number,
                "players": lineups[-1].players,
                "line": lineups[-1].line,
                "section": session.section(number),
                "stays": lineups[-1].stays,
            }
            for number, lineups in sorted(session.entries.items())
        ],
        "round": session.round,
        "rounds": [{"round": round, "tables": [*_tables(session, round)]} for round in session.rounds],
        "rulings": [{"event": seq, **_content(ruling)} for seq, ruling in session.rulings],
    }


def _tables(session: SessionState, round: int) -> Iterator[dict[str, Any]]:
    for number, seated in session.tables(round).items():
        yield {
            "table": number,
            "name": session.table_name(round, number),
            "game": seated.game or session.opening.game,
            "entries": seated.seats,
            "players": session.at_table(round, seated),
            "boards": seated.boards,
            "results": [*_results(session, round, number)],
        }


def _results(session: SessionState, round: int, table: int) -> Iterator[dict[str, Any]]:
    """Yield what was entered for a table, by board."""
    entered = {**session.results, **session.absences}
    for at in sorted((at for at in entered if at[:2] == (round, table)), key=lambda at: at[2] or 0):
        seq, event = entered[at]
        yield {"event": seq, **{key: value for key, value in _content(event).items() if key not in ("round", "table")}}


def _content(event: Event) -> dict[str, Any]:
    """Return what an event says, without its place, time and recorder."""
    content: dict[str, Any] = msgspec.to_builtins(bare(event))
    return content
