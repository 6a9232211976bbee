"""What a page knows when it is made for a file: no server will answer what it asks for, at most the engine in that file."""

from __future__ import annotations

from flask import g


def make_for_file(*, with_engine: bool = False) -> None:
    """Make the pages of this context for a file; with the engine in it, that answers what they ask for."""
    g.for_file = True
    g.answered = with_engine


def in_file() -> bool:
    """Tell whether a page is made for a file, not for a server."""
    return bool(g.get("for_file", False))


def is_answered() -> bool:
    """Tell whether what a page asks for is answered: by a server, or by the engine in its file."""
    return bool(g.get("answered", True))
