"""Shared boards: which hands were of the same deal, as the evening knows it; most clubs record results and no cards."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import json

from cardledger.rules.games import game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.record.store.readers import Readable
    from cardledger.study.stats.measures.sheet import Sheet

_BOARDS = """SELECT e.match, b.hand, e.evening || ' ' || e.board, d.cards_hash, e.ruled FROM evening_boards AS e
    JOIN boards AS b ON b.match = e.match AND b.board = e.board
    LEFT JOIN deals AS d ON d.match = b.match AND d.hand = b.hand ORDER BY e.match, b.hand"""


class SharedBoards(NamedTuple):
    """Hands by match and number, and the deal of each.

    By its cards where a table recorded them, else by evening and board. None if the director ruled what it counts: then
    its points are not what the table made of the deal.
    """

    match: tuple[str, ...] = ()
    number: tuple[int, ...] = ()
    deal: tuple[str | None, ...] = ()

    def codes(self, known: dict[str, int]) -> NDArray[Any]:
        """Return the deals as numbers: those that are `known`, and others for the rest; −1 for none."""
        codes = dict(known)
        deals = (-1 if deal is None else codes.setdefault(deal, len(codes)) for deal in self.deal)
        return np.fromiter(deals, dtype=np.int64, count=len(self.deal))


def shared_boards(reader: Readable) -> SharedBoards:
    """Return the boards of all evenings.

    A table that recorded no cards had those of the others. Where two tables recorded different cards for one board, a
    third one's are not known, and it is left out.
    """
    rows = reader.execute(_BOARDS).fetchall()
    recorded: defaultdict[str, set[str]] = defaultdict(set)
    for _, _, board, cards, _ in rows:
        if cards is not None:
            recorded[board].add(cards)
    found: list[tuple[str, int, str | None]] = []
    for match, number, board, cards, ruled in rows:
        others = recorded[board] if cards is None else {cards}
        if ruled:
            found.append((match, number, None))
        elif len(others) <= 1:
            found.append((match, number, next(iter(others), board)))
    return SharedBoards(*zip(*found, strict=True)) if found else SharedBoards()


def deal_and_seat(sheet: Sheet) -> NDArray[np.int64]:
    """Return for each row of `hands` a number that rows share which held the same cards under the same options.

    Only options that change how a hand is played or scored tell rows apart.
    """
    row = sheet.hands["row"]
    telling = [option.name for option in game(sheet.game).options if option.of_hand]
    codes: dict[tuple[object, ...], int] = {}
    chosen = (json.decode(text) for text in sheet.texts["options"])
    code = [codes.setdefault(tuple(one.get(name) for name in telling), len(codes)) for one in chosen]
    options = np.array(code, dtype=np.int64)[sheet.matches["options"][sheet.seats["row"][row]]]
    deal = sheet.hands["deal"].astype(np.int64)
    key: NDArray[np.int64] = (deal * max(len(codes), 1) + options) * 16 + sheet.seats["seat"][row]
    return key
