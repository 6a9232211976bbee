"""People: the player ids of each person and their names, as events that can be reversed.

A match is recorded with the ids of that night. If `ann` and `ana` later turn out to be one person, or an `ana` to be
another one, that is an event too, and every read model follows the present knowledge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import msgspec

from cardledger.errors import FormatError, RuleError
from cardledger.record.people.shown import ALL, HowShown, least
from cardledger.rules.engine.events import Event
from cardledger.rules.engine.keys import OPEN, Count, Plain, Player, Pseudonym, Remark, Seat, holds
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_Value = TypeVar("_Value", bound=str)
STREAM = "people"
"""The id of this stream in the store; match ids are UUIDs."""


class Name(Event, tag="name", frozen=True):
    """A player is called `name` from now on; None: by the id."""

    player: Player
    name: Annotated[str, holds("name", "all")] | None


class Merge(Event, tag="merge", frozen=True):
    """`player` is another id of the person `into`, in every match, past and to come."""

    player: Player
    into: Player
    reason: Remark | None = None


class Split(Event, tag="split", frozen=True):
    """`player` is a person of their own again."""

    player: Player
    reason: Remark | None = None


class Sat(Event, tag="sat", frozen=True):
    """`player` sat at a seat of a match, whatever its opening says; None: the opening was right after all."""

    match: Plain
    seat: Seat
    player: Player | None
    reason: Remark | None = None


class Posed(Event, tag="posed", frozen=True):
    """Whether hands that `player` played may be posed to others as puzzles; they may be unless it is said."""

    player: Player
    posed: Annotated[bool, OPEN]


class PublishedName(Event, tag="shown", frozen=True):
    """How much of the name of `player` is shown in what is published; None: as the club's rule says.

    Without a player it is the club's rule, for everybody who decided nothing; None: the club has none.
    """

    player: Annotated[str, holds("player", "admins", "players")] | None
    shown: Annotated[HowShown, holds("clear", "admins")] | None


class OldLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A line with a name in clear, from before such texts became pseudonyms: it cannot change.

    `puts` are the places of texts in it (JSON pointers), each with the pseudonym that readers get instead.
    """

    stream: Plain
    seq: Count
    puts: dict[str, Pseudonym]


class Erase(Event, tag="erase", frozen=True):
    """The person with the id `player` was erased: the texts of these pseudonyms are gone.

    Each group stood for one text. `lines` are those that hold such a text in clear.
    """

    player: Pseudonym
    names: tuple[tuple[Pseudonym, ...], ...]
    lines: Annotated[tuple[OldLine, ...], OPEN] = ()


Change = Name | Merge | Split | Sat | Posed | PublishedName
"""The union of the events that say who is who, whose hands are posed, and what is shown; each can be reversed."""
AnyEvent = Change | Erase
"""The union of all events about people."""

TYPES: dict[str, type[Event]] = {str(cls.__struct_config__.tag): cls for cls in get_args(AnyEvent)}
"""The registry: an event's class by its type word."""

decode = msgspec.json.Decoder(AnyEvent).decode
"""Read an event of people from its line; raises msgspec.DecodeError."""


def event_of(value: object) -> Event:
    """Return an event of people from JSON data; raises FormatError `format.value`."""
    try:
        event: Event = msgspec.convert(value, Change)
    except msgspec.ValidationError as error:
        raise FormatError(
            "format.value",
            Sentence("{error}; an event about people is a name, merge, split, sat, posed or shown", error=str(error)),
        ) from None
    return event


