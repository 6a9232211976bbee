"""The ledger: the only way in for events, and the way to everything worked out from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from cardledger.crew import Crew
from cardledger.errors import (
    BusyError,
    ConflictError,
    ErasedError,
    LedgerError,
    LostError,
    StoreError,
    UnusableError,
)
from cardledger.record.matches.matchfile import MatchInFile, Problem
from cardledger.record.matches.shape import written_day
from cardledger.record.people import recorders
from cardledger.record.people.people import People
from cardledger.record.people.recorders import Recorder
from cardledger.record.readmodels import ReadModels
from cardledger.record.readmodels.model import Folded
from cardledger.record.recording import people_changes, verification
from cardledger.record.recording.doubts import doubts
from cardledger.record.recording.evenings import Evenings
from cardledger.record.recording.group_commit import GroupCommit
from cardledger.record.recording.importer import Intake, imported
from cardledger.record.recording.job import Job
from cardledger.record.recording.loaded_match import Live, judged, match_id, prepare
from cardledger.record.recording.match_cache import Memory
from cardledger.record.recording.moment import unknown_match
from cardledger.record.recording.own_boards import expect_own_boards
from cardledger.record.recording.repeated import repeated
from cardledger.record.recording.replacing import replacement
from cardledger.record.recording.results import Imported, Recorded
from cardledger.record.recording.similar import Ask, Lookout
from cardledger.record.store import Append, EventStore, Stored
from cardledger.record.store.address import Where, where
from cardledger.record.store.codec import decode
from cardledger.record.store.opening import beside, opened
from cardledger.record.store.register import Register
from cardledger.record.store.streams import is_match
from cardledger.record.store.write_lock import PATIENCE
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import UNKNOWN
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence


class Ledger:
    """A ledger in a file or in a PostgreSQL database, with its read models in a file.

    Safe to share between threads, and with other processes on the same ledger.
    """

    def __init__(
        self, at: Where | str, *, create: bool = True, views: Path | None = None, patience: float = PATIENCE
    ) -> None:
        """Open or create the ledger at a path or address. `views`: file of the read models; `patience` as in `opened`.

        Raises StoreError `store.open`, `store.version`, or without `create` `store.missing` where there is none.
        """
        self.at = at = where(at)
        self.store: EventStore = opened(at, create=create, patience=patience)
        self.register = Register(self.store)
        self._memory = Memory(self.store)
        try:
            self.views = ReadModels(views or beside(at, "views", self.store), self, patience)
        except BaseException:
            self.store.close()
            raise
        self._group_commit = GroupCommit(self.work_off)
        self.evenings = Evenings(self, self._memory)

    def close(self) -> None:
        """Release the files."""
        self.views.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing

    def record(
        self, match: str | None, events: Sequence[ev.Event], expected: int, by: Recorder | str = "ledger"
    ) -> Recorded:
        """Judge events and store them: all or nothing.

        `expected` is the seq that the caller expects the match to have; for a new match `match` is None (or its id)
        and `expected` 0. Missing keys are filled in: number, id, time, and `by`, as `Recorder` decides. Events whose
        ids are stored already, with the same content, get the same answer as the first time. Raises ConflictError,
        RuleError, FormatError (with the index of the event in `index`), StoreError (`store.unknown` for a match that
        is not there, `store.duplicate`, `store.recorder`, `store.time`, `store.write`, `store.busy`).
        """
        if not events:
            raise StoreError("store.empty", Sentence("there are no events to record"))
        return self.take(match_id(match, events[0]), events, expected, recorders.by(by))

    def take(self, stream: str, events: Sequence[ev.Event], expected: int, by: Recorder) -> Recorded:
        """Record events of any stream but the people, whose id fits its opening; raises like `record`."""
        job = Job(stream, events, expected, by)
        self._group_commit.do(job)
        if isinstance(job.outcome, Recorded):
            return job.outcome
        assert job.outcome is not None
        raise job.outcome

    def work_off(self, jobs: Sequence[Job]) -> None:
        """Record jobs in as few transactions as possible; each gets its result."""
        try:
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
        """Record jobs in one transaction; return those that must wait for another job of the same match."""
        with self._memory.lock:
            plans, later = self._plans(jobs)
        if not plans:
            return later
        # Without the lock: readers must not wait for writers.
        try:
            firsts = self.store.append([append for _, append, _ in plans.values()])
        except LostError as error:
            # It is unknown what was stored: retrying each job alone could take our own events for another writer's.
            for job, _, _ in plans.values():
                job.outcome = error
            return later
        except BusyError as error:
            # Waiting again for each job would not help.
            error.message = f"nothing was stored: {error.message}"
            for job, _, _ in plans.values():
                job.outcome = error
            return later
        except ErasedError:
            self.store.names.forget()  # judge again: the same word is another name from now on
            return [*(job for job, _, _ in plans.values()), *later]
        except LedgerError as error:
            if isinstance(error, UnusableError):
                error.message = f"nothing was stored: {error.message}"
            for job, _, _ in plans.values():
                if len(plans) > 1:
                    self._together([job])
                else:
                    with self._memory.lock:
                        job.outcome = self._answer_to(job, error)
            return later
        self._memory.keep_stored([(append, live) for _, append, live in plans.values()], firsts)
        for job, _, live in plans.values():
            ids = tuple(live.ids[job.expected :])
            found = doubts(live, job.expected, job.events)
            job.outcome = Recorded(job.match, len(live.ids), live.folded.hash, True, ids, found)
        return later

    def _plans(self, jobs: Sequence[Job]) -> tuple[dict[str, tuple[Job, Append, Live]], list[Job]]:
        """Return the appends by match, and the jobs that must wait; jobs that fail or are done get their result."""
        plans: dict[str, tuple[Job, Append, Live]] = {}
        later = []
        for job in jobs:
            if job.match in plans:
                later.append(job)
                continue
            try:
                plan = self._planned(job)
            except Exception as error:  # noqa: BLE001 - a failing job must not stop the others
                job.outcome = error
            else:
                if isinstance(plan, Recorded):
                    job.outcome = plan
                else:
                    plans[job.match] = job, *plan
        return plans, later

    def _planned(self, job: Job) -> Recorded | tuple[Append, Live]:
        """Return the append and the resulting match, or the first answer if the events are stored already."""
        match, expected = job.match, job.expected
        live = self._memory.at(match, expected) or self._memory.find(match)
        if live is None and expected:
            raise unknown_match(match)
        if live is not None:
            again = repeated(self.store, match, live, job.events)
            if again is not None:
                return again
            if len(live.ids) != expected:
                raise ConflictError(match, expected, len(live.ids))
        try:
            stream = judged(live, job.events, match)
            if live is not None:
                expect_own_boards(self, match, live.folded.stream.table, stream.table, job.events)
            return prepare(match, live, job.events, stream, job.by, datetime.now(UTC), self.store.names)
        except LedgerError as error:
            answer = self._answer_to(job, error)
            if isinstance(answer, Recorded):
                return answer
            raise answer from None

    def _answer_to(self, job: Job, error: LedgerError) -> Recorded | LedgerError:
        """Return the answer instead of an error.

        If the known state was old, that is the error, whatever the rules said. Another process may even have recorded
        exactly these events.
        """
        now = self._memory.find(job.match)
        if now is None or len(now.ids) == job.expected:
            return error
        try:
            again = repeated(self.store, job.match, now, job.events)
        except StoreError as differs:
            return differs
        return again or ConflictError(job.match, job.expected, len(now.ids))

    def import_matches(
        self,
        items: Iterable[MatchInFile | Problem],
        by: Recorder | str = "import",
        ask: Ask | None = None,
        replace: Collection[str] = (),
        *,
        day: str = UNKNOWN,
    ) -> Iterator[Imported | Problem]:
        """Store the matches of one file, many in a transaction but each whole or not at all; yield the result of each.

        A stored match is skipped, one that has grown is continued, and one that differs is a Problem
        (`store.differs`). A match whose opening has no id gets one that follows from its content, so that the same
        file stores nothing new the second time; equal matches in one file are different matches. The read models are
        caught up at the end.

        With `ask`, a match that is similar to a stored one waits until the file is read, and `ask` then decides about
        it: leaving it out is a Problem (`store.similar`). `replace` names stored matches to replace.

        `day` is that of the matches for which the file has none: a day, a month or a year (2026-01-31, 2026-01, 2026).
        Raises FormatError `format.value` for anything else.
        """
        recorder = recorders.by(by)
        day = written_day(day)
        lookout = Lookout(self.views, self._memory, day, ask, replace) if ask else None
        intake = Intake(self._memory, recorder, self._follow, day, lookout)
        yield from intake.take(items)
        for similar in intake.to_replace():
            yield self._replaced(similar.match, similar.item, recorder)

    def replace(self, match: str, events: Sequence[ev.Event], by: Recorder | str = "import") -> Recorded | None:
        """Record corrections that make a stored match equal to some events; None if it already is.

        Nothing is lost: events that no longer count are taken back by a retract. Raises like `record`, and
        SimilarError for a match of another game or number of players.
        """
        while True:
            stored = self.events(match)
            events_to_add = replacement(match, stored, events)
            if not events_to_add:
                return None
            try:
                return self.record(match, events_to_add, len(stored), by)
            except ConflictError:
                continue  # events recorded in the meantime are taken back too

    def _replaced(self, match: str, item: MatchInFile, by: Recorder) -> Imported | Problem:
        try:
            recorded = self.replace(match, item.events, by)
        except LostError:
            raise
        except LedgerError as error:
            return Problem(item.file, item.line, error)
        new = len(recorded.ids) if recorded else 0
        return imported(item, match, new, item.events)._replace(replaced=recorded is not None)

    def _follow(self, upto: int | None) -> None:
        """Catch up the read models, up to a position if given.

        If that fails, the events are stored all the same, and the read models catch up next time.
        """
        with suppress(sqlite3.Error, LostError, UnusableError):
            self.views.catch_up(upto)

    # --- reading

    def stream(self, match: str) -> Stream:
        """Return a match's stream now; do not change it; raises StoreError `store.unknown`."""
        return self.folded(match).stream

    def folded(self, match: str) -> Folded:
        """Return a match now, as the read models see it; raises StoreError `store.unknown`."""
        people = self.people()  # first, so that erased names are not read from memory
        with self._memory.lock:
            live = self._memory.find(match) if is_match(match) else None
        if live is None:
            raise unknown_match(match)
        return live.folded.known_to(people)

    def folded_each(self, matches: Collection[str]) -> Iterator[Folded]:
        """Yield matches as they are now; those that do not fold, or do not exist, are left out."""
        lengths, people = self._memory.lengths(matches), self.people()
        for match in matches:
            with suppress(LedgerError):
                with self._memory.lock:
                    live = self._memory.find(match, lengths[match])
                if live is not None:
                    yield live.folded.known_to(people)

    def record_people(self, events: Sequence[ev.Event], expected: int, by: str) -> People:
        """Record events about people, all or nothing, as `people_changes.record` does."""
        return people_changes.record(self.register, self.views, events, expected, by)

    def people(self) -> People:
        """Return the people now; do not change them."""
        return self.register.people()

    def events(self, match: str, after: int = 0) -> Sequence[ev.Event]:
        """Return a match's events after a seq, as recorded; none for a match that is not there."""
        return decode(row.line for row in self.cleared(self._rows(match)[after:]))

    def _rows(self, match: str) -> Sequence[Stored]:
        return self._memory.rows(match) if is_match(match) else ()

    def cleared(self, rows: Sequence[Stored]) -> list[Stored]:
        """Return events with their lines in clear; erased people stay pseudonyms."""
        self.people()  # so that erased names are known
        lines = self.store.names.lines([row.line for row in rows])
        return [row._replace(line=line) for row, line in zip(rows, lines, strict=True)]

    def matches(self) -> list[str]:
        """Return the ids of all matches in the order of recording."""
        return [*filter(is_match, self.store.matches())]

    def resolve(self, prefix: str) -> str:
        """Return the match whose id begins with a prefix; raises StoreError `store.unknown`, `store.ambiguous`."""
        matches = [match for match in self.store.ids(prefix.lower(), 3) if is_match(match)]
        if len(matches) > 1:
            raise StoreError(
                "store.ambiguous",
                Sentence(
                    "several matches begin with {prefix}: {matches}, …", prefix=prefix, matches=", ".join(matches)
                ),
            )
        if not matches:
            raise unknown_match(prefix)
        return matches[0]

    def export(self, matches: Iterable[str], *, as_stored: bool = False) -> Iterator[str]:
        """Yield matches as lines of a match file, in clear or with pseudonyms as stored.

        Raises StoreError `store.unknown`.
        """
        for match in matches:
            rows = self._rows(match)
            if not rows:
                raise unknown_match(match)
            yield "".join(row.line + "\n" for row in (rows if as_stored else self.cleared(rows)))

    def verify(self, crew: Crew | None = None) -> Iterator[tuple[str, LedgerError | None]]:
        """Check everything and yield each id with its first error, as `verification.verify` does."""
        return verification.verify(self, crew)

    def check(self, stream: str) -> LedgerError | None:
        """Check one match, club, session or league; return its first error, as `verification.check` does."""
        return verification.check(self, stream)

    def count(self) -> int:
        """Return the number of events, as the read models have them."""
        each = (f"(SELECT coalesce(sum(seq), 0) FROM {table})" for table in ("matches", "evenings", "lessons"))
        counted = f"SELECT {' + '.join(each)}"
        (events,) = self.views.reader.execute(counted).fetchone()
        return int(events) + self.people().seq

    def rebuild(self, crew: Crew | None = None) -> Iterator[int]:
        """Drop the read models and fold them again, yielding the number of events done so far.

        A crew as in `ReadModels.rebuild` helps.
        """
        return self.views.rebuild(crew)
