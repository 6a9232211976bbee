"""A check of the read models: some matches are folded from their events, and all their rows compared."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.record.doctor.finding import CheckResult
from cardledger.record.people.names import Names, erased_by
from cardledger.record.people.people import STREAM, People
from cardledger.record.people.people import decode as decode_people
from cardledger.record.readmodels import VERSION, differing
from cardledger.record.recording.loaded_match import refold
from cardledger.record.store import EventStore, Stored
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.sqlite import names_in
from cardledger.sentence import Sentence

SAMPLE = 30
"""The number of matches to fold: the first, the last, and others evenly between."""
_TITLE = "fold"
_ADVICE = "run cardledger rebuild; if it happens again, find out which program writes to the file of the read models"

Read = Callable[[str], Sequence[Stored]]
"""Returns the events of a match."""


def compared(views: Path, ledger: Path, store: EventStore | None, matches: Collection[str]) -> Iterator[CheckResult]:
    """Check the read models in a file against the events of a ledger, for a sample of its matches."""
    with (
        _reading(ledger, store) as (read, names),
        closing(read_only(views, still=resting(views))) as db,
    ):
        db.execute("BEGIN")  # one snapshot, even if others catch up
        if db.execute("PRAGMA user_version").fetchone() != (VERSION,):
            return  # rebuilt when it is next opened
        (position,) = db.execute("SELECT max(position) FROM checkpoint").fetchone()
        if not isinstance(position, int):
            return  # the check of the file reports it
        people = read(STREAM)
        if erased_by(STREAM, (row.line for row in people if row.position > position)):
            return  # rows still say what is erased by now: they are being caught up
        persons = People(map(decode_people, names.lines([row.line for row in people if row.position <= position])))
        chosen = sampled([match for match in matches if match != STREAM])
        there = 0
        for match in chosen:
            rows = [row for row in read(match) if row.position <= position]
            with suppress(LedgerError):  # the check of events reports it, and so does `verify`
                folded = replace(refold(match, rows, names), people=persons) if rows else None
                if folded is not None and (table := differing(db, folded)) is not None:
                    text = Sentence(
                        "the rows of match {match} in {table} do not follow from its events", match=match, table=table
                    )
                    yield CheckResult(_TITLE, "problem", text, _ADVICE)
                    return
                there += folded is not None
        if strange := _strangers(db, matches):
            yield CheckResult(
                _TITLE,
                "problem",
                Sentence("there are rows of match {match}, which is not in the ledger", match=strange),
                _ADVICE,
            )
            return
    yield CheckResult(
        _TITLE,
        "ok",
        f"the rows of {there} of {count_of(len(matches), 'match')} are those that follow from their events",
    )


def sampled(matches: Sequence[str]) -> list[str]:
    """Return some matches, always the same of the same ones."""
    if len(matches) <= SAMPLE:
        return [*matches]
    return [matches[place * (len(matches) - 1) // (SAMPLE - 1)] for place in range(SAMPLE)]


def _strangers(db: sqlite3.Connection, matches: Collection[str]) -> str | None:
    """Return a match of the read models that is not among those of a ledger."""
    return next((match for (match,) in db.execute("SELECT match FROM matches") if match not in matches), None)


@contextmanager
def _reading(ledger: Path, store: EventStore | None) -> Iterator[tuple[Read, Names]]:
    """Yield what returns the events of a match, and names: of an opened ledger, or of a file that is only read."""
    if store is not None:
        yield store.read, store.names
        return
    asked = "SELECT position, match, seq, line, hash FROM events WHERE match = ? ORDER BY seq"
    with names_in(ledger) as names, closing(read_only(ledger, still=resting(ledger))) as db:
        yield lambda match: [Stored(*row) for row in db.execute(asked, (match,))], names