class People:
    """The people after the events so far.

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
        self._unposed: set[str] = set()
        self._shown: dict[str, HowShown] = {}
        self.rule: HowShown | None = None
        """How much of a name the club shows of those who decided nothing; None: it decided nothing either."""
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
                    raise RuleError(
                        "people.merged",
                        advising(
                            Sentence(
                                "{player} is merged into {into}: split them first",
                                player=player,
                                into=self._into[player],
                            )
                        ),
                    )
                if self.person(into) == player:
                    raise RuleError(
                        "people.circle",
                        advising(
                            Sentence("{into} is already {player}: there is nothing to merge", into=into, player=player)
                        ),
                    )
                self._into[player] = into
            case Split(player=player):
                if player not in self._into:
                    raise RuleError(
                        "people.merged",
                        advising(
                            Sentence(
                                "{player} is not merged into another player: there is nothing to split", player=player
                            )
                        ),
                    )
                del self._into[player]
            case Sat(match=match, seat=seat, player=player):
                _set(self._sat.setdefault(match, {}), seat, player)
            case Posed(player=player, posed=posed):
                (self._unposed.discard if posed else self._unposed.add)(player)
            case PublishedName(player=None, shown=shown):
                self.rule = shown
            case PublishedName(player=str(player), shown=shown):
                # For every id that is the person's now: after a split each of the two has decided so.
                for id in self.ids(player):
                    _set(self._shown, id, shown)
            case Erase(names=names):
                gone = {pseudonym for group in names for pseudonym in group}
                self._erased |= gone
                self._names = {id: name for id, name in self._names.items() if gone.isdisjoint((id, name))}
            case _:
                raise AssertionError(event)
        self.events.append(event)

    def person(self, player: str) -> str:
        """Return the id of the person behind a player id."""
        while player in self._into:
            player = self._into[player]
        return player

    def name(self, player: str) -> str:
        """Return the name of the person."""
        person = self.person(player)
        if person in self._erased and person not in self._names:
            return f"erased player {person[1:5]}"
        return self._names.get(person, person)

    @property
    def erasures(self) -> int:
        """The number of players erased so far."""
        return len(self._erased)

    def erased(self, player: str) -> bool:
        """Tell whether a player id is the pseudonym of an erased player."""
        return player in self._erased

    def gone(self, player: str) -> bool:
        """Tell whether nothing is left of a person: every id is erased, and none has a name again."""
        return all(id in self._erased and id not in self._names for id in self.ids(player))

    def poses(self, player: str) -> bool:
        """Tell whether the hands of a person may be posed as puzzles: not if any of the person's ids left them out."""
        return self._unposed.isdisjoint(self.ids(player))

    def unposed(self) -> set[str]:
        """Return the persons who left their hands out of puzzles."""
        return {*map(self.person, self._unposed)}

    def decided(self, player: str) -> HowShown | None:
        """Return what is decided of a person alone: the least of what any of the person's ids shows; None for nothing."""
        own = [self._shown[id] for id in self.ids(player) if id in self._shown]
        return least(own) if own else None

    def shown(self, player: str) -> HowShown:
        """Return how much of a person's name is shown in what is published: as decided of the person, else by the rule."""
        return self.decided(player) or self.rule or ALL

    def deciding(self) -> dict[str, HowShown]:
        """Return the persons of whom something is decided, each with what."""
        return {person: self.shown(person) for person in sorted({*map(self.person, self._shown)})}

    @property
    def shows_all(self) -> bool:
        """Whether nothing that is decided hides a name."""
        return {self.rule or ALL, *self._shown.values()} == {ALL}

    def ids(self, player: str) -> list[str]:
        """Return all ids of a person: the person's own, then the others in their order."""
        person = self.person(player)
        return [person, *sorted(id for id in self._into if self.person(id) == person)]

    def named(self) -> Mapping[str, str]:
        """Return the display names by id."""
        return self._names

    def merged(self) -> Mapping[str, str]:
        """Return the merged ids, each with the id it was merged into."""
        return self._into

    def at(self, match: str, seat: int, player: str) -> str:
        """Return the person at a seat of a match whose opening says `player`."""
        return self.person(self._sat.get(match, {}).get(seat, player))

    def seated(self, match: str, players: Sequence[str]) -> Sequence[str]:
        """Return the persons by seat of a match whose opening names these players."""
        return [self.at(match, seat, player) for seat, player in enumerate(players)] if self.events else players

    def sat(self, players: Iterable[str]) -> set[str]:
        """Return the matches with a seat that was corrected to one of these players."""
        wanted = {*players}
        return {match for match, seats in self._sat.items() if wanted & {*seats.values()}}

    def linked_ids(self, events: Iterable[Event]) -> set[str]:
        """Return every id whose person some events may have changed: those they name, and all ever merged with them."""
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
"""People known only by their ids."""


def _ids(event: Event) -> set[str]:
    """Return the player ids that an event joins or separates."""
    if isinstance(event, Merge):
        return {event.player, event.into}
    return {event.player} if isinstance(event, Split) else set()


def _set(values: dict[Any, _Value], key: object, value: _Value | None) -> None:
    if value is None:
        values.pop(key, None)
    else:
        values[key] = value
