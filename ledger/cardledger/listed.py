"""Lists in words: `ana, ben and cai`; and which word of a list was meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def listed(parts: Sequence[str]) -> str:
    """Return a list in words.

    >>> listed(["ana", "ben", "cai"]), listed(["ana"]), listed([])
    ('ana, ben and cai', 'ana', '')
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def closest(word: object, known: Iterable[str]) -> str | None:
    """Return which of some words another one is close to, or None.

    >>> closest("harts", ["hearts", "whist"]), closest("bridge", ["hearts"])
    ('hearts', None)
    """
    return next(iter(get_close_matches(word, [*known], 1)), None) if isinstance(word, str) else None


def meant(word: object, known: Iterable[str]) -> str:
    """Return which of some words another one is close to, in brackets; nothing if it is close to none.

    >>> meant("harts", ["hearts", "whist"]), meant("bridge", ["hearts"])
    (" (did you mean 'hearts'?)", '')
    """
    likely = closest(word, known)
    return f" (did you mean {likely!r}?)" if likely else ""
