"""Files of evenings: clubs, sessions and leagues as JSON lines, each from its opening to the next one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple

from cardledger.errors import FormatError, LedgerError, StoreError
from cardledger.record.matches.lines import MAX_LINE
from cardledger.record.matches.matchfile import Problem
from cardledger.record.matches.shape import read_json
from cardledger.record.people.pseudonyms import players_in
from cardledger.record.recording.loaded_match import id_by_content, missing_events
from cardledger.rules.engine.events import Event, type_of
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.shape import event_of
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger


class EveningInFile(NamedTuple):
    """A club, a session or a league in a file: the file's name, its events, and the line of each."""

    file: str
    events: list[Event]
    lines: list[int]


class StoredEvening(NamedTuple):
    """The result for an evening in a file.

    Where it begins, its id, its number of events and of new ones, its players.
    """

    file: str
    line: int
    evening: str
    events: int
    new: int
    players: tuple[str, ...]


def read_evenings(file: IO[bytes], name: str) -> Iterator[EveningInFile | Problem]:
    """Yield the evenings of a file.

    A line that is no event ends it as a Problem, and its evening is left out. A file without any is a Problem, too.
    """
    evening: EveningInFile | None = None
    for number, line in enumerate(iter(partial(file.readline, MAX_LINE + 2), b""), 1):
        if not line.strip():
            continue
        try:
            event = _parsed(line)
            if isinstance(event, ev.OPENINGS):
                if evening is not None:
                    yield evening
                evening = EveningInFile(name, [], [])
            if evening is None:
                raise FormatError(
                    "format.open", Sentence("a {kind} comes before any club, session or league", kind=type_of(event))
                )
        except LedgerError as error:
            yield Problem(name, number, error)
            return
        evening.events.append(event)
        evening.lines.append(number)
    if evening is not None:
        yield evening
    else:
        nothing = Sentence("there is no club, session or league in this file: nothing was stored; send a file with one")
        yield Problem(name, 1, StoreError("store.empty", advising(nothing)))


def _parsed(line: bytes) -> Event:
    if len(line.rstrip(b"\r\n")) > MAX_LINE:
        raise FormatError("format.size", Sentence("a line has at most {max_line} bytes", max_line=f"{MAX_LINE:,}"))
    return event_of(read_json(line))


def take_in(
    ledger: Ledger, items: Iterable[EveningInFile | Problem], by: Recorder | str, *, as_written: bool = True
) -> Iterator[StoredEvening | Problem]:
    """Store the evenings of a file, each whole or not at all, but for its publications; yield the result of each.

    A stored evening is skipped, one that has grown is continued, one that differs is a Problem (`store.differs`). An
    opening without an id gets one that follows from it. A publication counts what is before it in the ledger, so it
    ends what is stored at once. Points of a table that no number of hands can give are a Problem, unless they count
    `as_written`.
    """
    copies: Counter[bytes] = Counter()
    for item in items:
        if isinstance(item, Problem):
            yield item
            continue
        opening = item.events[0]
        id = opening.id or f"{type_of(opening)}-{id_by_content(item.events[:1], copies)}"
        seq = 0
        try:
            rows = ledger.store.read(id)
            missing = missing_events(id, rows, item.events, ledger.store.names)
            seq = len(rows)
            for some in _batches(missing):
                seq = ledger.evenings.record(id, some, seq, by, as_written=as_written).seq
        except LedgerError as error:
            yield Problem(item.file, item.lines[min(seq + (error.index or 0), len(item.lines) - 1)], error)
        else:
            players = dict.fromkeys(player for event in item.events for player in players_in(event))
            yield StoredEvening(item.file, item.lines[0], id, len(item.events), len(missing), (*players,))


def _batches(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Yield events to record together: a publication by itself."""
    some: list[Event] = []
    for event in events:
        if isinstance(event, ev.Publish):
            if some:
                yield some
            yield [event]
            some = []
        else:
            some.append(event)
    if some:
        yield some
