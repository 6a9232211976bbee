"""The events of a discussion: what people say about a match, and the other lines that they tried in it.

Each match has at most one discussion, a stream of its own. It holds what people said and tried; whether a line still
fits after a correction is derived.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from cardledger.rules.engine.event import Event
from cardledger.rules.engine.keys import Count, Plain, Player, holds

LONGEST_TEXT: Final = 2000
"""The greatest number of characters of what somebody says."""
LONGEST_NAME: Final = 100
"""The greatest number of characters of the name of a line."""
MOST_MOVES: Final = 60
"""The greatest number of moves of a line."""

# What is said of a hand may tell its cards: no feed or stream shows it, the pages of the hand do.
Said = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT), holds("text", "scorers", "text")]
LineName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME), holds("label", "scorers", "text")]
Moves = Annotated[
    tuple[Annotated[str, Meta(max_length=200)], ...],
    Meta(min_length=1, max_length=MOST_MOVES),
    holds("clear", "scorers"),
]


class Discussion(Event, tag="discussion", frozen=True, kw_only=True):
    """People talk about a match."""

    words = "a match is talked about"

    match: Plain


class Comment(Event, tag="comment", frozen=True, kw_only=True):
    """Somebody says or asks something about event `event` of the match."""

    words = "{author} says something about event {event}"

    event: Count
    author: Player
    text: Said


class Line(Event, tag="line", frozen=True, kw_only=True):
    """Somebody keeps a line: the moves that could have followed event `event`, with a name and a word on it."""

    words = "{author} keeps a line after event {event}"

    event: Count
    author: Player
    moves: Moves
    name: LineName | None = None
    text: Said | None = None


class Withdraw(Event, tag="withdraw", frozen=True, kw_only=True):
    """Event `of` of the discussion is taken back: it is not shown any more."""

    words = "event {of} of the discussion is taken back"

    of: Count
