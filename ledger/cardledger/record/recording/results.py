"""The results of recording and importing."""

from __future__ import annotations

from typing import NamedTuple

from cardledger.record.matches.matchfile import FilePlace, Warned
from cardledger.rules.engine.score_sheet import Doubt


class Recorded(NamedTuple):
    """The result of recording: the match's seq after the events, the hash of the last, and the id of each.

    `new` is False for a repetition. `doubts` are hands that these events gave impossible points.
    """

    match: str
    seq: int
    hash: bytes
    new: bool
    ids: tuple[str, ...]
    doubts: tuple[Doubt, ...] = ()


class Imported(NamedTuple):
    """The result for a match in a file: its id, its number of events, and the number of new ones.

    `warnings` are about new events that look wrong; `replaced` means that it replaced a stored match; `source` is its
    place in a file of another format.
    """

    file: str
    line: int
    match: str
    game: str
    events: int
    new: int
    warnings: tuple[Warned, ...] = ()
    replaced: bool = False
    source: FilePlace | None = None
