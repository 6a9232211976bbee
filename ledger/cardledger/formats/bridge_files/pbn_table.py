"""The table of scores of a PBN game, compared with what follows from its contracts and its results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from cardledger.formats.bridge_files.boards import Board
from cardledger.formats.bridge_files.notation import PASS, contract_of, seat_of, vulnerable_on
from cardledger.formats.bridge_files.pbn_game import PbnGame
from cardledger.formats.bridge_files.result import points_of
from cardledger.rules.evenings.awards import plain
from cardledger.rules.evenings.conventions import PrintedPoints, Scale, explained
from cardledger.rules.evenings.scoring import Scoring
from cardledger.rules.evenings.travellers import TravellerLine

MOST_RESULTS: Final = 500
"""Results of one board; the matchpoints of a longer table are not compared."""
_MOST_DECIMALS: Final = 4
_POINTS = re.compile(r"\d{1,5}(?:\.\d{1,4})?", re.ASCII)
_SIDES: Final = (("MP_NS", "MP_EW"), ("Percentage_NS", "Percentage_EW"))
"""Columns of the points for a board, by side."""
_VALUE = re.compile(r'"[^"]*"|\S+')
_WHOLE = re.compile(r"[+-]?\d{1,5}", re.ASCII)


def compare_table(board: Board, game: PbnGame) -> None:
    """Tell of the first row whose points do not follow from its contract, or whose matchpoints not from the results.

    A table is compared, not believed.
    """
    heads = [column.partition("\\")[0].strip().lstrip("+-") for column in game.tags.get("ScoreTable", "").split(";")]
    rows = [
        dict(zip(heads, (value.strip('"') for value in _VALUE.findall(row)), strict=False))
        for row in game.text("ScoreTable").split("\n")
    ]
    if not _compare_points(board, heads, rows) and {"Score_NS", "Score_EW"} & {*heads}:
        for columns in _SIDES:
            if {*columns} & {*heads} and _compare_matchpoints(board, columns, rows):
                return


def _compare_points(board: Board, heads: Sequence[str], rows: Sequence[dict[str, str]]) -> bool:
    """Tell of the first row whose points do not follow from its contract; return whether there is one."""
    vulnerable = board.vulnerable or (vulnerable_on(board.number) if board.number else None)
    if (
        vulnerable is None
        or not {"Contract", "Declarer", "Result"} <= {*heads}
        or not {"Score_NS", "Score_EW"} & {*heads}
    ):
        return False
    for number, cells in enumerate(rows, 1):
        contract, declarer = contract_of(cells.get("Contract", "")), seat_of(cells.get("Declarer", ""))
        written, tricks = _written(cells), _whole(cells.get("Result", ""))
        if contract in (None, PASS) or declarer is None or tricks is None or not 0 <= tricks <= 13 or written is None:
            continue
        assert contract is not None
        follows = points_of(contract, declarer, tricks, vulnerable)
        if follows != written:
            text = (
                f"row {number} has {written} points for NS, but {follows} follow from {contract} with {tricks} tricks"
            )
            board.tell("pbn.table", text, "ScoreTable")
            return True
    return False


def _compare_matchpoints(board: Board, columns: tuple[str, str], rows: Sequence[dict[str, str]]) -> bool:
    """Tell of the first row whose matchpoints do not follow from the results; return whether there is one.

    A row stands for as many tables as its multiplicity says. Without the points of every row nothing follows.
    """
    lines: dict[PrintedPoints, int] = {}
    printed: list[str] = []
    for number, cells in enumerate(rows, 1):
        if not cells:
            continue
        points, times = _written(cells), _whole(cells.get("Multiplicity", "1"))
        if points is None or times is None or not 1 <= times <= MOST_RESULTS - len(lines):
            return False
        said = [cells.get(column, "") for column in columns]
        printed += said
        own = tuple(Fraction(text) if _POINTS.fullmatch(text) else None for text in said)
        for _ in range(times):
            table = len(lines) + 1
            line = TravellerLine(1, table, (2 * table - 1,), (2 * table,), plain(points), ())
            lines[PrintedPoints(1, line, (own[0], own[1]))] = number
    decimals = min(
        max((len(text.partition(".")[2]) for text in printed if _POINTS.fullmatch(text)), default=0), _MOST_DECIMALS
    )
    usual = Scoring(kind="matchpoints", session_average=False)
    scale: Scale | None = "percent" if columns == _SIDES[1] else None
    for differing, follow in explained([*lines], usual, decimals, scale).differing if len(lines) > 1 else ():
        side = next(side for side, said in enumerate(differing.points) if said is not None and said != follow[side])
        text = (
            f"row {lines[differing]} has {float(differing.points[side] or 0):g} in {columns[side]}, "
            f"but {float(follow[side]):g} follow from the results of the table"
        )
        board.tell("pbn.table", text, "ScoreTable")
        return True
    return False


def _written(cells: dict[str, str]) -> int | None:
    """Return the points for north-south that a row says."""
    ours, theirs = (_whole(cells.get(name, "")) for name in ("Score_NS", "Score_EW"))
    return ours if ours is not None else None if theirs is None else -theirs


def _whole(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None
