"""What the keys of events hold: from it follow how a key is stored, who may see it when, and how it is said.

A declaration stands in the type of the key: `seat: Seat`, `reason: Remark | None`. What is not declared is closed: its
texts are stored as pseudonyms, and readers see it when there is nothing to hide.
"""

from __future__ import annotations

from functools import cache
from string import Formatter
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta

PLAYER = "player"
"""The kind of ids of players and names of recorders: one text has one pseudonym."""
NAME, LABEL, TEXT = "name", "label", "text"
"""Kinds of names beside player ids: display names, what things are called (one text has one pseudonym), and free texts."""

Stored = Literal["clear", "word", "player", "name", "label", "text"]
"""How a text is stored: in clear, as the rules let nothing but their own words through; in clear if it is a word of the
program, else as a label; or as a pseudonym of this kind.
"""
Seen = Literal["all", "table", "seats", "recorder", "scorers", "admins"]
"""Who knows a value: anybody, at any time; the players of the table, so readers unless others have the deal still to
play; the seats that the event names, so readers once the hand is over; the recorder, whose words may tell anything of
the hand under way; scorers alone, for good; admins alone, and no live stream has it.
"""
_STORED: Final = get_args(Stored)
_SEEN: Final = get_args(Seen)
Said = Literal["value", "seat", "by seat", "cards", "call", "suit", "text", "players", "entries", "game", "event"]
"""What a value is in a phrase: a seat is said as a name, cards and calls as they are drawn."""


class Key(NamedTuple):
    """What a key of an event holds."""

    stored: Stored
    seen: Seen
    said: Said = "value"
    out: bool = False
    """Whether it is left out while it may not be seen, as the hands of a deal are; other cards are marked as unseen."""


UNDECLARED = Key("text", "recorder")
"""What a key without a declaration holds: it is closed."""


def holds(stored: Stored, seen: Seen, said: Said = "value", *, out: bool = False) -> Meta:
    """Declare what a key holds.

    >>> Bids = Annotated[int, holds("clear", "all")]
    """
    return Meta(extra={"key": Key(stored, seen, said, out)})


OPEN = holds("clear", "all")
"""Declares numbers and words of the program, which anybody may see."""
AT_TABLE = holds("clear", "table")
"""Declares numbers and words that tell of cards what all players of the table know."""

Seat = Annotated[int, holds("clear", "all", "seat")]
"""A place at the table, from 0."""
Count = Annotated[int, OPEN]
"""A number that anybody may see."""
Plain = Annotated[str, holds("word", "all")]
"""A word of the program, such as an id, a day or a game; whatever else it is, it is stored as a pseudonym."""
Pseudonym = Annotated[str, OPEN]
"""A pseudonym itself."""
Label = Annotated[str, holds("label", "all")]
"""What people call a thing: it may name somebody."""
Player = Annotated[str, holds("player", "all", "players")]
"""The id of a player."""
Spoken = Annotated[str, holds("text", "table", "text")]
"""What was said at the table, in free words."""
Remark = Annotated[str, holds("text", "recorder", "text")]
"""What the recorder says, in free words."""
Face = Annotated[str, holds("clear", "table", "cards")]
"""The face of a card that lies or lay on the table."""
UnseenFace = Annotated[str, holds("clear", "seats", "cards")]
"""The face of a card that only the seats in the event have seen."""
UpFace = Annotated[str, holds("clear", "table", "cards", out=True)]
"""The face of a card that a deal lays up."""
DealtFace = Annotated[str, holds("clear", "seats", "cards", out=True)]
"""The face of a card dealt to a seat, or left face down."""
CallWord = Annotated[str, holds("clear", "table", "call")]
"""A call or a contract, in the words of the game."""


@cache
def keys_of(cls: type[msgspec.Struct]) -> dict[str, Key]:
    """Return what the keys of a type of event hold, by field, in the order of declaration.

    Without those of every event.
    """
    base = [each for each in cls.__mro__ if issubclass(each, msgspec.Struct) and each is not msgspec.Struct][-1]
    return {
        field.name: _declared(field.type) or UNDECLARED
        for field in msgspec.structs.fields(cls)
        if cls is base or field.name not in base.__struct_fields__
    }


def _declared(annotation: Any) -> Key | None:
    """Return the declaration in a type, however deep, the most closed of several; None without one.

    A type that is declared again holds what the last declaration says.
    """
    for part in reversed(getattr(annotation, "__metadata__", ())):
        if isinstance(part, Meta) and part.extra and "key" in part.extra:
            declared: Key = part.extra["key"]
            return declared
    inner = (getattr(annotation, "__origin__", None), *get_args(annotation))
    found = [key for part in inner if part is not None and (key := _declared(part)) is not None]
    return max(found, key=lambda key: (_STORED.index(key.stored), _SEEN.index(key.seen)), default=None)


@cache
def cards_in(cls: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the fields of a type of event that hold faces of cards."""
    return tuple(field for field, key in keys_of(cls).items() if key.said == "cards")


@cache
def parts_of(template: str) -> tuple[tuple[str, str | None], ...]:
    """Return the parts of a template: each a text, and the key after it, None at the end.

    >>> parts_of("{seat} says {call}")
    (('', 'seat'), (' says ', 'call'))
    """
    return tuple((text, key) for text, key, _, _ in Formatter().parse(template))
