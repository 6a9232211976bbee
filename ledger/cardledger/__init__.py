"""cardledger: an event-sourced ledger of card games.

>>> import cardledger
>>> "whist" in cardledger.all_games()
True

`open` opens a ledger, `read` replays a match file, `all_games` are the games it knows (ledger/cardledger/README.md has
a tour).
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardledger.public_api import (
        ClubEvenings,
        ClubLessons,
        LedgerError,
        OpenLedger,
        PlayerStatistics,
        Replay,
        all_games,
        open,
        read,
    )

# Before numpy is loaded. Matrices are small: threads would wait for each other longer than they help, and on a busy
# machine many times longer; and they would sum in another order each time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__all__ = [
    "ClubEvenings", "ClubLessons", "LedgerError", "OpenLedger", "PlayerStatistics", "Replay", "all_games", "open", "read",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load the public API on first use, so that a part of the package imports only what it needs."""
    if name in __all__:
        return getattr(import_module("cardledger.public_api"), name)
    raise AttributeError(f"module 'cardledger' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
