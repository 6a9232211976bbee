"""What of the program is installed: `cardledger` alone judges and replays, `cardledger[club]` is all of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardledger.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGES = ("cardledger", "cardledger_api", "cardledger_web")


@contextmanager
def whole_installation() -> Iterator[None]:
    """Raise StoreError `store.extra` within if a package is missing that only the whole installation has."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if not package or package in _PACKAGES:
            raise  # a fault of ours
        raise StoreError("store.extra", f"this needs {package}: pip install 'cardledger[club]'") from error
