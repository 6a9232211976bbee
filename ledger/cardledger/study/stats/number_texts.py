"""Numbers as tables of statistics show them: with a typographic minus, in percent, with their interval."""

from __future__ import annotations

from typing import Any


def number_text(value: float | None) -> str:
    """Return a number with two decimals and a typographic minus."""
    return "" if value is None else f"{value:.2f}".replace("-", "−")


def percent_text(value: float | None) -> str:
    """Return a share in whole percent."""
    return "" if value is None else f"{value:.0%}"


def range_text(
    row: dict[str, Any], name: str = "value", low: str = "low", high: str = "high", *, share: bool = False
) -> str:
    """Return a value with its interval."""
    show = percent_text if share else number_text
    if row[name] is None or row[low] is None:
        return show(row[name])
    return f"{show(row[name])} ({show(row[low])} to {show(row[high])})"
