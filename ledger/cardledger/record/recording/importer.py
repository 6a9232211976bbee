"""The importer: stores the matches of a file in a ledger, many in a transaction, but each whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from cardledger.errors import ConflictError, ErasedError, LedgerError, LostError, QuotaError, StoreError, UnusableError
from cardledger.record.matches.matchfile import MatchInFile, Problem, sheet_warnings
from cardledger.record.matches.missing_days import dated, has_no_day
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.loaded_match import Live, id_by_content, judged, missing_events, prepare
from cardledger.record.recording.match_cache import Memory
from cardledger.record.recording.results import Imported
from cardledger.record.recording.similar import Lookout, Similar
from cardledger.record.store import Append
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import UNKNOWN
from cardledger.sentence import Sentence, advising

BATCH = 5_000
"""Events stored in one transaction, roughly."""


class Planned(NamedTuple):
    """A match in a file, the events to append with the resulting match (None: nothing), and the report."""

    item: MatchInFile
    prepared: tuple[Append, Live] | None
    imported: Imported


class Intake:
    """Imports the matches of one file. While a server stores some, the next ones are judged."""

    def __init__(
        self,
        memory: Memory,
        by: Recorder,
        follow: Callable[[int | None], object],
        day: str,
        lookout: Lookout | None = None,
    ) -> None:
        """`follow` lets the read models catch up, to a position or to the end; `lookout` holds back similar matches.

        `day` is that of the matches for which the file has none.
        """
        self._memory = memory
        self._lookout = lookout
        self._by = by
        self._day = day
        self._follow = follow
        self._now = datetime.now(UTC)
        self._waiting: dict[str, MatchInFile] = {}
        self._to_replace: list[Similar] = []
        self._events = 0
        self._in_memory = 0
        self._under_way: tuple[list[Planned | Problem], Future[list[int]]] | None = None
        self._ended: LedgerError | None = None

    def take(self, items: Iterable[MatchInFile | Problem]) -> Iterator[Imported | Problem]:
        """Store matches and yield the result of each, in order.

        If the store can take no more, a Problem names the first match that is not stored, and the import ends.
        """
        copies: Counter[bytes] = Counter()
        with ThreadPoolExecutor(1, "intake") if self._memory.store.remote else nullcontext() as aside:
            try:
                for item in items:
                    if isinstance(item, Problem):
                        yield from self._store()
                        if self._ended is None:
                            yield item
                    else:
                        id = item.events[0].id or id_by_content(item.events, copies)
                        self._events += len(item.events)
                        if id in self._waiting or self._events > BATCH and self._waiting:
                            yield from self._store(aside)
                            self._events = len(item.events)
                        self._waiting[id] = item
                    if self._ended is not None:
                        break
                else:
                    yield from self._store()
                if self._lookout is not None and self._ended is None:
                    yield from self._decided(self._lookout)
                elif self._lookout is not None and self._ended is not None:
                    for held in self._lookout.held():
                        yield Problem(held.file, held.line, self._ended)
            finally:
                self._follow(None)

    def to_replace(self) -> list[Similar]:
        """Return the stored matches to be replaced by matches of the file, as decided about similar ones."""
        return self._to_replace

    def _decided(self, lookout: Lookout) -> Iterator[Imported | Problem]:
        """Treat the matches that were held back as decided."""
        problems: list[Problem] = []
        for doubt, answer, similar in lookout.decisions():
            if answer == "anyway" or similar is None:
                self._waiting[doubt.id] = doubt.item
            elif answer == "replace":
                self._to_replace.append(similar)
            else:
                problems.append(doubt.problem or Problem(doubt.item.file, doubt.item.line, similar.refusal))
        self._lookout = None
        yield from self._store()
        yield from problems

    def _store(self, aside: ThreadPoolExecutor | None = None) -> Iterator[Imported | Problem]:
        """Store the waiting matches after those under way; without an executor, return when that is done."""
        problems = self._landed()
        waiting, self._waiting, self._events = self._waiting, {}, 0
        if waiting and self._ended is None:
            try:
                plans = self._planned(waiting)
            except LostError as error:
                self._ended = error
                problems.append(_not_stored(next(iter(waiting.values())), error))
            else:
                appends = [plan.prepared[0] for plan in plans if isinstance(plan, Planned) and plan.prepared]
                self._under_way = plans, _begun(aside, lambda: self._memory.store.append(appends))
        yield from self._followed(problems)
        if aside is None:
            yield from self._followed(self._landed())

    def _followed(self, landed: list[Imported | Problem]) -> list[Imported | Problem]:
        """Return the results of stored matches after the read models have caught up with those that are in memory.

        Only so far: the events under way are not in memory yet, and would be read and folded again.
        """
        if landed and self._in_memory:
            self._follow(self._in_memory)
            self._in_memory = 0
        return landed

    def _landed(self) -> list[Imported | Problem]:
        """Wait for the storing under way, and return the result of each match."""
        if self._under_way is None:
            return []
        (plans, begun), self._under_way = self._under_way, None
        try:
            firsts = begun.result()
        except (ConflictError, ErasedError, QuotaError):
            # Another process is storing the same matches, or erasing: store them one by one, each from its present
            # state. So all that fits is stored, too.
            self._memory.store.names.forget()
            return [*self._one_by_one(plans)]
        except (UnusableError, LostError) as error:
            return [*self._end(plans, error)]
        self._memory.keep_stored(
            [plan.prepared for plan in plans if isinstance(plan, Planned) and plan.prepared], firsts
        )
        self._in_memory = max(firsts, default=1) - 1  # up to the last match, whose end has a position of its own
        return [plan.imported if isinstance(plan, Planned) else plan for plan in plans]

    def _planned(self, waiting: dict[str, MatchInFile]) -> list[Planned | Problem]:
        """Return the work for the waiting matches."""
        lengths = self._memory.lengths(waiting)
        if self._lookout is None:
            return [self._plan(id, item, lengths[id]) for id, item in waiting.items()]
        self._lookout.meets(waiting)
        plans: list[Planned | Problem] = []
        for id, item in waiting.items():
            match = id if lengths[id] else self._lookout.look(id, item)
            if match == id:
                plan = self._plan(id, item, lengths[id])
                if isinstance(plan, Problem) and plan.error.code == "store.differs":
                    self._lookout.holds(id, item, plan)
                else:
                    plans.append(plan)
            elif match is not None:
                plans.append(Planned(item, None, imported(item, match, 0)))
        return plans

    def _plan(self, id: str, item: MatchInFile, length: int | None = None) -> Planned | Problem:
        """Return the events of a match to append after those stored, or the reason why that is not possible."""
        try:
            with self._memory.lock:
                live = self._memory.find(id, length)
                new_events = self._new_events(id, item, live)
                stream = item.stream if _as_in(item, new_events) else judged(live, new_events, id)
                names = self._memory.store.names
                prepared = prepare(id, live, new_events, stream, self._by, self._now, names) if new_events else None
        except LostError:
            raise  # no single match is at fault
        except LedgerError as error:
            return Problem(item.file, item.line, error)
        return Planned(item, prepared, imported(item, id, len(new_events), new_events))

    def _new_events(self, id: str, item: MatchInFile, live: Live | None) -> Sequence[ev.Event]:
        """Return the events that are not stored yet; a day that is said later corrects the opening."""
        opening = item.events[0]
        assert isinstance(opening, ev.Open)
        if live is None:
            return [dated(opening, self._day), *item.events[1:]] if has_no_day(opening) else item.events
        missing = missing_events(id, self._memory.store.read(id), item.events, self._memory.store.names)
        if self._day == UNKNOWN or not has_no_day(opening):
            return missing
        folded = live.folded
        known = folded.date or folded.period
        if known is None or known != self._day and self._day.startswith(known):
            now = msgspec.structs.replace(folded.stream.table.opening, date=self._day)
            return [*missing, ev.Amend(about=1, event=ev.bare(now))]
        if not known.startswith(self._day):
            raise StoreError(
                "store.differs",
                advising(
                    Sentence(
                        "match {id} is stored already, as of {known}: `cardledger amend {id} 1 date={day}` "
                        "changes its day",
                        id=id,
                        known=known,
                        day=self._day,
                    )
                ),
            )
        return missing

    def _one_by_one(self, plans: Sequence[Planned | Problem]) -> Iterator[Imported | Problem]:
        for place, plan in enumerate(plans):
            try:
                yield self._store_one(plan)
            except (UnusableError, LostError, QuotaError) as error:
                yield from self._end(plans[place:], error)
                return

    def _end(self, plans: Sequence[Planned | Problem], error: LedgerError) -> Iterator[Imported | Problem]:
        """End the import; name the last match, and report those that needed no storing."""
        self._ended = error
        first = next(plan for plan in plans if isinstance(plan, Planned) and plan.prepared)
        for plan in plans:
            if plan is first:
                yield _not_stored(first.item, error)
            elif isinstance(plan, Problem):
                yield plan
            elif plan.prepared is None:
                yield plan.imported

    def _store_one(self, plan: Planned | Problem) -> Imported | Problem:
        while isinstance(plan, Planned):
            plan = self._plan(plan.imported.match, plan.item)
            if isinstance(plan, Planned):
                try:
                    if plan.prepared is not None:
                        self._memory.store.append([plan.prepared[0]])
                except (ConflictError, ErasedError):
                    self._memory.store.names.forget()
                    continue
                except (UnusableError, LostError, QuotaError):
                    raise
                except LedgerError as error:
                    return Problem(plan.item.file, plan.item.line, error)
                return plan.imported
        return plan


def _as_in(item: MatchInFile, new: Sequence[ev.Event]) -> bool:
    """Tell whether new events, the last ones, follow from a file as it is: nothing was said of its day in other words."""
    opening, first = item.events[0], new[0] if new else None
    amended = bool(new) and isinstance(new[-1], ev.Amend) and new[-1] is not item.events[-1]
    changed = isinstance(first, ev.Open) and isinstance(opening, ev.Open) and opening.date not in (None, first.date)
    return not amended and not changed


def imported(item: MatchInFile, match: str, new: int, events: Sequence[ev.Event] = ()) -> Imported:
    """Return the report on a match of a file; `events` are those that were stored."""
    warnings = tuple(sheet_warnings(item, events)) if events else ()
    game = item.stream.table.game.id
    return Imported(item.file, item.line, match, game, len(item.events), new, warnings, source=item.source)


def _not_stored(item: MatchInFile, error: LedgerError) -> Problem:
    """Return the problem of the first match that could not be stored."""
    return Problem(
        item.file,
        item.line,
        UnusableError(
            error.code,
            Sentence(
                "{message}; all matches before this one are stored. Fix the cause and import the file again; "
                "stored matches stay as they are",
                message=error.message,
            ),
        ),
    )


def _begun(aside: ThreadPoolExecutor | None, work: Callable[[], list[int]]) -> Future[list[int]]:
    """Return work started in another thread, or done in this one."""
    if aside is not None:
        return aside.submit(work)
    done: Future[list[int]] = Future()
    try:
        done.set_result(work())
    except LedgerError as error:
        done.set_exception(error)
    return done
