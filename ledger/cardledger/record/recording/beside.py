"""What stands beside a ledger and may hold a name: files, and lists that other packages keep, of tokens, say."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from importlib.metadata import entry_points
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger.plugins import loaded
from cardledger.record.recording.mentions import Mention, mentions
from cardledger.record.store.address import Address
from cardledger.record.store.paths import DERIVED, WAKE, Family
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.record.store.address import Where

_BLOCK: Final = 1 << 20
"""Bytes of a file that are searched at once."""


class Forgotten(NamedTuple):
    """Who is to be forgotten: their ids and names, all words that mean them, and what is left of them."""

    own: frozenset[str]
    mention: Mention
    left: str

    def other_name(self, taken: Container[str]) -> str:
        """Return a name in place of one that mentions them, other than those taken."""
        names = (f"erased {self.left[1:5]}{'' if number == 1 else f' {number}'}" for number in count(1))
        return next(name for name in names if name not in taken)


class Keeper(NamedTuple):
    """A list that a package keeps beside ledgers, with names in it."""

    goes: Callable[[Where, Mention], Iterable[str]]
    """Returns what an erasure takes from it, in words."""
    stays: Callable[[Where, Mention], Iterable[str]]
    """Returns what stays all the same, in words."""
    forget: Callable[[Where, Forgotten], None]
    """Takes the names of a person from it."""
    files: Callable[[Family], Iterable[Path]]
    """Returns the files in which it stands."""


KEEPERS: Final[list[Keeper]] = []
"""The lists that packages keep; each adds its own when it is imported."""


def keepers() -> list[Keeper]:
    """Return the lists of all packages that bring commands."""
    for point in entry_points(group="cardledger.commands"):
        loaded(point, lambda command: command)
    return KEEPERS


def goes(at: Where, words: Iterable[str]) -> list[str]:
    """Return what an erasure takes from lists beside a ledger, in words."""
    mention = mentions(words)
    return [each for keeper in keepers() for each in keeper.goes(at, mention)]


def stays(at: Where, words: Iterable[str]) -> list[str]:
    """Return what holds one of some words beside a ledger and keeps it, in words: every file there is searched."""
    words = [*words]
    mention = mentions(words)
    kept = [each for keeper in keepers() for each in keeper.stays(at, mention)]
    return kept if isinstance(at, Address) else [*kept, *_files(Path(at), words, mention)]


def _files(path: Path, words: Iterable[str], mention: Mention) -> Iterator[str]:
    """Yield the files named after a ledger that hold one of some words.

    But those that follow an erasure by themselves.
    """
    family = Family(path)
    databases = [
        path,
        *(family.database(what) for what in DERIVED),
        *(one for each in KEEPERS for one in each.files(family)),
    ]
    following = {*databases, *(one.with_name(one.name + ending) for one in databases for ending in WAKE)}
    sought = _written(words)
    for file in sorted(path.parent.glob(f"{path.stem}*")):
        inside = sorted(file.rglob("*")) if file.is_dir() else [file]
        for one in inside:
            if one in following or not one.is_file():
                continue
            with suppress(OSError):
                if mention(one.name) or _holds(one, sought):
                    yield Sentence("the file {file}", file=str(one.relative_to(path.parent)))


def _written(words: Iterable[str]) -> frozenset[bytes]:
    """Return the ways in which words stand in files, in small letters as far as they are of ASCII."""
    forms = {form for word in words for form in (word, word.lower(), word.upper(), word.title(), word.casefold())}
    return frozenset(
        text.encode().lower()
        for form in forms
        for text in (form, json.dumps(form)[1:-1], json.dumps(form, ensure_ascii=False)[1:-1])
    )


def _holds(file: Path, sought: frozenset[bytes]) -> bool:
    """Tell whether a file holds one of some texts, whatever the case of letters of ASCII."""
    longest = max(map(len, sought), default=1)
    with file.open("rb") as data:
        before = b""
        while block := data.read(_BLOCK):
            text = (before + block).lower()
            if any(each in text for each in sought):
                return True
            before = text[-longest:]
    return False


def forget(at: Where, own: Iterable[str], also: Iterable[str], left: str) -> None:
    """Take the names of a person from the lists beside a ledger."""
    own = frozenset(own)
    person = Forgotten(own, mentions({*own, *also}), left)
    for keeper in keepers():
        keeper.forget(at, person)
