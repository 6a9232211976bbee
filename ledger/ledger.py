"""The ledger: the one way in for events, and the way to everything that follows from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from ledger import events as ev
from ledger.corrections import Stream
from ledger.errors import ConflictError, ErasedError, LedgerError, LostError, StoreError, UnusableError
from ledger.intake import Intake
from ledger.live import Live, judged, match_id, prepare, refold, same
from ledger.matchfile import Match, Problem
from ledger.memory import Memory
from ledger.outcomes import Imported, Recorded
from ledger.people import STREAM, People
from ledger.readmodels import ReadModels
from ledger.readmodels.model import Folded
from ledger.register import Register
from ledger.store import Append, EventStore, Stored
from ledger.store.codec import decode, decode_one
from ledger.store.file import UNREADABLE, unreadable
from ledger.store.where import PATIENCE, Where, beside, opened, where
from ledger.turns import Turns


@dataclass(slots=True, eq=False)
class Job:
    """Events to be recorded, and what became of them: None as long as they wait."""

    match: str
    events: Sequence[ev.Event]
    expected: int
    by: str
    outcome: Recorded | BaseException | None = None


class Ledger:
    """A ledger in a file or in a PostgreSQL database, with its read models in a file.

    Safe to share between threads, and with other processes on the same ledger.
    """

    def __init__(
        self, at: Where | str, *, create: bool = True, views: Path | None = None, patience: float = PATIENCE
    ) -> None:
        """Open or create what is at a path or address; `views` is the file of the read models, `patience` as in `opened`.

        Raises StoreError `store.open`, `store.version`, or without `create` `store.missing` where there is none.
        """
        self.at = at = where(at)
        self.store: EventStore = opened(at, create=create, patience=patience)
        self.register = Register(self.store)
        self._memory = Memory(self.store)
        try:
            self.views = ReadModels(views or beside(at, "views", self.store), self)
        except BaseException:
            self.store.close()
            raise
        self._turns = Turns(self._work_off)

    def close(self) -> None:
        """Release the files."""
        self.views.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing

    def record(self, match: str | None, events: Sequence[ev.Event], expected: int, by: str = "ledger") -> Recorded:
        """Judge events and store them: all or nothing.

        `expected` is the seq the caller believes the match to be at; for a new match `match` is None (or its id) and
        `expected` 0. Events get what they lack: number, id, time, and `by`. Events whose ids are stored already, with
        the same content, are answered as they were the first time.
        Raises ConflictError, RuleError, FormatError (with the index of the event in `index`), StoreError
        (`store.unknown` for a match that is not there, `store.duplicate`, `store.write`).
        """
        if not events:
            raise StoreError("store.empty", "there are no events to record")
        job = Job(match_id(match, events[0]), events, expected, by)
        self._turns.do(job)
        if isinstance(job.outcome, Recorded):
            return job.outcome
        assert job.outcome is not None
        raise job.outcome

    def _work_off(self, jobs: Sequence[Job]) -> None:
        """Record jobs, in as few transactions as can be; each learns its outcome."""
        try:
            with self._memory.lock:
                later = jobs
                while later:
                    later = self._together(later)
        except BaseException as error:
            for job in jobs:
                if job.outcome is None:
                    job.outcome = error
            raise
        self.views.follow()

    def _together(self, jobs: Sequence[Job]) -> list[Job]:
        """Record jobs in one transaction; return those that have to wait for another of the same match."""
        plans: dict[str, tuple[Job, Append, Live]] = {}
        later = []
        for job in jobs:
            if job.match in plans:
                later.append(job)
                continue
            try:
                plan = self._planned(job)
            except Exception as error:  # noqa: BLE001 - one that fails is not to hinder the others
                job.outcome = error
            else:
                if isinstance(plan, Recorded):
                    job.outcome = plan
                else:
                    plans[job.match] = job, *plan
        if not plans:
            return later
        try:
            firsts = self.store.append([append for _, append, _ in plans.values()])
        except LostError as error:
            # Nobody knows what is stored: trying each again by itself would take some for somebody else's.
            for job, _, _ in plans.values():
                job.outcome = error
            return later
        except ErasedError:
            self.store.names.forget()  # judged anew: the same word is another name from now on
            return [*(job for job, _, _ in plans.values()), *later]
        except LedgerError as error:
            for job, _, _ in plans.values():
                if len(plans) > 1:
                    self._together([job])
                else:
                    job.outcome = self._told(job, error)
            return later
        self._memory.keep_stored([(append, live) for _, append, live in plans.values()], firsts)
        for job, _, live in plans.values():
            job.outcome = Recorded(job.match, len(live.ids), live.folded.hash, True, tuple(live.ids[job.expected :]))
        return later

    def _planned(self, job: Job) -> Recorded | tuple[Append, Live]:
        """Return what is to be appended and the match as it will be, or the first answer to what is stored already."""
        match, expected = job.match, job.expected
        live = self._memory.at(match, expected) or self._memory.find(match)
        if live is None and expected:
            raise unknown(match)
        if live is not None:
            again = self._repeated(match, live, job.events)
            if again is not None:
                return again
            if len(live.ids) != expected:
                raise ConflictError(match, expected, len(live.ids))
        try:
            stream = judged(live, job.events)
            return prepare(match, live, job.events, stream, job.by, datetime.now(UTC), self.store.names)
        except LedgerError as error:
            told = self._told(job, error)
            if isinstance(told, Recorded):
                return told
            raise told from None

    def _told(self, job: Job, error: LedgerError) -> Recorded | LedgerError:
        """Return what to say instead of an error: what was known may be old, then that is wrong, whatever the rules said.

        Perhaps just these events are what another process has recorded meanwhile.
        """
        now = self._memory.find(job.match)
        if now is None or len(now.ids) == job.expected:
            return error
        try:
            again = self._repeated(job.match, now, job.events)
        except StoreError as differs:
            return differs
        return again or ConflictError(job.match, job.expected, len(now.ids))

    def import_matches(self, found: Iterable[Match | Problem], by: str = "import") -> Iterator[Imported | Problem]:
        """Store the matches of one file, many in a transaction but each whole or not at all; yield what became of each.

        A match stored already is passed over, one that has grown is continued, and one that took another course is a
        Problem (`store.differs`). A match whose opening has no id gets one that follows from its content, so that
        the same file stores nothing new the second time; equal matches in one file are different matches. The read
        models are caught up at the end.
        """
        yield from Intake(self._memory, by, self._follow).take(found)

    def _follow(self) -> None:
        """Catch up the read models; what is stored is stored, whatever becomes of them: they catch up the next time."""
        with suppress(sqlite3.Error, LostError, UnusableError):
            self.views.catch_up()

    def _repeated(self, match: str, live: Live, events: Sequence[ev.Event]) -> Recorded | None:
        """Return the first answer to events recorded before; None for new ones."""
        known = [event.id is not None and event.id in live.ids for event in events]
        if not any(known):
            return None
        first = live.ids.index(str(events[0].id)) if known[0] else 0
        there = slice(first, first + len(events))
        stored, ids = self.store.read(match)[there], live.ids[there]
        # Without an id, behind one that has one, an event is known by its place: an opening with its match, sent again.
        placed = all(event.id in (None, id) for event, id in zip(events, ids, strict=False))
        if not (known[0] and placed and len(ids) == len(events)):
            raise StoreError("store.duplicate", "some of these events are stored already, others are not")
        for event, id, row in zip(events, ids, stored, strict=True):
            if not same(event, decode_one(row.line, self.store.names)):
                raise StoreError("store.duplicate", f"event {id} is stored already, and says something else")
        return Recorded(match, stored[-1].seq, stored[-1].hash, False, tuple(ids))

    # --- reading

    def stream(self, match: str) -> Stream:
        """Return a match's stream as of now, not to be changed; raises StoreError `store.unknown`."""
        return self.folded(match).stream

    def folded(self, match: str) -> Folded:
        """Return a match as of now, as the read models see it; raises StoreError `store.unknown`."""
        people = self.people()  # first: who was erased is not to be read from memory
        with self._memory.lock:
            live = self._memory.find(match)
        if live is None:
            raise unknown(match)
        return _seen_by(people, live.folded)

    def folded_each(self, matches: Collection[str]) -> Iterator[Folded]:
        """Yield matches as of now; those that do not fold, or are not there, are left out."""
        lengths, people = self._memory.lengths(matches), self.people()
        for match in matches:
            with suppress(LedgerError):
                with self._memory.lock:
                    live = self._memory.find(match, lengths[match])
                if live is not None:
                    yield _seen_by(people, live.folded)

    def people(self) -> People:
        """Return who is who by now, not to be changed."""
        return self.register.people()

    def events(self, match: str, after: int = 0) -> Sequence[ev.Event]:
        """Return a match's events after a seq, as recorded; none for a match that is not there."""
        return decode(row.line for row in self.cleared(self._memory.rows(match)[after:]))

    def cleared(self, rows: Sequence[Stored]) -> list[Stored]:
        """Return events with their lines in clear, as they were recorded: whoever was erased stays a pseudonym."""
        self.people()  # so that names are known to be gone
        lines = self.store.names.lines([row.line for row in rows])
        return [row._replace(line=line) for row, line in zip(rows, lines, strict=True)]

    def matches(self) -> list[str]:
        """Return the ids of all matches in the order of recording."""
        return [match for match in self.store.matches() if match != STREAM]

    def resolve(self, prefix: str) -> str:
        """Return the match whose id begins so; raises StoreError `store.unknown`, `store.ambiguous`."""
        found = [match for match in self.store.ids(prefix.lower(), 3) if match != STREAM]
        if len(found) > 1:
            raise StoreError("store.ambiguous", f"several matches begin with {prefix}: {', '.join(found)}, …")
        if not found:
            raise unknown(prefix)
        return found[0]

    def export(self, matches: Iterable[str], *, as_stored: bool = False) -> Iterator[str]:
        """Yield matches as lines of a match file, in clear or with pseudonyms as stored; raises StoreError `store.unknown`."""
        for match in matches:
            rows = self._memory.rows(match)
            if not rows:
                raise unknown(match)
            yield "".join(row.line + "\n" for row in (rows if as_stored else self.cleared(rows)))

    def verify(self) -> Iterator[tuple[str, LedgerError | None]]:
        """Check every match, and then what is counted over all; yield each match id with what `check` says of it.

        What is not of one match comes last, and only if it does not fit: the people, and a summary by its name, with
        StoreError `store.views`.
        """
        for match in self.matches():
            yield match, self.check(match)
        if error := self.register.check():
            yield STREAM, error
        self.views.catch_up()
        if summary := self.views.differing_summary():
            yield summary, StoreError("store.views", "the summary does not follow from the read models")

    def check(self, match: str) -> LedgerError | None:
        """Recompute every hash of a match, its course of play and its rows of the read models.

        Return what does not fit first, its place in the match as `index`, or None: StoreError `store.gap`, `store.hash`,
        `store.line`, `store.views`, or the rule that the course breaks.
        """
        while True:
            self.views.catch_up()
            try:
                rows = self.store.read(match)
                table = self.views.differing(replace(refold(match, rows, self.store.names), people=self.people()))
            except LedgerError as error:
                return error
            except UNREADABLE as error:
                return unreadable(error)
            if table is None:
                return None
            if len(self.store.read(match)) == len(rows):
                return StoreError(
                    "store.views", f"the read model {table} does not follow from the events", len(rows) - 1
                )
            # Somebody recorded meanwhile, and the read models were ahead.

    def count(self) -> int:
        """Return the number of events, as the read models have them."""
        (events,) = self.views.reader.execute("SELECT coalesce(sum(seq), 0) FROM matches").fetchone()
        return int(events) + self.people().seq

    def rebuild(self) -> Iterator[int]:
        """Drop the read models and fold them again, yielding the number of events done so far."""
        return self.views.rebuild()


def _seen_by(people: People, folded: Folded) -> Folded:
    return replace(folded, people=people) if people.events else folded


def unknown(match: str) -> StoreError:
    """Return the error for a match that is not in the ledger."""
    return StoreError("store.unknown", f"there is no match {match}")
