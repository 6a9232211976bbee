"""Opens the ledger at an address, and names the files that belong to it."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cardledger.errors import StoreError
from cardledger.record.store import siblings
from cardledger.record.store.address import Address, Where
from cardledger.record.store.paths import Family, expect_database, expect_file
from cardledger.record.store.sqlite import SqliteStore
from cardledger.record.store.write_lock import PATIENCE
from cardledger.sentence import advising

if TYPE_CHECKING:
    from cardledger.record.store import EventStore


def opened(where: Where, *, create: bool = True, patience: float = PATIENCE) -> EventStore:
    """Open the events of a ledger, or create it.

    Raises StoreError `store.open`, `store.damaged`, `store.version`, `store.extra`.

    `patience` is the number of seconds for retries while a database is away, or for a writer to wait for others.
    Without `create`, StoreError `store.missing` where there is none; with it, `store.siblings` where there was one.
    """
    if isinstance(where, Address):
        try:
            from cardledger.record.store.postgres import PostgresStore  # only such ledgers need psycopg
        except ModuleNotFoundError as error:
            raise _missing_package(error) from None
        return PostgresStore(where, create=create, patience=patience, before_creating=partial(_expect_new, where))
    expect_ledger(where, create=create)
    return SqliteStore(where, patience)


def expect_ledger(where: Path, *, create: bool) -> None:
    """Refuse what is no ledger in a file, before it is opened; raises StoreError as `opened` does."""
    if not create and not where.exists():
        raise StoreError("store.missing", f"there is no ledger at {where}")
    expect_file(where)
    # A process that died while creating the file left nothing beside it yet.
    if not where.exists():
        siblings.expect_none(where, Family(where))
    elif not where.stat().st_size and not (create and not Family(where).left):
        raise StoreError(
            "store.damaged", advising(f"{where} is empty: its content is lost; run cardledger doctor for advice")
        )
    expect_database(where)


def _expect_new(where: Address, name: str) -> None:
    siblings.expect_none(where, _family(name, "data"), _family(name, "cache"))


def beside(where: Where, what: str, store: EventStore) -> Path:
    """Return the file for derived data of a ledger: beside it, or in the user's cache.

    For a ledger that cannot be written it is a temporary copy, until the ledger is closed.
    """
    there = family(where, store, "cache").database(what)
    return there if store.writable or not isinstance(store, SqliteStore) else store.file.borrowed(there)


def family(where: Where, store: EventStore, kind: Literal["data", "cache"] = "data") -> Family:
    """Return the folder for a ledger's files: beside it, or in the user's data or cache folder."""
    return Family(where) if isinstance(where, Path) else _family(store.name, kind)


def _family(name: str, kind: Literal["data", "cache"]) -> Family:
    """Return the folder for the files of a ledger in a database, by its name."""
    try:
        from platformdirs import user_cache_path, user_data_path
    except ModuleNotFoundError as error:
        raise _missing_package(error) from None
    folder = (user_data_path if kind == "data" else user_cache_path)("cardledger")
    return Family(folder / f"{sha256(name.encode()).hexdigest()[:16]}.db")


def _missing_package(error: ModuleNotFoundError) -> StoreError:
    return StoreError("store.extra", f"PostgreSQL needs {error.name}: pip install 'cardledger[postgres]'")
