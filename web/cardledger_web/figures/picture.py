"""Figures as pictures: the SVG of what Plotly would draw, for paper, mail, and pages without script.

A picture is drawn from the same data as the interactive figure. Colours are attributes, which the style sheet of a page
overrides; so a picture looks right wherever it is copied to.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from cardledger_web.figures.axes import SIZE, Axis, axes, plain, wide

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

WIDE, NARROW = 840, 420
"""Widths of a picture for a desk and for a telephone: in one of them the text is neither too small nor too large."""
_LINE = 20
_FINGER = 24
"""How wide the place is on which a link can be tapped."""
"""The height of a line of text."""
_LIGHT = {"ink": "#22262b", "soft": "#5d646c", "line": "#e0dcd3"}
_DARK = {"ink": "#e7e4de", "soft": "#a2a7ad", "line": "#33393f"}


def _star(points: int, inner: float) -> list[tuple[float, float]]:
    turns = [pi * i / points for i in range(2 * points)]
    return [
        ((inner if i % 2 else 1.25) * sin(turn), (inner if i % 2 else 1.25) * -cos(turn))
        for i, turn in enumerate(turns)
    ]


_SHAPES = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
    "triangle-up": [(0, -1.2), (1.2, 0.9), (-1.2, 0.9)],
    "triangle-down": [(0, 1.2), (1.2, -0.9), (-1.2, -0.9)],
    "cross": [(-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4)],
    "star": _star(5, 0.55),
    "hexagon": _star(3, 1.1),
}  # fmt: skip
"""The corners of the marks that are no circles, by Plotly's names, for a radius of 1."""


def pictures(figure: go.Figure, label: str) -> Markup:
    """Return a figure as two pictures for one page: style.css shows the one that fits."""
    drawn = figure.to_plotly_json()  # a deep copy, which takes longer than one picture
    return Markup("").join(picture(drawn, label, width) for width in (WIDE, NARROW))


def picture_file(figure: go.Figure, label: str) -> str:
    """Return a picture with its own colours for light and dark, as a file of its own."""
    dark = colours()[1]
    rules = "".join(f".s{i}{{color:{colour}}}" for i, colour in enumerate(dark))
    own = "svg{{background:{};color:{ink}}}.rules{{color:{line}}}.soft{{color:{soft}}}"
    style = (
        f"{own.format('#faf8f4', **_LIGHT)}@media(prefers-color-scheme:dark){{{own.format('#15181b', **_DARK)}{rules}}}"
    )
    head, _, inside = picture(figure.to_plotly_json(), label, WIDE).partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{inside}'


@cache
def colours() -> tuple[list[str], list[str]]:
    """Return the colours of lines on light and on dark pages, as the style sheet has them."""
    values = re.findall(r"--line-\d: (#\w+)", files("cardledger_web").joinpath("static", "style.css").read_text())
    return values[:8], values[8:]


def picture(drawn: dict[str, Any], label: str, width: int) -> Markup:
    """Return one picture of a figure as Plotly's JSON; `label` is its spoken name."""
    traces, laid = drawn["data"], drawn["layout"]
    shown = [
        (i, trace)
        for i, trace in enumerate(traces)
        if trace.get("name") and trace.get("showlegend", laid.get("showlegend", len(traces) > 1))
    ]
    legend, top = _legend(shown, laid["yaxis"].get("title", {}).get("text", ""), width)
    x, y = axes(traces, laid, width, top, 225 if width == WIDE else 205)
    bottom = max(y.start, y.end)
    height = round(bottom + 2 * _LINE + 4)
    marks = _zero(x, y) if laid["xaxis"].get("zeroline") else ""
    marks += "".join(_trace(i, traces, x, y) for i in range(len(traces)))
    title = laid["xaxis"].get("title", {}).get("text", "")
    role = "group" if any("linked" in trace.get("meta", ()) for trace in traces) else "img"
    return Markup(  # noqa: S704 - every text in it is escaped
        f'<svg class="chart {"wide" if width == WIDE else "narrow"}" viewBox="0 '
        f'0 {width} {height}" role="{role}" aria-label="{escape(label)}"'
        f' data-x="{x.low:g} {x.high:g} {x.start:g} {x.end:g}" data-y="{top} '
        f'{bottom:g}" color="{_LIGHT["ink"]}" fill="currentColor"'
        f' font-size="{SIZE}" font-family="system-ui, sans-serif"><desc>{_in_words(traces, laid)}</desc>'
        f"{legend}{_grid(x, y)}{marks}{_text(width / 2, height - 4, title, 'middle', 'soft')}</svg>"
    )


# --- parts of the drawing


