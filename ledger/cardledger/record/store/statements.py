"""Statements that make tables, and what files say of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardledger.errors import StoreError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

_REMARK = re.compile(" -- .*")


def without_remarks(statement: str) -> str:
    """Return a statement without its comments, which say what tables and columns mean."""
    return _REMARK.sub("", statement)


def expect_tables(db: sqlite3.Connection, schema: Sequence[str], path: Path) -> None:
    """Refuse a file whose tables and indexes were changed (`store.damaged`): its content could not be trusted."""
    # Meanings stand beside the columns, but not in files of earlier versions.
    in_file = {without_remarks(sql) for (sql,) in db.execute("SELECT sql FROM sqlite_master") if sql}
    for statement in schema:
        if (
            statement.startswith(("CREATE TABLE", "CREATE INDEX", "CREATE UNIQUE INDEX"))
            and without_remarks(statement) not in in_file
        ):
            named = statement.partition("(")[0].removeprefix("CREATE ").strip()
            raise StoreError("store.damaged", f"{path} is damaged: its {named} is not as it was made")
