"""The handicaps of a ledger's evenings: the one of each number, and the ranking with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.errors import RuleError
from cardledger.record.recording.at_tables import record_until_taken
from cardledger.rules.evenings.handicaps import as_printed, handicaps, handicaps_given, unit_of, with_handicaps
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.rankings import Rankings


def give_handicaps(ledger: Ledger, session: str, by: Recorder | str, given: Mapping[int, Fraction]) -> None:
    """Give handicaps in an evening, by number, in what it ranks by; 0 takes one back, the same again changes nothing.

    Raises FormatError `format.value`, StoreError, ConflictError.
    """
    _session(ledger, session)
    record_until_taken(ledger, session, by, lambda stream: handicaps_given(stream, given), as_written=False)


def handicap_ranking(
    ledger: Ledger, session: str, position: int | None = None, rankings: Rankings | None = None
) -> dict[str, Any]:
    """Return the ranking of an evening with handicaps as JSON data, players as persons.

    Arguments:
        ledger: the ledger.
        session: the id of the evening.
        position: the position of the ledger as of which it is; now unless given.
        rankings: those without hidden boards, if some are; all boards unless given.

    Raises RuleError `session.phase` for what is no evening, and like `Rankings.standings`.
    """
    state = _session(ledger, session)
    given = handicaps(ledger.evenings.at(position).evening(session))
    ranked = (rankings or ledger.evenings.rankings).standings(session, position)
    rows = as_printed(with_handicaps(state, ranked, given), state.opening.scoring.decimals)
    return {"session": session, "unit": unit_of(state), "handicaps": bool(given), "ranking": rows}


def _session(ledger: Ledger, session: str) -> SessionState:
    state = ledger.evenings.stream(session).state
    if not isinstance(state, SessionState):
        raise RuleError("session.phase", advising(Sentence("this is no evening: name one")))
    return state
