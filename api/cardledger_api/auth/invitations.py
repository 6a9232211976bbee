"""Invitations: what a token can be limited to, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError, StoreError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.store.streams import is_evening
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import advising
from cardledger_api.auth.scopes import TablePlace

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.auth.tokens import Tokens

LONGEST = timedelta(days=366)
"""The longest time that an invitation is valid for."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token with its text, which is shown this once; `until` is its last day."""

    name: str
    text: str
    until: date


def scored_at(ledger: Ledger, id: str) -> SessionState | dict[str, Any]:
    """Return what somebody can be invited to score: an evening, also for a table of it, or the row of a match.

    Raises StoreError `store.unknown`.
    """
    if place := TablePlace.of(id):
        if not place.plays(ledger):
            raise StoreError(
                "store.unknown",
                advising(f"table {place.table} of {place.evening} plays nothing now: open its round first"),
            )
        id = place.evening
    if not is_evening(id):
        return match_row(ledger, id)
    state = ledger.evenings.stream(id).state
    if not isinstance(state, SessionState):
        raise StoreError("store.unknown", f"there is no evening {id}")
    return state


def invite(tokens: Tokens, scope: str, name: str, default: str, until: str | None) -> NewToken:
    """Make an invitation under a name, or under a free one that begins with a default; raises LedgerError."""
    day = last_day(until)
    taken = {token.name for token, state in tokens.all() if state == "valid"}
    name = name.strip() or next(
        free
        for number in range(1, len(taken) + 2)
        if (free := default if number == 1 else f"{default} ({number})") not in taken
    )
    # The end of a day is that of the club's zone, which is the server's.
    return NewToken(
        name, tokens.invite(name, scope, datetime.combine(day + timedelta(days=1), time()).astimezone()), day
    )


def last_day(said: str | None) -> date:
    """Return the last day of an invitation, tomorrow by default; raises FormatError `format.value`."""
    now = today()
    try:
        day = date.fromisoformat(said) if said else now + timedelta(days=1)
    except ValueError:
        raise FormatError("format.value", f"{said!r} is no day: give one as 2026-11-23") from None
    if not now <= day <= now + LONGEST:
        raise FormatError("format.value", f"an invitation ends today or within {LONGEST.days} days: choose another day")
    return day


def today() -> date:
    """Return the day in the club's zone, which is the server's."""
    return datetime.now().astimezone().date()
