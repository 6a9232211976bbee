"""Where the ledgers of the clubs are: the files of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import LedgerError
from cardledger.record.store.paths import Family
from cardledger_web.clubs.house import NAME

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.store.address import Where

ENDING = ".db"


def places_in(folder: Path) -> dict[str, Where]:
    """Return the ledgers in a folder by the name of their club: `ulm.db` is the ledger of the club `ulm`.

    A club that has tokens has a ledger at its first request. Files beside a ledger, as `ulm.views.db`, are its own.
    Raises LedgerError `config.value` if there is no such folder, and for a database whose name is no club's.
    """
    if not folder.is_dir():
        raise LedgerError("config.value", f"clubs: {folder} is no folder")
    files = sorted(folder.glob(f"*{ENDING}"))
    found: dict[str, Where] = {}
    for path in files:
        name = path.name.partition(".")[0]
        place = folder / f"{name}{ENDING}"
        if NAME.fullmatch(name) and path in (place, Family(place).tokens):
            found[name] = place
    for path in files:
        if path.name.partition(".")[0] not in found:
            raise LedgerError(
                "config.value",
                f"clubs: {path.name} cannot be the ledger of a club, as its name stands in addresses: "
                "use small letters, digits and hyphens, as in card-club-ulm.db",
            )
    return found
