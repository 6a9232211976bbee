"""What the person who asks may see.

Scorers see all, readers no card that is secret (`cardledger.record.recording.secrecy`).
"""

from __future__ import annotations

from http.client import OK
from typing import TYPE_CHECKING, Any

from flask import abort, current_app, g, request
from werkzeug.exceptions import HTTPException

from cardledger.errors import LedgerError
from cardledger.record.readmodels.questions.match_list import violations_over
from cardledger.record.readmodels.questions.shared_deals import NOTHING, held_back
from cardledger.record.readmodels.tables import boards
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.engine.at_any_time import VOID
from cardledger.rules.engine.events import Amend
from cardledger.rules.evenings.evening_events import Result
from cardledger.study.stats.luck import accountant
from cardledger_api.auth.users import RoleWanted
from cardledger_api.http.operations import ROLES
from cardledger_api.http.passage import the_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Response

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.rankings import Rankings
    from cardledger.rules.engine.events import Event

CARDS_ELSEWHERE = "The same cards are played at another table, or will be: until then only scorers see them."
"""Why a request for a hand that is over at one table is refused."""
BOARD_ELSEWHERE = "Another table has yet to play a board of this match: until then only scorers see it."
"""Why a request for a match of an evening is refused."""


def sees_all(stream: str | None = None) -> bool:
    """Return whether the user is a scorer, so may see cards in play and record: everywhere, or at a match or evening.

    A reader may not, an invited scorer only at what the invitation covers.
    """
    notes = the_notes()
    role: str = notes.get("role", "reader")
    return role != "reader" or (stream is not None and stream in notes.get("scope", ()))


def see_as_reader() -> None:
    """Answer the request as a reader's, whatever the user may see: others will see the answer."""
    g.role, g.scope = ROLES[0], ()


def expect_named_in_scope(events: Iterable[Event]) -> None:
    """Refuse results that name a match which an invitation does not cover: recorded, they would widen it."""
    for event in events:
        result = event.event if isinstance(event, Amend) else event
        if isinstance(result, Result) and result.match is not None and not sees_all(result.match):
            raise RoleWanted(f"{g.recorder} was invited to score other matches than {result.match}.")


def hidden_boards(ledger: Ledger) -> dict[str, frozenset[int]]:
    """Return for each evening the boards whose results the reader may not see: a table has yet to finish them."""
    if sees_all():
        return {}
    playing = boards.in_play(ledger.views.current)
    return {evening: some for evening, some in playing.items() if not sees_all(evening)}


def rankings_shown(ledger: Ledger) -> Rankings:
    """Return the rankings as the reader may see them: without boards that a table has yet to finish."""
    return ledger.evenings.rankings.without(hidden_boards(ledger))


def secret_matches(ledger: Ledger) -> frozenset[str]:
    """Return the matches that the reader may not see.

    Another table of the evening has yet to finish one of their boards.
    """
    if sees_all():
        return frozenset()
    return frozenset(match for match in boards.secret_matches(ledger.views.current) if not sees_all(match))


def is_secret(ledger: Ledger, match: str) -> bool:
    """Tell whether the reader may not see a match yet."""
    return not sees_all(match) and match in boards.secret_matches(ledger.views.current)


def expect_open(ledger: Ledger, match: str | None) -> None:
    """Refuse a match that the reader may not see."""
    if match is not None and is_secret(ledger, match):
        abort(403, BOARD_ELSEWHERE)


def still_open(ledger: Ledger, answer: Response) -> Response:
    """Return the answer about a match, unless the match became secret while it was made; streams look at each event."""
    if answer.status_code == OK and not answer.is_streamed:
        match = (request.view_args or {}).get("match")
        try:
            expect_open(ledger, match)
        except (HTTPException, LedgerError) as refusal:
            return current_app.make_response(current_app.handle_user_exception(refusal))
    return answer


def public_row(ledger: Ledger, row: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a match as the reader may see it."""
    if sees_all(row["match"]):
        return row
    held = held_back(ledger.views).get(row["match"])
    under_way = row["status"] in ("open", VOID) and row["hands"] != row["hands_complete"]
    if not (under_way or held):
        return row
    return row | {"hash": None, "violations": violations_over(ledger, row, held.hands if held else ())}


def public_filters(query: dict[str, Any]) -> dict[str, Any]:
    """Return the filters of a list of matches, for readers without those that reveal secrets."""
    if sees_all():
        return query
    shown = {"violations_over" if name == "violations" else name: value for name, value in query.items()}
    return shown | {"public": True}


def withheld(ledger: Ledger, match: str, upto: int | None = None) -> bool:
    """Tell whether a match, or its events up to a number, holds what the reader may not see yet.

    Then they get no hash of it either, nor what a hash is made of. Raises StoreError `store.unknown`.
    """
    secrets = Secrets.of(ledger, match)
    if sees_all(match) or not secrets.any:
        return False
    rows = ledger.cleared(ledger.store.read(match)[:upto])
    return any(secrets.public_line(row.line, row.seq) != row.line for row in rows)


def holds(ledger: Ledger, match: str, hand: int) -> bool:
    """Tell whether nothing of a hand's cards may be seen by the reader: others play the same cards, or will."""
    return not sees_all(match) and hand in held_back(ledger.views).get(match, NOTHING).hands


def deal_shown(ledger: Ledger, deal: str) -> dict[str, Any]:
    """Return every table at which a deal was played; raises StoreError `store.unknown`, also while it is held back."""
    return accountant.deal(ledger, deal, hidden=lambda match, hand: holds(ledger, match, hand))
