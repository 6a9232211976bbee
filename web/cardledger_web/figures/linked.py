"""Figures whose marks lead somewhere: players among others, evenings and months on a time axis, what stands out.

`customdata` holds the text of the mark and the address, and the trace says so with `meta`
(`LINKED`). In a picture the mark is a link, in Plotly a click follows it. What is chosen stands apart from the other
marks, and its link takes the choice back (`CHOSEN`).
"""

from __future__ import annotations

from datetime import date
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger_web.figures.axes import ROW
from cardledger_web.figures.days import day_axis, ordinals
from cardledger_web.figures.figures import figure, label, layout
from cardledger_web.figures.stats import CLOSEST, Span, errors, room
from cardledger_web.languages import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

LINKED = {"linked": 1}
"""What a trace says whose marks lead somewhere: which of their data is the address."""
CHOSEN = LINKED | {"chosen": True}
"""What a trace says whose marks are chosen, too."""
_SYMBOLS = ("square", "triangle-up")
"""The marks of players beside another one."""
_COLOURS = (3, 5)
"""Their colours, among those of lines."""
_ASIDE = 4
"""How many days a month of a player beside stands aside."""
_MORE = 14
"""How much higher a row is for each player beside."""
_WINDOW = 8
"""Over so many evenings goes the mean."""


class FieldPlayer(NamedTuple):
    """A player in the field: the name, the address of their page, and the estimate with its interval."""

    name: str
    address: str
    estimate: Span


class FigureMark(NamedTuple):
    """A mark of a figure that leads somewhere: where it lies, its text and the address.

    If it is `chosen`, the rest of the page shows what it stands for, and its address takes that back.
    """

    at: Any
    value: float
    text: str
    address: str
    chosen: bool = False


class Beside(NamedTuple):
    """A player beside another one: the name, and for each mark where it lies, the value with its interval, and a text.

    In every figure of a page the player has the colour and the mark of the same `place`: 0 or 1.
    """

    place: int
    name: str
    marks: Sequence[tuple[float, Span, str]]


def standings(
    field: Sequence[FieldPlayer], own: int, others: Sequence[tuple[str, str, float]], average: float | None, what: str,
    beside: Sequence[int] = (),
) -> go.Figure:  # fmt: skip
    """Return the estimates of some players of a field, the best first, with the player at `own` apart from the others.

    So are the players at the places `beside`. `others` are further values of the player, each with its name and symbol: as scored, say, and without luck.

    >>> some = [FieldPlayer("ana", "/ana", (3, 2, 4)), FieldPlayer("ben", "/ben", (2, 1, 3))]
    >>> [line.name for line in standings(some, 1, [("as scored", "circle-open", 2.5)], 2.6, "points a hand").data]
    ['average', 'the others', 'ben', 'as scored']
    """
    places = list(range(len(field)))
    spans = [one.estimate for one in field]
    lines = []
    if average is not None:
        lines.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": _("average"),
                "x": [average] * 2,
                "y": [-0.6, len(field) - 0.4],
                "line": {"width": 1.5},
                "hoverinfo": "skip",
            }
        )
    rest = [place for place in places if place != own and place not in beside]
    peers = [(label(field[at].name), [at], 3.0, 10, {"colour": _COLOURS[place]}) for place, at in enumerate(beside)]
    for name, some, width, size, meta in (
        (_("the others"), rest, 2.0, 8, {}), (label(field[own].name), [own], 4.0, 11, {}), *peers,
    ):  # fmt: skip
        if some:
            lines.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": name,
                    "y": some,
                    "x": [round(spans[at][0], 3) for at in some],
                    "error_x": errors([spans[at] for at in some], width),
                    "marker": {"size": size, "symbol": "circle"},
                    "customdata": [[label(field[at].name), field[at].address] for at in some],
                    "meta": LINKED | meta,
                    "hovertemplate": "%{customdata[0]}: %{x:.2f}<extra></extra>",
                }
            )
    for name, symbol, value in others:
        lines.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": [round(value, 3)],
                "y": [own + 0.28],
                "marker": {"size": 8, "symbol": symbol},
                "hovertemplate": "%{x:.2f}<extra>" + name + "</extra>",
            }
        )
    single: list[Span] = [(value, None, None) for *_, value in others]
    laid = layout(what, "") | CLOSEST
    laid["xaxis"] |= {"nticks": 8, "range": room([*spans, *single])}
    laid["yaxis"] |= {
        "title": {}, "tickvals": places, "ticktext": [label(one.name) for one in field], "showgrid": False, "zeroline": False,
        "range": [len(field) - 0.4, -0.6],
    }  # fmt: skip
    return figure(lines, laid)


