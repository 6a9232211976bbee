"""Storing what a preview shows: the evening, the matches of its tables, and their results.

The same again stores nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.cells import SheetError

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.preview import Preview
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger


class StoredPreview(NamedTuple):
    """The evening, the matches of its tables in their order, and how many events are new."""

    session: str
    matches: tuple[str, ...]
    new: int


def store(preview: Preview, ledger: Ledger, by: Recorder | str) -> StoredPreview:
    """Store a preview without problems and questions.

    Every id follows from the content, so what a crash has cut off is stored by the next call. Raises SheetError for
    problems, FormatError `sheet.name` for questions, and ConflictError if somebody recorded at one of the tables since.
    """
    if preview.problems:
        raise SheetError(preview.problems)
    if preview.questions:
        names = ", ".join(question.name for question in preview.questions)
        raise FormatError("sheet.name", f"nobody is called {names}: say who is meant, or that the player is new")
    assert preview.session is not None
    if preview.opens and preview.opening is not None:
        ledger.evenings.record(preview.session, [preview.opening], 0, by)
    for table in preview.tables:
        if table.match is not None and table.events:
            ledger.record(table.match, table.events, table.seq, by)
    if preview.events:
        ledger.evenings.record(preview.session, preview.events, max(preview.seq, 1), by)
    matches = tuple(table.match for table in preview.tables if table.match is not None)
    return StoredPreview(preview.session, matches, preview.new)
