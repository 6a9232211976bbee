"""The luck of the deals of a game as far as it has been computed.

Columns for statistics, to lay over the hands of a sheet.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from cardledger.errors import StoreError
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.study.stats.cache import MOMENT, Shelf
from cardledger.study.stats.luck import luck, luck_store, shuffling
from cardledger.study.stats.luck.deals import Dealt
from cardledger.study.stats.luck.values import DEALS, EDITION, USUAL, measured_points, replays_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels
    from cardledger.record.store.readers import Reader

AT_ONCE = 5_000
"""How many hands are read while somebody waits; more are read in the background."""
_CHECKED = 1_000
"""How many deals are tested for randomness: those with the lowest fingerprints, which is as good as chance."""
# Who claims has good cards: where a claim hides a deal, the deals that the plays show are worse than chance, and so
# only deals recorded before the play count.
_HANDS = """SELECT match, hand, seats, dealer, deal, situation, points FROM hands JOIN deals USING (key)
    WHERE game = ?1 AND scores IS NOT NULL AND edition = ?2 AND (recorded
        OR NOT EXISTS (SELECT 1 FROM hands WHERE game = ?1 AND why = 'claim' AND key IS NULL)) ORDER BY match, hand"""
_SITUATIONS = "SELECT situation, deals, points FROM situations WHERE edition = ?"
_DEALS = "SELECT deal, dealt FROM hands WHERE game = ? AND dealt IS NOT NULL GROUP BY deal ORDER BY deal LIMIT ?"
_numbers = msgspec.json.Decoder(list[int]).decode


@dataclass(frozen=True, slots=True)
class DealtLuck:
    """What the deals of a game were worth beyond the average, V − E V in points (`cardledger.study.stats.luck.luck`).

    `match` and `number` name each hand, `size` is its number of seats, `fold` its part in the cross-fitting of β.
    `luck` has a value for each seat of each hand, one hand after the other. All this follows from the events up to
    `position`. `doubtful` says that the recorded deals do not look random; then luck must not be taken off points.
    """

    match: list[str]
    number: NDArray[Any]
    size: NDArray[Any]
    fold: NDArray[Any]
    luck: NDArray[Any]
    position: int
    doubtful: bool


def dealt_luck(views: ReadModels, game: str, patience: float | None = MOMENT) -> DealtLuck | None:
    """Return the luck of a game's deals from the luck store; None if nothing has been computed.

    The luck of many deals is read in the background: until that is done the answer is the last one, and None if the
    first takes longer than `patience` seconds.
    """
    path = luck_store.beside(views)
    stamp = luck_store.stamp(path)
    if not stamp:
        return None
    shelf, question = Shelf.of(views), ("dealt luck", game)
    last = cast("DealtLuck | None", shelf.peek(question))
    make = partial(_read, views, game)
    if patience is not None and last is not None and len(last.match) > AT_ONCE:
        return cast("DealtLuck | None", shelf.get_stale(question, stamp, make, patience))
    if patience is None or last is not None:
        return cast("DealtLuck | None", shelf.get(question, stamp, make))
    return cast("DealtLuck | None", shelf.get_stale(question, stamp, make, patience))


def _read(views: ReadModels, game: str) -> DealtLuck | None:
    """Read the luck of a game's deals; None without any, or if the file belongs to another version."""
    try:
        file = SqliteFile(luck_store.beside(views), luck_store.KIND, luck_store.VERSION, luck_store.SCHEMA, "NORMAL")
    except StoreError:
        return None
    with closing(file):
        return _of_game(file.reader, game)


def _of_game(reader: Reader, game: str) -> DealtLuck | None:
    with reader.snapshot():
        if not reader.execute("SELECT 1 FROM deals WHERE edition = ? LIMIT 1", (EDITION,)).fetchone():
            return None  # without looking at what may be a million hands
        (position,) = reader.execute("SELECT position FROM checkpoint").fetchone()
        stored = reader.execute(_HANDS, (game, EDITION)).fetchall()
        usual = {text: (deals, _numbers(points)) for text, deals, points in reader.execute(_SITUATIONS, (USUAL,))}
        deals = [msgspec.json.decode(dealt, type=Dealt) for _, dealt in reader.execute(_DEALS, (game, _CHECKED))]
    usual |= {text: (DEALS, [*points]) for text, points in measured_points(game).items()}
    rows = [row for row in stored if row[5] in usual]
    if not rows:
        return None
    match, number, seats, dealer, deal, situation, points = zip(*rows, strict=True)
    size = np.array(seats)
    first = np.cumsum(size) - size
    by_place = np.array([*chain.from_iterable(map(_numbers, points))]) / replays_of(game)
    expected = {text: np.array(sums) / deals for text, (deals, sums) in usual.items()}
    by_place = by_place - np.concatenate([expected[text] for text in situation])
    # Stored from the dealer on; wanted from seat 0 on.
    hand = np.repeat(np.arange(len(size)), size)
    seat = np.arange(len(hand)) - first[hand]
    folds: dict[str, int] = {}
    fold = [
        folds.setdefault(one, int(fingerprint, 16) % luck.FOLDS) for one, fingerprint in zip(match, deal, strict=True)
    ]
    return DealtLuck(
        [*match],
        np.array(number),
        size,
        np.array(fold),
        by_place[first[hand] + (seat - np.array(dealer)[hand]) % size[hand]],
        position,
        any(test.doubtful for test in shuffling.check_deals(deals)),
    )
