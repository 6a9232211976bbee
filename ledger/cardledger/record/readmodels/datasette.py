"""The read models as Datasette shows them.

What each table and column means, names in place of ids, and what to leave out.
"""

from __future__ import annotations

from typing import Any

from cardledger.record.readmodels import TABLES
from cardledger.record.readmodels.tables import boards, kept_sheets, ratings
from cardledger.record.store.meanings import EVENTS, LOG

_LABELS = {"people": "name", "evenings": "name"}
"""The columns that stand for a row where another table names it."""
_FACETS = {"matches": ["game", "status"], "plays": ["game"], "players": ["game"], "evenings": ["kind", "status"]}
_LATEST_FIRST = {"matches": "position", "evenings": "position"}


def metadata(ledger: str) -> dict[str, Any]:
    """Return the metadata for a ledger, named as its file without the ending, such as `club`, and for its read models."""
    about = "The ledger: every event as recorded. It is only added to."
    databases = {
        ledger: {"description": about, "tables": _of_ledger()},
        f"{ledger}.views": {
            "description": "Matches of card games as they stand. Everything follows from the events of the ledger; "
            "a change here is lost.",
            "tables": _of_read_models(),
        },
    }
    return {"title": "Card games", "databases": databases}


def _of_ledger() -> dict[str, Any]:
    """Return what there is to say of the tables of a ledger.

    That of names is left out, as erasing must reach them all.
    """
    return {
        "events": {"description": EVENTS.table, "columns": EVENTS.columns, "sort_desc": "position"},
        "log": {"description": LOG.table, "columns": LOG.columns},
        "names": {"hidden": True},
        "needs": {"hidden": True},
    }


def _of_read_models() -> dict[str, Any]:
    hidden = {*ratings.TABLES, *boards.TABLES, kept_sheets.TABLE, "checkpoint"} - TABLES.keys()
    tables: dict[str, Any] = {}
    for name, table in TABLES.items():
        columns = {column: meaning for column, (_, meaning) in table.columns.items()}
        tables[name] = {"description": table.about, "columns": columns}
        for key, values in (("label_column", _LABELS), ("facets", _FACETS), ("sort_desc", _LATEST_FIRST)):
            if name in values:
                tables[name][key] = values[name]
    return tables | {name: {"hidden": True} for name in sorted(hidden)}
