"""The figure of a hand: the count of each seat after each event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger_web.figures.figures import figure, label, layout
from cardledger_web.languages import N_, _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import plotly.graph_objects as go

    from cardledger.rules.engine.match import Match


def course(players: Sequence[str], what: str, rows: Sequence[tuple[int, Sequence[int]]]) -> go.Figure:
    """Return a line for each seat; a row holds the number of an event and a count for each seat.

    >>> [line.y for line in course(["ana", "ben"], "tricks taken", [(2, [0, 0]), (3, [0, 1])]).data]
    [(0, 0), (0, 1)]
    """
    seqs = [seq for seq, _ in rows]
    lines = [
        {
            "type": "scatter",
            "x": seqs,
            "y": [values[seat] for _, values in rows],
            "name": label(player),
            "mode": "lines",
            "line": {"width": 2.5, "shape": "hv"},
        }
        for seat, player in enumerate(players)
    ]
    return figure(
        lines, layout(_("event"), what, unifiedhovertitle={"text": _("event %(number)s", number="%{x}")}, nticks=10)
    )


def counted(
    table: Match[Any], moments: Sequence[tuple[int, Mapping[str, Any]]]
) -> tuple[str, list[tuple[int, list[int]]]]:
    """Return the count to draw for a hand, and its rows; no rows if it is unknown.

    `moments` are the events with the state after each. The count is tricks taken, or cards left in hand where those
    are points, or the game's own count (`course`).
    """
    if table.game.shown.course is not None:
        what, value = table.game.shown.course
        mask = table.pack.mask
        rows = [
            (seq, [value(table, sum(mask[face] for face in held)) for held in state["hands"]])
            for seq, state in moments
            if state.get("hands") and None not in state["hands"]
        ]
        return what, rows
    what, key = (
        (N_("cards left"), "hand_sizes")
        if "stock" in table.game.deal.keys(table.options)
        else (N_("tricks taken"), "tricks_taken")
    )
    return what, [(seq, state[key]) for seq, state in moments if state.get(key)]
