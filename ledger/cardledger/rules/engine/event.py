"""What all events have: keys, words, and how they are written. The types of events are in `events`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec

from cardledger.rules.engine.keys import Key, keys_of

Role = Literal["play", "remark", "correction"]


class Arrival(NamedTuple):
    """Cards that come into the hand of a seat.

    `how` is a word for it: `dealt`, `drawn` from the stock, `taken` from the discards, `passed`, `given`, `picked up`,
    or a word of a game's own.
    """

    seat: int
    how: str
    faces: tuple[str, ...]


class Event(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="type",
    kw_only=True,
    omit_defaults=True,
    gc=False,
):
    """The keys of every event: its place in the match, a UUID, the time of recording (RFC 3339, UTC) and the recorder.

    If an importer stated time and recorder, `imported_at` and `imported_by` name the importer.
    """

    words: ClassVar[str] = ""
    """How it is said: `{seat} plays {card}`. A key stands for its value, as `Key.said` shows it."""
    counts: ClassVar[bool] = True
    """Whether it changes the state of the match, as play does; False: it stands beside the play."""
    corrects: ClassVar[bool] = False
    """Whether it changes which events count."""
    replaces: ClassVar[Literal["play", "own", "none"]] = "play"
    """What an amend may put it in the place of: any event of play, an event of its own type, or nothing."""

    seq: int | None = None
    id: str | None = None
    at: str | None = None
    by: str | None = None
    imported_at: str | None = None
    imported_by: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as a line: there, too, it is written as it was read, without what it leaves out."""
        return _decoded, (type(self), encode(self))

    @property
    def role(self) -> Role:
        """What it is to the play; readers show the three in different ways."""
        return "correction" if self.corrects else "play" if self.counts else "remark"

    def arrivals(self) -> tuple[Arrival, ...]:
        """Return how cards come into hands by it, in order; by default none do.

        A type of event that brings cards says so here; the promises of a game (`cardledger.testing`) look for what a
        game forgot. Cards that nobody saw are left out.
        """
        return ()

    def called(self) -> str | None:
        """Return the call that it makes, as recorded: a bid, a pass in an auction; None if it is none."""
        return None

    def phrases(self) -> Iterator[str]:
        """Yield the parts of the sentence that says it, each a template as `words` is; a reason stands at its end."""
        yield self.words or ("{seat}: {type}" if hasattr(self, "seat") else "{type}")
        if getattr(self, "reason", None):
            yield " ({reason})"

    def keys(self, game: Any) -> Mapping[str, Key]:
        """Return what its keys hold, in a match of a game."""
        return keys_of(type(self))


def _decoded(kind: type[Event], line: bytes) -> Event:
    return msgspec.json.decode(line, type=kind)


def what_is_wrong(error: msgspec.ValidationError) -> str:
    """Return in words what does not fit the declaration of an event, and at which key."""
    problem, _, where = str(error).partition(" - at `$")
    problem = problem.replace("`", "").replace("Expected", "expected")
    return f"{problem} at {where.strip('.`')}" if where else problem


def type_of(event: Event | type[Event]) -> str:
    """Return the type word of an event or its class: `play` for a Play."""
    return str(event.__struct_config__.tag)


_keys = attrgetter(*Event.__struct_fields__)
_NO_KEYS = (None,) * len(Event.__struct_fields__)


def is_bare(event: Event) -> bool:
    """Tell whether an event has neither place, id, time nor recorder."""
    return bool(_keys(event) == _NO_KEYS)


def bare(event: Event) -> Event:
    """Return the content of an event, without its place, time and recorder."""
    return msgspec.structs.replace(event, seq=None, id=None, at=None, by=None, imported_at=None, imported_by=None)


_encoder = msgspec.json.Encoder()
encode = _encoder.encode
"""Write an event as its canonical line: UTF-8, no spaces, keys in the order of declaration, defaults left out."""
encode_lines = _encoder.encode_lines
"""Write events as canonical lines, each ended by a line feed; faster than one by one."""