def evenings(marks: Sequence[FigureMark], what: str, own: str = "", beside: Sequence[Beside] = ()) -> go.Figure:
    """Return a result of each evening (`at` is its ISO day) on a time axis, oldest first, and the mean of the last ones.

    With players `beside`, lines of their means stand beside that of the player, who is called `own`.

    >>> evenings([FigureMark("2026-11-21", 2.0, "", "/a"), FigureMark("2026-11-28", 1.0, "", "/b")], "points a hand").data[1].y
    (2.0, 1.5)
    """
    days, values = ordinals([mark.at for mark in marks]), [mark.value for mark in marks]
    name = _("mean of the last %(number)s evenings", number=_WINDOW)
    lines = [_means(label(own) if beside else name, days, values)]
    lines += [
        _means(label(one.name), [at for at, *_ in one.marks], [span[0] for _at, span, _said in one.marks])
        | {"meta": {"colour": _COLOURS[one.place]}}
        for one in beside
    ]
    if beside:
        what = _("%(what)s, means of the last %(number)s evenings", what=what, number=_WINDOW)
    dots = _dots(_("an evening"), [*zip(days, marks, strict=True)])
    # Lines stand before what is chosen, so that their colours do not change with the choice.
    return figure([*dots[:1], *lines, *dots[1:]], layout("", what, **_days_of(marks, beside)) | CLOSEST)


def months(
    marks: Sequence[FigureMark], spans: Sequence[Span], others: Sequence[float | None], what: str, own: str = "",
    beside: Sequence[Beside] = (),
) -> go.Figure:  # fmt: skip
    """Return a measure of each month (`at` is its first day) with its interval on a time axis, beside the others'.

    With players `beside`, theirs stand beside that of the player, who is called `own`.

    >>> drawn = months([FigureMark("2026-11-01", 2.0, "", "/a")], [(2, 1, 3)], [1.5], "points a hand")
    >>> drawn.data[0].error_y["array"], drawn.data[1].y
    ((1,), (1.5,))
    """
    days = [mark.at for mark in marks]
    player = _dots(
        label(own) if beside else _("player"), [*zip(ordinals(days), marks, strict=True)], along="y", spans=spans
    )
    field = {
        "type": "scatter", "mode": "markers", "name": _("the others"), "x": ordinals(days), "y": list(others),
        "marker": {"size": 16, "symbol": "line-ew", "line": {"width": 3, "color": "#8b9097"}}, "hovertemplate": "%{y}",
    }  # fmt: skip
    peers = _besides(beside, "y", _ASIDE)
    around = _days_of(marks, beside, _ASIDE)
    return figure([*player[:1], field, *peers, *player[1:]], layout("", what, **around) | CLOSEST)


def nights(marks: Sequence[FigureMark], what: str) -> go.Figure:
    """Return a number for each day of play (`at`, an ISO day) on a time axis, each on a stem.

    >>> nights([FigureMark("2026-11-21", 9, "9 hands", "/a")], "hands").data[0].error_y["arrayminus"]
    (9,)
    """
    placed = [*zip(ordinals([mark.at for mark in marks]), marks, strict=True)]
    dots = _dots(what, placed, along="y", spans=[(mark.value, 0, mark.value) for mark in marks])
    laid = layout("", what, **day_axis([mark.at for mark in marks])) | CLOSEST | {"showlegend": False}
    laid["yaxis"] |= {"rangemode": "tozero", "nticks": 6}
    return figure(dots, laid)


