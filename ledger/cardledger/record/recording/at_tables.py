"""Results that tables enter themselves, from several phones: the first counts, others are shown to the director."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.errors import ConflictError, RuleError
from cardledger.rules.evenings.said import Difference, Numbers, differences, entered_at_table, settled
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.stream import EveningStream

_TRIES = 5
"""How often events are recorded again, because another scorer of the evening was faster."""


def enter_at_table(
    ledger: Ledger, session: str, by: Recorder | str, round: int, table: int, form: str, values: Sequence[int],
    *, as_written: bool,
) -> None:  # fmt: skip
    """Enter the result of a table as somebody there says it; another one than the recorded one is for the director.

    Arguments:
        ledger: the ledger.
        session: the id of the evening.
        by: who says it.
        round: the round, so that a phone that was left lying about enters nothing for the next one.
        table: the table.
        form: `tricks` in a drive (one number is the tricks of north and south), else `points` or `places` by seat.
        values: the numbers.
        as_written: points count as they are, also if no number of hands can give them.

    Raises RuleError `session.seats`, `session.tricks`, `session.partners`, `session.sum`, StoreError, ConflictError.
    """
    record_until_taken(
        ledger, session, by, lambda stream: entered_at_table(_evening(stream), round, table, form, values),
        as_written=as_written,
    )  # fmt: skip


def settle(
    ledger: Ledger, session: str, by: Recorder | str, round: int, table: int, form: str, values: Sequence[int],
    *, as_written: bool,
) -> None:  # fmt: skip
    """Say which result of a table is right, after it was said in several ways; arguments as in `enter_at_table`.

    Raises RuleError `session.seats`, `session.tricks`, StoreError, ConflictError.
    """
    record_until_taken(
        ledger, session, by, lambda stream: settled(_evening(stream), round, table, form, values), as_written=as_written
    )


def differences_of(ledger: Ledger, session: str) -> list[Difference]:
    """Return the results of an evening that were said in several ways; raises StoreError `store.unknown`."""
    return differences(_evening(ledger.evenings.stream(session)))


def differences_shown(ledger: Ledger, session: str) -> dict[str, Any]:
    """Return the results that were said in several ways as JSON data; raises StoreError `store.unknown`."""
    found = [
        {
            "round": each.round,
            "table": each.table,
            "recorded": _shown(each.recorded),
            "said": [*map(_shown, each.said)],
        }
        for each in differences_of(ledger, session)
    ]
    return {"session": session, "differences": found}


def _shown(numbers: Numbers) -> dict[str, Any]:
    return {"points": None, "places": None, numbers.form: [*numbers.values]}


def record_until_taken(
    ledger: Ledger, evening: str, by: Recorder | str, events: Callable[[EveningStream], Sequence[Event]],
    *, as_written: bool,
) -> None:  # fmt: skip
    """Record what `events` makes of the stream of an evening or a league; try again if another scorer was faster.

    Raises like `Evenings.record`.
    """
    for tries in range(1, _TRIES + 1):
        stream = ledger.evenings.stream(evening)
        seq, new_events = stream.seq, events(stream)
        if not new_events:
            return
        try:
            ledger.evenings.record(evening, new_events, seq, by, as_written=as_written)
        except ConflictError:
            if tries == _TRIES:
                raise
        else:
            return


def _evening(stream: EveningStream) -> EveningStream:
    if not isinstance(stream.state, SessionState):
        raise RuleError("session.phase", advising(Sentence("this is no evening: name one")))
    return stream
