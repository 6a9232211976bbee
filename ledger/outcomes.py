"""What became of what was to be recorded or imported."""

from __future__ import annotations

from typing import NamedTuple


class Recorded(NamedTuple):
    """What became of events: the match's seq after them, the hash of the last, and the id of each.

    `new` is False for a repetition.
    """

    match: str
    seq: int
    hash: bytes
    new: bool
    ids: tuple[str, ...]


class Imported(NamedTuple):
    """What became of a match in a file: its id, how many events it has there, and how many of them were new."""

    file: str
    line: int
    match: str
    game: str
    events: int
    new: int
