"""Addresses of ledgers: files, or databases in PostgreSQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from cardledger.errors import StoreError
from cardledger.sentence import advising

_SCHEMES = ("postgresql://", "postgres://")
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[\w.%-]*)(?::\d+)?"
_CLEAR = re.compile(rf"(postgres(?:ql)?://)(?:[^@/?#]*@)?({_HOST}(?:,{_HOST})*(?:/[\w.%-]*)?)(?:\?[^@]*)?")
"""Addresses in which the place of a password is certain."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database in libpq's form; its text omits user, password and options."""

    url: str = field(repr=False)

    @property
    def clear(self) -> bool:
        """Tell whether the place of a password in the address is certain."""
        return _CLEAR.fullmatch(self.url) is not None

    def __str__(self) -> str:
        clear = _CLEAR.fullmatch(self.url)
        return clear[1] + clear[2] if clear else "postgresql://\u2026"


Where = Path | Address
"""Where a ledger is."""


def where(text: str | Path | Address) -> Where:
    """Return the address of a ledger given on the command line.

    Raises StoreError `store.open` for an option that stands where its name should be (`--db --help`).
    """
    if isinstance(text, str):
        if text.startswith("-"):
            raise StoreError(
                "store.open",
                advising(f"{text} is an option and names no ledger: write ./{text} if a file is called so"),
            )
        return Address(text) if text.startswith(_SCHEMES) else Path(text)
    return text
