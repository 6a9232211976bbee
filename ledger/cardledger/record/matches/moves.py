"""Moves: events of a hand as a word each, in an address or in a line that somebody keeps.

A move is an event's type and the values of its keys, as in `play.1.9S`; an address has `~` between the moves of a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import msgspec

from cardledger.errors import FormatError
from cardledger.record.matches.shape import event_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.keys import cards_in
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.rules.engine.game import Game

_COMMON_KEYS = frozenset(ev.Event.__struct_fields__)
_BESIDE = frozenset({"alert", "explain"})
"""Keys of a call that may be left out."""
_SHEETS = (ev.Deal, ev.Claim, ev.Score, ev.End, ev.Void)
"""Events that are no move: they have their own forms."""
_LONGEST_NUMBER = 9


def kinds_of(game: Game[Any]) -> dict[str, list[str]]:
    """Return the keys of each type of event that the game takes and that has no form of its own."""
    return {ev.type_of(cls): _keys(cls, game) for cls in types_taken(game) if cls not in _SHEETS}


def types_taken(game: Game[Any]) -> list[type[ev.Event]]:
    """Return the types of events that the game takes, phase by phase."""
    return list(dict.fromkeys(kind for phase in game.phases for kind in phase.takes()))


def _keys(cls: type[ev.Event], game: Game[Any]) -> list[str]:
    keys = [field.encode_name for field in msgspec.structs.fields(cls) if field.name not in _COMMON_KEYS | _BESIDE]
    if cls is ev.Give:
        # One card pays a debt, several are passed on: a game has one of the two.
        keys.remove("card" if any(cls in phase.unseen for phase in game.phases) else "cards")
    return keys


def move_of(event: Mapping[str, Any], kinds: Mapping[str, Sequence[str]]) -> str:
    """Return an event as a move; a key without a value has an empty word.

    >>> move_of({"type": "draw", "seat": 1, "from": "discards", "cards": ["2C", "3C"]}, {"draw": ["seat", "from", "cards"]})
    'draw.1.discards.2C+3C'
    """
    return ".".join([event["type"], *(_word(event.get(key)) for key in kinds[event["type"]])]).rstrip(".")


def _word(value: object) -> str:
    if value is None:
        return ""
    return "+".join(quote(str(one), safe="") for one in (value if isinstance(value, list | tuple) else [value]))


def event_of_move(move: str, kinds: Mapping[str, Sequence[str]]) -> ev.Event:
    """Return the event of a move; raises FormatError `format.value` for what is none in this game."""
    kind, *words = move.split(".")
    keys = kinds.get(kind, ())
    if not keys or len(words) > len(keys):
        raise FormatError(
            "format.value",
            Sentence("{move!r} is no move of this game: choose a card or a button of the page", move=move),
        )
    cards = cards_in(ev.TYPES[kind])
    values = {key: _value(key, word, key in cards) for key, word in zip(keys, words, strict=False) if word}
    if kind == "draw":  # from a seat's view nobody knows which cards come
        values.setdefault("cards", None)
    return event_of({"type": kind, **values})


def _value(key: str, word: str, is_card: bool) -> object:
    if key == "cards":
        return [unquote(each) for each in word.split("+")]
    said = unquote(word)
    return int(said) if not is_card and said.isascii() and said.isdigit() and len(said) <= _LONGEST_NUMBER else said
