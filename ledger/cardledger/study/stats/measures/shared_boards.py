"""Shared boards: which hands were of the same deal, as the evening knows it; most clubs record results and no cards."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.record.store.readers import Readable

_BOARDS = """SELECT e.match, b.hand, e.evening || ' ' || e.board, d.cards_hash FROM evening_boards AS e
    JOIN boards AS b ON b.match = e.match AND b.board = e.board
    LEFT JOIN deals AS d ON d.match = b.match AND d.hand = b.hand ORDER BY e.match, b.hand"""


class SharedBoards(NamedTuple):
    """Hands by match and number, and the deal of each.

    By its cards where a table recorded them, else by evening and board.
    """

    match: tuple[str, ...] = ()
    number: tuple[int, ...] = ()
    deal: tuple[str, ...] = ()

    def codes(self, known: dict[str, int]) -> NDArray[Any]:
        """Return the deals as numbers: those that are `known`, and others for the rest."""
        others: dict[str, int] = {}
        return np.array(
            [known[deal] if deal in known else others.setdefault(deal, len(known) + len(others)) for deal in self.deal],
            dtype=np.int64,
        )


def shared_boards(reader: Readable) -> SharedBoards:
    """Return the boards of all evenings.

    A table that recorded no cards had those of the others. Where two tables recorded different cards for one board, a
    third one's are not known, and it is left out.
    """
    rows = reader.execute(_BOARDS).fetchall()
    recorded: defaultdict[str, set[str]] = defaultdict(set)
    for _, _, board, cards in rows:
        if cards is not None:
            recorded[board].add(cards)
    found = []
    for match, number, board, cards in rows:
        others = recorded[board] if cards is None else {cards}
        if len(others) <= 1:
            found.append((match, number, next(iter(others), board)))
    return SharedBoards(*zip(*found, strict=True)) if found else SharedBoards()
