"""Layouts: how the results lie on a sheet, recognised by its headings, and the tables of players read from it."""

from __future__ import annotations

from datetime import date
from itertools import count
from typing import TYPE_CHECKING, Final

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, Worksheet, at
from cardledger.formats.spreadsheets.headings import FACTS, Headings, adds_up, fact_in
from cardledger.formats.spreadsheets.leftovers import Leftovers
from cardledger.formats.spreadsheets.reading import cells
from cardledger.formats.spreadsheets.recognitions import Recognition
from cardledger.formats.spreadsheets.result_lines import ResultLine, result_lines
from cardledger.formats.spreadsheets.summaries import take_summaries
from cardledger.formats.spreadsheets.tables_on_paper import HandOnPaper, PlayerOnPaper, TableOnPaper
from cardledger.formats.spreadsheets.years import titles_of_years
from cardledger.sentence import Sentence, in_one

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.formats.spreadsheets.arrangements import Arrangement, Line

MOST_TABLES: Final = 1000
"""The highest number of a table, a round or a hand."""
_NO_HEADINGS = Sentence("no row has headings for players and their points")
_NAME_COLUMNS = Sentence("no row has headings for players and their points: name the columns, or take a template")
_NO_NUMBER: Final = {
    "round": Sentence("{said!r} is not the number of a round: write one from 1 to {most}"),
    "table": Sentence("{said!r} is not the number of a table: write one from 1 to {most}"),
    "hand": Sentence("{said!r} is not the number of a hand: write one from 1 to {most}"),
}


