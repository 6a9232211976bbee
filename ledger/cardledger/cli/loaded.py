"""Everything that reads files, loaded at once.

The server of processes that read apart imports it, so that they need not.
"""

from __future__ import annotations

import gc

from cardledger.cli import main
from cardledger.formats.bridge_files import reading, usebio_sessions
from cardledger.formats.spreadsheets import preview
from cardledger.rules.games import games

__all__ = ["main", "preview", "reading", "usebio_sessions"]
games()
gc.collect()
gc.freeze()  # else the first collection of each process would copy what they share
