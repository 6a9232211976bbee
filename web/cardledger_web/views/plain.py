"""Text for places that show no markup: titles, previews of links, pictures."""

from __future__ import annotations

_TURNING = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c\ufe0e"
_GONE = str.maketrans(dict.fromkeys(_TURNING, ""))


def plain(text: str) -> str:
    """Return a text without marks that isolate it or turn its direction, and on one line.

    >>> plain("\u2068ana\u2069 to play\u202e")
    'ana to play'
    """
    return " ".join(unmarked(text).split())


def unmarked(text: str) -> str:
    """Return a text without marks that isolate it or turn its direction; its lines and blanks stay."""
    return text.translate(_GONE)
