"""Where a ledger is: in a file, or at an address of PostgreSQL; what is opened there, and what it is called."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ledger.errors import StoreError
from ledger.store.family import Family
from ledger.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from ledger.store import EventStore

PATIENCE = 20.0
"""Seconds: a database that is started anew is back by then."""
_SCHEMES = ("postgresql://", "postgres://")
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[\w.%-]*)(?::\d+)?"
_CLEAR = re.compile(rf"(postgres(?:ql)?://)(?:[^@/?#]*@)?({_HOST}(?:,{_HOST})*(?:/[\w.%-]*)?)(?:\?[^@]*)?")
"""Addresses of which it is certain where in them a password is."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database, as libpq has it; as text it is without user, password and options."""

    url: str = field(repr=False)

    @property
    def clear(self) -> bool:
        """Tell whether it is certain where in the address a password is."""
        return _CLEAR.fullmatch(self.url) is not None

    def __str__(self) -> str:
        clear = _CLEAR.fullmatch(self.url)
        return clear[1] + clear[2] if clear else "postgresql://\u2026"


Where = Path | Address
"""Where a ledger is."""


def where(text: str | Path | Address) -> Where:
    """Return where a ledger is that was given on the command line."""
    if isinstance(text, str):
        return Address(text) if text.startswith(_SCHEMES) else Path(text)
    return text


def opened(where: Where, *, create: bool = True, patience: float = PATIENCE) -> EventStore:
    """Open the events of a ledger, or create it; raises StoreError `store.open`, `store.damaged`, `store.version`, `store.extra`.

    `patience` is for how many seconds what failed is tried again while a database is away. Without `create`, StoreError
    `store.missing` where there is none.
    """
    if isinstance(where, Address):
        try:
            from ledger.store.postgres import PostgresStore  # only who has such a ledger needs psycopg
        except ModuleNotFoundError as error:
            raise _lacking(error) from None
        return PostgresStore(where, create=create, patience=patience)
    if not create and not where.exists():
        raise StoreError("store.missing", f"there is no ledger at {where}")
    # One that died while it made the file left no read models yet.
    if where.exists() and not where.stat().st_size and not (create and not Family(where).database("views").exists()):
        raise StoreError(
            "store.damaged", f"{where} is empty: what was in it is gone; cardledger doctor says what to do"
        )
    return SqliteStore(where)


def beside(where: Where, what: str, store: EventStore) -> Path:
    """Return the file for what belongs to a ledger and can be dropped: beside its own, or in the user's cache."""
    return family(where, store, "cache").database(what)


def family(where: Where, store: EventStore, kind: Literal["data", "cache"] = "data") -> Family:
    """Return where the files are kept that belong to a ledger: beside its own, or where a user's data are, or the cache is."""
    if isinstance(where, Path):
        return Family(where)
    try:
        from platformdirs import user_cache_path, user_data_path
    except ModuleNotFoundError as error:
        raise _lacking(error) from None
    folder = (user_data_path if kind == "data" else user_cache_path)("cardledger")
    return Family(folder / f"{sha256(store.name.encode()).hexdigest()[:16]}.db")


def _lacking(error: ModuleNotFoundError) -> StoreError:
    return StoreError("store.extra", f"PostgreSQL needs {error.name}: pip install 'cardledger[postgres]'")
