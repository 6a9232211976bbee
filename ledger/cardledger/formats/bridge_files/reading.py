"""Reading any file of matches: a match file, or a file of a bridge club, by its content and its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Final, Literal, get_args

from cardledger.errors import FormatError, LedgerError, RuleError, StoreError
from cardledger.formats.bridge_files.board_events import events_of
from cardledger.formats.bridge_files.boards import Board, Broken, Notice, RefusedError
from cardledger.formats.bridge_files.lin import LinReader
from cardledger.formats.bridge_files.pbn import PbnReader
from cardledger.formats.bridge_files.text import read_twice
from cardledger.formats.bridge_files.usebio import UsebioReader
from cardledger.formats.encoding import wide_encoding
from cardledger.formats.mending import IN_UTF_16, mended
from cardledger.formats.recognition import recognised_file
from cardledger.record.matches.matchfile import FilePlace, FirstOnes, MatchInFile, Problem, Warned, read_matches
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence, advising

Format = Literal["pbn", "lin", "usebio"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
_READERS: Final[dict[Format, Callable[[], PbnReader | LinReader | UsebioReader]]] = {
    "pbn": PbnReader,
    "lin": LinReader,
    "usebio": UsebioReader,
}
NEVER_STRICT: Final = frozenset({"pbn.empty"})
"""Notices that are no fault of a file."""


def format_of(file: BinaryIO, name: str) -> Format | None:
    """Return the format of a file that can be read twice, None for a match file; its content goes before its name."""
    kind = recognised_file(file, name).kind
    return next((format for format in FORMATS if format == kind), None)


def read_file_of_matches(
    file: BinaryIO, name: str, keep_going: bool = False, *, format: Format | None = None, strict: bool = False,
    audit: bool = False,
) -> Iterator[MatchInFile | Problem | Warned]:  # fmt: skip
    """Yield the matches of a file, and a Problem for a wrong one, as `read_matches` does; and warnings on their own.

    In files of bridge the games after a wrong one are always read. With `strict` all that does not follow the standard
    is wrong, and every breach of a rule of the game.
    """
    with read_twice(file) as again:
        if format is None and (words := no_file_of_matches(again, name)):
            yield Problem(name, 1, FormatError("file.kind", words))
            return
        format = format or format_of(again, name)
        items: Iterator[MatchInFile | Problem | Warned]
        if format is None:
            try:
                straight, put_right = mended(again)
            except FormatError as error:
                yield Problem(name, (error.index or 0) + 1, error)
                return
            yield from (Warned(name, 1, "format.mended", words) for words in put_right)
            items = read_matches(straight, name, keep_going, audit)
        else:
            mark = again.read(4)
            again.seek(-len(mark), 1)
            if wide_encoding(mark):
                yield Warned(name, 1, "format.mended", IN_UTF_16)
            items = _matches(_READERS[format]().read(again), name, strict=strict, audit=audit)
        empty = format != "usebio"  # such a file may hold an evening without boards
        for item in items:
            empty = empty and isinstance(item, Warned)
            yield item
        if empty:
            yield Problem(name, 1, nothing_in_it())


def no_file_of_matches(file: BinaryIO, name: str) -> Sentence | None:
    """Say what a file is that can be read twice, if it holds something else than matches."""
    found = recognised_file(file, name)
    return None if found.reader == "matches" or found.kind == "empty" else found.words


def nothing_in_it() -> StoreError:
    """Return the error of a file without a match: somebody meant another file, or the way here lost its content."""
    return StoreError(
        "store.empty", advising("there is no match in this file: nothing was stored; send a file with a match")
    )


def problems_of_boards(file: BinaryIO, name: str, format: Format | None, strict: bool) -> FirstOnes:
    """Return the problems of a file of bridge that can be read twice, none for a match file.

    It is stored as far as it goes. `beside` of what is returned says how many boards have none.
    """
    problems = FirstOnes()
    if format is None and format_of(file, name) is None:
        return problems
    start = file.tell()
    items = read_file_of_matches(file, name, format=format, strict=strict)
    for item in items:
        if isinstance(item, Problem):
            problems.append(item)
        problems.beside += isinstance(item, MatchInFile)
    file.seek(start)
    return problems


def source_of_game(match: MatchInFile) -> dict[str, Any] | None:
    """Return where a match stands in a file of bridge, and what was noticed, as `replay --json` prints them."""
    if match.source is None:
        return None
    notices = [{"code": each.code, "line": each.line, "text": each.message} for each in match.source.notices]
    return {"source": _source(match.file, match.line, match.source.game), "notices": notices}


def problem_of_game(problem: Problem) -> dict[str, Any]:
    """Return a game that was not taken, as `replay --json` prints it."""
    error = {"code": problem.error.code, "line": problem.line, "text": problem.error.message}
    return {"source": _source(problem.file, problem.begins, problem.game), "error": error}


def _source(file: str, line: int | None, game: int | None) -> dict[str, Any]:
    return {"file": file, "line": line, "game": game}


def _matches(
    boards: Iterable[Board | Broken], name: str, *, strict: bool, audit: bool
) -> Iterator[MatchInFile | Problem | Warned]:
    for board in boards:
        if isinstance(board, Broken):
            if board.skipped:
                yield Warned(name, board.notice.line, board.notice.code, board.notice.text)
            else:
                yield _problem(name, board, board.notice)
            continue
        try:
            yield _match(board, name, strict, audit)
        except RefusedError as error:
            yield _problem(name, board, error.notice)
        except LedgerError as error:
            yield Problem(name, board.line, error, board.game, board.line)


def _match(board: Board, name: str, strict: bool, audit: bool) -> MatchInFile:
    """Return a board as a match, judged; raises RefusedError, RuleError, FormatError."""
    events = events_of(board)
    stream = Stream(events[0], audit)
    stream.extend(events[1:])
    if strict:
        for notice in board.notices:
            if notice.code not in NEVER_STRICT:
                raise RefusedError(*notice)
        for violation in stream.table.violations:
            raise RuleError(violation.rule, f"event {violation.seq} breaks a rule, and the file is read strictly")
    notices = tuple(Warned(name, line, code, text) for code, line, text in board.notices)
    return MatchInFile(name, board.line, stream, events, source=FilePlace(board.game, notices))


def _problem(name: str, board: Board | Broken, notice: Notice) -> Problem:
    return Problem(name, notice.line, FormatError(notice.code, notice.text), board.game, board.line)
