"""Where a store beside a ledger is: as `club.NAME.db` beside `club.db`, or in the ledger's database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardledger.record.store.address import Address, Where
from cardledger.record.store.paths import Family
from cardledger_api.beside.in_file import BesideFile, FileForm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger_api.beside.store import BesideStore


def kept_for(ledger: Where, name: str, form: FileForm, made: Mapping[str, tuple[str, ...]]) -> BesideStore:
    """Return a store of a ledger.

    Args:
        ledger: where the ledger is.
        name: what the store is of, as in the name of its file.
        form: the tables in a file.
        made: the tables in a database, as `BesideTables` takes them.
    """
    if isinstance(ledger, Address):
        from cardledger_api.beside.in_database import BesideTables  # only such ledgers need psycopg

        return BesideTables(ledger, made)
    return BesideFile(Family(Path(ledger)).database(name), form)
