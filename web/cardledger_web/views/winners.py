"""The winners of an evening.

As published last, or of an evening that is over without a publication as they stand now.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.visible import rankings_shown
from cardledger_web.languages import joined
from cardledger_web.views.persons import called
from cardledger_web.views.ranking import ON_PODIUM, step

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.rankings import Rankings
    from cardledger.rules.evenings.standings import Standing

_TOLD = 5
"""The most entries that a sentence about an evening names."""


def winners(ledger: Ledger, row: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return who won an evening of a list; nobody while it is open, or after its publication was taken back."""
    return [each.players for each in final_standings(ledger, row) if each.played and step(each.place) == 1]


def final_standings(ledger: Ledger, row: dict[str, Any]) -> list[Standing]:
    """Return the standings of an evening of a list: as published last, or as they are after the end.

    Empty while the evening is open, after its publication was taken back, or if it cannot be ranked.
    """
    state = ledger.evenings.stream(row["evening"]).state
    published = state.published if isinstance(state, SessionState) else []
    if not published and row["status"] != "closed":
        return []
    position = published[-1][1].at_position if published else None
    with suppress(LedgerError):
        return _rankings(ledger, position).standings(row["evening"], position)
    return []


def winners_in_words(ledger: Ledger, session: str) -> str:
    """Return the first of an evening in words, as they stand now; nothing before anybody has a place."""
    first = [each for each in _ranked(ledger, session) if step(each.place) <= ON_PODIUM]
    return ", ".join(f"{_in_words(each.place)} {joined(called(ledger, each.players))}" for each in first[:_TOLD])


def _in_words(place: str) -> str:
    """Return a place with its dot, or with the sign that others share it."""
    return place if place.endswith("=") else f"{place}."


def _ranked(ledger: Ledger, session: str) -> list[Standing]:
    """Return the standings of those who have a place now.

    Nobody if the evening cannot be ranked: a match of it is void, say.
    """
    with suppress(LedgerError):
        return [each for each in rankings_shown(ledger).standings(session) if each.place and each.played]
    return []


def _rankings(ledger: Ledger, position: int | None) -> Rankings:
    """Return the rankings to read: one as published is shown as it was published."""
    return rankings_shown(ledger) if position is None else ledger.evenings.rankings
