"""Choices as events: what a choice already says of its event, and which values fill the rest.

A client needs no game for this: it puts the values of `source` in any order, and the numbers in `put` say which of them
stand where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event import Event
from cardledger.rules.engine.keys import keys_of
from cardledger.rules.engine.unseen import MAY_BE_NULL

if TYPE_CHECKING:
    from cardledger.rules.engine.choices import Choice
    from cardledger.rules.engine.match import Match


class Fill(msgspec.Struct, frozen=True, omit_defaults=True, rename={"source": "from"}):
    """Keys of an event that are still open.

    `put` has them with places in `source`, counted from 0: a place, a list of places, or a list of such lists. Without
    `source` the values are the client's own; `total` is the sum of such numbers.
    """

    put: dict[str, Any]
    source: tuple[Any, ...] | msgspec.UnsetType = msgspec.UNSET
    total: int | None = None


def ready(match: Match[Any], choice: Choice) -> tuple[dict[str, Any], list[Fill]]:
    """Return the event of a choice as JSON has it, and what fills its open keys; without any it can be sent.

    A null in the event may stay: nobody saw these cards.
    """
    if choice.type == "deal":
        return _deal(match, choice)
    cls = ev.TYPES[choice.type]
    event: dict[str, Any] = {"type": choice.type}
    fills: list[Fill] = []
    for field in msgspec.structs.fields(cls):
        if field.name in Event.__struct_fields__ or not _asked(cls, field, choice):
            continue
        source, put = _values(match, choice, field)
        if source is None:
            total = choice.total if field.name == "tricks" else None
            fills.append(Fill({field.encode_name: put}, total=total))
        elif len(source) == (len(put) if isinstance(put, list) else 1):
            event[field.encode_name] = list(source) if isinstance(put, list) else source[0]
        else:
            if match.hidden and (cls, field.name) in MAY_BE_NULL and cls in match.phase.unseen:
                event[field.encode_name] = None
            fills.append(Fill({field.encode_name: put}, tuple(source)))
    return event, fills


def _asked(cls: type[Event], field: msgspec.structs.FieldInfo, choice: Choice) -> bool:
    """Tell whether the event of a choice has a key: all that it needs, and what the choice says something of."""
    if field.name in ("card", "cards") and {"card", "cards"} <= {*cls.__struct_fields__}:
        return (field.name == "card") == (choice.count == 1)
    return bool(field.required) or (field.name == "seat" and choice.seat is not None)


def _values(
    match: Match[Any], choice: Choice, field: msgspec.structs.FieldInfo
) -> tuple[Sequence[Any] | None, int | list[int]]:
    """Return the values that a key may have.

    None if they are the client's own, and the places that it takes of them.
    """
    seats = tuple(range(match.n))
    if keys_of(ev.TYPES[choice.type])[field.name].said == "by seat":
        return None, [*seats]
    match field.name:
        case "seat":
            return seats if choice.seat is None else (choice.seat,), 0
        case "to":
            return None if choice.to is None else (choice.to,), 0
        case "source":
            return choice.sources or None, 0
        case "card":
            return choice.cards or None, 0
        case "cards":
            return choice.cards or None, [*range(choice.count)]
        case "call":
            return choice.calls or None, 0
        case "amount" if choice.amounts is not None:
            lowest, highest = choice.amounts
            return [amount for amount in range(lowest, highest + 1) if amount not in choice.barred], 0
    return _words(field.type), 0


def _words(annotation: Any) -> tuple[str, ...] | None:
    """Return the words that the type of a key allows, None if it is no choice of words."""
    inner = annotation.__origin__ if hasattr(annotation, "__metadata__") else annotation
    return get_args(inner) if get_origin(inner) is Literal else None


def _deal(match: Match[Any], choice: Choice) -> tuple[dict[str, Any], list[Fill]]:
    """Return the deal of the next hand: without cards, as of a hand that nobody sees, and its cards to shuffle."""
    dealing = match.game.deal
    seat = choice.seat or 0
    bare = msgspec.structs.replace(dealing.without_cards(match, seat), **choice.also)
    event = {"type": "deal", **msgspec.to_builtins(bare)}
    fills = []
    if choice.seat is None and dealing.turns_up(match.options) != "dealer":
        del event[dealing.first]  # anybody may, and no card turned up depends on who it is
        fills.append(Fill({dealing.first: 0}, tuple(range(match.n))))
    deck, _ = dealing.cards(match, len(match.hands) + 1)
    return event, [*fills, Fill(dealing.places(match, seat), tuple(match.pack.list(deck)))]
