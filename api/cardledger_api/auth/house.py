"""The tokens of a house of many clubs: a federation's, which are good in no club."""

from __future__ import annotations

from pathlib import Path


def house_at(clubs: Path) -> Path:
    """Return the place whose tokens are the house's: in the folder of clubs, or beside the list of them.

    No club can have its name, and there is never a ledger.
    """
    return clubs / ".house.db" if clubs.is_dir() else clubs.with_name(f".{clubs.stem}.house.db")
