"""The double-dummy analysis as far as it has been computed.

Columns for statistics, to lay over the hands of a sheet.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from msgspec import json

from cardledger.errors import StoreError
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.rules.engine.measures import OPEN_CARDS
from cardledger.study.stats.cache import Shelf
from cardledger.study.stats.luck import luck_store

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels

SEATS = 4
_decode = json.Decoder(dict[str, list[int]]).decode


@dataclass(frozen=True, slots=True)
class SolvedHands:
    """The counts of analysed hands: `match` and `number` name each, `counts` have a row for each, by seat.

    `seq` is the number of events that each match had when it was analysed.
    """

    match: list[str]
    number: NDArray[Any]
    counts: dict[str, NDArray[Any]]
    seq: dict[str, int]
    stamp: tuple[int, ...]
    seats: int = SEATS


def solved_hands(views: ReadModels) -> SolvedHands | None:
    """Return the counts of analysed hands from the luck store; None if nothing has been computed."""
    stamp = luck_store.stamp(luck_store.beside(views))
    if not stamp:
        return None
    return cast("SolvedHands | None", Shelf.of(views).get(("double dummy",), stamp, partial(_read, views, stamp)))


def _read(views: ReadModels, stamp: tuple[int, ...]) -> SolvedHands | None:
    """Read the counts; None without any, or if the file belongs to another version."""
    try:
        file = SqliteFile(luck_store.beside(views), luck_store.KIND, luck_store.VERSION, luck_store.SCHEMA, "NORMAL")
    except StoreError:
        return None
    with closing(file):
        rows = file.reader.execute(
            "SELECT match, hand, seq, counts FROM double_dummy_counts ORDER BY match, hand"
        ).fetchall()
    if not rows:
        return None
    match, number, seq, texts = zip(*rows, strict=True)
    counts = [_decode(text) for text in texts]
    none = [0] * SEATS
    return SolvedHands(
        [*match],
        np.array(number),
        {name: np.array([one.get(name, none) for one in counts], dtype=np.int32) for name in OPEN_CARDS},
        dict(zip(match, seq, strict=True)),
        stamp,
    )
