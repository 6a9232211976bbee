"""Figures of statistics: values with intervals, histories of ratings, spreads; with the common layout."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from cardledger_web.figures.figures import figure, label, layout
from cardledger_web.languages import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import plotly.graph_objects as go

CLOSEST = {"hovermode": "closest"}
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "star")
_MOST_BARS = 40
"""The greatest number of different values that have separate bars."""
_FAR_WIDER = 6
"""An interval of so many times the median width runs out of the picture."""
_GREY = "#8b9097"
_SHADE = "rgba(139, 144, 151, 0.25)"
"""Colours for light and dark backgrounds."""
Span = tuple[float, float | None, float | None]
"""A value with the ends of its interval, None without one."""


def forest(names: Sequence[str], raw: Sequence[Span], believed: Sequence[Span | None], what: str) -> go.Figure:
    r"""Return a line for each name, the first on top: the value as scored and the estimate, with their intervals.

    >>> drawn = forest(["ana", "ben"], [(1, 0, 2), (2, None, None)], [(1.2, 0.9, 1.5), None], "points a hand")
    >>> [len(line.x) for line in drawn.data]
    [2, 1]
    """
    places = list(range(len(names)))
    estimated = [(place, span) for place, span in zip(places, believed, strict=True) if span is not None]
    lines = [_spans(_("as played"), [place + 0.14 for place in places], raw, "circle-open", 1.5)]
    if estimated:
        lines.append(
            _spans(
                _("estimate"), [place - 0.14 for place, _ in estimated], [span for _, span in estimated], "circle", 3
            )
        )
    laid = layout(what, "") | CLOSEST
    laid["xaxis"] |= {"nticks": 8, "range": room([*raw, *(span for _, span in estimated)])}
    laid["yaxis"] |= {
        "title": {}, "tickvals": places, "ticktext": [label(name) for name in names], "showgrid": False, "zeroline": False,
        "range": [len(names) - 0.4, -0.6],
    }  # fmt: skip
    return figure(lines, laid)


def room(spans: Sequence[Span]) -> list[float]:
    """Return the ends of an axis with room for all values, and for all intervals but those far wider than most.

    Those run out of the picture: one player with two matches must not squeeze the others into a line.

    >>> room([(1, 0, 2), (2, 1, 3), (2, -50, 54)])
    [-0.09, 3.09]
    """
    widths = [high - low for _, low, high in spans if low is not None and high is not None]
    most = _FAR_WIDER * median(widths) if widths else 0
    ends = [value for value, *_ in spans]
    for _value, low, high in spans:
        if low is not None and high is not None and high - low <= most:
            ends += low, high
    edge = 0.03 * (max(ends) - min(ends)) or 0.5
    return [round(min(ends) - edge, 4), round(max(ends) + edge, 4)]


def _spans(name: str, y: Sequence[float], spans: Sequence[Span], symbol: str, width: float) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers", "name": name, "y": list(y), "x": [round(value, 3) for value, *_ in spans],
        "error_x": errors(spans, width), "marker": {"size": 8, "symbol": symbol},
        "hovertemplate": "%{x:.2f}<extra>" + name + "</extra>",
    }  # fmt: skip


def groups(
    names: Sequence[str], spans: Sequence[Span], others: Sequence[float | None], what: str, by: str
) -> go.Figure:
    """Return a player's value by group with its interval, beside that of the others.

    >>> drawn = groups(["2026-10", "2026-11"], [(1, 0, 2), (2, None, None)], [1.5, None], "points a hand", "month")
    >>> drawn.data[0].error_y["array"], drawn.data[1].y
    ((1, 0), (1.5, None))
    """
    shown = [label(name) for name in names]
    own = {
        "type": "scatter", "mode": "markers", "name": _("player"), "x": shown, "y": [round(value, 4) for value, *_ in spans],
        "error_y": errors(spans, 2), "marker": {"size": 9}, "hovertemplate": "%{y}",
    }  # fmt: skip
    field = {
        "type": "scatter", "mode": "markers", "name": _("the others"), "x": shown, "y": list(others),
        "marker": {"size": 16, "symbol": "line-ew", "line": {"width": 3, "color": _GREY}}, "hovertemplate": "%{y}",
    }  # fmt: skip
    return figure([own, field], layout(by, what, type="category", nticks=12))


def means(names: Sequence[str], spans: Sequence[Span], what: str, by: str) -> go.Figure:
    """Return a value for each group with its interval.

    >>> means(["1", "2"], [(1, 0, 2), (2, None, None)], "points a hand", "place from the dealer").data[0].y
    (1, 2)
    """
    dots = {
        "type": "scatter", "mode": "markers", "name": what, "x": list(names), "y": [round(value, 4) for value, *_ in spans],
        "error_y": errors(spans, 2), "marker": {"size": 9}, "hovertemplate": "%{y}",
    }  # fmt: skip
    return figure([dots], layout(by, what, type="category", nticks=12) | {"showlegend": False})


def calibration(told: Sequence[tuple[float, float, float | None, float | None]]) -> go.Figure:
    """Return how often forecasts came true, by the chance that they gave; on the line they are right.

    >>> calibration([(0.25, 0.2, 0.1, 0.4), (0.75, 0.8, None, None)]).data[1].x
    (0.25, 0.75)
    """
    right = {
        "type": "scatter", "mode": "lines", "name": _("as foretold"), "x": [0, 1], "y": [0, 1], "hoverinfo": "skip",
        "line": {"dash": "dot", "width": 1},
    }  # fmt: skip
    dots = {
        "type": "scatter", "mode": "markers", "name": _("came true"), "x": [round(chance, 4) for chance, *_ in told],
        "y": [round(happened, 4) for _, happened, *_ in told],
        "error_y": errors([(happened, low, high) for _, happened, low, high in told], 2), "marker": {"size": 9},
        "hovertemplate": "%{x:.0%}: %{y:.0%}",
    }  # fmt: skip
    laid = layout(_("chance that was foretold"), _("share that came true"))
    laid["xaxis"] |= {"range": [0, 1], "tickformat": ".0%"}
    laid["yaxis"] |= {"range": [0, 1], "tickformat": ".0%"}
    return figure([right, dots], laid)


def worths(ranks: Sequence[str], suits: Mapping[str, Mapping[int, Span]], what: str) -> go.Figure:
    """Return values of cards with their intervals.

    A line for each rank, the first on top, and on it the suits below each other: so they can be told apart on a
    telephone, too. `suits` have spans by the position of the rank.

    >>> worths(["A", "K"], {"clubs": {0: (2, 1, 3), 1: (1, None, None)}}, "points").data[0].x
    (2, 1)
    """
    lines = []
    for number, (suit, spans) in enumerate(suits.items()):
        below = 0.8 * ((number + 0.5) / len(suits) - 0.5)
        lines.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": suit,
                "x": [round(value, 4) for value, *_ in spans.values()],
                "y": [round(at + below, 3) for at in spans],
                "error_x": errors([*spans.values()], 1.5),
                "marker": {"size": 7, "symbol": _SYMBOLS[number % len(_SYMBOLS)]},
                "customdata": [ranks[at] for at in spans],
                "hovertemplate": "%{customdata}: %{x}<extra>" + suit + "</extra>",
            }
        )
    laid = layout(what, "") | CLOSEST
    laid["xaxis"] |= {"nticks": 8, "range": room([span for spans in suits.values() for span in spans.values()])}
    laid["xaxis"]["zeroline"] = True
    laid["yaxis"] |= {
        "title": {}, "tickvals": [*range(len(ranks))], "ticktext": [*ranks], "showgrid": False, "zeroline": False,
        "range": [len(ranks) - 0.4, -0.6],
    }  # fmt: skip
    return figure(lines, laid)


def history(dates: Sequence[str], mu: Sequence[float], sigma: Sequence[float]) -> go.Figure:
    """Return a rating match by match, oldest first, with two standard deviations around it.

    >>> history(["2026-11-21"], [25.5], [8]).data[0].y
    (41.5,)
    """
    number = list(range(1, len(dates) + 1))
    high = [round(m + 2 * s, 2) for m, s in zip(mu, sigma, strict=True)]
    low = [round(m - 2 * s, 2) for m, s in zip(mu, sigma, strict=True)]
    edge = {
        "type": "scatter",
        "mode": "lines",
        "x": number,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    band = edge | {
        "y": low,
        "fill": "tonexty",
        "fillcolor": _SHADE,
        "name": _("two standard deviations"),
        "showlegend": True,
    }
    line = {
        "type": "scatter", "mode": "lines", "name": _("strength μ"), "x": number, "y": [round(m, 2) for m in mu],
        "customdata": list(dates), "line": {"width": 2.5}, "hovertemplate": "%{y} (%{customdata})",
    }  # fmt: skip
    ticks: dict[str, Any] = {"dtick": 1} if len(dates) <= 15 else {"nticks": 8}
    laid = layout(
        _("complete match, newest last"),
        _("strength"),
        unifiedhovertitle={"text": _("match %(number)s", number="%{x}")},
        **ticks,
    )
    return figure([edge | {"y": high}, band, line], laid)


def spread(points: Sequence[int], seats: Sequence[int]) -> go.Figure:
    """Return how often each number of points was scored in a hand; many different numbers are grouped.

    >>> spread([0, 1, 2], [5, 3, 1]).data[0].y
    (5, 3, 1)
    """
    wide = -(-(points[-1] - points[0] + 1) // _MOST_BARS)
    sums: dict[int, int] = {}
    for each, some in zip(points, seats, strict=True):
        start = (each - points[0]) // wide * wide + points[0]
        sums[start] = sums.get(start, 0) + some
    middle = (wide - 1) / 2
    bar = {
        "type": "bar", "x": [start + middle for start in sums], "y": list(sums.values()), "width": wide * 0.9,
        "customdata": [str(start) if wide == 1 else _("%(first)s to %(last)s", first=start, last=start + wide - 1) for start in sums],
        "hovertemplate": _("%(points)s points", points="%{customdata}") + ": %{y}<extra></extra>",
    }  # fmt: skip
    laid = layout(_("points of a hand"), _("times"), nticks=12) | CLOSEST | {"showlegend": False}
    laid["yaxis"] |= {"rangemode": "tozero", "nticks": 6}
    return figure([bar], laid)


def errors(spans: Sequence[Span], width: float) -> dict[str, Any]:
    """Return the bars of intervals around values, of a width in pixels."""
    return {
        "type": "data", "symmetric": False, "thickness": width, "width": 0,
        "array": [0 if high is None else round(high - value, 4) for value, _, high in spans],
        "arrayminus": [0 if low is None else round(value - low, 4) for value, low, _ in spans],
    }  # fmt: skip
