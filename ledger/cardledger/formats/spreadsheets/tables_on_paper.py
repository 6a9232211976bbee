"""Tables on paper: the players of a table, its hands and its sums, each number with the cell where it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from cardledger.formats.spreadsheets.cells import Cell
from cardledger.sentence import Sentence

_LEAST = 2
"""So many players and hands there are before numbers that are the sums of all others are taken for sums."""


@dataclass
class PlayerOnPaper:
    """A player at a table, with the cells of name, seat, total and place, where there are any."""

    name: Cell
    seat: Cell | None = None
    total: Cell | None = None
    place: Cell | None = None


@dataclass
class HandOnPaper:
    """A hand.

    Its number, where it begins, and the cells of points, bids and tricks by the number of the player in the list.
    """

    number: int
    anchor: Cell
    points: dict[int, Cell] = field(default_factory=dict)
    bids: dict[int, Cell] = field(default_factory=dict)
    tricks: dict[int, Cell] = field(default_factory=dict)
    sum: Cell | None = None


@dataclass
class TableOnPaper:
    """A table of a round.

    Where it begins, what the sheet says of it (`game`, `date`, `name`), players and hands in order.

    `places` are those of players by name in the list, where rows of several hands name them; `sum` is that of all
    totals. A `roll` lists all who came to an evening, or the first of them: nobody knows who sat with whom. `fewest`:
    the places on the sheet say that the fewest points win. What is `guessed` of a table, its sums must confirm.
    """

    anchor: Cell
    round: int
    number: int
    facts: dict[str, Cell]
    players: list[PlayerOnPaper] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    hands: dict[int, HandOnPaper] = field(default_factory=dict)
    sum: Cell | None = None
    block: int = 0
    roll: bool = False
    fewest: bool = False
    guessed: bool = False

    @property
    def day(self) -> date | None:
        """The day that the sheet says, None if it says none that can be read."""
        said = self.facts.get("date")
        return None if said is None else said.day()

    @property
    def label(self) -> Sentence:
        """The table in words."""
        if self.roll and self.day is not None:
            return Sentence("the evening of {day}", day=self.day)
        return Sentence("table {number} of round {round}", number=self.number, round=self.round)


def all_with_sums(tables: Sequence[TableOnPaper], sizes: Sequence[Collection[int]]) -> list[TableOnPaper]:
    """Return tables whose last lines, whatever they are called, are those of the sums of all others in each hand.

    The same ones if the numbers are no such sums; a name that ends several tables ends all of them with sums, or none.
    `sizes` are the numbers of players that the game of each table has, none if it does not say.
    """
    made = [
        with_sums(table, sure=len(table.players) - 1 in may and len(table.players) not in may)
        for table, may in zip(tables, sizes, strict=True)
    ]
    kept = {old.players[-1].name.text for old, new in zip(tables, made, strict=True) if old is new and old.players}
    return [
        old if old.players and old.players[-1].name.text in kept else new for old, new in zip(tables, made, strict=True)
    ]


def with_sums(table: TableOnPaper, *, sure: bool = False) -> TableOnPaper:
    """Return a table whose last line, whatever it is called, is that of the sums of all others in each hand.

    The same one if the numbers are no such sums; one hand, or sums of nothing, count only if it is `sure` that the last
    line is no player's, as the game is for one player less.
    """
    last = len(table.players) - 1
    least = 1 if sure else _LEAST
    hands = {at: hand for at, hand in table.hands.items() if not all(cell.empty for cell in hand.points.values())}
    if last < _LEAST or len(hands) < least or table.places or any(hand.sum for hand in hands.values()):
        return table
    numbers = [[hand.points[at].whole() or 0 for at in range(last + 1) if at in hand.points] for hand in hands.values()]
    if not all(len(row) == last + 1 and row[-1] == sum(row[:-1]) for row in numbers) or not (
        sure or any(map(any, numbers))
    ):
        return table
    made = {
        at: replace(hand, points={place: hand.points[place] for place in range(last)}, sum=hand.points[last])
        for at, hand in hands.items()
    }
    return replace(table, players=table.players[:last], hands=made, sum=table.sum or table.players[last].total)
