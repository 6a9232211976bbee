"""The tables of clubs, sessions and leagues, of their players, and of the results of sessions."""

from __future__ import annotations

from collections.abc import Iterator

from cardledger.record.people.pseudonyms import players_in
from cardledger.record.readmodels.columns import (
    BOARD,
    EVENING,
    GAME,
    HASH,
    KIND,
    MATCH,
    POSITION,
    RECORDED_AS,
    ROUND,
    SEQ,
    TABLE_NUMBER,
    here,
)  # fmt: skip
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.rules.engine.events import type_of
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.stream import unroll


def rows(evening: Folded, since: int) -> Iterator[Row]:
    """Yield the row of a club, a session or a league."""
    state, events = evening.stream.table, evening.stream.events
    opening = state.opening
    days: tuple[str | None, str | None] = (None, None)
    if isinstance(opening, ev.Session):
        days = opening.date, opening.date
    elif isinstance(opening, ev.League):
        days = opening.since, opening.until
    club = evening.id if isinstance(opening, ev.Club) else opening.club
    game, other = (opening.game, opening.other_game) if isinstance(opening, ev.Session) else (None, None)
    published = sum(isinstance(event, ev.Publish) for event in events)
    yield (
        evening.id, evening.position, type_of(opening), opening.name, club, *days, game, state.status,
        len(events), published, evening.hash.hex(), other,
    )  # fmt: skip


def players(evening: Folded, since: int) -> Iterator[Row]:
    """Yield the players that the events that count name, each with the first of these."""
    first: dict[str, int] = {}
    for seq, event in unroll(evening.stream.heads[-1]):
        for player in players_in(event):
            first.setdefault(player, seq)
    for player, seq in sorted(first.items()):
        yield evening.id, player, seq


def results(evening: Folded, since: int) -> Iterator[Row]:
    """Yield the results of a session that count."""
    state = evening.stream.table
    if isinstance(state, SessionState):
        for (round, table, board), (seq, result) in sorted(
            state.results.items(), key=lambda each: (*each[0][:2], each[0][2] or 0)
        ):
            yield evening.id, round, table, board or 0, result.match, seq


def boards(evening: Folded, since: int) -> Iterator[Row]:
    """Yield the boards of bridge at the tables of a session, played or still to be played."""
    state = evening.stream.table
    if not isinstance(state, SessionState) or state.opening.scoring.kind not in ON_BOARDS:
        return
    ruled = {(one.round, one.table, one.board) for _, one in state.rulings if (one.ns, one.ew) != (None, None)}
    for round in state.rounds:
        for table, seated in state.tables(round).items():
            bridge = (seated.game or state.opening.game) == "bridge"
            for board in sorted({*seated.boards}) if seated.plays and bridge else ():
                at = round, table, board
                _, result = state.results.get(at, (0, None))
                absent = at in state.absences or (round, table, None) in state.absences
                match = result.match if result else None
                entered = absent or at in ruled or (result is not None and match is None)
                yield evening.id, *at, match, entered, at in ruled


EVENINGS = ReadModel(
    "evenings",
    "Every club, session and league as it stands, corrections applied.",
    {
        "evening": EVENING,
        "position": POSITION,
        "kind": here(KIND, "club, session or league"),
        "name": ("TEXT NOT NULL", "name, as written"),
        "club": ("TEXT", "id of its club; for a club its own"),
        "since": ("DATE", "day of a session, first day of a league"),
        "until": ("DATE", "day of a session, last day of a league"),
        "game": here(GAME, "of a session; null for any, and for one without rules", optional=True),
        "status": ("TEXT NOT NULL", "open, or closed: the evening is over"),
        "seq": here(SEQ, "the latest"),
        "published": ("INTEGER NOT NULL", "publications of its ranking, including undone ones"),
        "hash": HASH,
        "other_game": ("TEXT", "name of the game of a session if that has no rules here, as written"),
    },
    ("evening",),
    rows,
    lists_void=True,
)
EVENING_PLAYERS = ReadModel(
    "evening_players",
    "Every player of every club and session.",
    {
        "evening": EVENING,
        "recorded_as": RECORDED_AS,
        "seq": here(SEQ, "the first that counts and names the player"),
    },
    ("evening", "recorded_as"),
    players,
    lists_void=True,
)
EVENING_RESULTS = ReadModel(
    "evening_results",
    "Every result of every session that counts.",
    {
        "evening": EVENING,
        "round": ROUND,
        "table_number": TABLE_NUMBER,
        "board": BOARD,
        "match": here(MATCH, "null if the result was entered as points, places or a score", optional=True),
        "seq": here(SEQ, "the one that gave the result"),
    },
    ("evening", "round", "table_number", "board"),
    results,
    lists_void=True,
)
EVENING_BOARDS = ReadModel(
    "evening_boards",
    "Every board of bridge at every table of a session, played or still to be played.",
    {
        "evening": EVENING,
        "round": ROUND,
        "table_number": TABLE_NUMBER,
        "board": BOARD,
        "match": here(MATCH, "that gives or will give its result; null without one", optional=True),
        "entered": ("BOOLEAN NOT NULL", "1 if it has a result, a ruling or an absence without a match"),
        "ruled": ("BOOLEAN NOT NULL", "1 if a director ruled what it counts, in place of what was played"),
    },
    ("evening", "round", "table_number", "board"),
    boards,
    lists_void=True,
)
