"""The table of scores of a PBN game, compared with what follows from its contracts."""

from __future__ import annotations

import re

from cardledger.formats.bridge_files.boards import Board
from cardledger.formats.bridge_files.notation import PASS, contract_of, seat_of, vulnerable_on
from cardledger.formats.bridge_files.pbn_game import PbnGame
from cardledger.formats.bridge_files.result import points_of

_VALUE = re.compile(r'"[^"]*"|\S+')
_WHOLE = re.compile(r"[+-]?\d{1,5}", re.ASCII)


def compare_table(board: Board, game: PbnGame) -> None:
    """Tell of the first row whose points do not follow from its contract; a table is compared, not believed."""
    vulnerable = board.vulnerable or (vulnerable_on(board.number) if board.number else None)
    heads = [column.partition("\\")[0].strip().lstrip("+-") for column in game.tags.get("ScoreTable", "").split(";")]
    if (
        vulnerable is None
        or not {"Contract", "Declarer", "Result"} <= {*heads}
        or not {"Score_NS", "Score_EW"} & {*heads}
    ):
        return
    for number, row in enumerate(game.text("ScoreTable").split("\n"), 1):
        cells = dict(zip(heads, (value.strip('"') for value in _VALUE.findall(row)), strict=False))
        contract, declarer = contract_of(cells.get("Contract", "")), seat_of(cells.get("Declarer", ""))
        made, ours, theirs = (cells.get(name, "") for name in ("Result", "Score_NS", "Score_EW"))
        written = (
            _whole(ours) if _whole(ours) is not None else None if _whole(theirs) is None else -(_whole(theirs) or 0)
        )
        tricks = _whole(made)
        if contract in (None, PASS) or declarer is None or tricks is None or not 0 <= tricks <= 13 or written is None:
            continue
        assert contract is not None
        follows = points_of(contract, declarer, tricks, vulnerable)
        if follows != written:
            text = (
                f"row {number} has {written} points for NS, but {follows} follow from {contract} with {tricks} tricks"
            )
            board.tell("pbn.table", text, "ScoreTable")
            return


def _whole(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None
