"""A page of a packed archive: a row group in memory, from which events and lines are made in bulk."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ledger.archive import times
from ledger.archive.arrays import codes, decoded, joined, lengths, plain, spread, valid
from ledger.archive.columns import PLAYED, Spec, event_of
from ledger.archive.lines import COMPOSED, Common, beginning, line_of
from ledger.errors import StoreError
from ledger.events import Open, encode
from ledger.live import ids_of
from ledger.store import Recording
from ledger.store.codec import decode_one
from ledger.store.naming import Named, collected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.archive.arrays import Codes, Ints
    from ledger.events import Event


class Page:
    """Whole matches, one after the other, as columns of Arrow.

    An event has a place among all of the page, from 0. What lists say of an event is made an event, or the beginning of a
    line, once for all events that say the same.
    """

    def __init__(self, table: Any, erasing: Sequence[str] = ()) -> None:
        """Look at the columns; `erasing` are the lines about people. Raises StoreError `store.gap` where events are missing."""
        self._erasing = erasing
        self._table = table.unify_dictionaries().combine_chunks()
        self._rows: dict[str, list[Any]] = {}
        self._lists: dict[str, Codes] = {}
        self._sizes = lengths(self._column("types"))
        self._ends = np.cumsum(self._sizes)
        self._starts = self._ends - self._sizes
        self.events = int(self._sizes.sum())
        self._seqs: Ints = self._column("first_seq").to_numpy(zero_copy_only=False).astype(np.int64)
        matches, ids = codes(self._column("match"))
        firsts = np.flatnonzero(np.diff(matches, prepend=-1))  # the first row of every match
        self.matches: list[str] = decoded(matches[firsts], ids)
        before = np.repeat(self._starts[firsts], np.diff(firsts, append=len(matches)))
        wrong = (self._seqs != self._starts - before + 1) | (self._sizes == 0)
        if wrong.any():
            raise StoreError("store.gap", f"events of match {ids[matches[wrong.argmax()]]} are missing")
        self._firsts: list[int] = firsts.tolist()
        self.bounds: list[int] = [*self._starts[firsts].tolist(), self.events]
        """The place of the first event of every match, and after them the number of all."""

    def recordings(self) -> Iterator[Recording]:
        """Yield the matches with the lines of their events, as they were packed."""
        told = self._told(beginning, np.arange(self.events))
        whens = [
            times.written(moment, digits) if digits >= 0 else None
            for moment, digits in zip(*(values.tolist() for values in self._moments), strict=True)
        ]
        by, ids = decoded(*self.listed("recorders")), decoded(*self.listed("ids"))
        for index, match in enumerate(self.matches):
            own = ids_of(match)
            lines = []
            for seq, place in enumerate(range(*self.bounds[index : index + 2]), 1):
                said = told[place]
                if place not in self.rest:
                    id = ids[place]
                    said = line_of(said, Common(seq, own(seq) if id is None else id, whens[place], by[place]))
                lines.append(said)
            position, digest = self.about(index)
            names = self._named.get(self._firsts[index], ())
            yield Recording(match, position, lines, digest, names)

    def made(self, places: Ints) -> list[Event]:
        """Return the events at some places, people apart, in clear; only lines in `rest` say when and by whom they were recorded."""
        told = self._told(event_of, places)
        names = collected((named for some in self._named.values() for named in some), self._erasing)
        for index in self._in_rest(places):
            told[index] = decode_one(told[index], names)
        for index, event in enumerate(told):
            if isinstance(event, Open):
                told[index] = decode_one(encode(event).decode(), names)
        return told

    @cached_property
    def _named(self) -> dict[int, tuple[Named, ...]]:
        """What pseudonyms stand for, by the rows in which that is told."""
        if "names" not in self._table.column_names:
            return {}
        column = self._column("names")
        return {
            row: tuple(Named(**named) for named in column[row].as_py())
            for row in np.flatnonzero(valid(column)).tolist()
        }

    @cached_property
    def rest(self) -> dict[int, str]:
        """The lines of events that columns do not say to the byte, by their places."""
        column = self._column("rest")
        return {
            int(self._starts[row]) + said["seq"] - int(self._seqs[row]): said["line"]
            for row in np.flatnonzero(valid(column)).tolist()
            for said in column[row].as_py()
        }

    def _told(self, make: Callable[[Spec], Any], places: Ints) -> list[Any]:
        """Return what is made of the events at some places: of their lists, or the event of other columns, or the line.

        Raises StoreError `store.line` where nothing says what an event is.
        """
        numbers, said = joined([(all_[places], words) for all_, words in map(self.listed, PLAYED)], len(places))
        specs = [Spec(*words) for words in said]
        made = [make(spec) for spec in specs]
        told = decoded(numbers, made)
        for kind, (names, compose) in COMPOSED.items():
            of_kind = np.array([spec.types == kind for spec in specs], dtype=bool)
            found = np.flatnonzero(of_kind[numbers])
            rows = np.searchsorted(self._ends, places[found], "right").tolist()
            columns = [self._row(name) for name in names] if rows else []
            for index, row in zip(found.tolist(), rows, strict=True):
                told[index] = compose(*[column[row] for column in columns])
        for index in self._in_rest(places):
            told[index] = self.rest[int(places[index])]
        if None in made:
            for index in np.flatnonzero(np.array([each is None for each in made])[numbers]).tolist():
                if told[index] is None:
                    match = self._row("match")[int(np.searchsorted(self._ends, places[index], "right"))]
                    raise StoreError("store.line", f"an event of match {match} is told nowhere")
        return told

    def _in_rest(self, places: Ints) -> list[int]:
        """Return which of some places have their lines in `rest`."""
        found: list[int] = np.flatnonzero(np.isin(places, [*self.rest])).tolist() if self.rest else []
        return found

    # --- columns

    def about(self, index: int) -> tuple[int, bytes]:
        """Return the position of a match's opening and the hash of its latest event."""
        row = self._firsts[index]
        return int(self._row("position")[row]), bytes.fromhex(self._row("hash")[row])

    def at(self, place: int) -> str | None:
        """Return when an event was recorded, as far as columns say it."""
        moments, digits = self._moments
        return times.written(int(moments[place]), int(digits[place])) if digits[place] >= 0 else None

    def listed(self, name: str) -> Codes:
        """Return what a list says of every event."""
        if name not in self._lists:
            column = self._column(name)
            there = spread(column, self._sizes)
            numbers, words = codes(column.flatten())
            if len(numbers) < self.events:
                everywhere = np.full(self.events, len(words) - 1, dtype=np.int32)
                everywhere[there] = numbers
                numbers = everywhere
            self._lists[name] = numbers, words
        return self._lists[name]

    @cached_property
    def _moments(self) -> tuple[Ints, Ints]:
        """When every event was recorded, and with how many digits; −1 where it is not told."""
        column = self._column("times")
        there = spread(column, self._sizes)
        flat = column.flatten()
        moments = np.zeros(self.events, dtype=np.int64)
        moments[there] = flat.cast("int64").fill_null(0).to_numpy(zero_copy_only=False)
        there[there] = valid(flat)
        digits = self._column("digits").cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
        return moments, np.where(there, np.repeat(digits, self._sizes), -1)

    def _column(self, name: str) -> Any:
        return self._table.column(name).combine_chunks()

    def _row(self, name: str) -> list[Any]:
        """Return a column with one value a row."""
        if name not in self._rows:
            self._rows[name] = plain(self._column(name))
        return self._rows[name]
