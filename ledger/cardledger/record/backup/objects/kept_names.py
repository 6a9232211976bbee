"""The names in an object store: objects that are replaced, so that an erased name leaves the place too."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable

import msgspec

from cardledger.record.backup.objects.envelope import Objects, damaged
from cardledger.record.backup.objects.pieces import NAMES
from cardledger.record.people.names import WITHHELD, Named

_SHELVES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
"""Names are kept by the first letter of their pseudonym: a new one rewrites a thirty-second part of them."""


class KeptNames:
    """The names in a place, and what has to be written there."""

    def __init__(self, objects: Objects) -> None:
        """Read what is there; raises as `Objects.get`."""
        self._objects = objects
        self._shelves: dict[str, dict[str, Named]] = {letter: {} for letter in _SHELVES}
        self._changed: set[str] = set()
        for letter in _SHELVES:
            content = objects.get(_name(letter))
            if content is not None:
                try:
                    entries = msgspec.json.decode(content, type=list[tuple[str, str, str, str]])
                    read = [Named(word, kind, text, b64decode(salt)) for word, kind, text, salt in entries]
                except (msgspec.DecodeError, ValueError):
                    raise damaged(_name(letter)) from None
                self._shelves[letter] = {named.pseudonym: named for named in read}

    def all(self) -> list[Named]:
        """Return every name and mark."""
        return [named for shelf in self._shelves.values() for named in shelf.values()]

    def add(self, names: Iterable[Named]) -> None:
        """Take names in; a name that was there already stays."""
        for named in names:
            letter = _letter(named.pseudonym)
            if named.pseudonym not in self._shelves[letter]:
                self._shelves[letter][named.pseudonym] = named
                self._changed.add(letter)

    def erase(self, pseudonyms: Iterable[str]) -> None:
        """Drop the names of erased people."""
        for word in pseudonyms:
            letter = _letter(word)
            if self._shelves[letter].pop(word, None) is not None:
                self._changed.add(letter)

    def write(self) -> None:
        """Write what changed; raises StoreError `store.write`, and it is tried again the next time."""
        for letter in sorted(self._changed):
            entries = [
                (named.pseudonym, named.kind, named.text, b64encode(named.salt).decode())
                for _, named in sorted(self._shelves[letter].items())
            ]
            self._objects.replace(_name(letter), msgspec.json.encode(entries))
            self._changed.remove(letter)


def _name(letter: str) -> str:
    return f"{NAMES}/{letter}"


def _letter(pseudonym: str) -> str:
    """Return the first letter of a pseudonym, also of one in a mark."""
    letter = pseudonym.removeprefix(f"{WITHHELD}:").removeprefix("~")[:1]
    return letter if letter in _SHELVES else _SHELVES[0]
