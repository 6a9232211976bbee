"""What of an event tells a person, field by field, and events as they are stored: with pseudonyms in place of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ledger import events as ev
from ledger import people
from ledger.store.naming import PLAYER, Named, anew, is_pseudonym

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.store.naming import Names

NAME, TEXT, WORD = "name", "text", "word"
"""Kinds of names beside those of players: what a player is called, free texts, and texts that only look like pseudonyms."""
TELLS: dict[type[ev.Event], dict[str, str]] = {
    ev.Open: {"players": PLAYER},
    ev.Retract: {"reason": TEXT},
    ev.Amend: {"reason": TEXT},
    ev.Note: {"text": TEXT},
    ev.End: {"reason": TEXT},
    people.Name: {"player": PLAYER, "name": NAME},
    people.Merge: {"player": PLAYER, "into": PLAYER, "reason": TEXT},
    people.Split: {"player": PLAYER, "reason": TEXT},
    people.Sat: {"player": PLAYER, "reason": TEXT},
}
"""The fields that tell a person, by type of event, and of which kind what they say is; `by` is one in every event."""
TELLS_NOBODY: dict[type[ev.Event], frozenset[str]] = {
    ev.Event: frozenset({"id", "at"}),
    ev.Open: frozenset({"game", "options", "policy", "rules", "event", "table", "place", "date"}),
    ev.Deal: frozenset({"hands", "aside", "upcard", "stock"}),
    ev.Play: frozenset({"card"}),
    ev.Draw: frozenset({"source", "cards"}),
    ev.Discard: frozenset({"card"}),
    ev.Close: frozenset({"card"}),
    ev.Layoff: frozenset({"card"}),
    ev.Ask: frozenset({"suit"}),
    ev.Give: frozenset({"card"}),
    ev.Amend: frozenset({"event"}),
    people.Sat: frozenset({"match"}),
    people.Erase: frozenset({"player", "names"}),
}
"""The other fields of text, in which nothing is hidden; a test holds that every field is in one of the two."""
_FREE = ("options", "rules", "event", "table", "place")
"""Of an opening, what may say anything."""
PROGRAMS = frozenset({"ledger", "import", "cardledger", "simulation", "demo", "api", "owner"})
"""What `by` says where the program itself recorded something: words that tell nobody."""


class Hidden(NamedTuple):
    """Lines as they are to be stored, and what the pseudonyms in them stand for."""

    lines: list[str]
    names: frozenset[Named]


def hidden(events: Iterable[ev.Event], names: Names) -> Hidden:
    """Return the lines of events as they are to be stored; same players have same pseudonyms, and each text one of its own."""
    pen = _Pen(names)
    lines = [ev.encode(pen.hide(event)).decode() for event in events]
    return Hidden(lines, frozenset(pen.used))


class _Pen:
    """Puts pseudonyms in place of texts, and remembers which."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.used: set[Named] = set()

    def hide(self, event: ev.Event) -> ev.Event:
        """Return an event as it is stored."""
        kinds = TELLS.get(type(event))
        by = event.by
        if kinds is None:
            if by is None or by in PROGRAMS:
                return event
            return msgspec.structs.replace(event, by=self._put(PLAYER, by))
        changed: dict[str, Any] = {}
        for name, kind in kinds.items():
            value = getattr(event, name)
            if value is not None:
                changed[name] = (
                    tuple(self._put(kind, one) for one in value) if isinstance(value, tuple) else self._put(kind, value)
                )
        if by is not None and by not in PROGRAMS:
            changed["by"] = self._put(PLAYER, by)
        if isinstance(event, ev.Open):
            changed |= {name: self._escaped(getattr(event, name)) for name in _FREE}
        elif isinstance(event, ev.Amend):
            changed["event"] = self.hide(event.event)
        return msgspec.structs.replace(event, **changed)

    def _put(self, kind: str, text: str) -> str:
        named = self._names.player(text) if kind == PLAYER else anew(kind, text)
        self.used.add(named)
        return named.pseudonym

    def _escaped(self, value: Any) -> Any:
        """Return a value in which texts that look like pseudonyms have one: read back, they are what they were."""
        if isinstance(value, str):
            return self._put(WORD, value) if is_pseudonym(value) else value
        if isinstance(value, dict):
            return {self._escaped(key): self._escaped(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._escaped(one) for one in value]
        return value
