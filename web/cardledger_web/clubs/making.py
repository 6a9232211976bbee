"""Makes a club in the folder of a house: an empty ledger with its first admin, whole or not at all."""

from __future__ import annotations

import re
import shutil
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import LedgerError, UnusableError
from cardledger.listed import listed
from cardledger.record.proofs.keys import sync_folder
from cardledger.record.store.opening import opened
from cardledger.record.store.paths import WAKE, Family
from cardledger.record.store.write_lock import WriteLock
from cardledger.sentence import Sentence, advising
from cardledger_api.acts.acts import Acts
from cardledger_api.auth.tokens import Tokens
from cardledger_api.beside.house import house_at
from cardledger_web.clubs.places import NAME, ClubPlace, place_in

if TYPE_CHECKING:
    from collections.abc import Iterator

ADMIN = "admin"
"""The name of a club's first admin, unless another is given."""
DAYS = 365
"""For how long the token of the first admin is valid, unless it is said."""
PATIENCE = 5.0
"""Seconds that the making of a club waits for that of another one."""
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
"""Names that are devices on Windows: a folder of clubs can be moved there."""
_LOCK = ".clubs"
_MAKING = ".making"


class NewClub(NamedTuple):
    """A club that was just made. `token` is the text of its first admin's token, which is shown this once."""

    name: str
    place: ClubPlace
    admin: str
    token: str
    days: int


def make_club(clubs: Path, name: str, who: str, what: str, *, admin: str = ADMIN, days: int = DAYS) -> NewClub:
    """Make a club in the folder of a house, and return it with the token of its first admin.

    Args:
        clubs: the folder.
        name: the club's name in addresses, and in the name of its file.
        who: who makes it, for the lists of what admins did, of the house and of the club.
        what: the request or the command by which they do.
        admin: the name of the first admin's token.
        days: for how many days that token is valid.

    All files are made in a folder of their own and moved from there, the ledger last: without a ledger there is no
    club, and what a killed program leaves is deleted by the next one.

    Raises LedgerError `house.name`, `house.exists`, `house.list`, `access.name`, `store.busy`, `store.write`.
    """
    if not clubs.is_dir():
        raise LedgerError(
            "house.list",
            advising(
                Sentence("the clubs are in a list, which only its owner writes: add a table to it and start anew")
            ),
        )
    _expect_name(name)
    place = place_in(clubs, name)
    try:
        with _alone(clubs):
            _expect_free(clubs, name)
            with _making(clubs, name) as draft:
                opened(draft).close()
                with closing(Tokens(draft)) as tokens:
                    text = tokens.create(admin, "admin", days)
                for at, about in ((draft, f"admin {admin}"), (house_at(clubs), name)):
                    with closing(Acts(at)) as acts:
                        acts.note(who, what, about)
                _move(draft, clubs)
    except OSError as error:
        raise UnusableError("store.write", f"the folder of clubs cannot be written: {error.strerror}") from None
    return NewClub(name, ClubPlace(place), admin, text, days)


def _expect_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise LedgerError(
            "house.name",
            advising(
                Sentence(
                    "{name} cannot be the name of a club: up to 40 small letters, digits and hyphens can, as in "
                    "card-club-ulm",
                    name=name[:80],
                )
            ),
        )
    if _RESERVED.fullmatch(name):
        raise LedgerError(
            "house.name",
            advising(Sentence("{name} is no name for files on every computer: choose another", name=name)),
        )


def _expect_free(clubs: Path, name: str) -> None:
    """Refuse a name of which there are files: tokens and figures of an earlier club must not become another's."""
    there = sorted(path.name for path in clubs.iterdir() if path.name.casefold().startswith(f"{name}."))
    if f"{name}.db" in there:
        raise LedgerError("house.exists", advising(Sentence("there is a club {name}: choose another name", name=name)))
    if there:
        raise LedgerError(
            "house.exists",
            advising(
                Sentence(
                    "files of an earlier club {name} are there, {files}: choose another name, or move them away",
                    name=name,
                    files=listed(there),
                )
            ),
        )


@contextmanager
def _alone(clubs: Path) -> Iterator[None]:
    """Keep other makers out, and delete what killed ones have left."""
    with closing(WriteLock(clubs / _LOCK, PATIENCE)) as lock, lock.held():
        for left in clubs.glob(f".*{_MAKING}"):
            name = left.name.removeprefix(".").removesuffix(_MAKING)
            if NAME.fullmatch(name):
                clear(left, place_in(clubs, name))
        yield


def clear(folder: Path, ledger: Path) -> None:
    """Delete the folder in which a club was made, and what was moved from it if the club was not finished."""
    # As long as the ledger is in its folder, what was moved before belongs to no club.
    if (folder / ledger.name).exists() and not ledger.exists():
        for path in Family(ledger).all():
            path.unlink(missing_ok=True)
    shutil.rmtree(folder)


@contextmanager
def _making(clubs: Path, name: str) -> Iterator[Path]:
    """Give the place of a ledger in a folder of its own, which is deleted at the end."""
    folder = clubs / f".{name}{_MAKING}"
    folder.mkdir(mode=0o700)
    try:
        yield place_in(folder, name)
    finally:
        clear(folder, place_in(clubs, name))


def _move(draft: Path, clubs: Path) -> None:
    """Move a ledger and the files beside it, the ledger last."""
    beside = [path for path in draft.parent.iterdir() if path != draft and not path.name.endswith(WAKE)]
    for path in sorted(beside):
        path.rename(clubs / path.name)
    sync_folder(clubs)
    draft.rename(clubs / draft.name)
    sync_folder(clubs)
