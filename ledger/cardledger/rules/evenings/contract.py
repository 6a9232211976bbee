"""The score of a contract that a table reports (Law 77)."""

from __future__ import annotations

from cardledger.errors import FormatError
from cardledger.rules.games.bridge.scoring import board_vulnerable, duplicate_score, read_contract
from cardledger.sentence import Sentence

PASSED_OUT = "pass"
"""The contract of a board that all four passed."""


def score(contract: str, declarer: int | None, tricks: int | None, board: int) -> int:
    """Return the score for north-south; declarer is a seat (0 is north, then east), tricks are those of the declarer.

    >>> score("3NT", 0, 9, 1), score("4Sx", 1, 8, 3), score("3N", 0, 9, 1), score("pass", None, None, 1)
    (400, 500, 400, 0)

    Raises FormatError `format.value`.
    """
    if contract == PASSED_OUT:
        return 0
    known = read_contract(contract.replace("NT", "N").replace("N", "NT").replace("x", "X"))
    if known is None:
        raise FormatError(
            "format.value",
            Sentence("{contract!r} is no contract: write it as 4S, 3NTx, 6HXX or pass", contract=contract),
        )
    if declarer not in (0, 1, 2, 3):
        raise FormatError("format.value", Sentence("declarer is {declarer}: seats are 0 to 3", declarer=declarer))
    if tricks is None or not 0 <= tricks <= 13:
        raise FormatError("format.value", Sentence("tricks is {tricks}: the declarer took 0 to 13", tricks=tricks))
    side = declarer % 2
    points = duplicate_score(*known, board_vulnerable(board) >> side & 1, tricks)
    return -points if side else points
