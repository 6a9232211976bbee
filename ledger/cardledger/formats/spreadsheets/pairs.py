"""Pairs: a side under the names of both, `Ann & Cy`, is two players where a game is for two sides of two."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from cardledger.rules.evenings.other_game import has_rules

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.cells import Cell
    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper
    from cardledger.rules.evenings.other_game import Played

_AND = re.compile(r" ?[&/+;] ?| (?:and|und|et|-|–) ")
"""What stands between two names, once blanks are single."""


def is_of_pairs(table: TableOnPaper, game: Played) -> bool:
    """Tell whether two sides sit at a table, and its game is for two sides of two players, or of partners who are said."""
    if game is None or not game.has_sides or len(table.players) != 2 or table.roll:
        return False
    return not has_rules(game) or game.sizes == (4,)


def apart(table: TableOnPaper, game: Played) -> TableOnPaper:
    """Return a table with each player of its two pairs, partners opposite; the same one if it has no such pairs.

    Bids and tricks of a pair are not told apart; nor is a surname that both have: `Ann & Cy Smith`.
    """
    if not is_of_pairs(table, game) or any(hand.bids or hand.tricks for hand in table.hands.values()) or table.places:
        return table
    sides = [_names(player.name) for player in table.players]
    if not all(sides):
        return table
    (ann, cy), (bob, di) = sides
    players = [replace(table.players[seat % 2], name=name, seat=None) for seat, name in enumerate((ann, bob, cy, di))]
    hands = {
        number: replace(
            hand,
            points={seat: hand.points[seat % 2] for seat in range(4) if seat % 2 in hand.points},
            sum=_twice(hand.sum),
        )
        for number, hand in table.hands.items()
    }
    return replace(table, players=players, hands=hands, sum=_twice(table.sum))


def _names(cell: Cell) -> tuple[Cell, ...]:
    """Return the cells of both names, none if there are not two, each whole."""
    first, *others = names = _AND.split(" ".join(cell.text.split()))
    shares = len(others) == 1 and len(first.split()) == 1 < len(others[0].split())
    if len(names) != 2 or not all(names) or shares:
        return ()
    return tuple(cell._replace(value=name) for name in names)


def _twice(sum: Cell | None) -> Cell | None:
    """Return the sum over four players of what is the sum over two sides."""
    number = None if sum is None else sum.whole()
    return sum if sum is None or number is None else sum._replace(value=2 * number)
