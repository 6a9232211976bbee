"""What a page knows when it is made for a file: no server will answer what it asks for, at most the engine in that file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g

if TYPE_CHECKING:
    from collections.abc import Collection


def make_for_file(*, with_engine: bool = False, quizzes: Collection[int] = ()) -> None:
    """Make the pages of this context for a file; with the engine in it, that answers what they ask for, and quizzes of hands."""
    g.for_file = True
    g.answered = with_engine
    g.quizzes = quizzes


def in_file() -> bool:
    """Tell whether a page is made for a file, not for a server."""
    return bool(g.get("for_file", False))


def is_answered() -> bool:
    """Tell whether what a page asks for is answered: by a server, or by the engine in its file."""
    return bool(g.get("answered", True))


def has_quiz(hand: int) -> bool:
    """Tell whether a page can lead to the quiz of a hand: in a file only if its costs lie there."""
    return not in_file() or hand in g.quizzes
