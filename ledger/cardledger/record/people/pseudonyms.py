"""The personal fields of events, and events as stored, with pseudonyms in these fields."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.record.people.names import Named, is_pseudonym
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.keys import PLAYER, TEXT, keys_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.record.people.names import Names

WORD = "word"
"""The kind of texts that only look like pseudonyms."""
RECORDERS = ("by", "imported_by")
"""The fields with the recorder of any event."""
PROGRAMS = frozenset({"ledger", "import", "cardledger", "simulation", "demo", "api", "owner"})
"""Values of `by` for events recorded by the program itself, which name no person."""


@cache
def personal(cls: type[ev.Event]) -> dict[str, str]:
    """Return the personal fields of a type of event, each with the kind of its names.

    `RECORDERS` are personal in every event.
    """
    return {field: key.stored for field, key in keys_of(cls).items() if key.stored not in ("clear", "free")}


@cache
def free(cls: type[ev.Event]) -> tuple[str, ...]:
    """Return the fields of a type of event that are stored in clear, with any text."""
    return tuple(field for field, key in keys_of(cls).items() if key.stored == "free")


FROM_FILES = frozenset({"from PBN", "from LIN", "from USEBIO"})
"""Texts of notes by the program itself, about what a file of another format says besides."""
IMPERSONAL = frozenset({
    "Date", "Board", "Deal", "Vulnerable", "Contract", "Result", "Score", "Scoring", "Stage", "Round", "Table",
    "Section", "Room", "Time", "UTCDate", "UTCTime", "TimeControl", "Mode", "Generator", "Application", "DealId",
    "ScoreIMP", "ScoreMP", "ScorePercentage", "ScoreRubber", "FrenchMP", "BCFlags", "Hidden", "OptimumScore",
    "OptimumResultTable", "OptimumPlayTable", "DoubleDummyTricks", "ParContract", "Ability", "Minimax", "Auction", "Play",
    "BidSystemNS", "BidSystemEW", "NorthType", "EastType", "SouthType", "WestType", "Termination",
})  # fmt: skip
"""Tags of other formats whose values name no person; all others may."""


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
    return not personal(cls) and not free(cls) and "event" not in cls.__struct_fields__


def players_in(event: ev.Event) -> Iterator[str]:
    """Yield the player ids that an event names.

    >>> from cardledger.rules.evenings.events import Table
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
        changed |= {name: self._escaped(getattr(event, name)) for name in free(type(event))}
        if isinstance(event, ev.Amend):
            changed["event"] = self.hide(event.event)
        return msgspec.structs.replace(event, **changed) if changed else event

    def recorder(self, name: str) -> str:
        """Return a recorder as stored: the pseudonym of a person, the name of a program."""
        return name if name in PROGRAMS else self._put(PLAYER, name)

    def _extra(self, extra: tuple[str, ...]) -> tuple[str, ...]:
        """Return an extra as it is stored: kind, name and place in clear, its text too if it cannot name a person."""
        *before, text = extra
        if before[:1] in (["tag"], ["section"]) and before[-1] in IMPERSONAL or before[:1] == ["mark"]:
            return tuple(map(self._escaped, extra))
        return (*map(self._escaped, before), self._put(TEXT, text))

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
        named = self._names.player(text) if kind == PLAYER else self._names.new(kind, text)
        self.used.add(named)
        return named.pseudonym

    def _escaped(self, value: Any) -> Any:
        """Return a value in which texts that look like pseudonyms get one, so that reading restores them."""
        if isinstance(value, str):
            return self._put(WORD, value) if is_pseudonym(value) else value
        if isinstance(value, dict):
            return {self._escaped(key): self._escaped(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._escaped(one) for one in value]
        return value
