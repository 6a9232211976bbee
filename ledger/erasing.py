"""Erasing a person: what would be gone, and having it gone while every hash and result stays what it was."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from ledger import events as ev
from ledger import people
from ledger.errors import RuleError
from ledger.people import STREAM, Erase, Name
from ledger.personal import PROGRAMS, TELLS, TEXT
from ledger.store.naming import is_pseudonym, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ledger.ledger import Ledger
    from ledger.store import EventStore

_WHOLE = 3
"""Characters from which on a name is looked for within words too."""
_read = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is gone when a person is erased: all their ids, what they were called, and in how many free texts they stand.

    `names` are the pseudonyms, in groups that stand for one text; `expected` is the number of the latest event about people.
    """

    person: str
    ids: tuple[str, ...]
    called: tuple[str, ...]
    texts: int
    names: tuple[tuple[str, ...], ...]
    expected: int

    @property
    def mark(self) -> str:
        """What tells this erasure from any other: whoever agreed to it agreed to just that."""
        return sha256(repr((self.names, self.expected)).encode()).hexdigest()[:16]

    @property
    def told(self) -> str:
        """What is gone, in words."""
        parts = [f"the id{'s' * (len(self.ids) > 1)} {', '.join(self.ids)}"]
        if self.called:
            parts.append(f"what they were called ({', '.join(self.called)})")
        if self.texts:
            parts.append(
                f"{self.texts} free text{'s' * (self.texts > 1)} (notes and reasons) in which one of these stands"
            )
        return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]


def examine(ledger: Ledger, player: str) -> Erasure:
    """Return what would be gone; nothing is changed.

    Raises RuleError `people.unknown` for somebody nobody knows, `people.erased` for whoever was erased before, and
    `people.clear` where events of before pseudonyms tell the name: those are never changed.
    """
    if not _is_text(player):
        raise RuleError("people.unknown", f"nobody has played as {player!r}, or recorded under that name")
    store, known = ledger.store, ledger.people()
    if known.erased(player):
        raise RuleError("people.erased", f"{player} was erased already")
    ids = tuple(known.ids(player))
    own = [group for id in ids if (group := tuple(named.pseudonym for named in store.names.spoken(id)))]
    if not own:
        _expect_not_clear(store, ids)
        raise RuleError("people.unknown", f"nobody has played as {player!r}, or recorded under that name")
    called = [*_called(store, {*ids})]
    words = (*ids, *(text for _, text in called))
    _expect_not_clear(store, words)
    mention = mentions(words)
    texts = [(named.pseudonym,) for named in store.named(TEXT) if mention(named.plain)]
    names = (*own, *((pseudonym,) for pseudonym, _ in called), *texts)
    shown = tuple(dict.fromkeys(text for _, text in called))
    return Erasure(known.person(player), ids, shown, len(texts), names, known.seq)


def erase(ledger: Ledger, erasure: Erasure, by: str) -> str:
    """Erase a person as examined; return the pseudonym that stands for them from now on.

    Raises ConflictError where it was said meanwhile who is who: then examine again.
    """
    event = Erase(player=erasure.names[0][0], names=erasure.names)
    ledger.register.record([event], erasure.expected, by, ledger.views)
    return event.player


def mentions(words: Iterable[str]) -> Callable[[str], bool]:
    """Return what tells whether one of some words stands in a text, in capitals or not; short ones as whole words only.

    >>> mentions(["ana", "Jo"])("Well led, ANA!"), mentions(["ana", "Jo"])("a good joke")
    (True, False)
    """
    parts = []
    for word in {word.casefold() for word in words if word.strip()}:
        escaped = re.escape(word)
        parts.append(escaped if len(word) >= _WHOLE else rf"(?<!\w){escaped}(?!\w)")
    found = re.compile("|".join(parts)) if parts else None
    return lambda text: found is not None and found.search(text.casefold()) is not None


def _is_text(word: str) -> bool:
    """Tell whether a word of a command line can be in a ledger: half a character cannot."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _called(store: EventStore, ids: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the pseudonym and the text of everything that players were ever called."""
    for row in store.read(STREAM):
        event = people.decode(store.names.clear(row.line))
        if isinstance(event, Name) and event.player in ids and event.name is not None:
            stored = people.decode(row.line)
            assert isinstance(stored, Name)
            if stored.name is not None and is_pseudonym(stored.name) and stored.name != event.name:
                yield stored.name, event.name


def _expect_not_clear(store: EventStore, words: Sequence[str]) -> None:
    """Refuse where an event as stored tells a person in clear: it was recorded before there were pseudonyms."""
    sought = {quoted(word) for word in words}
    for row in store.holding(sought):
        if {*_told(_read(row.line))} & {*words} - PROGRAMS:
            raise RuleError(
                "people.clear",
                f"event {row.seq} of {row.match} was recorded before names were kept apart, and tells this one for ever:"
                " export the matches, import them into a new ledger, and erase there",
            )


_FIELDS = {tag: kinds for cls, kinds in TELLS.items() for tag in [cls.__struct_config__.tag]}


def _told(event: dict[str, Any]) -> Iterator[str]:
    """Yield what tells a person in an event as stored."""
    for name in ("by", *_FIELDS.get(event.get("type", ""), ())):
        value = event.get(name)
        yield from value if isinstance(value, list) else [value] if isinstance(value, str) else []
    if event.get("type") == ev.type_of(ev.Amend(about=1, event=ev.End())):
        yield from _told(event["event"])
