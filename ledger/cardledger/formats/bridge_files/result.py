"""The result of a board: the claim or the ruling that gives its tricks, and its points."""

from __future__ import annotations

from cardledger.formats.bridge_files.boards import Board
from cardledger.formats.bridge_files.notation import side_of
from cardledger.formats.bridge_files.play import Course
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings.contract import score

_NUMBER_WITH = {"none": 1, "ns": 2, "ew": 3, "both": 4}
"""A board that has each vulnerability."""


def write_unplayed(board: Board, contract: str | None, declarer: int | None, body: list[ev.Event]) -> None:
    """Keep what a file says of the play and the result of a board without a contract."""
    if board.columns or board.cards:
        board.extras += board.kept("Play")
        board.tell("pbn.contract", "there are cards but no contract: they are kept, and not played", "Play")
    if board.tricks is not None and contract is None:
        side = f"{board.tricks_for.upper()} " if board.tricks_for else ""
        board.extras.append(("tag", "Result", f"{'^' * board.ruled}{side}{board.tricks}"))
    if board.artificial is not None:
        ns, ew = board.artificial
        body.append(ev.Adjust(kind="artificial", law="12C2", ns=ns, ew=ew))
    elif contract is None:
        _points_alone(board, board.declarer if declarer is None else declarer, body)
    elif board.points:
        board.extras.append(("tag", "Score", _written_points(board)))
        board.tell("pbn.score", "a board passed out has no points", "Score")


def write_result(board: Board, contract: str, declarer: int, played: Course, body: list[ev.Event]) -> None:
    """Write the claim that makes the tricks fit, or the result as a ruling where it cannot fit."""
    made = board.tricks
    if made is not None and board.tricks_for not in (None, side_of(declarer)):
        made = 13 - made
    if made is None:
        if played.tricks < 13:
            _points_alone(board, declarer, body)
        elif board.points is not None:
            _check_points(board, contract, declarer, played.taken[declarer % 2])
        return
    left = 13 - played.tricks
    needed = made - played.taken[declarer % 2]
    fits = 0 <= needed <= left
    if left and fits:
        body.append(
            ev.Claim(tricks=(needed, left - needed, 0, 0) if declarer % 2 == 0 else (left - needed, needed, 0, 0))
        )
    if not fits or board.ruled:
        result = (ev.Weighted(contract=contract, declarer=declarer, tricks=made, weight=100),)
        body.append(ev.Adjust(kind="assigned", law="pbn.result", ns=result, ew=result))
        if not board.ruled:
            text = f"{made} tricks are written, which do not follow from the play: they count as a ruling"
            board.tell("pbn.result", text, "Result")
    _check_points(board, contract, declarer, made)


def _points_alone(board: Board, declarer: int | None, body: list[ev.Event]) -> None:
    """Write points where contract or tricks are not known."""
    points = _points_for_ns(board, declarer)
    if points is not None:
        body.append(ev.Score(scores=(points, -points, points, -points)))
    elif board.points is not None:
        board.extras.append(("tag", "Score", _written_points(board)))


def _points_for_ns(board: Board, declarer: int | None) -> int | None:
    side = board.points_for or (("NS", "EW")[declarer % 2] if declarer is not None else None)
    if board.points is None or side is None:
        return None
    return board.points if side == "NS" else -board.points


def _written_points(board: Board) -> str:
    return f"{board.points_for} {board.points}" if board.points_for else str(board.points)


def points_of(contract: str, declarer: int, made: int, vulnerable: str) -> int:
    """Return the points of a contract for north-south."""
    return score(contract, declarer, made, _NUMBER_WITH[vulnerable])


def _check_points(board: Board, contract: str, declarer: int, made: int) -> None:
    points = _points_for_ns(board, declarer)
    if points is None:
        return
    assert board.vulnerable is not None
    follows = points_of(contract, declarer, made, board.vulnerable)
    if points != follows:
        board.extras.append(("tag", "Score", _written_points(board)))
        text = f"the points written are {points} for NS, but {follows} follow from the contract"
        board.tell("pbn.score", text, "Score")
