"""The table as one seat or a spectator sees it.

Other hands only as numbers of cards, without choices that reveal them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.errors import FormatError
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.table_view import state

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

SPECTATOR = -1
"""The view of no seat."""


def seat_of(view: str, table: Match[Any]) -> int | None:
    """Return the seat of a view, SPECTATOR, or None for all; raises FormatError for what is no view of the table."""
    if view == "all":
        return None
    if view == "spectator":
        return SPECTATOR
    if not (view.isascii() and view.isdigit() and len(view) <= 2):
        raise FormatError("format.value", "view must be all, spectator, or the number of a seat")
    seat = int(view)
    table.expect_seat(seat)
    return seat


def full_view(match: Match[Any]) -> dict[str, Any]:
    """Return the table, with every recorded card."""
    return state(match) | _sizes(match)


def seat_view(match: Match[Any], seat: int) -> dict[str, Any]:
    """Return the table as a seat or a SPECTATOR sees it.

    Other hands appear as numbers of cards; their choices as kinds that any hand might have, without cards. The
    stock's cards and order stay hidden, also from the player who draws next. Open hands are shown to all. If the deal
    was not recorded, a seat sees no more than a spectator.
    """
    shown, hand = full_view(match), match.hand
    if hand.over:
        return shown
    if shown.get("hands") is not None:
        shown["hands"] = [
            cards if some == seat or hand.open_hands >> some & 1 else None for some, cards in enumerate(shown["hands"])
        ]
    shown["choices"] = msgspec.to_builtins(_choices(match, seat))
    return shown


def _sizes(match: Match[Any]) -> dict[str, Any]:
    """Return the number of cards of each seat, if known."""
    if match.hand.over:
        return {}
    if not match.hidden:
        return {"hand_sizes": [held.bit_count() for held in match.hand.held]}
    sizes = {tuple(world.left) for world in match.worlds}
    return {"hand_sizes": list(*sizes) if len(sizes) == 1 else None}


def _sees(match: Match[Any], seat: int, of: int | None) -> bool:
    """Tell whether a seat sees the cards of a seat to act: its own, those it plays, and open ones."""
    hand = match.hand
    return of is not None and (seat in (of, hand.acts_for[of]) or hand.open_hands >> of & 1 != 0)


def _choices(match: Match[Any], seat: int) -> tuple[Choice, ...]:
    """Return the choices of the moment, those of another seat without details that reveal its cards."""
    shown: list[Choice] = []
    for choice in match.choices():
        own = _sees(match, seat, choice.seat) and not match.hidden
        hidden = "stock" in choice.sources if choice.type == "draw" else not own
        shown.append(msgspec.structs.replace(choice, cards=()) if hidden else choice)
    if match.hand.turn is not None and _sees(match, seat, match.hand.turn) and not match.hidden:
        return tuple(shown)
    # At these moments the choices depend on the hand, so all kinds are named.
    kinds = match.phase.kinds(match, match.hand)
    others = (choice for choice in shown if choice.type not in kinds)
    return (*(Choice(kind, match.hand.turn) for kind in kinds), *others)
