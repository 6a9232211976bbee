"""The survey.

Checks every event of the ledger against all that was sealed, and names the first one that does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.merkle import EMPTY, Frontier
from cardledger.record.proofs.rows import UnreadableError, followed, readable
from cardledger.record.proofs.tree import DAMAGE
from cardledger.record.store.chain import START

if TYPE_CHECKING:
    from datetime import datetime

    from cardledger.record.proofs.log import Log
    from cardledger.record.proofs.notes import Checkpoint
    from cardledger.record.store import Stored

_BEFORE_ALL = -(1 << 63)
"""Positions begin at 1, but other tools can write lower ones."""
EVERY = 256


class Surveyed(NamedTuple):
    """The numbers of events and of matching checkpoints."""

    events: int
    checkpoints: int


def survey(
    log: Log,
    given: Sequence[Checkpoint] = (),
    progress: Callable[[int], object] = lambda events: None,
    look: Callable[[Stored], object] = lambda row: None,
) -> Surveyed:
    """Check the whole ledger: hashes, the tree, all stored checkpoints, and the given ones.

    `progress` is called now and then with the number of events done, `look` with each event, perhaps twice. Raises
    ProofError for the first event that does not fit, with its place if known: `store.gap`, `store.hash`, `store.line`,
    `proofs.differs`, `proofs.missing`, `proofs.inserted`, `proofs.moved`, `proofs.checkpoint`; `proofs.signature`,
    `proofs.note` for an invalid checkpoint.
    """
    stored = log.checkpoints.all()
    for checkpoint in chain(stored, given):
        log.signed_at(checkpoint)
    _expect_agreeing([*stored, *given])
    with suppress(*DAMAGE):  # a damaged tree is made again
        log.tree.sealed.expect(stored)
    marks = {checkpoint.size: checkpoint.root for checkpoint in chain(stored, given)}
    try:
        return _Survey(log, marks, look, remembers=True).run(progress)
    except (ProofError, *DAMAGE):
        if _remembers(log, stored or given):
            raise
    # The tree file was damaged or belongs to another ledger: a mismatch with it proves nothing.
    return _Survey(log, marks, look, remembers=False).run(progress)


def seal(log: Log, now: datetime | None = None) -> Checkpoint:
    """Return a checkpoint over all recorded events, as `Log.seal` does.

    If that fails, survey the ledger for the reason.

    A damaged tree is rebuilt. Raises as both do.
    """
    try:
        return log.seal(now)
    except (ProofError, *DAMAGE):
        survey(log)
        return log.seal(now)


def _expect_agreeing(checkpoints: Sequence[Checkpoint]) -> None:
    """Refuse two checkpoints over the same number of events with different roots."""
    roots = {0: EMPTY}
    for checkpoint in checkpoints:
        if roots.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root:
            raise ProofError("proofs.checkpoint", f"two signed checkpoints over {checkpoint.size:,} events differ")


def _remembers(log: Log, checkpoints: Sequence[Checkpoint]) -> bool:
    """Tell whether the tree file agrees with the checkpoints, so that it shows which event was sealed where."""
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
    """One pass over the ledger; without `remembers` the tree is not used."""

    def __init__(self, log: Log, marks: dict[int, bytes], look: Callable[[Stored], object], *, remembers: bool) -> None:
        self._log = log
        self._look = look
        self._marks = marks
        self._size = log.tree.tiles.size if remembers else 0
        self._frontier = Frontier()
        self._fitted = 0
        """The number of events up to the last matching checkpoint."""
        self._sound = False
        """Whether the tree file agrees with the ledger."""

    def run(self, progress: Callable[[int], object]) -> Surveyed:
        """Read all; raises ProofError."""
        # Close a half-read query at once: an open one keeps the database from truncating its log.
        with closing(self._rows()) as rows, closing(self._log.tree.leaves()) as sealed:
            return self._walk(rows, sealed, progress)

    def _walk(
        self, rows: Iterator[Stored], sealed: Iterator[tuple[bytes, EventPlace]], progress: Callable[[int], object]
    ) -> Surveyed:
        log, frontier = self._log, self._frontier
        before, last, named = dict[str, tuple[int, bytes]](), _BEFORE_ALL, True
        for row in rows:
            place, last = EventPlace(row.match, row.seq), row.position
            # Other tools can store values that are not hashes.
            leaf = log.ring.leaves.hash(place, row.hash) if isinstance(row.hash, bytes) else b""
            sealed_leaf, sealed_place = next(sealed, (b"", None)) if frontier.size < self._size else (leaf, place)
            same, named = sealed_leaf == leaf, named and sealed_place == place
            if not same and log.tree.place(frontier.size) != place:
                raise self._misplaced(place)
            before[row.match] = followed(before.get(row.match, (0, START)), row)
            if row.position < 1:
                raise ProofError("proofs.moved", f"{place} stands before the beginning of the ledger", place)
            if not same:
                raise ProofError("proofs.differs", f"{place} is not the one that was sealed", place)
            frontier.add(leaf)
            self._look(row)
            self._look_at_roots(place)
            if not frontier.size % EVERY:
                progress(frontier.size)
        if frontier.size < max(self._size, *self._marks, 0):
            raise self._misplaced(None)
        self._expect_nothing_aside(before, last)
        if not (self._sound and named and log.tree.intact()):
            log.tree.drop()
        return Surveyed(frontier.size, len(self._marks))

    def _rows(self) -> Generator[Stored]:
        """Yield the events of the ledger; an unreadable event counts as missing."""
        try:
            yield from readable(self._log.ledger.store.read_all(_BEFORE_ALL))
        except UnreadableError as error:
            index = self._frontier.size
            place = self._sealed_at(index)
            event = place or f"event {index + 1:,} of the ledger"
            raise ProofError("store.line", f"{event} cannot be read: {error.message}", place) from None

    def _misplaced(self, place: EventPlace | None) -> ProofError:
        """Return the error for a place in the ledger with another event than the sealed one, or with none."""
        index = self._frontier.size
        sealed = self._sealed_at(index)
        if sealed is None:
            return ProofError(
                "proofs.missing", f"{max(self._marks):,} events were sealed, but there are only {index:,}"
            )
        instead = f"{place} stands there" if place else "nothing stands there"
        if not self._is_there(sealed):
            return ProofError("proofs.missing", f"{sealed} was sealed and is missing: {instead}", sealed)
        if place is not None and self._log.tree.index(place) is None:
            return ProofError("proofs.inserted", f"{place} stands before {sealed}, where nothing was sealed", place)
        return ProofError("proofs.moved", f"{sealed} is not in its place: {instead}", sealed)

    def _sealed_at(self, index: int) -> EventPlace | None:
        return self._log.tree.place(index) if index < self._size else None

    def _is_there(self, place: EventPlace) -> bool:
        try:
            return self._log.event(place) is not None
        except UnreadableError:
            return False

    def _look_at_roots(self, place: EventPlace) -> None:
        """Refuse the events so far if they differ from a checkpoint over the same number."""
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
                f"one of the events {first:,} to {size:,} of the ledger is not the one that was sealed; "
                f"the last is {place}",
            )
        if size in self._marks:
            self._fitted = size

    def _expect_nothing_aside(self, before: dict[str, tuple[int, bytes]], last: int) -> None:
        """Refuse events that are in a match but not in the order of the ledger, where readers would find them."""
        for match in self._log.ledger.store.matches():
            seq = before[match][0] if match in before else 0
            for row in self._log.ledger.store.read(match, seq):
                if row.position <= last:
                    place = EventPlace(row.match, row.seq)
                    raise ProofError("proofs.inserted", f"{place} stands aside, where nothing was sealed", place)
