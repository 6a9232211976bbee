"""A match as it is published: from pages on which people are called as the ledger decides, also in a file that is sent."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardledger.record.store.temporary import TemporaryFolder
from cardledger_api.current import ledger_of
from cardledger_web.naming.names import Naming, renamed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask

    from cardledger_api.auth.access import Access

OPENED_BY = "cardledger.opened_by"
"""Where an application keeps what makes one of another ledger: called with its file."""


@contextmanager
def as_published(app: Flask, language: str) -> Iterator[Flask]:
    """Yield an application whose pages call people as its ledger decides: itself, or that of a copy with other names.

    The whole ledger is copied, as what readers may see of one match depends on others.
    """
    ledger = ledger_of(app)
    if ledger.people().shows_all:
        yield app
        return
    with TemporaryFolder() as folder:
        opens: Callable[[Path], Flask] = app.extensions[OPENED_BY]
        other = opens(renamed(ledger.at, folder.path, Naming(), language).copy)
        access: Access = other.extensions["cardledger.access"]
        try:
            yield other
        finally:
            access.close()
            ledger_of(other).close()
