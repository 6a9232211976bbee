"""What a page knows when it is made for a file: no server will answer what it asks for."""

from __future__ import annotations

from flask import g


def make_for_file() -> None:
    """Make the pages of this context for a file."""
    g.for_file = True


def in_file() -> bool:
    """Tell whether a page is made for a file, not for a server."""
    return bool(g.get("for_file", False))
