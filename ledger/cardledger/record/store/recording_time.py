"""When events were recorded: the order of the ledger decides, and a time that does not fit the others is ignored."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from datetime import datetime
from math import nan
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Signature(msgspec.Struct):
    """When an event says that it was recorded, and when the server says that it was imported."""

    at: datetime
    imported_at: datetime | None = None


_read = msgspec.json.Decoder(_Signature).decode


def recorded_at(line: str) -> float | None:
    """Return when an event was recorded, in seconds since 1970: when it was imported, else its own time.

    None if unknown.
    """
    try:
        signature = _read(line)
    except (msgspec.DecodeError, TypeError):  # other tools can store values that are not text
        return None
    return (signature.imported_at or signature.at).timestamp()


def place(times: Iterable[float | None], time: float) -> int:
    """Return how many of a series of times come before the first that is later than `time`; wrong times are ignored.

    The right times are the longest run that never goes back; None is unknown.

    >>> monday, tuesday, wrong = 1.0, 2.0, 99.0
    >>> place([monday, wrong, monday, monday, tuesday, tuesday], monday)
    4
    """
    moments, before = array("d"), array("q")
    lowest: list[float] = []  # the lowest end of any run of each length
    ends: list[int] = []
    for index, moment in enumerate(times):
        length = len(lowest) if moment is None else bisect_right(lowest, moment)
        moments.append(nan if moment is None else moment)
        before.append(ends[length - 1] if length else -1)
        if moment is not None:
            lowest[length : length + 1] = [moment]
            ends[length : length + 1] = [index]
    place, at = len(moments), ends[-1] if ends else -1
    while at >= 0 and moments[at] > time:
        place, at = at, before[at]
    return place
