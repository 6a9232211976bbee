"""Figures of violations and of players: rows in, a Plotly figure out, with the common layout."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from cardledger_web.figures.figures import figure, label, layout
from cardledger_web.languages import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

_WINDOW = 10
"""The number of matches in the mean that shows form."""
_MOST_BARS = 12
_MOST_MONTHS = 60
_FEW = 15
"""The greatest number of matches that are named on the axis."""
_BARS = {"hovermode": "closest", "bargap": 0.35, "showlegend": False}


def bars(names: Sequence[str], counts: Sequence[int], what: str) -> go.Figure:
    r"""Return a bar for each name, the first on top; those after the twelfth are added up.

    >>> drawn = bars(["follow.suit", "lead.unbroken"], [3, 1], "violations")
    >>> [(name.strip("\u2068\u2069"), count) for name, count in zip(drawn.data[0].y, drawn.data[0].x)]
    [('follow.suit', 3), ('lead.unbroken', 1)]
    """
    shown = [label(name) for name in names[:_MOST_BARS]]
    numbers = [*counts[:_MOST_BARS]]
    if others := names[_MOST_BARS:]:
        shown.append(_("others: %(number)s", number=len(others)))
        numbers.append(sum(counts[_MOST_BARS:]))
    # Equal names would share a bar, and shortened names may be equal.
    shown = [name + "\u200b" * shown[:place].count(name) for place, name in enumerate(shown)]
    bar = {"type": "bar", "x": numbers, "y": shown, "orientation": "h", "hovertemplate": "%{y}: %{x}<extra></extra>"}
    laid = layout(what, "", rangemode="tozero", nticks=6) | _BARS
    laid["yaxis"] |= {"autorange": "reversed", "title": {}, "ticks": ""}
    return figure([bar], laid)


def by_month(months: Sequence[str], counts: Sequence[int], what: str) -> go.Figure:
    """Return a bar for each month up to the last, empty months included, five years at most.

    >>> by_month(["2026-11", "2027-01"], [2, 1], "violations").data[0].y
    (2, 0, 1)
    """
    monthly = dict(zip(months, counts, strict=True))
    span = _months(min(months), max(months))
    bar = {
        "type": "bar", "x": span, "y": [monthly.get(month, 0) for month in span],
        "hovertemplate": "%{x}: %{y}<extra></extra>", "width": 0.65 if len(span) > 3 else 0.2 * len(span),
    }  # fmt: skip
    laid = layout(_("month of play"), what, type="category", nticks=12) | _BARS
    laid["yaxis"] |= {"rangemode": "tozero", "nticks": 6}
    return figure([bar], laid)


def form(dates: Sequence[str], points: Sequence[int], hands: Sequence[int]) -> go.Figure:
    """Return points a hand match by match, oldest first, and their mean over the last ten matches.

    >>> form(["2026-11-21", "2026-11-28"], [10, 2], [4, 2]).data[1].y
    (2.5, 2.0)
    """
    number = list(range(1, len(dates) + 1))
    each = [round(total / some, 3) for total, some in zip(points, hands, strict=True)]
    spans = [slice(max(0, end - _WINDOW), end) for end in number]
    mean = [round(sum(points[span]) / sum(hands[span]), 3) for span in spans]
    dots = {
        "type": "scatter", "mode": "markers", "name": _("a match"), "x": number, "y": each, "customdata": list(dates),
        "marker": {"size": 6, "opacity": 0.55}, "hovertemplate": "%{y} (%{customdata})",
    }  # fmt: skip
    line = {
        "type": "scatter", "mode": "lines", "name": _("mean of the last %(number)s matches", number=_WINDOW), "x": number, "y": mean,
        "line": {"width": 2.5},
    }  # fmt: skip
    return figure(
        [dots, line],
        _by_match(_("match, newest last"), _("points a hand"), _("match %(number)s", number="%{x}"), len(dates)),
    )


def ahead(player: str, dates: Sequence[str], differences: Sequence[int]) -> go.Figure:
    """Return a player's lead over another, in points, after each match of both, oldest first.

    >>> ahead("ana", ["2026-11-21", "2026-11-28"], [3, -5]).data[0].y
    (0, 3, -2)
    """
    sums = list(accumulate(differences, initial=0))
    line = {
        "type": "scatter", "mode": "lines+markers", "name": label(player), "x": list(range(len(sums))), "y": sums,
        "customdata": ["", *dates], "line": {"width": 2, "shape": "hv"}, "marker": {"size": 6},
        "hovertemplate": "%{y:+d} (%{customdata})<extra></extra>",
    }  # fmt: skip
    laid = _by_match(
        _("after match, newest last"), _("points more"), _("after match %(number)s", number="%{x}"), len(differences)
    )
    laid["yaxis"] |= {"zeroline": True}
    return figure([line], laid)


def _by_match(x: str, y: str, hover: str, matches: int) -> dict[str, Any]:
    ticks = {"dtick": 1} if matches <= _FEW else {"nticks": 8}
    return layout(x, y, unifiedhovertitle={"text": hover}, **ticks)


def _months(first: str, last: str) -> list[str]:
    """Return the months from the first to the last, the latest sixty at most."""
    year, month = map(int, last.split("-"))
    span: list[str] = []
    while len(span) < _MOST_MONTHS and (text := f"{year:04}-{month:02}") >= first:
        span.append(text)
        year, month = (year - 1, 12) if month == 1 else (year, month - 1)
    return span[::-1]
