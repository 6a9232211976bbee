"""Where the ledgers of the clubs are: the files of a folder, or a list in a TOML file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from cardledger.errors import LedgerError
from cardledger.listed import meant
from cardledger.record.store.address import Address, Where, where
from cardledger.record.store.paths import Family

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
"""Names of clubs: what an address and the label of a host name (RFC 1035) may hold, up to 40 letters."""
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
_ENDING = ".db"
_KEYS = ("db", "host")


class ClubPlace(NamedTuple):
    """Where a club's ledger is, and the name of the host that is the club's alone, None without one."""

    at: Where
    host: str | None = None


def places_at(path: Path) -> dict[str, ClubPlace]:
    """Return the places of the clubs in a folder, or in a list, by the name of the club.

    Raises LedgerError `config.file`, `config.key`, `config.value`.
    """
    return _in_folder(path) if path.is_dir() else _in_list(path)


def place_in(folder: Path, name: str) -> Path:
    """Return the place of a club's ledger in a folder."""
    return folder / f"{name}{_ENDING}"


def found_at(path: Path, name: str) -> ClubPlace | None:
    """Return the place of a club that has come to a folder since it was read, None if there is none of that name.

    A list is what its owner wrote when the server was started.
    """
    place = place_in(path, name)
    return ClubPlace(place) if NAME.fullmatch(name) and place.is_file() else None


def _in_folder(folder: Path) -> dict[str, ClubPlace]:
    """Return the ledgers of a folder: `ulm.db` is the ledger of the club `ulm`.

    Files beside a ledger, as `ulm.views.db`, are its own. Some of them show that there was a ledger: then opening it
    says what is missing. Tokens alone are no club.
    """
    # A hidden file is none of a club: the tokens of the house are in one.
    files = sorted(path for path in folder.glob(f"*{_ENDING}") if not path.name.startswith("."))
    found: dict[str, ClubPlace] = {}
    for path in files:
        name = path.name.partition(".")[0]
        family = Family(place_in(folder, name))
        if not NAME.fullmatch(name) or path not in family.all():
            raise LedgerError("config.value", f"clubs: {path.name} cannot be the ledger of a club: {_ADVICE}")
        if family.ledger.exists() or family.left:
            found[name] = ClubPlace(family.ledger)
    return found


def _in_list(path: Path) -> dict[str, ClubPlace]:
    """Return the ledgers of a list: a table for each club, with its `db`, from the list's folder, and its `host`."""
    try:
        clubs = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError("config.file", f"clubs: {path} is no folder, and cannot be read as a list: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise LedgerError("config.file", f"{path}: {error}") from None
    found = {name: _place(path, name, club) for name, club in clubs.items()}
    for what in ("at", "host"):
        given = [getattr(place, what) for place in found.values() if getattr(place, what) is not None]
        for twice in {str(each) for each in given if given.count(each) > 1}:
            raise LedgerError("config.value", f"{path}: two clubs have {twice}")
    return found


def _place(path: Path, name: str, club: Any) -> ClubPlace:
    if not NAME.fullmatch(name):
        raise LedgerError("config.value", f"{path}: {name} cannot be the name of a club: {_ADVICE}")
    if not isinstance(club, dict):
        raise LedgerError("config.value", f"{path}: {name} must be a table, written [{name}]")
    for key, value in club.items():
        if key not in _KEYS:
            raise LedgerError("config.key", f"{path}: {name}.{key} is not a setting of a club{meant(key, _KEYS)}")
        if not isinstance(value, str):
            raise LedgerError("config.value", f"{path}: {name}.{key} must be a text")
    if "db" not in club:
        raise LedgerError("config.value", f"{path}: {name} has no db, the place of its ledger")
    host = club.get("host")
    if host is not None and not _HOST.fullmatch(host):
        raise LedgerError("config.value", f"{path}: {name}.host is no name of a host: write it as ulm.example.org")
    at = where(club["db"])
    return ClubPlace(at if isinstance(at, Address) else path.parent / at, host)


_ADVICE = "its name stands in addresses; use small letters, digits and hyphens, as in card-club-ulm"
