"""Tables on paper: the players of a table, its hands and its sums, each number with the cell where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from cardledger.formats.spreadsheets.cells import Cell


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
    the places on the sheet say that the fewest points win.
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

    @property
    def day(self) -> date | None:
        """The day that the sheet says, None if it says none that can be read."""
        said = self.facts.get("date")
        return None if said is None else said.day()

    @property
    def label(self) -> str:
        """The table in words."""
        if self.roll and self.day is not None:
            return f"the evening of {self.day}"
        return f"table {self.number} of round {self.round}"
