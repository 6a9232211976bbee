"""People: which player ids mean one person and what each is called, as events of their own that can be reversed.

A match is recorded with the ids of that night. Later somebody finds that `ann` and `ana` are one person, or that an
`ana` was another one: that is an event as well, and every read model tells who it was as it is known now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ledger.errors import FormatError, RuleError
from ledger.events import Event, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

STREAM = "people"
"""The stream of these events in the store: no match id, those are UUIDs."""


class Name(Event, tag="name", frozen=True):
    """A player is called `name` from now on; None: as the id says."""

    player: str
    name: str | None


class Merge(Event, tag="merge", frozen=True):
    """`player` is another id of the person `into`, in every match, past and to come."""

    player: str
    into: str
    reason: str | None = None


class Split(Event, tag="split", frozen=True):
    """`player` is a person of their own again."""

    player: str
    reason: str | None = None


class Sat(Event, tag="sat", frozen=True):
    """At a seat of a match sat `player`, whatever its opening says; None: the opening is right after all."""

    match: str
    seat: Seat
    player: str | None
    reason: str | None = None


class Erase(Event, tag="erase", frozen=True):
    """Whoever went by `player` was erased: what pseudonyms stood for is gone, in groups that stood for one text each."""

    player: str
    names: tuple[tuple[str, ...], ...]


Change = Name | Merge | Split | Sat
"""The union of the events that say who is who, each of which can be reversed."""
AnyEvent = Change | Erase
"""The union of the events of people."""

decode = msgspec.json.Decoder(AnyEvent).decode
"""Read an event of people from its line; raises msgspec.DecodeError."""


def event_of(value: object) -> Event:
    """Return an event of people from JSON data; raises FormatError `format.value`."""
    try:
        event: Event = msgspec.convert(value, Change)
    except msgspec.ValidationError as error:
        raise FormatError("format.value", f"{error}; an event of people is a name, merge, split or sat") from None
    return event


class People:
    """What the events so far say of people.

    >>> people = People([Merge(player="ann", into="ana"), Name(player="ana", name="Ana Lima")])
    >>> people.person("ann"), people.name("ann"), people.ids("ana")
    ('ana', 'Ana Lima', ['ana', 'ann'])
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events: list[Event] = []
        self._into: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._sat: dict[str, dict[int, str]] = {}
        self._erased: set[str] = set()
        for event in events:
            self.append(event)

    @property
    def seq(self) -> int:
        """Number of the latest event."""
        return len(self.events)

    def append(self, event: Event) -> None:
        """Take an event into account; raises RuleError `people.circle`, `people.merged`."""
        match event:
            case Name(player=player, name=name):
                _set(self._names, player, name)
            case Merge(player=player, into=into):
                if player in self._into:
                    raise RuleError("people.merged", f"{player} is merged into {self._into[player]}: split them first")
                if self.person(into) == player:
                    raise RuleError("people.circle", f"{into} is {player} already")
                self._into[player] = into
            case Split(player=player):
                if player not in self._into:
                    raise RuleError("people.merged", f"{player} is not merged into anybody")
                del self._into[player]
            case Sat(match=match, seat=seat, player=player):
                _set(self._sat.setdefault(match, {}), seat, player)
            case Erase(names=names):
                gone = {pseudonym for group in names for pseudonym in group}
                self._erased |= gone
                for pseudonym in gone:
                    self._names.pop(pseudonym, None)
            case _:
                raise AssertionError(event)
        self.events.append(event)

    def person(self, player: str) -> str:
        """Return the id of the person a player id means."""
        while player in self._into:
            player = self._into[player]
        return player

    def name(self, player: str) -> str:
        """Return what the person is called."""
        person = self.person(player)
        if person in self._erased and person not in self._names:
            return f"erased player {person[1:5]}"
        return self._names.get(person, person)

    def erased(self, player: str) -> bool:
        """Tell whether a player id is what is left of an erased one."""
        return player in self._erased

    def ids(self, player: str) -> list[str]:
        """Return all ids of a person: the person's own, then the others in their order."""
        person = self.person(player)
        return [person, *sorted(id for id in self._into if self.person(id) == person)]

    def named(self) -> Mapping[str, str]:
        """Return the names of those who have one, by id."""
        return self._names

    def merged(self) -> Mapping[str, str]:
        """Return which id was merged into which."""
        return self._into

    def at(self, match: str, seat: int, player: str) -> str:
        """Return the person at a seat of a match whose opening says `player`."""
        return self.person(self._sat.get(match, {}).get(seat, player))

    def seated(self, match: str, players: Sequence[str]) -> Sequence[str]:
        """Return the persons by seat of a match whose opening names these players."""
        return [self.at(match, seat, player) for seat, player in enumerate(players)] if self.events else players

    def sat(self, players: Iterable[str]) -> set[str]:
        """Return the matches at a seat of which one of these was said to have sat."""
        wanted = {*players}
        return {match for match, seats in self._sat.items() if wanted & {*seats.values()}}

    def akin(self, events: Iterable[Event]) -> set[str]:
        """Return every id that some events may have made another person: those they name, and all ever merged with them."""
        named = {id for event in events for id in _ids(event)}
        grown = True
        while grown:
            before = len(named)
            named.update(*(ids for ids in map(_ids, self.events) if named & ids))
            grown = len(named) > before
        return named

    def copy(self) -> People:
        """Return the same people, to try events on."""
        return People(self.events)


NOBODY = People()
"""People of whom nothing is known beyond their ids."""


def _ids(event: Event) -> set[str]:
    """Return the player ids an event of people joins or parts."""
    if isinstance(event, Merge):
        return {event.player, event.into}
    return {event.player} if isinstance(event, Split) else set()


def _set(told: dict[Any, str], key: object, value: str | None) -> None:
    if value is None:
        told.pop(key, None)
    else:
        told[key] = value
