"""Files that are sent: each is read by a process of its own, which ends when the client leaves (`cardledger.apart`)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

from flask import request

from cardledger.apart import SECONDS, Gone, answer_apart, apart
from cardledger.errors import LedgerError
from cardledger.formats.bridge_files.reading import format_of, problems_of_boards, read_file_of_matches
from cardledger.formats.bridge_files.usebio_evening import UsebioEvening, evenings_in
from cardledger.formats.spreadsheets.preview import OnPaper, papers_in
from cardledger.record.matches.matchfile import FirstOnes, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.formats.spreadsheets.wishes import HowItLies
    from cardledger.record.matches.matchfile import MatchInFile, Warned


def matches_sent(
    file: BinaryIO, name: str, keep_going: bool, *, strict: bool = False
) -> Iterator[MatchInFile | Problem | Warned]:
    """Yield the matches of a file that can be read twice, as `read_file_of_matches` does.

    Also why it was read no further.
    """
    try:
        yield from apart(read_file_of_matches, file, name, keep_going, strict=strict, gone=_gone(), seconds=SECONDS)
    except LedgerError as error:
        yield Problem(name, 1, error)


def problems_sent(file: BinaryIO, name: str, strict: bool) -> FirstOnes:
    """Return the problems of a file of bridge that can be read twice, as `problems_of_boards` does."""
    if format_of(file, name) is None:
        return FirstOnes()  # a match file is stored as far as it goes
    start = file.tell()
    try:
        problems = answer_apart(problems_of_boards, file, name, None, strict, gone=_gone(), seconds=SECONDS)
    except LedgerError as error:
        problems = FirstOnes([Problem(name, 1, error)])
    file.seek(start)
    return problems


def evenings_sent(file: BinaryIO, day: str) -> Iterator[UsebioEvening]:
    """Yield the evenings of a file of USEBIO, as `evenings_in` does; raises LedgerError."""
    return apart(evenings_in, file, day, gone=_gone(), seconds=SECONDS)


def papers_sent(files: Sequence[tuple[str, bytes]], said: HowItLies) -> OnPaper:
    """Return what is on the sheets of some files, as `on_paper` does; raises LedgerError."""
    whole = io.BytesIO(b"".join(content for _, content in files))
    sizes = [(name, len(content)) for name, content in files]
    return answer_apart(papers_in, whole, sizes, said, gone=_gone(), seconds=SECONDS)


def _gone() -> Gone:
    """Return what tells whether the client of this request has left."""
    gone: Gone = request.environ.get("waitress.client_disconnected", _stays)
    return gone


def _stays() -> bool:
    return False