def apart(marks: Sequence[FigureMark], sure: Sequence[bool], beside: Sequence[Beside] = ()) -> go.Figure:
    """Return how far measures lie from those of the others, the best on top: 1 is half of a measure's 95% interval.

    Players `beside` lie where they would on the player's own scale. `sure` says for each whether that is more than chance.

    >>> drawn = apart([FigureMark("Tricks", 1.8, "", "/a"), FigureMark("Bids", -0.2, "", "/b")], [True, False])
    >>> [(line.name, line.x) for line in drawn.data]
    [('within chance', (-0.2,)), ('more than chance', (1.8,))]
    """
    lines = []
    for name, wanted, symbol in ((_("within chance"), False, "circle-open"), (_("more than chance"), True, "circle")):
        some = [at for at, one in enumerate(sure) if one == wanted]
        spans = [(mark.value, mark.value - 1, mark.value + 1) for mark in (marks[at] for at in some)]
        for line in _dots(name, [(at, marks[at]) for at in some], along="x", spans=spans):
            symbols = {} if "chosen" in line["meta"] else {"marker": {"size": 9, "symbol": symbol}}
            lines.append(line | {"x": [round(value, 2) for value in line["y"]], "y": line["x"]} | symbols)
    laid = layout(_("worse than the others – better"), "") | CLOSEST
    lines += _besides(beside, "x", 0.28)
    ends = [abs(end or 0.0) for one in beside for _at, span, _said in one.marks for end in span]
    laid["meta"] = {"row": ROW + _MORE * len(beside)}
    far = max(2.5, *(abs(mark.value) + 1.1 for mark in marks), *(end + 0.1 for end in ends))
    laid["xaxis"] |= {"range": [-far, far], "tickvals": [0], "ticktext": ["0"], "zeroline": True}
    laid["yaxis"] |= {
        "title": {}, "tickvals": list(range(len(marks))), "ticktext": [label(str(mark.at)) for mark in marks], "showgrid": False,
        "zeroline": False, "range": [len(marks) - 0.4, -0.6],
    }  # fmt: skip
    return figure(lines, laid)


def _means(name: str, days: Sequence[float], values: Sequence[float]) -> dict[str, Any]:
    """Return a line of the mean of the last evenings."""
    sums = [0.0, *accumulate(values)]
    mean = [
        round((sums[end] - sums[max(0, end - _WINDOW)]) / min(end, _WINDOW), 3) for end in range(1, len(values) + 1)
    ]
    return {
        "type": "scatter", "mode": "lines", "name": name, "x": list(days), "y": mean, "line": {"width": 2.5},
        "hoverinfo": "skip",
    }  # fmt: skip


def _days_of(marks: Sequence[FigureMark], beside: Sequence[Beside], aside: int = 0) -> dict[str, Any]:
    """Return the time axis of a player's days and of those of others, who stand so many days aside."""
    others = [
        date.fromordinal(round(at) + (one.place + 1) * aside).isoformat() for one in beside for at, *_ in one.marks
    ]
    return day_axis([*(mark.at for mark in marks), *others])


def _besides(beside: Sequence[Beside], along: str, aside: float) -> list[dict[str, Any]]:
    """Return the marks of other players with intervals `along` an axis, each a little more `aside` of the player's."""
    traces = []
    for one in beside:
        places = [at + (one.place + 1) * aside for at, *_ in one.marks]
        spans = [span for _at, span, _said in one.marks]
        values = [round(span[0], 3) for span in spans]
        traces.append({
            "type": "scatter", "mode": "markers", "name": label(one.name), "x": values if along == "x" else places,
            "y": places if along == "x" else values, "marker": {"size": 8, "symbol": _SYMBOLS[one.place]},
            f"error_{along}": errors(spans, 1.5), "meta": {"colour": _COLOURS[one.place]}, "customdata": [[said] for *_, said in one.marks],
            "hovertemplate": "%{customdata[0]}<extra></extra>",
        })  # fmt: skip
    return traces


def _dots(
    name: str, placed: Sequence[tuple[float, FigureMark]], along: str | None = None, spans: Sequence[Span] = ()
) -> list[dict[str, Any]]:
    """Return a trace of marks by their places, and one of those that are chosen; `spans` are their errors `along` an axis."""
    traces = []
    for chosen in (False, True):
        some = [at for at, (_place, mark) in enumerate(placed) if mark.chosen == chosen]
        if some:
            marks = [placed[at][1] for at in some]
            trace = {
                "type": "scatter", "mode": "markers", "name": _("chosen") if chosen else name,
                "x": [placed[at][0] for at in some], "y": [round(mark.value, 3) for mark in marks],
                "marker": {"size": 15, "symbol": "diamond"} if chosen else {"size": 8},
                "customdata": [[_taken_back(mark) if chosen else mark.text, mark.address] for mark in marks],
                "meta": CHOSEN if chosen else LINKED, "hovertemplate": "%{customdata[0]}<extra></extra>",
            }  # fmt: skip
            traces.append(trace | ({f"error_{along}": errors([spans[at] for at in some], 2)} if along else {}))
    return traces


def _taken_back(mark: FigureMark) -> str:
    """Return the text of a mark that is chosen."""
    return _("%(what)s. Chosen: show all again", what=mark.text)