def _grid(x: Axis, y: Axis) -> str:
    left, right = x.edge, x.end + 4
    top, bottom = sorted((y.start, y.end))
    named = bool(y.names) or y.start < y.end or len(y.ticks) and y.low > y.high
    path = "".join(f"M{x.at(at):.1f},{top:g}V{bottom:g}" for at, _ in ([] if x.names or not named else x.ticks))
    path += "".join(f"M{left:g},{y.at(at):.1f}H{right:g}" for at, _ in ([] if named else y.ticks))
    zero = f'<path class="soft" color="{_LIGHT["soft"]}" stroke="currentColor" d="M{left:g},{y.at(0):.1f}H{right:g}"/>'
    return (
        f'<path class="rules" color="{_LIGHT["line"]}" stroke="currentColor" d="{path}M{left:g},{bottom:g}H{right:g}"/>'
        + (zero if not named and y.low < 0 < y.high else "")
        + "".join(
            _text(min(x.at(at), x.end + 14 - wide(text) / 2), bottom + 17, text, "middle") for at, text in x.ticks
        )
        + "".join(_text(left - 6, y.at(at) + 4.5, text, "end") for at, text in y.ticks)
    )


def _zero(x: Axis, y: Axis) -> str:
    """Return the line at 0 across a picture with names below each other."""
    if not x.low < 0 < x.high:
        return ""
    top, bottom = sorted((y.start, y.end))
    path = f"M{x.at(0):.1f},{top:g}V{bottom:g}"
    return f'<path class="soft" color="{_LIGHT["soft"]}" stroke="currentColor" d="{path}"/>'


def _trace(i: int, traces: Sequence[dict[str, Any]], x: Axis, y: Axis) -> str:
    trace = traces[i]
    if trace["type"] == "bar":
        return _series(i, trace, _bars(i, traces, x, y))
    points = [(x.at(a), y.at(b)) for a, b in zip(trace["x"], trace["y"], strict=True) if b is not None]
    if not points:
        return ""
    inside = ""
    line = trace.get("line", {})
    if trace.get("fill") == "tonexty":
        edge = [(x.at(a), y.at(b)) for a, b in zip(traces[i - 1]["x"], traces[i - 1]["y"], strict=True)]
        outline = "L".join(f"{a:.1f},{b:.1f}" for a, b in [*points, *edge[::-1]])
        inside += f'<path fill-opacity=".25" d="M{outline}z"/>'
    if "lines" in trace.get("mode", "lines") and line.get("width", 2):
        steps = "".join(
            f"H{a:.1f}V{b:.1f}" if line.get("shape") == "hv" else f"L{a:.1f},{b:.1f}" for a, b in points[1:]
        )
        inside += (
            f'<path fill="none" stroke="currentColor" stroke-width="{line.get("width", 2)}" '
            f'stroke-linejoin="round" d="M{points[0][0]:.1f},{points[0][1]:.1f}{steps}"/>'
        )
    for along in "xy":
        if errors := trace.get(f"error_{along}"):
            inside += _errors(trace, along, errors, x, y)
    if "markers" in trace.get("mode", "lines"):
        marker = trace.get("marker", {})
        inside += _links(points, trace) if "linked" in trace.get("meta", ()) else _marks(points, marker)
    return _series(i, trace, inside)


def _links(points: Sequence[tuple[float, float]], trace: dict[str, Any]) -> str:
    """Return marks that lead somewhere: each a link with its text, and around it room for a finger."""
    at, chosen = trace["meta"]["linked"], ' aria-current="true"' if "chosen" in trace["meta"] else ""
    return "".join(
        f'<a href="{escape(about[at])}"{chosen}><title>{escape(plain(about[0]))}</title>'
        f'<circle cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="{_FINGER / 2:g}" fill="none" pointer-events="all"/>'
        f"{_marks([point], trace.get('marker', {}))}</a>"
        for point, about in zip(points, trace["customdata"], strict=True)
    )


def _series(i: int, trace: dict[str, Any], inside: str) -> str:
    grey = trace.get("fill") or trace.get("marker", {}).get("symbol") == "line-ew"
    own = trace.get("meta", {}).get("colour", i) % 8
    name, colour = ("soft", _LIGHT["soft"]) if grey else (f"s{own}", colours()[0][own])
    return f'<g class="{name}" color="{colour}">{inside}</g>'


def _bars(i: int, traces: Sequence[dict[str, Any]], x: Axis, y: Axis) -> str:
    trace, beside = traces[i], sum(other["type"] == "bar" for other in traces)
    flat = trace.get("orientation") == "h"
    along, up = (y, x) if flat else (x, y)
    thick = abs(along.at(trace.get("width", 0.7)) - along.at(0)) / beside
    boxes = []
    texts = []
    for place, value in zip(trace["y" if flat else "x"], trace["x" if flat else "y"], strict=True):
        side = along.at(place) + (i - beside / 2) * thick
        start, end = sorted((up.at(0), up.at(value)))
        box = (
            f"M{start:.1f},{side:.1f}h{end - start:.1f}v{thick:.1f}H{start:.1f}z"
            if flat
            else f"M{side:.1f},{end:.1f}v{start - end:.1f}h{thick:.1f}V{end:.1f}z"
        )
        boxes.append(box)
        if flat:
            number = f"{value:,}"
            inside = end - start > wide(number) + 12
            texts.append(
                _text(
                    start + 6 if inside else end + 5,
                    side + thick / 2 + 4.5,
                    number,
                    "start",
                    "on" if inside else "soft",
                )
            )
    return f'<path d="{"".join(boxes)}"/>{"".join(texts)}'


