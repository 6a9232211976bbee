"""The table of kept sheets.

Columns of statistics (`cardledger.study.stats.measures.kept_sheet`), dropped with the tables they follow from.
"""

from __future__ import annotations

import sqlite3

TABLE = "kept_sheets"
SCHEMA = (
    f"CREATE TABLE {TABLE} (game TEXT NOT NULL, part TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (game, part))",
)


def drop(db: sqlite3.Connection) -> None:
    """Drop all kept sheets: they hold ids of players, who may have been merged or erased."""
    db.execute(f"DELETE FROM {TABLE}")
