"""The personal fields of events, and events as stored, with pseudonyms in these fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.record.people import people
from cardledger.record.people.names import PLAYER, Named, is_pseudonym
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import events as evenings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.record.people.names import Names

NAME, TEXT, WORD = "name", "text", "word"
"""Kinds of names beside player ids: display names, free texts, and texts that only look like pseudonyms."""
TELLS: dict[type[ev.Event], dict[str, str]] = {
    ev.Open: {"players": PLAYER},
    ev.Call: {"alert": TEXT, "explain": TEXT},
    ev.Retract: {"reason": TEXT},
    ev.Amend: {"reason": TEXT},
    ev.Note: {"text": TEXT, "extras": TEXT},
    ev.Adjust: {"reason": TEXT},
    ev.End: {"reason": TEXT},
    ev.Void: {"reason": TEXT},
    people.Name: {"player": PLAYER, "name": NAME},
    people.Merge: {"player": PLAYER, "into": PLAYER, "reason": TEXT},
    people.Split: {"player": PLAYER, "reason": TEXT},
    people.Sat: {"player": PLAYER, "reason": TEXT},
    evenings.Member: {"player": PLAYER, "number": NAME},
    evenings.Arrive: {"player": PLAYER},
    evenings.Leave: {"player": PLAYER},
    evenings.Entry: {"players": PLAYER},
    evenings.Table: {"seats": PLAYER},
    evenings.EveningAdjust: {"reason": TEXT},
    evenings.Publish: {"text": TEXT},
    evenings.EveningClose: {"reason": TEXT},
    evenings.EveningAmend: {"reason": TEXT},
}
"""The personal fields by type of event, each with its kind; those of `RECORDERS` are personal in every event."""
NAMING = frozenset(kind for kind, fields in TELLS.items() if PLAYER in fields.values())
"""The types of events that name players."""
RECORDERS = ("by", "imported_by")
"""The fields with the recorder of any event."""
TELLS_NOBODY: dict[type[ev.Event], frozenset[str]] = {
    ev.Event: frozenset({"id", "at", "imported_at"}),
    ev.Open: frozenset({"game", "options", "policy", "rules", "event", "table", "place", "date"}),
    ev.Deal: frozenset({"hands", "aside", "upcard", "stock", "vulnerable", "contract"}),
    ev.Play: frozenset({"card"}),
    ev.Draw: frozenset({"source", "cards"}),
    ev.Discard: frozenset({"card"}),
    ev.Close: frozenset({"card"}),
    ev.Layoff: frozenset({"card"}),
    ev.Ask: frozenset({"suit"}),
    ev.Give: frozenset({"card", "cards"}),
    ev.Call: frozenset({"call"}),
    ev.Adjust: frozenset({"kind", "law", "to", "ns", "ew", "side"}),
    ev.Amend: frozenset({"event"}),
    people.Sat: frozenset({"match"}),
    people.Erase: frozenset({"player", "names"}),
    evenings.Club: frozenset({"name", "place"}),
    evenings.Member: frozenset({"since", "until"}),
    evenings.Session: frozenset({
        "club", "name", "date", "game", "unit", "scoring", "place", "options", "league",
    }),
    evenings.Entry: frozenset({"line"}),
    evenings.Movement: frozenset({"kind", "even"}),
    evenings.Table: frozenset({"game"}),
    evenings.Result: frozenset({"match", "contract"}),
    evenings.EveningAdjust: frozenset({"ns", "ew", "law"}),
    evenings.Absent: frozenset({"why"}),
    evenings.Publish: frozenset({"what", "hash"}),
    evenings.League: frozenset({"club", "name", "since", "until", "count"}),
    evenings.Counts: frozenset({"session"}),
    evenings.EveningAmend: frozenset({"event"}),
}  # fmt: skip
"""The other text fields, which are stored in clear; a test checks that every field is in one of the two."""
_FREE: dict[type[ev.Event], tuple[str, ...]] = {
    ev.Open: ("options", "rules", "event", "table", "place"),
    evenings.Club: ("name", "place"),
    evenings.Session: ("club", "name", "game", "place", "options", "league"),
    evenings.League: ("club", "name"),
    evenings.Table: ("game",),
    evenings.Result: ("match", "contract"),
    evenings.EveningAdjust: ("law",),
    evenings.Counts: ("session",),
}
"""The fields stored in clear with free content."""
PROGRAMS = frozenset({"ledger", "import", "cardledger", "simulation", "demo", "api", "owner"})
"""Values of `by` for events recorded by the program itself, which name no person."""


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


def is_impersonal(kind: type[ev.Event]) -> bool:
    """Tell whether events of a type are stored as they are, but for their recorder."""
    return kind not in TELLS and kind not in _FREE


def players_in(event: ev.Event) -> Iterator[str]:
    """Yield the player ids that an event names.

    >>> [*players_in(evenings.Table(round=1, table=1, seats=("ana", 7)))]
    ['ana']
    """
    for field, kind in TELLS.get(type(event), {}).items():
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
        kinds = TELLS.get(type(event))
        changed: dict[str, Any] = {}
        for field in RECORDERS:
            name = getattr(event, field)
            if name is not None and name not in PROGRAMS:
                changed[field] = self._put(PLAYER, name)
        free = _FREE.get(type(event), ())
        if kinds is None and not free:
            return msgspec.structs.replace(event, **changed) if changed else event
        if isinstance(event, ev.Note) and event.extras is not None:
            text = event.text if event.text in FROM_FILES else self._put(TEXT, event.text)
            return msgspec.structs.replace(event, text=text, extras=tuple(map(self._extra, event.extras)), **changed)
        for name, kind in (kinds or {}).items():
            value = getattr(event, name)
            if value is not None:
                # At a table set by hand, names sit among the numbers of entries.
                changed[name] = (
                    tuple(one if isinstance(one, int) else self._put(kind, one) for one in value)
                    if isinstance(value, tuple)
                    else self._put(kind, value)
                )
        changed |= {name: self._escaped(getattr(event, name)) for name in free}
        if isinstance(event, ev.Amend):
            changed["event"] = self.hide(event.event)
        return msgspec.structs.replace(event, **changed)

    def recorder(self, name: str) -> str:
        """Return a recorder as stored: the pseudonym of a person, the name of a program."""
        return name if name in PROGRAMS else self._put(PLAYER, name)

    def _extra(self, extra: tuple[str, ...]) -> tuple[str, ...]:
        """Return an extra as it is stored: kind, name and place in clear, its text too if it cannot name a person."""
        *before, text = extra
        if before[:1] in (["tag"], ["section"]) and before[-1] in IMPERSONAL or before[:1] == ["mark"]:
            return tuple(map(self._escaped, extra))
        return (*map(self._escaped, before), self._put(TEXT, text))

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