def _errors(trace: dict[str, Any], along: str, errors: dict[str, Any], x: Axis, y: Axis) -> str:
    path = ""
    for a, b, more, less in zip(trace["x"], trace["y"], errors["array"], errors["arrayminus"], strict=True):
        if more or less:
            path += (
                f"M{x.within(a - less):.1f},{y.at(b):.1f}H{x.within(a + more):.1f}"
                if along == "x"
                else f"M{x.at(a):.1f},{y.at(b - less):.1f}V{y.at(b + more):.1f}"
            )
    return f'<path stroke="currentColor" stroke-width="{errors["thickness"]}" d="{path}"/>'


def _marks(points: Sequence[tuple[float, float]], marker: dict[str, Any]) -> str:
    symbol, size = marker.get("symbol", "circle"), marker.get("size", 6)
    if corners := _SHAPES.get(symbol):
        corners = [(a * size / 2, b * size / 2) for a, b in corners]
        shape = (
            "m{:.1f},{:.1f}l".format(*corners[0])
            + " ".join(f"{c - a:.1f},{d - b:.1f}" for (a, b), (c, d) in pairwise(corners))
            + "z"
        )
        return f'<path d="{"".join(f"M{a:.1f},{b:.1f}{shape}" for a, b in points)}"/>'
    if symbol == "circle-open":
        ring = "".join(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{size / 2}"/>' for a, b in points)
        return f'<g class="paper" fill="#fff" stroke="currentColor" stroke-width="1.5">{ring}</g>'
    # A circle is a line without length, whose ends are round.
    length, cap = (size, "butt") if symbol == "line-ew" else (0, "round")
    dots = "".join(f"M{a - length / 2:.1f},{b:.1f}h{length}" for a, b in points)
    thick = 3 if length else size
    return (
        f'<path stroke="currentColor" stroke-width="{thick}" stroke-linecap="{cap}" '
        f'stroke-opacity="{marker.get("opacity", 1)}" d="{dots}"/>'
    )


def _legend(shown: Sequence[tuple[int, dict[str, Any]]], title: str, width: int) -> tuple[str, int]:
    """Return the names of the lines after the title of the upright axis, in as many rows as they need, and their height."""
    at, row = 2.0, 15
    parts = []
    if title:
        parts.append(_text(2, row, title, "start", "soft"))
        at = wide(title) + 20
    for i, trace in shown:
        name = plain(trace["name"])
        room = wide(name) + 26
        if at > 2 and at + room > width:
            at, row = 2.0, row + _LINE
        inside = f'<path d="M{at:.1f},{row - 9}h14v9h-14z" fill-opacity="{0.25 if trace.get("fill") else 1}"/>'
        if trace["type"] != "bar" and not trace.get("fill"):
            lines = "lines" in trace.get("mode", "lines")
            inside = f'<path stroke="currentColor" stroke-width="2.5" d="M{at:.1f},{row - 4.5}h16"/>' if lines else ""
            inside += (
                _marks([(at + 8, row - 4.5)], trace.get("marker", {})) if "markers" in trace.get("mode", "") else ""
            )
        parts.append(_series(i, trace, inside) + _text(at + 21, row, name, "start"))
        at += room + 14
    return "".join(parts), row + 13 if parts else 6


def _text(x: float, y: float, text: str, anchor: str, name: str = "") -> str:
    if not text:
        return ""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    shown = f' class="{name}" color="{_LIGHT["soft"] if name == "soft" else "#fff"}"' if name else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{shown}{side}>{escape(text)}</text>'


def _in_words(traces: Sequence[dict[str, Any]], laid: dict[str, Any]) -> str:
    """Return the latest value of each line, the value of each bar, or of each row, as far as a listener wants them."""
    rows = dict(zip(laid["yaxis"].get("tickvals", ()), laid["yaxis"].get("ticktext", ()), strict=True))
    said = []
    for trace in traces:
        name = plain(trace.get("name", ""))
        if trace["type"] == "bar":
            flat = trace.get("orientation") == "h"
            pairs = zip(trace["y" if flat else "x"], trace["x" if flat else "y"], strict=True)
            said += [f"{plain(str(place))}: {value}" for place, value in list(pairs)[:12]]
        elif rows:
            placed = zip(trace["y"], trace["x"], strict=True)
            said += [f"{plain(rows[at])}: {value}" for at, value in placed if at in rows]
        elif name and trace.get("showlegend", True) and any(value is not None for value in trace["y"]):
            said.append(f"{name}: {[value for value in trace['y'] if value is not None][-1]}")
    return str(escape("; ".join(said)))
