"""Erasing a person: what would be erased, and the erasure itself, which leaves every hash and result unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from cardledger.errors import ConflictError, RuleError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people import people
from cardledger.record.people.names import new_pseudonym
from cardledger.record.people.people import STREAM, Erase, Name, OldLine
from cardledger.record.recording import beside
from cardledger.record.recording.mentions import search
from cardledger.record.recording.people_changes import record
from cardledger.record.store.codec import decode_one
from cardledger.record.store.streams import is_evening
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.keys import TEXT
from cardledger.rules.evenings.evening_events import Member
from cardledger.sentence import Sentence, advising, as_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store import EventStore

MOST_OLD: Final = 20_000
"""The most old lines that an erasure lists; a ledger with more is exported, and imported into a new one."""

MOST_SHOWN: Final = 500
"""The most things that stay which are shown one by one."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """The data that erasing a person removes: all their ids and names, and the free texts with one of these.

    `numbers` are those they have as a member of a club; `texts` is the number of remarks, `labels` are the names of
    evenings, tables, places, clubs and leagues.

    `names` are the pseudonyms, in groups that stand for one text; `old` are the old lines that hold a text in
    clear, and keep it: readers get a pseudonym. `stays` says what else stays. `expected` is the number of the latest
    event about people.
    """

    person: str
    ids: tuple[str, ...]
    called: tuple[str, ...]
    texts: int
    labels: tuple[str, ...]
    numbers: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    pseudonyms: dict[str, str]
    """A pseudonym of each text that has one."""
    old: tuple[tuple[str, int, dict[str, str]], ...]
    """The texts of each old line by their pointers, with its stream and number."""
    beside: tuple[str, ...]
    """What is taken from lists beside the ledger, in words."""
    also: tuple[str, ...]
    """Other words that mean the person."""
    stays: tuple[str, ...]
    expected: int

    @property
    def mark(self) -> str:
        """A digest of this erasure, so that a confirmation covers exactly this one."""
        return sha256(
            repr((self.names, self.old, self.beside, self.also, self.stays, self.expected)).encode()
        ).hexdigest()[:16]

    @property
    def in_words(self) -> Sentence:
        """The erased data, in words."""
        parts: list[Sentence] = []
        if self.ids:
            ids = ", ".join(self.ids)
            parts.append(Sentence.counted("the id {ids}", "the ids {ids}", len(self.ids), ids=ids))
        if self.called:
            parts.append(Sentence("their names ({names})", names=", ".join(self.called)))
        if self.numbers:
            numbers = ", ".join(self.numbers)
            parts.append(
                Sentence.counted(
                    "their member number ({numbers})",
                    "their member numbers ({numbers})",
                    len(self.numbers),
                    numbers=numbers,
                )
            )
        if self.texts:
            parts.append(
                Sentence.counted(
                    "{num} free text (notes and reasons) that contain one of these",
                    "{num} free texts (notes and reasons) that contain one of these",
                    self.texts,
                )
            )
        if self.labels:
            quoted = ", ".join(f"“{label}”" for label in self.labels)
            parts.append(Sentence("what things are called that contain one of these ({quoted})", quoted=quoted))
        return Sentence("{parts}", parts=(*parts, *self.beside))

    @property
    def staying(self) -> list[Sentence]:
        """All that stays, in words."""
        more = len(self.stays) - MOST_SHOWN
        left = [Sentence("and {more} more", more=f"{more:,}")] if more > 0 else []
        return [*filter(None, [self.old_in_words]), *map(as_sentence, self.stays[:MOST_SHOWN]), *left]

    @property
    def old_in_words(self) -> Sentence | None:
        """The lines that keep a name, in words; None without any."""
        if not self.old:
            return None
        stream, seq, _ = self.old[0]
        if len(self.old) == 1:
            return Sentence(
                "event {seq} of {stream} is older than pseudonyms: it keeps the name in the file,"
                " and readers get a pseudonym",
                seq=seq,
                stream=stream,
            )
        return Sentence(
            "{count} events are older than pseudonyms, the first is event {seq} of {stream}: they keep the name in"
            " the file, and readers get a pseudonym",
            count=f"{len(self.old):,}",
            seq=seq,
            stream=stream,
        )


def examine(ledger: Ledger, player: str, also: Sequence[str] = ()) -> Erasure:
    """Return the data that would be erased, and what would stay, and change nothing.

    `also` are other words that mean the person, a nickname, say: texts with them go too. Raises RuleError
    `people.unknown` for an unknown player, `people.erased` for one already erased, and `people.clear` if very many
    events from before pseudonyms hold the name.
    """
    nobody = RuleError(
        "people.unknown", Sentence("no one has played as {player!r}, or recorded under that name", player=player)
    )
    if not _is_text(player):
        raise nobody
    store, persons = ledger.store, ledger.people()
    if persons.gone(player):
        raise RuleError("people.erased", Sentence("{player} is already erased", player=player))
    ids = tuple(persons.ids(player))
    spoken = {id: store.names.spoken(id) for id in ids if not persons.erased(id)}
    own = {id: tuple(named.pseudonym for named in group) for id, group in spoken.items() if group}
    called = [*_called(store, {*ids})]
    also = tuple(word for word in dict.fromkeys(also) if word.strip() and _is_text(word))
    numbered = [*_numbered(store, {*ids})]
    found = search(store, ids, (text for _, text in called), (text for _, text in numbered), also)
    in_clear = {text for texts in found.old.values() for text in texts.values()}
    if not own and not called and not in_clear & {*ids}:
        raise nobody
    if len(found.old) > MOST_OLD:
        raise RuleError(
            "people.clear",
            advising(
                Sentence(
                    "{num} events are older than pseudonyms and hold this name for ever: export the matches, "
                    "import them into a new ledger, and erase there",
                    num=f"{len(found.old):,}",
                )
            ),
        )
    names = (
        *own.values(),
        *((pseudonym,) for pseudonym, _ in (*called, *numbered) if pseudonym),
        *map(tuple, (*found.texts.values(), *found.labels.values())),
    )
    pseudonyms = {text: first for text, (first, *_) in (found.texts | found.labels | own).items()}
    pseudonyms |= {text: pseudonym for pseudonym, text in (*called, *numbered) if pseudonym and text not in own}
    person = persons.person(player)
    if persons.erased(person):  # it stands for the person already
        pseudonyms[person] = person
    shown, numbers = (tuple(dict.fromkeys(text for _, text in some)) for some in (called, numbered))
    old = tuple((stream, seq, found.old[stream, seq]) for stream, seq in sorted(found.old))
    labels = tuple(sorted({*found.labels, *(in_clear - {*ids, *shown, *numbers, *found.said})}))
    texts = sum(map(len, found.texts.values())) + len(found.said - {*found.texts})
    words = {*ids, *shown, *also}
    return Erasure(
        person=person, ids=ids, called=shown, texts=texts, labels=labels, numbers=numbers, names=names,
        pseudonyms=pseudonyms, old=old, beside=tuple(beside.goes(ledger.at, words)), also=also,
        stays=(*found.stays, *beside.stays(ledger.at, words)), expected=persons.seq,
    )  # fmt: skip


def erase(ledger: Ledger, erasure: Erasure, by: str) -> str:
    """Erase a person as examined; return the pseudonym that stands for them from now on.

    Raises ConflictError if people have changed since: then examine again.
    """
    return erase_all(ledger, [erasure], by)[0]


def erase_all(ledger: Ledger, erasures: Sequence[Erasure], by: str) -> list[str]:
    """Erase some people as examined, all or none; return the pseudonyms that stand for them; raises as `erase`."""
    events, seq = [*map(_event, erasures)], ledger.people().seq
    for erasure in erasures:
        if seq != erasure.expected:
            raise ConflictError(STREAM, erasure.expected, seq)
    # First what is beside: after the event nothing knows the name any more, and this can be done again.
    for erasure, event in zip(erasures, events, strict=True):
        beside.forget(ledger.at, (*erasure.ids, *erasure.called), erasure.also, event.player)
    if events:
        record(ledger.register, ledger.views, events, seq, by)
    return [event.player for event in events]


def _event(erasure: Erasure) -> Erase:
    """Return the event of an erasure. A text in clear gets the pseudonym that it has, or a new one."""
    groups, instead = [*erasure.names], {**erasure.pseudonyms}
    for *_, texts in erasure.old:
        for text in texts.values():
            if text not in instead:
                instead[text] = new_pseudonym(TEXT, text).pseudonym
                groups.append((instead[text],))
    lines = tuple(
        OldLine(stream, seq, {pointer: instead[text] for pointer, text in texts.items()})
        for stream, seq, texts in erasure.old
    )
    left = next(instead[id] for id in (erasure.person, *erasure.ids) if id in instead)
    return Erase(player=left, names=tuple(groups), lines=lines)


def _is_text(word: str) -> bool:
    """Tell whether a word of a command line can be in a ledger; half a character cannot."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _called(store: EventStore, ids: set[str]) -> Iterator[tuple[str | None, str]]:
    """Yield the pseudonym and the text of every display name so far; one in clear has no pseudonym."""
    for row in store.read(STREAM):
        event = people.decode(store.names.clear(row.line))
        if isinstance(event, Name) and event.player in ids and event.name is not None:
            stored = people.decode(row.line)
            assert isinstance(stored, Name)
            if stored.name == event.name:
                if not is_pseudonym(event.name):
                    yield None, event.name
            elif stored.name is not None and is_pseudonym(stored.name):
                yield stored.name, event.name


def _numbered(store: EventStore, ids: set[str]) -> Iterator[tuple[str | None, str]]:
    """Yield the pseudonym and the text of every member number so far; one in clear has no pseudonym."""
    for club in filter(is_evening, store.matches()):
        for row in store.read(club):
            event, stored = decode_one(row.line, store.names, club), decode_one(row.line, stream=club)
            if isinstance(event, ev.Amend) and isinstance(stored, ev.Amend):
                event, stored = event.event, stored.event
            if not (isinstance(event, Member) and isinstance(stored, Member) and event.player in ids):
                continue
            if event.number is not None and stored.number is not None and not is_pseudonym(event.number):
                yield stored.number if stored.number != event.number else None, event.number
