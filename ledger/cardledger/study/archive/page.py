"""A page of a packed archive: a row group in memory, from which events and lines are made in bulk."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.errors import StoreError
from cardledger.record.people.names import Named, collected
from cardledger.record.people.old_lines import old_in, with_puts
from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.record.recording.event_ids import ids_of
from cardledger.record.store import Recording
from cardledger.record.store.codec import decode_one
from cardledger.rules.engine.events import Open, encode
from cardledger.study.archive import times
from cardledger.study.archive.arrays import codes, cut, decoded, joined, lengths, plain, spread, valid
from cardledger.study.archive.columns import ADDED, ALPHABETS, LETTERED, PLAYED, VERSION, Spec, event_of, schema
from cardledger.study.archive.letters import SEVERAL
from cardledger.study.archive.lines import COMPOSED, Common, beginning, line_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardledger.rules.engine.events import Event
    from cardledger.study.archive.arrays import Codes, Ints
    from cardledger.study.archive.letters import Meanings


class Page:
    """Whole matches, one after the other, as columns of Arrow.

    An event has an index among all events of the page, from 0. The content of the lists is turned into an event, or the
    beginning of a line, once for all events with the same content.
    """

    def __init__(self, table: Any, meanings: Meanings | None, erasing: Sequence[str] = ()) -> None:
        """Look at the columns; an old archive has lists in place of letters, so they have no `meanings`.

        `erasing` are the lines about people. Raises StoreError `store.gap` where events are missing.
        """
        self._meanings, self._erasing = meanings, erasing
        self._table = table.unify_dictionaries().combine_chunks()
        self._rows: dict[str, list[Any]] = {}
        self._lists: dict[str, Codes] = {}
        self.sizes = lengths(self.column("types"))
        self._ends = np.cumsum(self.sizes)
        self.starts = self._ends - self.sizes
        """The index of the first event of every row; `sizes` are how many it has."""
        self.events = int(self.sizes.sum())
        self._seqs: Ints = self.column("first_seq").to_numpy(zero_copy_only=False).astype(np.int64)
        matches, ids = codes(self.column("match"))
        firsts = np.flatnonzero(np.diff(matches, prepend=-1))  # the first row of every match
        self.matches: list[str] = decoded(matches[firsts], ids)
        before = np.repeat(self.starts[firsts], np.diff(firsts, append=len(matches)))
        wrong = (self._seqs != self.starts - before + 1) | (self.sizes == 0)
        if wrong.any():
            raise StoreError("store.gap", f"events of match {ids[matches[wrong.argmax()]]} are missing")
        self.firsts: list[int] = firsts.tolist()
        """The first row of every match."""
        self.bounds: list[int] = [*self.starts[firsts].tolist(), self.events]
        """The place of the first event of every match, and after them the number of all."""

    def recordings(self) -> Iterator[Recording]:
        """Yield the matches with the lines of their events, as packed."""
        events = self._decoded_at(beginning, np.arange(self.events))
        whens = [
            times.written(moment, digits) if digits >= 0 else None
            for moment, digits in zip(*(values.tolist() for values in self._moments), strict=True)
        ]
        by, ids = decoded(*self.listed("recorders")), decoded(*self.listed("ids"))
        for index, match in enumerate(self.matches):
            own = ids_of(match)
            lines = []
            for seq, place in enumerate(range(*self.bounds[index : index + 2]), 1):
                line = events[place]
                if place not in self.rest:
                    id = ids[place]
                    line = line_of(line, Common(seq, own(seq) if id is None else id, whens[place], by[place]))
                lines.append(line)
            position, digest = self.about(index)
            names = self._named.get(self.firsts[index], ())
            yield Recording(match, position, lines, digest, names)

    def made(self, places: Ints) -> list[Event]:
        """Return the events at some indices, without the people, in clear.

        Only lines in `rest` have time and recorder.
        """
        events = self._decoded_at(event_of, places)
        names = collected((named for some in self._named.values() for named in some), self._erasing)
        for index in self._in_rest(places):
            events[index] = decode_one(self._blanked(events[index], int(places[index])), names)
        for index, event in enumerate(events):
            if isinstance(event, Open):
                line = encode(event).decode()
                events[index] = decode_one(self._blanked(line, int(places[index])), names)
        return events

    def _blanked(self, line: str, place: int) -> str:
        """Return the line of an event, or its beginning, without texts that somebody was erased from."""
        if not self._old:
            return line
        match = bisect_right(self.bounds, place) - 1
        puts = self._old.get((self.matches[match], place - self.bounds[match] + 1))
        return with_puts(line, puts) if puts else line

    @cached_property
    def _old(self) -> dict[tuple[str, int], dict[str, str]]:
        """The texts that somebody was erased from, by match and number: each pointer with its pseudonym."""
        found: dict[tuple[str, int], dict[str, str]] = {}
        for old in old_in(self._erasing):
            found.setdefault((old.stream, old.seq), {}).update(old.puts)
        return found

    @cached_property
    def _named(self) -> dict[int, tuple[Named, ...]]:
        """The names behind pseudonyms, by the rows that hold them."""
        if "names" not in self._table.column_names:
            return {}
        column = self.column("names")
        return {
            row: tuple(Named(**named) for named in column[row].as_py())
            for row in np.flatnonzero(valid(column)).tolist()
        }

    @cached_property
    def rest(self) -> dict[int, str]:
        """The lines of events that columns cannot restore byte for byte, by index."""
        places, lines = self._rest
        return dict(zip(places.tolist(), lines.to_pylist(), strict=True))

    def rest_but(self, beginning: str) -> Ints:
        """Return the indices of events whose lines stand in `rest` and do not begin so."""
        places, lines = self._rest
        others = arrow().compute.invert(arrow().compute.starts_with(lines, beginning))
        found: Ints = places[others.to_numpy(zero_copy_only=False)]
        return found

    @cached_property
    def _rest(self) -> tuple[Ints, Any]:
        column = self.column("rest")
        said = column.flatten()
        seqs = said.field("seq").to_numpy()  # an error if one is missing
        return np.repeat(self.starts - self._seqs, lengths(column)) + seqs, said.field("line")

    def _decoded_at(self, make: Callable[[Spec], Any], places: Ints) -> list[Any]:
        """Return the events at some indices, made from their lists, from other columns, or from the line.

        Raises StoreError `store.line` if nothing holds an event.
        """
        numbers, combinations = joined([(all_[places], words) for all_, words in map(self.listed, PLAYED)], len(places))
        specs = [Spec(*words) for words in combinations]
        distinct = [make(spec) for spec in specs]
        events = decoded(numbers, distinct)
        for kind, (names, compose) in COMPOSED.items():
            of_kind = np.array([spec.types == kind for spec in specs], dtype=bool)
            indices = np.flatnonzero(of_kind[numbers])
            rows = np.searchsorted(self._ends, places[indices], "right").tolist()
            columns = [self._row(name) for name in names] if rows else []
            for index, row in zip(indices.tolist(), rows, strict=True):
                events[index] = compose(*[column[row] for column in columns])
        for index in self._in_rest(places):
            events[index] = self.rest[int(places[index])]
        if None in distinct:
            for index in np.flatnonzero(np.array([each is None for each in distinct])[numbers]).tolist():
                if events[index] is None:
                    match = self._row("match")[int(np.searchsorted(self._ends, places[index], "right"))]
                    raise StoreError("store.line", f"an event of match {match} is missing")
        return events

    def _in_rest(self, places: Ints) -> list[int]:
        """Return which of some places have their lines in `rest`."""
        indices: list[int] = np.flatnonzero(np.isin(places, [*self.rest])).tolist() if self.rest else []
        return indices

    # --- columns

    def about(self, index: int) -> tuple[int, bytes]:
        """Return the position of a match's opening and the hash of its latest event."""
        row = self.firsts[index]
        return int(self._row("position")[row]), bytes.fromhex(self._row("hash")[row])

    def at(self, place: int) -> str | None:
        """Return the time of recording of an event, as far as columns hold it."""
        moments, digits = self._moments
        return times.written(int(moments[place]), int(digits[place])) if digits[place] >= 0 else None

    def listed(self, name: str) -> Codes:
        """Return what a list, or a text in letters, says of every event."""
        if name not in self._lists:
            column = self.column(name)
            there = spread(column, self.sizes)
            numbers, words = self.codes(name, column)
            if len(numbers) < self.events:
                everywhere = np.full(self.events, len(words) - 1, dtype=numbers.dtype)
                everywhere[there] = numbers
                numbers = everywhere
            if name == "cards" and self._meanings is not None:
                numbers, words = self._with_several(numbers, words)
            self._lists[name] = numbers, words
        return self._lists[name]

    def codes(self, name: str, lists: Any) -> Codes:
        """Return what lists, or texts in letters, of a column say, one after the other."""
        if self._meanings is not None and name in ALPHABETS:
            return self._meanings.codes(name, lists)
        return codes(lists.flatten())

    def _with_several(self, numbers: Ints, words: list[Any]) -> Codes:
        """Return the cards of events with those of several cards, which stand in a column of their own."""
        if SEVERAL not in words:
            return numbers, words
        places = np.flatnonzero(numbers == words.index(SEVERAL))
        several, texts = codes(self.column("several").flatten())
        if len(several) != len(places):
            raise ValueError("there are too few or too many cards")
        numbers = numbers.astype(np.int32)
        numbers[places] = several + len(words)
        return numbers, words + texts

    @cached_property
    def _moments(self) -> tuple[Ints, Ints]:
        """The time of recording of every event, and its number of decimals; −1 if it is not known."""
        column = self.column("times")
        there = spread(column, self.sizes)
        flat = column.flatten()
        moments = np.zeros(self.events, dtype=np.int64)
        moments[there] = flat.cast("int64").fill_null(0).to_numpy(zero_copy_only=False)
        there[there] = valid(flat)
        digits = self.column("digits").cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
        return moments, np.where(there, np.repeat(digits, self.sizes), -1)

    def column(self, name: str) -> Any:
        """Return a column; one that came in after the archive was packed has nulls."""
        if name in ADDED and name not in self._table.column_names:
            version = VERSION if self._meanings is not None else LETTERED - 1
            return arrow().nulls(self._table.num_rows, schema(version).field(name).type)
        chunks = self._table.column(name)
        return chunks.chunk(0) if chunks.num_chunks == 1 else chunks.combine_chunks()

    def _row(self, name: str) -> list[Any]:
        """Return a column with one value a row."""
        if name not in self._rows:
            column = self.column(name)
            self._rows[name] = self._spelled(name, column) if name in ALPHABETS else plain(column)
        return self._rows[name]

    def _spelled(self, name: str, texts: Any) -> list[Any]:
        """Return what texts in letters, or lists of them, say."""
        if self._meanings is None:
            return plain(texts)
        if arrow().types.is_list(texts.type):
            return cut(self._spelled(name, texts.flatten()), texts)
        return cut(decoded(*self._meanings.codes(name, texts)), texts)
