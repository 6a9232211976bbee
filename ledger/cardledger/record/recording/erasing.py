"""Erasing a person: what would be erased, and the erasure itself, which leaves every hash and result unchanged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.errors import RuleError
from cardledger.listed import listed
from cardledger.record.people import people
from cardledger.record.people.names import is_pseudonym, quoted
from cardledger.record.people.people import STREAM, Erase, Name
from cardledger.record.people.pseudonyms import PROGRAMS, RECORDERS, personal
from cardledger.record.recording.people_changes import record
from cardledger.record.store.codec import decode_one
from cardledger.record.store.streams import is_evening
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.keys import TEXT
from cardledger.rules.evenings import events as evenings
from cardledger.rules.evenings.events import Member

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store import EventStore

_WHOLE = 3
"""Length from which a name is searched for inside words too."""
_read = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(frozen=True, slots=True)
class Erasure:
    """The data that erasing a person removes: all their ids and names, and the number of free texts with one of these.

    `numbers` are those they have as a member of a club.

    `names` are the pseudonyms, in groups that stand for one text; `expected` is the number of the latest event about
    people.
    """

    person: str
    ids: tuple[str, ...]
    called: tuple[str, ...]
    texts: int
    numbers: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    expected: int

    @property
    def mark(self) -> str:
        """A digest of this erasure, so that a confirmation covers exactly this one."""
        return sha256(repr((self.names, self.expected)).encode()).hexdigest()[:16]

    @property
    def in_words(self) -> str:
        """The erased data, in words."""
        parts = [f"the id{'s' * (len(self.ids) > 1)} {', '.join(self.ids)}"]
        if self.called:
            parts.append(f"their names ({', '.join(self.called)})")
        if self.numbers:
            parts.append(f"their member number{'s' * (len(self.numbers) > 1)} ({', '.join(self.numbers)})")
        if self.texts:
            parts.append(
                f"{self.texts} free text{'s' * (self.texts > 1)} (notes and reasons) that contain one of these"
            )
        return listed(parts)


def examine(ledger: Ledger, player: str) -> Erasure:
    """Return the data that would be erased, and change nothing.

    Raises RuleError `people.unknown` for an unknown player, `people.erased` for one already erased, and
    `people.clear` if events from before pseudonyms hold the name: those are never changed.
    """
    if not _is_text(player):
        raise RuleError("people.unknown", f"no one has played as {player!r}, or recorded under that name")
    store, persons = ledger.store, ledger.people()
    if persons.erased(player):
        raise RuleError("people.erased", f"{player} is already erased")
    ids = tuple(persons.ids(player))
    own = [group for id in ids if (group := tuple(named.pseudonym for named in store.names.spoken(id)))]
    if not own:
        _expect_not_clear(store, ids)
        raise RuleError("people.unknown", f"no one has played as {player!r}, or recorded under that name")
    called = [*_called(store, {*ids})]
    words = (*ids, *(text for _, text in called))
    _expect_not_clear(store, words)
    mention = mentions(words)
    texts = [(named.pseudonym,) for named in store.named(TEXT) if mention(named.plain)]
    numbered = [*_numbered(store, {*ids})]
    names = (*own, *((pseudonym,) for pseudonym, _ in (*called, *numbered)), *texts)
    shown, numbers = (tuple(dict.fromkeys(text for _, text in some)) for some in (called, numbered))
    return Erasure(persons.person(player), ids, shown, len(texts), numbers, names, persons.seq)


def erase(ledger: Ledger, erasure: Erasure, by: str) -> str:
    """Erase a person as examined; return the pseudonym that stands for them from now on.

    Raises ConflictError if people have changed since: then examine again.
    """
    event = Erase(player=erasure.names[0][0], names=erasure.names)
    record(ledger.register, ledger.views, [event], erasure.expected, by)
    return event.player


def mentions(words: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that finds any of some words in a text, ignoring case; short ones as whole words only.

    >>> mentions(["ana", "Jo"])("Well led, ANA!"), mentions(["ana", "Jo"])("a good joke")
    (True, False)
    """
    parts = []
    for word in {word.casefold() for word in words if word.strip()}:
        escaped = re.escape(word)
        parts.append(escaped if len(word) >= _WHOLE else rf"(?<!\w){escaped}(?!\w)")
    pattern = re.compile("|".join(parts)) if parts else None
    return lambda text: pattern is not None and pattern.search(text.casefold()) is not None


def _is_text(word: str) -> bool:
    """Tell whether a word of a command line can be in a ledger; half a character cannot."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _called(store: EventStore, ids: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the pseudonym and the text of every display name so far."""
    for row in store.read(STREAM):
        event = people.decode(store.names.clear(row.line))
        if isinstance(event, Name) and event.player in ids and event.name is not None:
            stored = people.decode(row.line)
            assert isinstance(stored, Name)
            if stored.name is not None and is_pseudonym(stored.name) and stored.name != event.name:
                yield stored.name, event.name


def _numbered(store: EventStore, ids: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the pseudonym and the text of every member number so far."""
    for club in filter(is_evening, store.matches()):
        for row in store.read(club):
            event, stored = decode_one(row.line, store.names, club), decode_one(row.line, stream=club)
            if isinstance(event, ev.Amend) and isinstance(stored, ev.Amend):
                event, stored = event.event, stored.event
            if not (isinstance(event, Member) and isinstance(stored, Member) and event.player in ids):
                continue
            if event.number is not None and stored.number is not None and stored.number != event.number:
                yield stored.number, event.number


def _expect_not_clear(store: EventStore, words: Sequence[str]) -> None:
    """Refuse if a stored event holds a person's name in clear: it is older than pseudonyms."""
    sought = {quoted(word) for word in words}
    for row in store.holding(sought):
        if {*_personal_texts(_read(row.line))} & {*words} - PROGRAMS:
            raise RuleError(
                "people.clear",
                f"event {row.seq} of {row.match} is older than pseudonyms and holds this name for ever:"
                " export the matches, import them into a new ledger, and erase there",
            )


def _fields(kind: str) -> set[str]:
    """Return the personal fields of events with a type word: of a match, of people or of an evening, whichever has it."""
    found = (types.get(kind) for types in (ev.TYPES, evenings.TYPES, people.TYPES))
    return {field for cls in found if cls is not None for field in personal(cls)}


def _personal_texts(event: dict[str, Any]) -> Iterator[str]:
    """Yield the personal texts of a stored event."""
    for name in (*RECORDERS, *_fields(event.get("type", ""))):
        yield from _texts_in(event.get(name))
    if event.get("type") == ev.type_of(ev.Amend(about=1, event=ev.End())):
        yield from _personal_texts(event["event"])


def _texts_in(value: object) -> Iterator[str]:
    """Yield the texts in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts_in(each)
