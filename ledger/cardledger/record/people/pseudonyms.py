"""The personal fields of events, and events as stored, with pseudonyms in these fields."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.record.people.names import Named
from cardledger.record.people.words import IMPERSONAL, is_nameless, is_part, is_word
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.keys import LABEL, PLAYER, TEXT, keys_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cardledger.record.people.names import Names

RECORDERS = ("by", "imported_by")
"""The fields with the recorder of any event."""
PROGRAMS = frozenset({"ledger", "import", "cardledger", "simulation", "demo", "api", "owner"})
"""Values of `by` for events recorded by the program itself, which name no person."""


@cache
def personal(cls: type[ev.Event]) -> dict[str, str]:
    """Return the personal fields of a type of event, each with the kind of its names.

    `RECORDERS` are personal in every event.
    """
    return {field: key.stored for field, key in keys_of(cls).items() if key.stored not in ("clear", "word")}


@cache
def worded(cls: type[ev.Event]) -> tuple[str, ...]:
    """Return the fields of a type of event that are stored in clear as far as they hold words of the program."""
    return tuple(field for field, key in keys_of(cls).items() if key.stored == "word")


FROM_FILES = frozenset({"from PBN", "from LIN", "from USEBIO"})
"""Texts of notes by the program itself, about what a file of another format says besides."""


class Hidden(NamedTuple):
    """Lines ready to store, and the texts of their pseudonyms."""

    lines: list[str]
    names: frozenset[Named]


def hidden(events: Iterable[ev.Event], names: Names) -> Hidden:
    """Return the lines of events ready to store; a player always has the same pseudonym, each text its own."""
    hider = Hider(names)
    lines = [ev.encode(hider.hide(event)).decode() for event in events]
    return Hidden(lines, frozenset(hider.used))


def is_impersonal(cls: type[ev.Event]) -> bool:
    """Tell whether events of a type are stored as they are, but for their recorder."""
    return not personal(cls) and not worded(cls) and "event" not in cls.__struct_fields__


def players_in(event: ev.Event) -> Iterator[str]:
    """Yield the player ids that an event names.

    >>> from cardledger.rules.evenings.evening_events import Table
    >>> [*players_in(Table(round=1, table=1, seats=("ana", 7)))]
    ['ana']
    """
    for field, kind in personal(type(event)).items():
        if kind == PLAYER:
            value = getattr(event, field)
            for player in value if isinstance(value, tuple) else (value,):
                if isinstance(player, str):
                    yield player


class Hider:
    """Replaces texts by pseudonyms, and remembers them."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.used: set[Named] = set()

    def hide(self, event: ev.Event) -> ev.Event:
        """Return an event as it is stored."""
        changed: dict[str, Any] = {}
        for field in RECORDERS:
            name = getattr(event, field)
            if name is not None and name not in PROGRAMS:
                changed[field] = self._put(PLAYER, name)
        if isinstance(event, ev.Note) and event.extras is not None:
            text = event.text if event.text in FROM_FILES else self._put(TEXT, event.text)
            return msgspec.structs.replace(event, text=text, extras=tuple(map(self._extra, event.extras)), **changed)
        for name, kind in personal(type(event)).items():
            value = getattr(event, name)
            if value is not None:
                changed[name] = self._hidden(kind, value)
        changed |= {name: self._worded(is_word, getattr(event, name)) for name in worded(type(event))}
        if isinstance(event, ev.Amend):
            changed["event"] = self.hide(event.event)
        return msgspec.structs.replace(event, **changed) if changed else event

    def recorder(self, name: str) -> str:
        """Return a recorder as stored: the pseudonym of a person, the name of a program."""
        return name if name in PROGRAMS else self._put(PLAYER, name)

    def _extra(self, extra: tuple[str, ...]) -> tuple[str, ...]:
        """Return an extra as it is stored: kind, name and place in clear, its text too if it cannot name a person."""
        *before, text = extra
        impersonal = before[:1] in (["tag"], ["section"]) and before[-1] in IMPERSONAL or before[:1] == ["mark"]
        clear = impersonal and is_nameless(text)
        return (*(self._worded(is_part, each) for each in before), text if clear else self._put(TEXT, text))

    def _hidden(self, kind: str, value: Any) -> Any:
        """Return a value with all its texts replaced.

        At a table set by hand, names sit among the numbers of entries.
        """
        if isinstance(value, str):
            return self._put(kind, value)
        if isinstance(value, dict):
            return {self._hidden(kind, key): self._hidden(kind, one) for key, one in value.items()}
        return type(value)(self._hidden(kind, one) for one in value) if isinstance(value, list | tuple) else value

    def _put(self, kind: str, text: str) -> str:
        named = self._names.shared(kind, text) if kind in (PLAYER, LABEL) else self._names.new(kind, text)
        self.used.add(named)
        return named.pseudonym

    def _worded(self, known: Callable[[str], bool], value: Any) -> Any:
        """Return a value in which all texts but known words are replaced."""
        if isinstance(value, str):
            return value if known(value) else self._put(LABEL, value)
        if isinstance(value, dict):
            return {self._worded(known, key): self._worded(known, one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._worded(known, one) for one in value]
        if isinstance(value, msgspec.Struct):
            fields = msgspec.structs.asdict(value)
            return msgspec.structs.replace(value, **{name: self._worded(known, one) for name, one in fields.items()})
        return value
