"""The state of a table as programs read it: what a view shows, with choices that are ready to be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.matches.match_size import expect_room
from cardledger.record.matches.seat_view import full_view
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.filling import ready
from cardledger.rules.engine.score_sheet import doubts_about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.matches.own_boards import OwnBoards
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream

MAX_AGAIN = 20_000
"""How many events the amends of one question may play again."""


def place_asked(at: int | None, seq: int) -> int:
    """Return the number of an event of a match, the last if none is asked for; raises RuleError `table.range`."""
    if at is not None and not 1 <= at <= seq:
        raise RuleError("table.range", f"at is {at}, but the match has events 1 to {seq}")
    return at or seq


def whole_table(match: str, stream: Stream, at: int, table: Match[Any], own: OwnBoards) -> dict[str, Any]:
    """Return a table after an event, with every recorded card: for those who may see them all."""
    return as_seen(match, "all", stream, at, table, full_view(table), own)


def as_seen(
    match: str, view: str, stream: Stream, at: int, table: Match[Any], state: dict[str, Any], own: OwnBoards
) -> dict[str, Any]:
    """Return a table after an event.

    Args:
        match: the id of the match.
        view: the name of the view.
        stream: the match.
        at: the number of the event.
        table: the table after it.
        state: what the view shows of it.
        own: the boards that the table plays.
    """
    frame = {"match": match, "view": view, "game": table.game.id, "players": table.players}
    state["choices"] = [_ready(table, own.choice(table, choice)) for choice in state["choices"]]
    return frame | state | {"seq": at, "counted": stream.counted(at)}


def tried_after(stream: Stream, events: Sequence[ev.Event], own: OwnBoards) -> Stream:
    """Return a match as it would be with more events; the match itself stays as it is.

    Raises LedgerError for an event that is refused, with its `index`.
    """
    tried = stream.copy()
    for index, event in enumerate(events):
        try:
            expect_room(tried, event)
            if isinstance(event, ev.Amend) and tried.amended - stream.amended > MAX_AGAIN:
                raise FormatError("format.size", f"the amends of a question play at most {MAX_AGAIN:,} events again")
            tried.append(event)
        except LedgerError as error:
            error.index = index
            raise
    own.expect(stream.table, tried.table, events)
    return tried


def tried_shown(match: str, tried: Stream, at: int, events: Sequence[ev.Event], own: OwnBoards) -> dict[str, Any]:
    """Return the table after events that were tried after event `at`, what they broke, and what is doubtful in them."""
    return whole_table(match, tried, tried.seq, tried.table, own) | judged_after(tried, at, events)


def judged_after(tried: Stream, at: int, events: Sequence[ev.Event]) -> dict[str, list[Any]]:
    """Return the `violations` of events that were tried after event `at`, and the `warnings` about them."""
    violations = [
        {"seq": violation.seq, "seat": violation.seat, "rule": violation.rule, "legal": violation.legal}
        for violation in tried.table.violations
        if violation.seq > at
    ]
    return {"violations": violations, "warnings": [*doubts_about(tried.table, enumerate(events, at + 1))]}


def _ready(table: Match[Any], choice: dict[str, Any]) -> dict[str, Any]:
    """Return a choice with its event, as an app needs it that does not know the rules."""
    event, fills = ready(table, msgspec.convert(choice, Choice))
    more = {"dealing": _dealing(table)} if choice["type"] == "deal" else {}
    return choice | more | {"event": event, "fill": msgspec.to_builtins(fills)}


def _dealing(table: Match[Any]) -> dict[str, Any]:
    """Return what the next deal says, so that an app need not know the rules."""
    deal, options = table.game.deal, table.options
    cards, each = deal.cards(table, len(table.hands) + 1)
    return {
        "first": deal.first,
        "cards": [face for card, face in enumerate(table.pack.faces) if cards >> card & 1],
        "hand_sizes": [each] * table.n,
        "left_over": cards.bit_count() - each * table.n,
        "required": sorted(deal.needed(options)),
        "keys": sorted({"hands", *deal.keys(options)}),
    }
