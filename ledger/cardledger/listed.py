"""Lists in words: `ana, ben and cai`."""

from __future__ import annotations

from collections.abc import Sequence


def listed(parts: Sequence[str]) -> str:
    """Return a list in words.

    >>> listed(["ana", "ben", "cai"]), listed(["ana"]), listed([])
    ('ana, ben and cai', 'ana', '')
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
