"""The survey: every event of the ledger against all that was ever sealed; the first that does not fit is named."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ledger.proofs import Place, ProofError
from ledger.proofs.merkle import EMPTY, Frontier
from ledger.proofs.rows import UnreadableError, followed, readable
from ledger.proofs.tree import DAMAGE
from ledger.store.chain import START

if TYPE_CHECKING:
    from datetime import datetime

    from ledger.proofs.log import Log
    from ledger.proofs.notes import Checkpoint
    from ledger.store import Stored

_BEFORE_ALL = -(1 << 63)
"""Positions begin at 1; with other tools one can write below that."""
_EVERY = 256


class Surveyed(NamedTuple):
    """How many events there are, and how many checkpoints they fit."""

    events: int
    checkpoints: int


def survey(
    log: Log, given: Sequence[Checkpoint] = (), progress: Callable[[int], object] = lambda events: None
) -> Surveyed:
    """Read the whole ledger, trusting nothing: hashes, the tree, all checkpoints that were kept, and those given.

    `progress` is told every now and then how many events are done. Raises ProofError for the first that does not fit,
    with its place where that can be told: `store.gap`, `store.hash`, `store.line`, `proofs.differs`, `proofs.missing`,
    `proofs.inserted`, `proofs.moved`, `proofs.checkpoint`; `proofs.signature`, `proofs.note` for a checkpoint that is none.
    """
    kept = log.checkpoints.all()
    for checkpoint in chain(kept, given):
        log.signed_at(checkpoint)
    _expect_agreeing([*kept, *given])
    marks = {checkpoint.size: checkpoint.root for checkpoint in chain(kept, given)}
    try:
        return _Survey(log, marks, remembers=True).run(progress)
    except (ProofError, *DAMAGE):
        if _remembers(log, kept or given):
            raise
    # The file of the tree was damaged or is another ledger's: what it said of the ledger proves nothing.
    return _Survey(log, marks, remembers=False).run(progress)


def seal(log: Log, now: datetime | None = None) -> Checkpoint:
    """Return a checkpoint over all that is recorded, as `Log.seal` does; where that cannot be had, survey why.

    A tree that is damaged is made again. Raises as both do.
    """
    try:
        return log.seal(now)
    except (ProofError, *DAMAGE):
        survey(log)
        return log.seal(now)


def _expect_agreeing(checkpoints: Sequence[Checkpoint]) -> None:
    """Refuse checkpoints over as many events that are not over the same."""
    roots = {0: EMPTY}
    for checkpoint in checkpoints:
        if roots.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root:
            raise ProofError(
                "proofs.checkpoint", f"checkpoints over {checkpoint.size:,} events were signed that differ"
            )


def _remembers(log: Log, checkpoints: Sequence[Checkpoint]) -> bool:
    """Tell whether the leaves in the file of the tree are those of the checkpoints, so that it can tell what was sealed where."""
    wanted = {checkpoint.size: checkpoint.root for checkpoint in checkpoints if checkpoint.size}
    frontier = Frontier()
    with suppress(*DAMAGE):
        for leaf, _ in log.tree.leaves():
            frontier.add(leaf)
            if frontier.size in wanted and wanted.pop(frontier.size) != frontier.root():
                return False
        return not wanted and frontier.size == log.tree.tiles.size
    return False


class _Survey:
    """One walk through the ledger; without `remembers` the tree is not asked."""

    def __init__(self, log: Log, marks: dict[int, bytes], *, remembers: bool) -> None:
        self._log = log
        self._marks = marks
        self._size = log.tree.tiles.size if remembers else 0
        self._frontier = Frontier()
        self._fitted = 0
        """Events up to the last checkpoint that fits."""
        self._sound = False
        """Whether the file of the tree is as it follows from the ledger."""

    def run(self, progress: Callable[[int], object]) -> Surveyed:
        """Read all; raises ProofError."""
        # What is read half-way is let go at once: an open question holds back the log of the database.
        with closing(self._rows()) as rows, closing(self._log.tree.leaves()) as sealed:
            return self._walk(rows, sealed, progress)

    def _walk(
        self, rows: Iterator[Stored], sealed: Iterator[tuple[bytes, Place]], progress: Callable[[int], object]
    ) -> Surveyed:
        log, frontier = self._log, self._frontier
        before, last, named = dict[str, tuple[int, bytes]](), _BEFORE_ALL, True
        for row in rows:
            place, last = Place(row.match, row.seq), row.position
            # Whoever writes to the file with other tools can store what is no hash.
            leaf = log.ring.leaves.hash(place, row.hash) if isinstance(row.hash, bytes) else b""
            known, known_place = next(sealed, (b"", None)) if frontier.size < self._size else (leaf, place)
            same, named = known == leaf, named and known_place == place
            if not same and log.tree.place(frontier.size) != place:
                raise self._misplaced(place)
            before[row.match] = followed(before.get(row.match, (0, START)), row)
            if row.position < 1:
                raise ProofError("proofs.moved", f"{place} stands before the beginning of the ledger", place)
            if not same:
                raise ProofError("proofs.differs", f"{place} is not the one that was sealed", place)
            frontier.add(leaf)
            self._look_at_roots(place)
            if not frontier.size % _EVERY:
                progress(frontier.size)
        if frontier.size < max(self._size, *self._marks, 0):
            raise self._misplaced(None)
        self._expect_nothing_aside(before, last)
        if not (self._sound and named):
            log.tree.drop()
        return Surveyed(frontier.size, len(self._marks))

    def _rows(self) -> Generator[Stored]:
        """Yield the events of the ledger; what cannot be read is as bad as what is not there."""
        try:
            yield from readable(self._log.ledger.store.read_all(_BEFORE_ALL))
        except UnreadableError as error:
            index = self._frontier.size
            place = self._sealed_at(index)
            said = place or f"event {index + 1:,} of the ledger"
            raise ProofError("store.line", f"{said} cannot be read: {error.message}", place) from None

    def _misplaced(self, found: Place | None) -> ProofError:
        """Return what to say where another event stands, or none, than the one that was sealed there."""
        index = self._frontier.size
        sealed = self._sealed_at(index)
        if sealed is None:
            return ProofError(
                "proofs.missing", f"{max(self._marks):,} events were sealed, but there are only {index:,}"
            )
        instead = f"{found} stands there" if found else "nothing stands there"
        if not self._is_there(sealed):
            return ProofError("proofs.missing", f"{sealed} was sealed and is gone: {instead}", sealed)
        if found is not None and self._log.tree.index(found) is None:
            return ProofError("proofs.inserted", f"{found} stands before {sealed}, where nothing was sealed", found)
        return ProofError("proofs.moved", f"{sealed} is not in its place: {instead}", sealed)

    def _sealed_at(self, index: int) -> Place | None:
        return self._log.tree.place(index) if index < self._size else None

    def _is_there(self, place: Place) -> bool:
        try:
            return self._log.event(place) is not None
        except UnreadableError:
            return False

    def _look_at_roots(self, place: Place) -> None:
        """Refuse events up to this one that are not those of a checkpoint over as many."""
        size = self._frontier.size
        if size == self._size:
            with suppress(ProofError):
                self._sound = self._log.tree.tiles.root(size) == self._frontier.root()
        if size in self._marks and self._marks[size] != self._frontier.root():
            first = self._fitted + 1
            if first == size:
                raise ProofError("proofs.checkpoint", f"{place} is not the one that was sealed", place)
            raise ProofError(
                "proofs.checkpoint",
                f"one of the events {first:,} to {size:,} of the ledger is not the one that was sealed; the last is {place}",
            )
        if size in self._marks:
            self._fitted = size

    def _expect_nothing_aside(self, before: dict[str, tuple[int, bytes]], last: int) -> None:
        """Refuse events that are in a match, but not where those are found who follow the ledger."""
        for match in self._log.ledger.store.matches():
            seq = before[match][0] if match in before else 0
            for row in self._log.ledger.store.read(match, seq):
                if row.position <= last:
                    place = Place(row.match, row.seq)
                    raise ProofError("proofs.inserted", f"{place} stands aside, where nothing was sealed", place)
