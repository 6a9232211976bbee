"""The figure of a hand: event by event what each seat has taken, or has left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from ledger.cards import hecto_pack
from ledger.games.hecto_diversity import ClosingTable, least_penalty
from web.figures import label, layout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.table import Table


def course(players: Sequence[str], what: str, rows: Sequence[tuple[int, Sequence[int]]]) -> go.Figure:
    """Return the lines of what each seat has after each event; `rows` are the events' numbers with a number a seat.

    >>> [line.y for line in course(["ana", "ben"], "tricks taken", [(2, [0, 0]), (3, [0, 1])]).data]
    [(0, 0), (0, 1)]
    """
    lines = [
        go.Scatter(
            x=[seq for seq, _ in rows],
            y=[values[seat] for _, values in rows],
            name=label(player),
            mode="lines",
            line={"width": 2.5, "shape": "hv"},
        )
        for seat, player in enumerate(players)
    ]
    return go.Figure(lines, layout("event", what, unifiedhovertitle={"text": "event %{x}"}, nticks=10))


def counted(table: Table, moments: Sequence[tuple[int, Mapping[str, Any]]]) -> tuple[str, list[tuple[int, list[int]]]]:
    """Return what is worth counting in a hand, and the rows of it; none where it is not known.

    `moments` are its events with the state after each. Tricks taken are counted; where cards left in hand are points,
    those; where hands are laid out for a penalty, the penalty if the hand ended there and then.
    """
    if isinstance(table, ClosingTable):
        name = table.options["layout"]
        mask = hecto_pack(name).mask
        rows = [
            (seq, [least_penalty(name, sum(mask[face] for face in held)) for held in state["hands"]])
            for seq, state in moments
            if state.get("hands") and None not in state["hands"]
        ]
        return "penalty if it ended here", rows
    what, key = ("cards left", "hand_sizes") if "stock" in table.game.deal_keys else ("tricks taken", "tricks_taken")
    return what, [(seq, state[key]) for seq, state in moments if state.get(key)]
