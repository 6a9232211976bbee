"""The table as one seat or a spectator sees it: other hands by number of cards, nothing that only their cards would tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ledger.choice import Choice
from ledger.games.hecto_diversity import ClosingTable
from ledger.games.poison_hearts import TiesTable
from ledger.tricks import TrickTable

if TYPE_CHECKING:
    from ledger.table import Table

SPECTATOR = -1
"""Stands for no seat."""


def full_sight(table: Table) -> dict[str, Any]:
    """Return the state of a table, with every card recorded."""
    return table.state() | _sizes(table)


def sight_of(table: Table, seat: int) -> dict[str, Any]:
    """Return the state of a table as a seat sees it, or SPECTATOR.

    Of other hands it tells how many cards they have; of their choices the kinds that any hand might have, without
    cards. The stock keeps its cards and its order to itself, also from who draws next. After a close, the closer's
    cards lie open. Where the deal was not recorded, a seat's view holds no more than a spectator's.
    """
    state = full_sight(table)
    if table.hand is None:
        return state
    if state.get("hands") is not None:
        open_seats = {seat, getattr(table, "closer", None)}
        state["hands"] = [cards if some in open_seats else None for some, cards in enumerate(state["hands"])]
    state["choices"] = msgspec.to_builtins(_choices(table, seat))
    return state


def _sizes(table: Table) -> dict[str, Any]:
    """Return how many cards each seat has, as far as that is known."""
    if table.hand is None or not isinstance(table, TrickTable | ClosingTable):
        return {}
    if not table.hidden:
        return {"hand_sizes": [held.bit_count() for held in table.held]}
    worlds = table.worlds if isinstance(table, TrickTable) else [table.world]
    sizes = {tuple(world.left) for world in worlds if world is not None}
    return {"hand_sizes": list(*sizes) if len(sizes) == 1 else None}


def _choices(table: Table, seat: int) -> tuple[Choice, ...]:
    """Return the choices of the moment, those of another seat without what only its cards would tell."""
    own = table.turn == seat and not table.hidden
    shown: list[Choice] = []
    for choice in table.choices():
        hidden = "stock" in choice.sources if choice.type == "draw" else not own
        shown.append(msgspec.structs.replace(choice, cards=()) if hidden else choice)
    if own:
        return tuple(shown)
    # What may be done goes by the hand in these moments: then all of it is named.
    kinds: tuple[str, ...] = ()
    if isinstance(table, TiesTable) and table.phase == "play" and table.unled and not table.trick:
        kinds = ("play", "pass")
    elif isinstance(table, ClosingTable) and table.phase == "discard":
        kinds = ("discard", "close")
    rest = (choice for choice in shown if choice.type not in kinds)
    return (*(Choice(kind, table.turn) for kind in kinds), *rest)
