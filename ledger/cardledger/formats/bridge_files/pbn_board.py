"""The board that a game of a PBN file describes."""

from __future__ import annotations

import re
from functools import lru_cache

from cardledger.formats.bridge_files.boards import Board
from cardledger.formats.bridge_files.notation import VULNERABILITIES, contract_of, seat_of
from cardledger.formats.bridge_files.pbn_deal import read_deal
from cardledger.formats.bridge_files.pbn_game import EMPTY, PbnGame
from cardledger.formats.bridge_files.pbn_sections import read_auction, read_play
from cardledger.formats.bridge_files.pbn_table import compare_table
from cardledger.rules.engine.days import is_day, known_day

_DAY = re.compile(r"\d{4}(?:\.\d\d){0,2}", re.ASCII)
_RESULT = re.compile(r"(\^)?\s*(?:(NS|EW)\s*)?(\^)?(\d{1,2})(?:\s+(?:NS|EW)\s+\d{1,2})?", re.IGNORECASE | re.ASCII)
_POINTS = re.compile(r"(?:(NS|EW)\s*)?([+-]?\d{1,5})(?:\s+(?:NS|EW)\s+[+-]?\d{1,5})?", re.IGNORECASE | re.ASCII)


def board_of(game: PbnGame) -> Board:
    """Return the board that a game describes; raises RefusedError."""
    tags = game.tags
    board = Board(game.line, game.number, notices=game.notices, line_of=game.line_of, kept=game.kept)
    get = tags.get
    board.names = [get("North", ""), get("East", ""), get("South", ""), get("West", "")]
    opening = board.opening
    for name, key in (("Event", "event"), ("Site", "place"), ("Table", "table")):
        value = get(name, "")
        if value not in EMPTY:
            opening[key] = value
    _date(board, get("Date", ""))
    _number(board, get("Board", ""))
    _dealer(board, get("Dealer", ""), get("Vulnerable", ""))
    _extras(board, game)
    read_deal(board, get("Deal", ""))
    contract, declarer, result, points = get("Contract", ""), get("Declarer", ""), get("Result", ""), get("Score", "")
    if contract not in EMPTY:
        board.contract = contract_of(contract)
        if board.contract is None:
            board.extras.append(("tag", "Contract", contract))
            board.tell("pbn.contract", f"{contract!r} is no contract: write 4SX, 3NT or Pass", "Contract")
    if declarer[:1] == "^":
        board.extras.append(("tag", "Declarer", declarer))
    board.declarer = seat_of(declarer.lstrip("^").strip())
    if "Auction" in tags:
        read_auction(board, game)
    if "Play" in tags:
        read_play(board, game)
    if result not in EMPTY:
        _result(board, result)
    if points not in EMPTY:
        _points(board, points)
    if "ScoreTable" in game.sections:
        compare_table(board, game)
    return board


def _date(board: Board, value: str) -> None:
    day = _iso_day(value) if len(value) == len("2026.03.14") else None
    if day is not None:
        board.opening["date"] = day
    if known_day(day) is None:
        board.extras.append(("tag", "Date", value or "?"))


@lru_cache(maxsize=1_000)
def _iso_day(value: str) -> str | None:
    """Return a day, or the month or year of one that is not known, as an opening has it; None if it is none."""
    written = value.removesuffix(".??").removesuffix(".??")
    said = written.replace(".", "-")
    return said if _DAY.fullmatch(written) and is_day(said) else None


def _number(board: Board, value: str) -> None:
    if value in EMPTY:
        return
    if value.isascii() and value.isdecimal() and 0 < len(value) < 7 and int(value) > 0:
        board.number = int(value)
    else:
        board.extras.append(("tag", "Board", value))
        board.tell("pbn.board", f"{value!r} is no number of a board: it is kept as written", "Board")


def _dealer(board: Board, dealer: str, vulnerable: str) -> None:
    board.dealer = seat_of(dealer.strip())
    if vulnerable not in ("", "?"):
        board.vulnerable = VULNERABILITIES.get(vulnerable.strip().lower())
        if board.vulnerable is None:
            board.extras.append(("tag", "Vulnerable", vulnerable))
            board.tell("pbn.board", f"{vulnerable!r} is no vulnerability: write None, NS, EW or All", "Vulnerable")


def _extras(board: Board, game: PbnGame) -> None:
    """Keep what has no place in an event, in the order of the file."""
    extras, sections, tags = board.extras, game.sections, game.tags
    texts = {place: section for place, _, section in game.repeated}
    for place, item in enumerate(game.order, 1):
        if isinstance(item, str):
            value = tags[item]
            if value and value != "?" or sections.get(item):
                extras.append(("tag", item, value))
                if sections.get(item):
                    extras.append(("section", item, game.text(item)))
        else:
            extras.append((*item, "\n".join(texts[place])) if place in texts else item)
    extras += game.unnamed_notes()


def _result(board: Board, value: str) -> None:
    match = _RESULT.fullmatch(value.strip())
    tricks = int(match[4]) if match else 14
    if match is None or tricks > 13:
        board.extras.append(("tag", "Result", value))
        board.tell("pbn.result", f"{value!r} is no number of tricks: it is kept as written", "Result")
        return
    board.ruled = bool(match[1] or match[3])
    board.tricks, board.tricks_for = tricks, (match[2] or "").lower() or None


def _points(board: Board, value: str) -> None:
    match = _POINTS.fullmatch(value.strip())
    if match is None:
        board.extras.append(("tag", "Score", value))
        return
    board.points, board.points_for = int(match[2]), (match[1] or "").upper() or None
