"""Own boards: the table of an evening records the boards of its round, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardledger.errors import RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.rules.games.bridge.scoring import board_dealer
from cardledger.sentence import Sentence, advising


class OwnBoards(NamedTuple):
    """The boards of a table, in the order in which it plays them, and the table with its evening and round.

    `decided` are those that it need not play: the director ruled on them, or they are absent. Without boards the table
    deals any, as a match of no evening does.
    """

    boards: tuple[int, ...] = ()
    decided: frozenset[int] = frozenset()
    table: str = ""
    evening: str = ""
    round: int = 0

    def choice(self, table: Match[Any], choice: dict[str, Any]) -> dict[str, Any]:
        """Return a choice of the game as it is at this table: a deal is that of the board that comes next."""
        if choice["type"] != "deal" or "board" not in choice.get("also", {}):
            return choice
        dealt = {hand.board for hand in table.hands}
        left = [board for board in self.boards if board not in dealt]
        left.sort(key=lambda board: board in self.decided)
        return (
            choice | {"seat": board_dealer(left[0]), "also": {**choice["also"], "board": left[0]}} if left else choice
        )

    def expect(self, before: Match[Any], after: Match[Any], events: Sequence[ev.Event]) -> None:
        """Refuse events that deal another board; those dealt before are let be.

        Raises RuleError `session.board` with the index of the first deal among the events.
        """
        new = boards_in(after) - boards_in(before)
        if not self.boards or new <= {*self.boards}:
            return
        error = RuleError(
            "session.board",
            advising(
                Sentence(
                    "table {table} of {name} plays boards {theirs} in round {round}, not {wrong}: check the number "
                    "of the board",
                    table=self.table,
                    name=self.evening,
                    theirs=", ".join(map(str, self.boards)),
                    round=self.round,
                    wrong=min(new - {*self.boards}),
                )
            ),
        )
        error.index = next((index for index, event in enumerate(events) if isinstance(event, ev.Deal | ev.Amend)), 0)
        raise error


def boards_in(table: Match[Any]) -> set[int]:
    """Return the numbers of the boards dealt in a match; empty for games without boards."""
    return {board for hand in table.hands if (board := getattr(hand, "board", 0))}
