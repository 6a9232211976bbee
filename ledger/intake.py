"""The intake: matches of a file into a ledger, many in a transaction, but each whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import NamedTuple

from ledger import events as ev
from ledger.errors import ConflictError, ErasedError, LedgerError, LostError
from ledger.live import Live, id_by_content, lacking, prepare
from ledger.matchfile import Match, Problem
from ledger.memory import Memory
from ledger.outcomes import Imported
from ledger.store import Append

_BATCH = 5_000
"""Events stored in one transaction, roughly."""


class Planned(NamedTuple):
    """A match in a file, what is to be appended of it with the match as it will be (None: nothing), and what to tell."""

    item: Match
    prepared: tuple[Append, Live] | None
    imported: Imported


class Intake:
    """Takes in the matches of one file. Where a server stores them, the next are judged meanwhile."""

    def __init__(self, memory: Memory, by: str, follow: Callable[[], object]) -> None:
        """`follow` lets the read models catch up, while what was stored is at hand."""
        self._memory = memory
        self._by = by
        self._follow = follow
        self._now = datetime.now(UTC)
        self._waiting: dict[str, Match] = {}
        self._events = 0
        self._under_way: tuple[list[Planned | Problem], Future[list[int]]] | None = None

    def take(self, found: Iterable[Match | Problem]) -> Iterator[Imported | Problem]:
        """Store matches; yield what became of each, in their order."""
        copies: Counter[str] = Counter()
        with ThreadPoolExecutor(1, "intake") if self._memory.store.remote else nullcontext() as aside:
            try:
                for item in found:
                    if isinstance(item, Problem):
                        yield from self._store()
                        yield item
                        continue
                    id = item.events[0].id or id_by_content(item.events, copies)
                    if id in self._waiting or self._events >= _BATCH:
                        yield from self._store(aside)
                    self._waiting[id] = item
                    self._events += len(item.events)
                yield from self._store()
            finally:
                self._follow()

    def _store(self, aside: ThreadPoolExecutor | None = None) -> Iterator[Imported | Problem]:
        """Store what waits, once what is under way is stored; without an executor aside, return when it is."""
        told = self._landed()
        plans = self._planned()
        appends = [plan.prepared[0] for plan in plans if isinstance(plan, Planned) and plan.prepared]
        self._under_way = plans, _begun(aside, lambda: self._memory.store.append(appends))
        if told:
            self._follow()
            yield from told
        if aside is None and (told := self._landed()):
            self._follow()
            yield from told

    def _landed(self) -> list[Imported | Problem]:
        """Wait for what is under way, and return what became of each match; none if nothing is."""
        if self._under_way is None:
            return []
        (plans, begun), self._under_way = self._under_way, None
        try:
            firsts = begun.result()
        except (ConflictError, ErasedError):
            # Somebody else stores the same matches at this moment, or erases: one by one, each from where it stands by now.
            self._memory.store.names.forget()
            return [self._store_one(plan) for plan in plans]
        with self._memory.lock:
            self._memory.keep_stored(
                [plan.prepared for plan in plans if isinstance(plan, Planned) and plan.prepared], firsts
            )
        return [plan.imported if isinstance(plan, Planned) else plan for plan in plans]

    def _planned(self) -> list[Planned | Problem]:
        """Return what to do with the matches that wait."""
        waiting, self._waiting, self._events = self._waiting, {}, 0
        lengths = self._memory.lengths(waiting)
        return [self._plan(id, item, lengths[id]) for id, item in waiting.items()]

    def _plan(self, id: str, item: Match, length: int | None = None) -> Planned | Problem:
        """Return what is to be appended of a match, of which so many events are stored, or why it cannot be."""
        try:
            with self._memory.lock:
                live = self._memory.find(id, length)
                rest = item.events if live is None else self._lacking(id, item)
                names = self._memory.store.names
                prepared = prepare(id, live, rest, item.stream, self._by, self._now, names) if rest else None
        except LostError:
            raise  # no match is to blame
        except LedgerError as error:
            return Problem(item.file, item.line, error)
        imported = Imported(item.file, item.line, id, item.stream.table.game.id, len(item.events), len(rest))
        return Planned(item, prepared, imported)

    def _lacking(self, id: str, item: Match) -> Sequence[ev.Event]:
        return lacking(id, self._memory.store.read(id), item.events, self._memory.store.names)

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
                except LostError:
                    raise
                except LedgerError as error:
                    return Problem(plan.item.file, plan.item.line, error)
                return plan.imported
        return plan


def _begun(aside: ThreadPoolExecutor | None, work: Callable[[], list[int]]) -> Future[list[int]]:
    """Return work begun in another thread, or done in this one."""
    if aside is not None:
        return aside.submit(work)
    done: Future[list[int]] = Future()
    try:
        done.set_result(work())
    except (ConflictError, ErasedError) as error:
        done.set_exception(error)
    return done
