"""The axes of a picture: where values lie, and the round numbers or names along them."""

from __future__ import annotations

import re
from html import unescape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROW = 22
"""The height of a row with a name; a layout whose rows hold more says so (`meta`)."""
SIZE: Final = 13
"""The size of the text."""
_GAP = 10
_ISOLATES = re.compile("[\u2068\u2069\u200b]")


class Axis(NamedTuple):
    """An axis: where its lowest and highest value lie, the names along it if it has names, and its ticks."""

    low: float
    high: float
    start: float
    end: float
    names: list[str]
    ticks: list[tuple[float, str]]

    @property
    def edge(self) -> float:
        """Return where the lines across it begin: a little before its values, or at its names."""
        return self.start if self.names else self.start - _GAP

    def at(self, value: Any) -> float:
        """Return where a value or a name lies."""
        place = self.names.index(value) if isinstance(value, str) else value
        return self.start + (self.end - self.start) * (place - self.low) / (self.high - self.low)

    def within(self, value: float) -> float:
        """Return where a value lies, or the end of the axis that it lies beyond."""
        return self.at(min(max(value, self.low), self.high))


def axes(traces: Sequence[dict[str, Any]], laid: dict[str, Any], width: int, top: int, tall: int) -> tuple[Axis, Axis]:
    """Return both axes of a figure in a picture of a width, below its legend; `tall` is the height without names."""
    xs, ys = (list(_values(traces, along)) for along in "xy")
    names = laid["yaxis"].get("ticktext") or [value for value in ys if isinstance(value, str)]
    row = laid.get("meta", {}).get("row") or _tall(traces)
    tall = row * len(dict.fromkeys(names)) if names else tall
    start, end = (top + tall, top) if laid["yaxis"].get("autorange") != "reversed" else (top, top + tall)
    y = _axis(ys, laid["yaxis"], start, end, 6, round_up=True)
    left = round(min(max((wide(text) for _, text in y.ticks), default=0), width * 0.45)) + 10
    gap = 0 if any(isinstance(value, str) for value in xs) else _GAP
    most = min(laid["xaxis"].get("nticks", 16), (width - left) // 45)
    return _axis(xs, laid["xaxis"], left + gap, width - 14 - gap, most, round_up=not ys or names != []), y


def _tall(traces: Sequence[dict[str, Any]]) -> int:
    """Return the height of a line with a name: room for the intervals of all that lie on it."""
    return max(ROW, 11 * sum("error_x" in trace for trace in traces))


def _values(traces: Sequence[dict[str, Any]], along: str) -> Iterator[Any]:
    """Yield what an axis must have room for: values, ends of error bars, and for bars their feet and sides."""
    for trace in traces:
        values = [value for value in trace[along] if value is not None]
        yield from values
        if trace["type"] == "bar":
            if (trace.get("orientation") == "h") == (along == "x"):
                yield 0
            elif values and not isinstance(values[0], str):
                half = trace.get("width", 1) / 2
                yield from (min(values) - half, max(values) + half)
        errors = trace.get(f"error_{along}")
        if errors:
            yield from (value + more for value, more in zip(values, errors["array"], strict=True))
            yield from (value - less for value, less in zip(values, errors["arrayminus"], strict=True))


def _axis(values: list[Any], laid: dict[str, Any], start: float, end: float, most: int, round_up: bool) -> Axis:
    names = list(dict.fromkeys(value for value in values if isinstance(value, str)))
    if names:
        room = abs(end - start) / len(names)
        every = ceil((max(map(wide, names)) + 20) / room) if end > start and "autorange" not in laid else 1
        ticks = [(float(i), plain(name)) for i, name in enumerate(names) if (len(names) - 1 - i) % every == 0]
        return Axis(-0.5, len(names) - 0.5, start, end, names, ticks)
    if "tickvals" in laid:
        ticks = [(float(at), plain(text)) for at, text in zip(laid["tickvals"], laid["ticktext"], strict=True)]
        first, last = laid["range"]
        return Axis(first, last, start, end, [], ticks)
    low, high = laid.get("range") or (min(values, default=0), max(values, default=1))
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = max(_step(high - low, most), laid.get("dtick", 0))
    if round_up and "range" not in laid:
        low, high = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
    digits = max(0, -floor(log10(step)))
    ticks = [
        (at * step, f"{at * step:,.{digits}f}".replace("-", "−"))
        for at in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    ]
    return Axis(low, high, start, end, [], ticks)


def _step(span: float, most: int) -> float:
    """Return a step of 1, 2 or 5 times a power of ten, of which at most so many fit.

    >>> [_step(span, 6) for span in (5, 7, 20, 130, 0.8)]
    [1.0, 2.0, 5.0, 50.0, 0.2]
    """
    power = 10.0 ** floor(log10(span / max(most, 1)))
    return next(round(times * power, 9) for times in (1, 2, 5, 10) if span / (times * power) <= most)


def plain(label: str) -> str:
    """Return a name as it is written, from one in Plotly's HTML."""
    return unescape(label)


def wide(text: str) -> float:
    """Return about how wide a text is."""
    shown = _ISOLATES.sub("", unescape(text))
    return sum(1.0 if east_asian_width(letter) in "WF" else 0.56 for letter in shown) * SIZE
