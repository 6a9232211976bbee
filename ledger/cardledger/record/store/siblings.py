"""Files beside a ledger that is missing: nothing is created beside what belongs to another ledger."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.record.store.paths import Family
from cardledger.sentence import advising

if TYPE_CHECKING:
    from pathlib import Path


def expect_none(where: object, *families: Family) -> None:
    """Raise StoreError `store.siblings` if files of a ledger are left where a new one would be made."""
    if left := dict.fromkeys(path for family in families for path in family.left):
        names = ", ".join(path.name for path in left)
        raise StoreError(
            "store.siblings",
            advising(
                f"there is no ledger at {where}, but {names} in {next(iter(left)).parent} belong to one: "
                "put it back, from a"
                " backup, say (cardledger restore). To begin a new one, move them away; for a file, --new does that"
            ),
        )


def make_room(path: Path) -> Path | None:
    """Move what is left of a ledger into a folder beside it; return the folder, None if nothing is left.

    Raises StoreError `store.exists` if the ledger is there.
    """
    family = Family(path)
    if path.exists() and path.stat().st_size:
        raise StoreError("store.exists", advising(f"there is a ledger at {path}: to use it, leave out --new"))
    left = [each for each in family.all() if each.exists()]
    if not family.left:
        return None
    folder = path.with_name(f"{path.stem}.left-{time.strftime('%Y%m%dT%H%M%S')}")
    try:
        folder.mkdir(mode=0o700)
        for each in left:
            each.rename(folder / each.name)
    except OSError as error:
        raise StoreError("store.write", f"the files beside {path} cannot be moved: {error.strerror}") from None
    return folder
