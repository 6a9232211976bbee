"""Published rankings of a ledger: whether each follows from the record.

Players stay pseudonyms, as in what was hashed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, nullcontext
from sqlite3 import Connection
from typing import Any, cast

from cardledger.errors import LedgerError, UnknownGameError
from cardledger.record.doctor.finding import CheckResult
from cardledger.record.people.names import Named, Names
from cardledger.record.people.people import People
from cardledger.record.recording.match_cache import Memory
from cardledger.record.recording.rankings import Rankings
from cardledger.record.store import EventStore, Stored
from cardledger.record.store.paths import Family
from cardledger.record.store.readers import read_only, resting
from cardledger.record.store.register import Register
from cardledger.record.store.sqlite import names_in
from cardledger.rules.engine.keys import PLAYER

_PUBLICATION = '"type":"publish"'
_ADVICE = (
    "compare it with the ranking that was printed or sent, and find out what changed the record: cardledger verify"
)


def has_publication(line: str) -> bool:
    """Tell whether a stored line holds a publication."""
    return _PUBLICATION in line


def published(evenings: Collection[str], family: Family, store: EventStore | None) -> Iterator[CheckResult]:
    """Check the published rankings of some sessions and leagues, in the ledger's file or in an opened store."""
    if not evenings:
        return
    path = family.ledger
    with (
        nullcontext(store.names) if store is not None else names_in(path) as names,
        nullcontext(store)
        if store is not None
        else closing(_EventFile(read_only(path, still=resting(path)))) as events,
    ):
        record = cast("Any", _RankingSource(events, names))
        rankings = Rankings(record, Memory(record))
        for evening in evenings:
            try:
                error = rankings.check(evening)
            except LedgerError as refused:
                error = refused
            if error is not None and not isinstance(error, UnknownGameError):
                place = "" if error.index is None else f", event {error.index + 1}"
                yield CheckResult("published", "problem", f"{error.code}: {evening}{place}: {error.message}", _ADVICE)
                return
    number = f"{len(evenings)} sessions and leagues" if len(evenings) > 1 else "one session or league"
    yield CheckResult("published", "ok", f"the rankings published of {number} follow from the record")


class _EventFile:
    """The events in a ledger's file, read without a trace."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self.close = db.close

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        asked = "SELECT position, match, seq, line, hash FROM events WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?"
        return [Stored(*row) for row in self._db.execute(asked, (match, after, -1 if limit is None else limit))]

    def between(self, after: int, upto: int) -> set[str]:
        asked = "SELECT DISTINCT match FROM events WHERE position > ? AND position <= ?"
        return {match for (match,) in self._db.execute(asked, (after, upto))}

    def last_position(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(position), 0) FROM events").fetchone()[0])


class _RankingSource:
    """What rankings are made from: events in which texts are clear, and players stay pseudonyms."""

    def __init__(self, events: EventStore | _EventFile, names: Names) -> None:
        def texts(words: Collection[str]) -> list[Named]:
            return [named for named in names.entries(words) if named.kind != PLAYER]

        self.read, self.between, self.last_position = events.read, events.between, events.last_position
        self.names = Names(texts)
        self.store = self
        self._register = Register(cast("EventStore", self))

    def people(self) -> People:
        return self._register.people()

    def cleared(self, rows: Sequence[Stored]) -> list[Stored]:
        lines = self.names.lines([row.line for row in rows])
        return [row._replace(line=line) for row, line in zip(rows, lines, strict=True)]
