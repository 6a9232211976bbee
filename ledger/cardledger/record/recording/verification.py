"""Verification: every hash, every course of play and every row of the read models is computed again, without trust."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cardledger.crew import Crew, done
from cardledger.errors import LedgerError, StoreError, UnknownGameError
from cardledger.record.people.people import STREAM
from cardledger.record.recording.loaded_match import refold
from cardledger.record.store import Stored
from cardledger.record.store.chain import unbroken
from cardledger.record.store.missing_names import MissingNames, TakenIn
from cardledger.record.store.parts import parts
from cardledger.record.store.sqlite_errors import UNREADABLE, unreadable
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store.address import Where


def verify(ledger: Ledger, crew: Crew | None = None) -> Iterator[tuple[str, LedgerError | None]]:
    """Check every match, club, session and league, then the sums over all; yield each id with the result of `check`.

    Workers for `checked` help with it; the results are the same, and in the same order, with any number of them.

    Errors outside single streams come last: published rankings that do not follow (`store.published`), the people,
    `names` with those that are missing (`store.name`), and a summary by its name, with StoreError `store.views`.

    Raises the store's `refusal`: nothing can follow from events that are gone.
    """
    if ledger.store.refusal is not None:
        raise ledger.store.refusal
    names = MissingNames(ledger.store.names)
    wrong = False
    streams = [stream for stream in ledger.store.matches() if stream != STREAM]
    for stream, error in _by(crew, ledger, streams, names) if crew else _checked(ledger, streams, names):
        wrong = wrong or error is not None
        yield stream, error
    for evening in ledger.evenings.ids():
        error = ledger.evenings.rankings.check(evening)
        # What does not fit in a stream was said there; rankings that need it cannot be made.
        if error is not None and (not wrong or error.code == "store.published"):
            yield evening, error
    error = ledger.register.check(names)
    if error is not None:
        yield STREAM, error
    if names.error() is not None:
        names.take(ledger.store.read(STREAM))  # a person may just have been erased
    if missing := names.error():
        yield "names", missing
    ledger.views.catch_up()
    if summary := ledger.views.differing_summary():
        yield summary, StoreError("store.views", Sentence("the summary does not follow from the read models"))


class Checked(NamedTuple):
    """The results of some streams in their order, and what their events say about names."""

    results: list[tuple[str, LedgerError | None]]
    names: TakenIn


def checked(opened: type[Ledger], where: Where, views: Path, streams: Sequence[str]) -> Checked:
    """Return the results of `check` for some streams of a ledger with its read models: a piece of work for a crew."""
    with opened(where, create=False, views=views) as ledger:
        names = MissingNames(ledger.store.names)
        return Checked([*_checked(ledger, streams, names)], names.taken)


def _checked(ledger: Ledger, streams: Iterable[str], names: MissingNames) -> Iterator[tuple[str, LedgerError | None]]:
    for stream in streams:
        yield stream, check(ledger, stream, names)


def _by(
    crew: Crew, ledger: Ledger, streams: Sequence[str], names: MissingNames
) -> Iterator[tuple[str, LedgerError | None]]:
    """Do the same by workers for `checked`; raises LedgerError `workers.lost`."""
    ledger.views.catch_up()  # or each of them would begin with it
    tasks = ((type(ledger), ledger.at, ledger.views.file.path, part) for part in parts(ledger.store, streams))
    for _, found in done(crew, tasks):
        names.add(found.names)
        yield from found.results


def check(ledger: Ledger, stream: str, names: MissingNames | None = None) -> LedgerError | None:
    """Return the first error of a match, a club, a session or a league.

    With its place in the stream as `index`, or None.

    Every hash, the course of play and the rows of the read models are computed again: StoreError `store.gap`,
    `store.hash`, `store.line`, `store.views`, or the rule that an event breaks. `names` takes in the events.
    """
    while True:
        ledger.views.catch_up()
        try:
            rows = ledger.store.read(stream)
            if names is not None:
                names.take(rows)
            folded = replace(refold(stream, rows, ledger.store.names), people=ledger.people())
            model = ledger.views.differing(folded)
        except UnknownGameError as error:
            return _broken(rows) or error
        except LedgerError as error:
            return error
        except UNREADABLE as error:
            return unreadable(error)
        if model is None:
            return None
        if len(ledger.store.read(stream)) == len(rows):
            return StoreError(
                "store.views",
                Sentence("the read model {model} does not follow from the events", model=model),
                len(rows) - 1,
            )
        # New events were recorded in between, and the read models were ahead.


def _broken(rows: Sequence[Stored]) -> LedgerError | None:
    """Return the first error in the hashes of a match that cannot be replayed here."""
    try:
        for _ in unbroken(rows):
            pass
    except LedgerError as error:
        return error
    return None
