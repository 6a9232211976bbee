"""Storing what a preview shows: the evening, the matches of its tables, and their results.

The same again stores nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.cells import SheetError
from cardledger.formats.spreadsheets.kept_layouts import keep
from cardledger.sentence import advising

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.preview import Preview
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger


class StoredPreview(NamedTuple):
    """The evenings, the matches of their tables in their order, and how many events are new."""

    sessions: tuple[str, ...]
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
        raise FormatError(
            "sheet.name", advising(f"nobody is called {names}: say who is meant, or that the player is new")
        )
    for evening in preview.evenings:
        assert evening.session is not None
        if evening.opens and evening.opening is not None:
            ledger.evenings.record(evening.session, [evening.opening], 0, by, as_written=False)
        for table in evening.tables:
            if table.match is not None and table.events:
                ledger.record(table.match, table.events, table.seq, by)
        if evening.events:
            # The preview has asked about points that the game cannot give.
            ledger.evenings.record(evening.session, evening.events, max(evening.seq, 1), by, as_written=True)
    club = next((each.opening.club for each in preview.evenings if each.opening is not None), None)
    if preview.keeps is not None and club is not None:
        keep(ledger, club, preview.keeps, by)
    sessions = tuple(evening.session for evening in preview.evenings if evening.session is not None)
    matches = tuple(table.match for table in preview.tables if table.match is not None)
    return StoredPreview(sessions, matches, preview.new)
