"""Mentions: where a ledger holds the names of a person, in texts and in old lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people import people
from cardledger.record.people.names import as_kept, quoted
from cardledger.record.people.old_lines import LineText, texts_in
from cardledger.record.people.pseudonyms import PROGRAMS, RECORDERS
from cardledger.record.people.spelling import fold
from cardledger.record.people.words import is_part, is_word
from cardledger.record.store.streams import is_evening, is_lesson
from cardledger.rules.engine.event_types import TYPES
from cardledger.rules.engine.keys import LABEL, NAME, PLAYER, TEXT, UNDECLARED, Key, keys_of
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.lessons import lesson_events as lessons
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.record.store import EventStore, Stored
    from cardledger.rules.engine.events import Event

Mention = Callable[[str], bool]
"""Tells whether a text mentions somebody."""
_WHOLE: Final = 3
"""Length from which a name is searched for inside words too."""
_PART: Final = 3
"""Length of the shortest part of a name that is searched for."""
_PROGRAMS_OWN: Final = frozenset({"type", "seq", "id", "at", "imported_at"})
"""Keys of every event that hold what the program makes, or checks the form of."""
_OWN: Final = Key("player", "all", "players")
_read = msgspec.json.Decoder(dict[str, Any]).decode


def mentions(words: Iterable[str]) -> Mention:
    """Return a function that finds any of some words in a text, whatever their case and accents.

    Short ones as whole words only.

    >>> mentions(["ana", "Jo"])("Well led, ÁNA!"), mentions(["ana", "Jo"])("a good joke")
    (True, False)
    """
    parts = []
    for word in {fold(word) for word in words if word.strip()}:
        escaped = re.escape(word)
        parts.append(escaped if len(word) >= _WHOLE else rf"(?<!\w){escaped}(?!\w)")
    pattern = re.compile("|".join(parts)) if parts else None
    return lambda text: pattern is not None and pattern.search(fold(text)) is not None


def partly(words: Iterable[str]) -> Mention:
    """Return a function that finds a part of some names as a whole word in a text: a first name, or a family name.

    >>> partly(["Ana Lima"])("Lima's table"), partly(["Ana Lima"])("Limassol")
    (True, False)
    """
    found = {fold(part) for word in words for part in re.findall(r"\w+", word) if len(part) >= _PART}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(found)))})\b") if found else None
    return lambda text: pattern is not None and pattern.search(fold(text)) is not None


_ID_LIKE = Sentence("another id like it: {text!r}")
_NAME_LIKE = Sentence("another name or member number like it: {text!r}")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Where a ledger mentions somebody: pseudonyms by text and kind, places in old lines, and what stays, in words."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    """The pseudonyms of remarks and other free texts, by their text."""
    labels: dict[str, list[str]] = field(default_factory=dict)
    """The pseudonyms of what things are called, by their text."""
    old: dict[tuple[str, int], dict[str, str]] = field(default_factory=dict)
    """The texts in old lines, by pointer, by stream and number."""
    said: set[str] = field(default_factory=set)
    """Those of them that are remarks."""
    stays: dict[Sentence, None] = field(default_factory=dict)
    """What stays, in words, each once and in the order found."""

    def stay(self, what: Sentence) -> None:
        """Say once that something stays."""
        self.stays[what] = None


def search(
    store: EventStore, ids: Iterable[str], called: Iterable[str], numbers: Iterable[str] = (), also: Iterable[str] = ()
) -> Mentioned:
    """Return where a ledger mentions a person with some ids, names and member numbers.

    `also` are other words that mean them.

    All texts are searched, and every line: an id or a name, whatever its case and accents. A text with a part of it is
    listed among those that stay.
    """
    ids, called, found = {*ids}, {*called}, Mentioned()
    own = called | {*numbers}
    words = {*ids, *called, *also}
    mention, part = mentions(words), partly(words)
    _search_names(store, found, ids | own, mention, part)
    written = mentions({*words, *(quoted(word)[1:-1] for word in words)})
    for row in store.read_all():
        if written(row.line):
            _search_line(row, found, ids, own, mention)
    return found


def _search_names(store: EventStore, found: Mentioned, own: set[str], mention: Mention, part: Mention) -> None:
    for kind, of in ((TEXT, found.texts), (LABEL, found.labels)):
        for named in map(as_kept, store.named(kind)):
            text = named.plain
            if mention(text):
                of.setdefault(text, []).append(named.pseudonym)
            elif part(text):
                found.stay(Sentence("a text with a part of the name: {text!r}", text=text))
    for kind, like in ((PLAYER, _ID_LIKE), (NAME, _NAME_LIKE)):
        for named in map(as_kept, store.named(kind)):
            if named.plain not in own and (mention(named.plain) or part(named.plain)):
                found.stay(Sentence(like.template, text=named.plain))


def _search_line(row: Stored, found: Mentioned, ids: set[str], own: set[str], mention: Mention) -> None:
    """Find the texts in clear in a line that mention somebody; `own` are their names and member numbers."""
    for text, key in texts_with_keys(row.match, _read(row.line)):
        known = ids if key.stored == "player" else own if key.stored == "name" else ()
        if is_pseudonym(text.text) or not (mention(text.text) or text.text in known):
            continue
        if key.stored in ("player", "name") and text.text not in known:
            if text.text not in PROGRAMS:
                found.stay(Sentence("another name like it: {text!r}", text=text.text))
        elif key.stored == "clear":
            found.stay(Sentence("{text!r} in event {seq} of {stream}", text=text.text, seq=row.seq, stream=row.match))
        elif not (key.stored == "word" and is_word(text.text) or _is_part(text)):
            if key.stored == "text":
                found.said.add(text.text)
            found.old.setdefault((row.match, row.seq), {})[text.pointer] = text.text


def _is_part(text: LineText) -> bool:
    """Tell whether a text is what a file of another format calls a part, and stands where such words do."""
    return "extras" in text.keys and text.keys[-1] in (0, 1) and is_part(text.text)


def texts_with_keys(stream: str, event: Mapping[str, Any]) -> Iterator[tuple[LineText, Key]]:
    """Yield the texts in a stored event, each with what its key holds; a key that is not known is closed."""
    yield from _texts_with_keys(_types(stream), event, texts_in(event))


def _texts_with_keys(
    types: Mapping[str, type[Event]], event: Mapping[str, Any], texts: Iterable[LineText], depth: int = 0
) -> Iterator[tuple[LineText, Key]]:
    cls = types.get(event.get("type", ""))
    declared = keys_of(cls) if cls else {}
    fields = {field.encode_name: field.name for field in msgspec.structs.fields(cls)} if cls else {}
    for text in texts:
        key = str(text.keys[depth])
        if key == "event" and len(text.keys) > depth + 1 and isinstance(event["event"], dict):
            yield from _texts_with_keys(types, event["event"], [text], depth + 1)
        elif key in RECORDERS:
            yield text, _OWN
        elif key not in _PROGRAMS_OWN:
            yield text, declared.get(fields.get(key, key), UNDECLARED)


def _types(stream: str) -> Mapping[str, type[Event]]:
    if stream == people.STREAM:
        return people.TYPES
    return evenings.TYPES if is_evening(stream) else lessons.TYPES if is_lesson(stream) else TYPES
