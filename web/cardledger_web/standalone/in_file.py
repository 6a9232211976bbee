"""What a page knows when it is made for a file: that no server will answer, and whether the engine comes along."""

from __future__ import annotations

from typing import Literal

from flask import g

Kind = Literal["small", "whole"]
"""A file with pages alone, or with the engine, which answers what depends on the reader."""


def make_for_file(kind: Kind) -> None:
    """Make the pages of this context for a file."""
    g.for_file = kind


def in_file() -> Kind | None:
    """Return for what kind of file a page is made; None for a page of a server."""
    kind: Kind | None = g.get("for_file")
    return kind
