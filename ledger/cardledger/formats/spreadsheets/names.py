"""Names on a sheet: who is meant by each, and the questions about names that nobody has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger.errors import RuleError
from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at
from cardledger.record.people.spelling import A_NAME, expect_name, tidy_name
from cardledger.sentence import Sentence, as_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper
    from cardledger.record.people.known_names import KnownNames

NEW: Final = "new"
"""The answer for a name that is that of a new player."""
OTHERS: Final = "*"
"""The name that stands for all names that nobody has and that resemble no known name: they can only be new."""


class NameQuestion(NamedTuple):
    """A name that no player has, the cells where it stands, and the players who may be meant, the most similar first."""

    name: str
    cells: tuple[str, ...]
    likely: tuple[str, ...]


class NamesOnPaper:
    """The players meant by the names of a file.

    Names without an answer are in `questions`, and stand for themselves.
    """

    def __init__(self, known: KnownNames, answers: Mapping[str, str], problems: list[SheetProblem]) -> None:
        self._known = known
        self._answers = {name if name == OTHERS else tidy_name(name): answer for name, answer in answers.items()}
        self._problems = problems
        self._players: dict[str, str | None] = {}
        self._cells: dict[str, list[Cell]] = {}
        self._there: set[str] = set()

    def read(self, tables: Iterable[TableOnPaper]) -> None:
        """Find out who is meant by every name at the tables."""
        for table in tables:
            for player in table.players:
                self._cells.setdefault(tidy_name(player.name.text), []).append(player.name)
        called = {name: self._known.called(name) for name in self._cells}
        self._there = {each[0] for each in called.values() if len(each) == 1}
        for name, cells in self._cells.items():
            self._players[name] = self._meant(name, cells[0])

    def player(self, cell: Cell) -> str:
        """Return the player meant by a name, the name itself if that is a question."""
        name = tidy_name(cell.text)
        return self._players[name] or name

    @property
    def questions(self) -> tuple[NameQuestion, ...]:
        """The names without an answer."""
        return tuple(
            NameQuestion(name, tuple(map(_where, self._cells[name])), (*self._likely(name),))
            for name, player in self._players.items()
            if player is None
        )

    @property
    def new(self) -> tuple[str, ...]:
        """The names that are those of new players."""
        return tuple(name for name, player in self._players.items() if player == name and not self._known.called(name))

    def _meant(self, name: str, cell: Cell) -> str | None:
        try:
            expect_name(name, A_NAME)
        except RuleError as error:
            self._problems.append(at(cell, "sheet.name", as_sentence(error.message)))
            return name
        answer = self._answers.get(name)
        if answer == NEW:
            return name
        if answer is not None:
            called = self._known.called(tidy_name(answer))
            if len(called) == 1:
                return called[0]
            if not called and tidy_name(answer) in self._cells:
                return tidy_name(answer)
            why = (
                Sentence("several players are called {answer}", answer=answer)
                if called
                else Sentence("there is no player {answer}", answer=answer)
            )
            self._problems.append(
                at(
                    cell,
                    "sheet.name",
                    Sentence("{why}: answer for {name} with the id of a player, or with new", why=why, name=name),
                )
            )
            return name
        called = self._known.called(name)
        if len(called) == 1:
            return called[0]
        return name if self._answers.get(OTHERS) == NEW and not called and not self._likely(name) else None

    def _likely(self, name: str) -> list[str]:
        """Return who may be meant: nobody who is on the sheet under the right name."""
        return self._known.meant(name, self._there)


def _where(cell: Cell) -> str:
    """Return the address of a cell with its sheet, as spreadsheets write it."""
    return cell.address if cell.sheet.name is None else f"{cell.sheet.name}!{cell.address}"
