"""Figures: rows in, a Plotly figure out. Pure functions; static/figure.js draws them in the colours of the page.

Every figure is laid out by `layout`, so that all look alike.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from cardledger_web.languages import _

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_NAME = 24
_FEW_HANDS = 15
_SYMBOLS = (
    "circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star", "hexagon",
)  # fmt: skip


def running_totals(players: Sequence[str], totals: Sequence[Sequence[int]]) -> go.Figure:
    r"""Return the lines of every player's total after each complete hand, from 0 on.

    >>> figure = running_totals(["ana", "ben"], [[3, 1], [4, 6]])
    >>> [(line.name.strip("\u2068\u2069"), line.y) for line in figure.data]
    [('ana', (0, 3, 4)), ('ben', (0, 1, 6))]
    """
    hands = list(range(len(totals) + 1))
    lines = [
        {
            "type": "scatter",
            "x": hands,
            "y": [0, *(row[seat] for row in totals)],
            "name": label(player),
            "mode": "lines+markers",
            "marker": {"symbol": _SYMBOLS[seat % len(_SYMBOLS)], "size": 7},
            "line": {"width": 2},
        }
        for seat, player in enumerate(players)
    ]
    ticks = {"dtick": 1} if len(totals) <= _FEW_HANDS else {"nticks": 8}
    return figure(
        lines,
        layout(
            _("after hand"), _("points"), unifiedhovertitle={"text": _("after hand %(hand)s", hand="%{x}")}, **ticks
        ),
    )


def figure(traces: Sequence[dict[str, Any]], layout: dict[str, Any]) -> go.Figure:
    """Return a figure of traces and a layout given as plain data.

    Plotly's checks of every attribute take longer than the rest of the page; the tests run them instead.
    """
    return go.Figure({"data": list(traces), "layout": layout}, _validate=False)


def layout(x: str, y: str, **xaxis: object) -> dict[str, Any]:
    """Return the layout that all figures share, with a title for each axis; `xaxis` adds to the horizontal one."""
    return {
        "template": {},  # the default one has 6 kB, and None means the default
        "autosize": True,
        "dragmode": False,
        "hovermode": "x unified",
        "margin": {"l": 44, "r": 12, "t": 8, "b": 44},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "xaxis": {"title": {"text": x}, "fixedrange": True, "zeroline": False, "showspikes": False, **xaxis},
        "yaxis": {"title": {"text": y}, "fixedrange": True, "automargin": True, "showspikes": False},
    }


def label(player: str) -> str:
    """Return a name that Plotly shows as written.

    Its labels read some HTML, and without isolation would follow the direction of the text around them.
    """
    short = player if len(player) <= _LONGEST_NAME else player[: _LONGEST_NAME - 1] + "…"
    return f"\u2068{escape(short, quote=False)}\u2069"
