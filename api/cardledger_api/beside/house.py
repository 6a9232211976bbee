"""The house of many clubs, as commands name it: its tokens, a federation's, are good in no club."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardledger.record.store.opening import opened

if TYPE_CHECKING:
    from cardledger.record.store.address import Where

clubs_option = click.option(
    "--clubs", type=click.Path(path_type=Path, exists=True), metavar="FOLDER",
    help="Instead of a ledger: the folder or list of a server of many clubs. Its admins see the state of all clubs, "
    "and make new ones.",
)  # fmt: skip


def house_at(clubs: Path) -> Path:
    """Return the place whose tokens are the house's: in the folder of clubs, or beside the list of them.

    No club can have its name, and there is never a ledger.
    """
    return clubs / ".house.db" if clubs.is_dir() else clubs.with_name(f".{clubs.stem}.house.db")


def houses_beside(ledger: Path) -> list[Path]:
    """Return the houses whose files are in the folder of a ledger: it is of one of them, most likely."""
    stems = {path.name.rsplit(".", 2)[0] for path in ledger.parent.glob(".*house.*.db")}
    return [ledger.with_name(f"{stem}.db") for stem in sorted(stems)]


def house_or_ledger(path: Where, clubs: Path | None) -> Where:
    """Return the place of what stands beside a ledger: the house's if its clubs are named, else the ledger's.

    Raises StoreError `store.missing`: what is put beside a missing ledger is a slip.
    """
    if clubs is not None:
        return house_at(clubs)
    opened(path, create=False).close()
    return path