class Paper:
    """The tables of several sheets, what was recognised on each, and the problems on the way.

    `left` counts the problems of numbers that nothing has read. `days` are those that may be the day of the results, as
    a sheet says no other.
    """

    def __init__(self, arranged: Sequence[tuple[Worksheet, Arrangement]], ignore: Sequence[str] = ()) -> None:
        self._ignore = ignore
        sheets = [sheet for sheet, _ in arranged]
        self.tables: dict[tuple[str, int, int], TableOnPaper] = {}
        self.recognised: list[Recognition] = []
        self.problems: list[SheetProblem] = []
        self._numbers = count()
        self._blocks: dict[tuple[int, int], int] = {}
        self._last: dict[tuple[int, int], TableOnPaper] = {}
        self._unnumbered: set[tuple[str, int, int]] = set()
        self._unrounded: set[tuple[str, int, int]] = set()
        self._roll = self._fewest = self._guessed = False
        self._next: dict[int, int] = {}
        self._full: set[int] = set()
        self._left: list[SheetProblem] = []
        self.left = 0
        self.days: list[Cell] = []
        for sheet, arrangement in arranged:
            self._read(sheet, arrangement)
        self._expect_an_evening_a_day()
        self._round_by_game()
        self._number_by_day()
        if sheets and not self.tables and not self.problems and any(each.layout for each in self.recognised):
            why = Sentence("there are headings, and no results below them: write players and points")
            self.problems.append(SheetProblem("sheet.empty", why, sheets[0].file, sheets[0].name))
        if not any(each.layout for each in self.recognised):
            self.problems += [SheetProblem("sheet.layout", _NAME_COLUMNS, sheet.file, sheet.name) for sheet in sheets]
        else:
            self.problems += self._left

    def _read(self, sheet: Worksheet, arrangement: Arrangement) -> None:
        """Read the lines of a sheet into tables."""
        left = Leftovers(cells(sheet, row) for row in range(len(sheet.rows)))
        left.take(arrangement.read)
        self.problems += arrangement.problems
        self._roll, self._fewest = arrangement.layout is not None, arrangement.fewest
        self._guessed = arrangement.guessed
        seen: list[tuple[Line, Headings]] = []
        for line in result_lines(sheet, arrangement.lines, self._numbers, seen, left):
            left.take(self._take(line))
        for table in self.tables.values():
            if table.anchor.sheet is sheet and not table.roll and not table.places:
                left.give_back(take_summaries(table))
        years = {table.day.year for table in self.tables.values() if table.day is not None} | {sheet.year or 0}
        left.take(titles_of_years(sheet, years))
        left.ignore(self._ignore)
        own = [table for table in self.tables.values() if table.anchor.sheet is sheet]
        if own and not any(table.day for table in own) and (day := left.lone_day()) is not None:
            self.days.append(day)
        problems = [*left.problems()]
        self.left += len(problems)
        if not seen:
            why = _NO_HEADINGS if sheet.rows else Sentence("the sheet is empty")
            self.recognised.append(Recognition(sheet.file, sheet.name, None, why, left.words()))
            self._left += problems
            return
        self.problems += problems
        (first, headings), more = seen[0], len(seen) - 1
        named = [first[column].text for column in headings.columns.values()]
        how = [arrangement.how] if arrangement.how else []
        said = [Sentence("row {row} has the headings {named}", row=first[0].row + 1, named=", ".join(named))]
        if headings.hands:
            said.append(Sentence("it has hands {first} to {last}", first=min(headings.hands), last=max(headings.hands)))
        if more:
            said.append(Sentence.counted("{num} more row of headings", "{num} more rows of headings", more))
        layout, why = arrangement.layout or headings.layout, in_one(*(how if arrangement.layout else [*said, *how]))
        self.recognised.append(Recognition(sheet.file, sheet.name, layout, why, left.words()))

    @property
    def lonely(self) -> int:
        """The number of tables at which one player sits alone: blank rows may divide players, not tables."""
        return sum(len(table.players) == 1 and not table.roll for table in self.tables.values())

    def _take(self, line: ResultLine) -> Iterator[Cell | None]:
        """Add a row to its table, and yield the cells that are read; the others of the row are left over."""
        name = line.cells["player"]
        table = self._table(line)
        if table is None:
            yield from (*line.cells.values(), *line.hands.values())  # its number is a problem already
            return
        yield from (line.cells.get(kind) for kind in FACTS)
        total = line.cells.get("total") or line.cells.get("points")
        if line.layout == "hands":
            if not adds_up(name.text):
                yield from self._take_hand(line, table)
            return
        yield name
        yield total
        if line.block != table.block and not line.numbered:
            table.block = line.block
            self.problems.append(
                at(
                    name,
                    "sheet.twice",
                    Sentence(
                        "{label} begins in {address} already: write another number above this table, or delete what divides it",
                        label=table.label,
                        address=table.anchor.address,
                    ),
                )
            )
        if adds_up(name.text):
            yield from self._take_sums(line, table, total)
            return
        place = len(table.players)
        table.players.append(PlayerOnPaper(name, line.cells.get("seat"), total, line.cells.get("place")))
        for number, cell in line.hands.items():
            table.hands.setdefault(number, HandOnPaper(number, cell)).points[place] = cell
        yield from (line.cells.get("seat"), line.cells.get("place"), *line.hands.values())

    def _take_sums(self, line: ResultLine, table: TableOnPaper, total: Cell | None) -> Iterator[Cell]:
        """Add a row of sums, and yield its cells that are read: a table has one."""
        if total is not None and not total.empty:
            if table.sum is not None:
                self.problems.append(
                    at(
                        total,
                        "sheet.twice",
                        Sentence("{label} has a row of sums already: delete one", label=table.label),
                    )
                )
            table.sum = total
        for number, cell in line.hands.items():
            hand = table.hands.setdefault(number, HandOnPaper(number, cell))
            if hand.sum is None:
                hand.sum = cell
                yield cell

    def _take_hand(self, line: ResultLine, table: TableOnPaper) -> Iterator[Cell | None]:
        """Add the points of one player in one hand, and yield the cells that are read."""
        name, hand_cell, total = line.cells["player"], line.cells["hand"], line.cells.get("total")
        yield from (line.cells.get(kind) for kind in ("player", "hand", "seat", "points", "bid", "tricks"))
        number = self._number(hand_cell, "hand")
        if number is None:
            yield total
            return
        place = table.places.setdefault(name.text, len(table.players))
        if place == len(table.players):
            table.players.append(PlayerOnPaper(name, line.cells.get("seat")))
        seat, first = line.cells.get("seat"), table.players[place].seat
        if seat is not None and first is not None and not seat.empty and seat.text != first.text:
            self.problems.append(
                at(
                    seat,
                    "sheet.seat",
                    Sentence(
                        "{name} sits on seat {first} in {address}: a player keeps the seat",
                        name=name.text,
                        first=first.text,
                        address=first.address,
                    ),
                )
            )
        hand = table.hands.setdefault(number, HandOnPaper(number, hand_cell))
        if place in hand.points:
            self.problems.append(
                at(name, "sheet.twice", Sentence("{name} has points for hand {number} in {address} already: delete one row", name=name.text, number=number, address=hand.points[place].address))
            )  # fmt: skip
            yield total
            return
        for by_place, kind in ((hand.points, "points"), (hand.bids, "bid"), (hand.tricks, "tricks")):
            if kind in line.cells and (kind == "points" or not line.cells[kind].empty):
                by_place[place] = line.cells[kind]
        before = table.players[place].total
        if total is not None and not total.empty and (before is None or before.text == total.text):
            table.players[place].total = total
            yield total

    def _table(self, line: ResultLine) -> TableOnPaper | None:
        """Return the table of a line: by its number, or else by its block; None if a number cannot be read."""
        cells = {kind: line.cells.get(kind) for kind in ("round", "table")}
        round = 1 if cells["round"] is None or cells["round"].empty else self._number(cells["round"], "round")
        if round is None:
            return None
        number: int | None
        numbered = cells["table"] is not None and not cells["table"].empty
        if cells["table"] is not None and numbered:
            number = self._number(cells["table"], "table")
            if number is None:
                return None
        else:
            block = 0 if line.layout == "hands" else line.block
            number = self._blocks.get((round, block)) or self._next_number(round)
            if number > MOST_TABLES:
                if round not in self._full:
                    why = Sentence(
                        "a round has at most {most_tables} tables: import fewer tables at a time",
                        most_tables=MOST_TABLES,
                    )
                    self.problems.append(at(line.cells["player"], "sheet.size", why))
                self._full.add(round)
                return None
            self._blocks[round, block] = number
        facts = {kind: cell for kind, cell in line.cells.items() if kind in ("name", "date", "game")}
        said = facts.get("date")
        key = "" if said is None or said.empty else str(said.day() or said.text), round, number
        table = self._there(key)
        if table is None:
            made = TableOnPaper(
                line.cells["player"],
                round,
                number,
                facts,
                block=line.block,
                roll=self._roll,
                fewest=self._fewest,
                guessed=self._guessed,
            )
            table = self.tables[key] = self._last[round, number] = made
            if not numbered:
                self._unnumbered.add(key)
                self._unrounded |= {key} if cells["round"] is None else set()
        else:
            self._expect_same(table, line)
            table.facts |= {
                kind: cell for kind, cell in facts.items() if kind not in table.facts or table.facts[kind].empty
            }
        return table

    def _there(self, at: tuple[str, int, int]) -> TableOnPaper | None:
        """Return the table of a day, a round and a number; a line without a day belongs to the last one before it."""
        day, round, number = at
        return self.tables.get(at) or (self.tables.get(("", round, number)) if day else self._last.get((round, number)))

    def _expect_an_evening_a_day(self) -> None:
        """Note each list of all who came that has the day of another one, or no day as another one."""
        rolls = [table for key, table in self.tables.items() if table.roll and key in self._unnumbered]
        first: dict[date | None, TableOnPaper] = {}
        for table in rolls:
            before = first.setdefault(table.day, table)
            if before is not table or (table.day is None and len(rolls) > 1):
                why = Sentence("no day is written here, or that of another evening: write the day of each evening")
                self.problems.append(at(table.anchor, "sheet.twice", why))

    def _round_by_game(self) -> None:
        """Let tables at which somebody plays another game than before be in the next round, if no rounds are written."""
        played: dict[tuple[str, int], list[tuple[str, set[str]]]] = {}
        tables: dict[tuple[str, int, int], TableOnPaper] = {}
        for (day, round, number), table in self.tables.items():
            names, key = {player.name.text for player in table.players}, (day, round, number)
            game = table.facts["game"].text if "game" in table.facts else ""
            while key in self._unrounded and not table.roll and any(
                names & others and game != other for other, others in played.get((day, table.round), ())
            ):  # fmt: skip
                table.round += 1
            played.setdefault((day, table.round), []).append((game, names))
            moved = (day, table.round, number)
            self._unnumbered |= {moved} if key in self._unnumbered else set()
            tables[moved] = table
        self.tables = tables

    def _number_by_day(self) -> None:
        """Count the tables that have no numbers from 1 on each day, if the sheets hold several evenings."""
        if len({table.day for table in self.tables.values()} - {None}) < 2:
            return
        kept = {at for at in self.tables if at not in self._unnumbered}
        tables = {}
        free: dict[tuple[str, int], Iterator[int]] = {}
        for (day, round, _), table in sorted(self.tables.items()):
            if (day, round, table.number) in self._unnumbered:
                numbers = free.setdefault((day, round), count(1))
                table.number = next(number for number in numbers if (day, round, number) not in kept)
            tables[day, round, table.number] = table
        self.tables = tables

    def _next_number(self, round: int) -> int:
        """Return the first number from 1 that no table of a round has."""
        number = self._next.get(round, 1)
        while (round, number) in self._last:
            number += 1
        self._next[round] = number
        return number

    def _expect_same(self, table: TableOnPaper, line: ResultLine) -> None:
        """Note a row that says another game or day than those before it at its table."""
        for kind in ("name", "date", "game"):
            before, now = table.facts.get(kind), line.cells.get(kind)
            if before is None or now is None or now.empty or (before.day() or before.text) == (now.day() or now.text):
                continue
            code = {"name": "sheet.session", "date": "sheet.date", "game": "sheet.game"}[kind]
            self.problems.append(
                at(now, code, Sentence("{label} has {before!r} in {cell}: write the same, or another round or table", label=table.label, before=before.text, cell=before.address))
            )  # fmt: skip

    def _number(self, cell: Cell, kind: str) -> int | None:
        """Return the number of a round, a table or a hand; `Table 2` is one too."""
        inner = fact_in(cell)
        number = (inner[1] if inner and inner[0] == kind else cell).whole()
        if number is not None and 1 <= number <= MOST_TABLES:
            return number
        said = cell.text if not cell.empty else "–"
        self.problems.append(
            at(
                cell,
                "sheet.number",
                Sentence(_NO_NUMBER[kind], said=said, most=MOST_TABLES),
            )
        )
        return None
