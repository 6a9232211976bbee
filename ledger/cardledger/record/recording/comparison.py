"""What differs between two rankings of one evening, and the events between them that touch each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.engine.events import Adjust, Amend, End, Event, Retract, Void
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.publication import PointsChange, differences

if TYPE_CHECKING:
    from cardledger.rules.evenings.session import SessionState
    from cardledger.rules.evenings.standings import Standing

CORRECTING = (Retract, Amend, Void, Adjust, End)
"""The events of a match that change the result of one that has been played."""


class Later(NamedTuple):
    """An event after a position: its stream, its number there, its position in the ledger."""

    stream: str
    seq: int
    position: int
    event: Event


class ChangedRow(NamedTuple):
    """What differs for an entry, or a player of a league (`entry` is None): place and total then and now.

    A place is None where the entry was not ranked at all. `changes` are the boards or tables whose points differ,
    `events` those between the two rankings that touch them.
    """

    entry: int | None
    players: tuple[str, ...]
    place_then: str | None
    place_now: str | None
    total_then: str | None
    total_now: str | None
    changes: tuple[PointsChange, ...] = ()
    events: tuple[Later, ...] = ()


class _Where(NamedTuple):
    """What an event is about: an entry, or a table of a round with a board perhaps; nothing of these: all of it."""

    round: int | None = None
    table: int | None = None
    board: int | None = None
    entry: int | None = None

    def touches(self, entry: int, changes: Iterable[PointsChange]) -> bool:
        """Tell whether it is about an entry, or about a board or table whose points changed."""
        if self == _Where():
            return True
        if self.entry is not None:
            return self.entry == entry
        # A result changes the points of a board at every other table too.
        return any(
            (change.board == self.board if self.board is not None else self[:2] == (change.round, change.table))
            for change in changes
        )


def differing_entries(
    session: SessionState,
    then: Sequence[Standing],
    now: Sequence[Standing],
    between: Iterable[Later],
    recorded: Sequence[Event],
) -> Iterator[ChangedRow]:
    """Yield what differs between two standings of a session, by place now.

    `between` are the events of the session and of its matches after the first standings, `recorded` all events of
    the session.
    """
    places = [(later, [*_about(later, session, recorded)]) for later in between]
    players = {each.entry: each.players for each in (*then, *now)}
    for each in differences(then, now, session.opening.scoring):
        events = [later for later, about in places if any(where.touches(each.entry, each.changes) for where in about)]
        yield ChangedRow(
            each.entry, players[each.entry], each.place_then, each.place_now, each.total_then, each.total_now,
            each.changes, tuple(sorted(events, key=lambda later: later.position)),
        )  # fmt: skip


def differing_players(then: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> Iterator[ChangedRow]:
    """Yield what differs between two printed tables of a league, by place now."""
    before, after = ({tuple(row["players"]): row for row in rows} for rows in (then, now))
    nowhere = {"place": None, "total": None}
    for players in dict.fromkeys([*after, *before]):
        old, new = before.get(players, nowhere), after.get(players, nowhere)
        if old != new:
            yield ChangedRow(None, players, old["place"], new["place"], old["total"], new["total"])


def _about(later: Later, session: SessionState, recorded: Sequence[Event]) -> Iterator[_Where]:
    """Yield what an event is about; an event of a match is about every table that it is the result of."""
    results = [result for _, result in session.results.values() if result.match == later.stream]
    if results:
        if isinstance(later.event, CORRECTING):
            yield from (_Where(result.round, result.table, result.board) for result in results)
        return
    events = [later.event]
    if isinstance(later.event, Amend):
        events = [recorded[later.event.about - 1], later.event.event]
    for event in events:
        match event:
            case ev.EveningAdjust(entry=int(entry)) | ev.Entry(number=entry):
                yield _Where(entry=entry)
            case ev.Result() | ev.Absent() | ev.EveningAdjust():
                yield _Where(event.round, event.table, event.board)
            case ev.Table(round=round, table=table):
                yield _Where(round, table)
            case Retract() | ev.Movement():
                yield _Where()
