"""The rows of a match or an evening in the tables.

Brought up to date, taken out while they are secret, compared with a fold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.readmodels.catalogue import EVENING_MODELS, LESSON_MODELS, MODELS, STREAM_MODELS
from cardledger.record.readmodels.tables import ratings
from cardledger.record.readmodels.tables.boards import left_out
from cardledger.record.store.streams import is_evening, is_lesson

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping, Sequence

    from cardledger.record.readmodels.model import Folded, ReadModel, Row
    from cardledger.record.store.readers import Readable


def differing(reader: Readable, folded: Folded) -> str | None:
    """Return the first table of a read model file whose rows for a match, or an evening, differ from a fold of it, or None."""
    secret = folded.id in left_out(reader)
    for model in models_of(folded.id, secret=secret):
        key = ", ".join(model.key)
        rows = reader.execute(f"SELECT * FROM {model.name} WHERE {model.key[0]} = ? ORDER BY {key}", (folded.id,))
        if rows.fetchall() != list(model.rows(folded, 1)):
            return model.name
    return None


def update(db: sqlite3.Connection, folded: Folded, rebuild: bool = False, secret: bool = False) -> bool:
    """Update the rows of a match, or rebuild them, and tell which.

    A secret one has rows only in tables that list matches.
    """
    done = db.execute("SELECT seq, hands_complete FROM matches WHERE match = ?", (folded.id,)).fetchone()
    seq, since = (done[0], done[1] + 1) if done else (0, 1)
    models = models_of(folded.id, secret=secret)
    again = rebuild or folded.stream.corrected > seq
    if again:
        # Rows may have gone; otherwise they only come, or change in the hand under way.
        for model in models:
            db.execute(model.delete, (folded.id,))
        since = 1
    for model in models:
        db.executemany(model.insert, model.rows(folded, since))
    return again


def models_of(stream: str, *, secret: bool = False) -> Sequence[ReadModel]:
    """Return the tables with rows of a stream."""
    if secret:
        return [model for model in MODELS if model.lists_void]
    return EVENING_MODELS if is_evening(stream) else LESSON_MODELS if is_lesson(stream) else MODELS


def hide(db: sqlite3.Connection, matches: Collection[str]) -> None:
    """Take the rows of matches that have become secret out of the tables of results."""
    for match in matches:
        for model in MODELS:
            if not model.lists_void:
                db.execute(model.delete, (match,))
        db.execute("INSERT INTO secret_matches VALUES (?)", (match,))
    ratings.expect(db, matches)


def insert(db: sqlite3.Connection, rows: Mapping[str, list[Row]]) -> None:
    """Insert rows into each table."""
    for model in STREAM_MODELS:
        db.executemany(model.insert, rows[model.name])
