"""Names: the words that tell a person, kept apart from events, in which pseudonyms stand for them.

A pseudonym is `~` and the first 130 bits of SHA-256 over a salt and the text, in base 32: it proves what it stood for as long
as salt and text are there, and says nothing once they are gone.
"""

from __future__ import annotations

import re
import secrets
import threading
from base64 import b32encode
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from ledger.errors import FormatError, StoreError
from ledger.people import STREAM, Erase

PLAYER = "player"
"""The kind of ids of players and names of recorders: one text has one pseudonym."""
ERASED = "erased"
"""The kind of what is gone; its text is the pseudonym that stands for the person from then on."""
_LENGTH = 26
_SALT = 16
_MANY = 100_000
"""Texts kept at hand."""
_WORD = re.compile(rf'[A-Z2-7]{{{_LENGTH}}}"', re.ASCII)
_BEFORE = frozenset({':"', ',"', '["'})
_USED = re.compile(rf'(?<!\\)"(~[A-Z2-7]{{{_LENGTH}}})"', re.ASCII)
_ERASE = '{"type":"erase"'
_quoted = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(str).decode
_read_erase = msgspec.json.Decoder(Erase).decode


class Named(NamedTuple):
    """What a pseudonym stands for: its kind, the text as it stands in JSON, and the salt."""

    pseudonym: str
    kind: str
    text: str
    salt: bytes

    @property
    def plain(self) -> str:
        """The text as people read it."""
        return _read(self.text)


def quoted(text: str) -> str:
    """Return a text as it stands in JSON."""
    return _quoted(text).decode()


def pseudonym(salt: bytes, text: str) -> str:
    """Return the pseudonym of a text under a salt."""
    return "~" + b32encode(sha256(salt + text.encode()).digest())[:_LENGTH].decode()


def is_pseudonym(text: str) -> bool:
    """Tell whether a text looks like a pseudonym."""
    return text[:1] == "~" and _WORD.fullmatch(f'{text[1:]}"') is not None


def used(lines: Iterable[str]) -> set[str]:
    """Return the pseudonyms in lines as stored."""
    return {word for line in lines if '"~' in line for word in _USED.findall(line)}


def erased_by(match: str, lines: Iterable[str]) -> list[Sequence[str]]:
    """Return the groups of pseudonyms that events of a match as stored erase; those of a group stood for one text."""
    if match != STREAM:
        return []
    return [group for line in lines if line.startswith(_ERASE) for group in _groups(line) if group]


def _groups(line: str) -> Iterable[Sequence[str]]:
    try:
        return _read_erase(line).names
    except msgspec.DecodeError:
        return ()  # a damaged line: whoever reads events says so


def collected(names: Iterable[Named], erasing: Iterable[str] = ()) -> Names:
    """Return the names that some say, but for those that lines about people erase."""
    kept = {named.pseudonym: named for named in names}
    for group in erased_by(STREAM, erasing):
        kept |= {word: Named(word, ERASED, quoted(group[0]), b"") for word in group}
    return Names(lambda words: [kept[word] for word in words if word in kept])


class Names:
    """The names of a store: from lines as stored to lines in clear, and from texts to pseudonyms. Safe between threads."""

    def __init__(
        self,
        find: Callable[[Collection[str]], Iterable[Named]],
        spoken: Callable[[str], Iterable[Named]] = lambda text: (),
    ) -> None:
        """`find` returns what is kept of pseudonyms, `spoken` the pseudonyms of a player by the text in JSON."""
        self._find = find
        self._spoken = spoken
        self._lock = threading.Lock()
        self.generation = 0
        """Grows whenever what was read before may say more than it should by now."""
        self.forget()

    def forget(self) -> None:
        """Forget what is at hand: somebody was erased."""
        with self._lock:
            # Anew rather than emptied: whoever is looking something up puts it where nobody reads any more.
            self._told: dict[str, str] = {}
            self._known: dict[str, Named] = {}
            self.generation += 1

    # --- reading

    def clear(self, text: str) -> str:
        """Return lines in clear; pseudonyms of which nothing is known, as of whoever was erased, stay as they are.

        `text` may be any number of lines as stored. Raises StoreError `store.name` for a name that is not the one an event was
        made with.
        """
        # By a single character: that is looked for at the speed of memory.
        head, *rest = text.split("~")
        if not rest:
            return text
        told = self._told
        words = [part[: _LENGTH + 1] for part in rest]
        if lacking := [word for word in words if word not in told and _WORD.fullmatch(word)]:
            self._look_up({*lacking}, told)
        parts, before = [head], head
        for word, part in zip(words, rest, strict=True):
            clear = told.get(word)
            # Only behind a quote with one of these before it does a text begin.
            if clear is not None and before[-2:] in _BEFORE:
                parts += (clear, part[_LENGTH + 1 :])
            else:
                parts += ("~", part)
            before = part
        return "".join(parts)

    def lines(self, lines: Sequence[str]) -> Sequence[str]:
        """Return lines in clear, one for one; raises as `clear` does."""
        joined = "\n".join(lines)
        if "~" not in joined:
            return lines
        clear = self.clear(joined).split("\n")
        return clear if len(clear) == len(lines) else [*map(self.clear, lines)]

    def _look_up(self, words: Collection[str], told: dict[str, str]) -> None:
        if len(told) > _MANY:
            told.clear()
        for named in self._find([f"~{word[:-1]}" for word in words]):
            told[f'{named.pseudonym[1:]}"'] = as_kept(named).text[1:]

    def find(self, lines: Iterable[str]) -> list[Named]:
        """Return what is kept of the pseudonyms in lines as stored, but for those that were erased."""
        words = used(lines)
        return sorted(as_kept(named) for named in self._find(words) if named.kind != ERASED) if words else []

    def without(self, line: str) -> bool:
        """Tell whether somebody was erased in a line as stored."""
        words = used([line])
        return any(named.kind == ERASED for named in self._find(words)) if words else False

    # --- writing

    def spoken(self, text: str) -> list[Named]:
        """Return all that is kept of a player id."""
        return sorted(as_kept(named) for named in self._spoken(quoted(text)))

    def player(self, text: str) -> Named:
        """Return the name of a player id, a new one where it has none yet.

        Raises FormatError `format.value` for a pseudonym that stands for somebody else: they would be one once that is erased.
        """
        known = self._known
        named = known.get(text)
        if named is None:
            if is_pseudonym(text) and any(each.kind != ERASED for each in self._find([text])):
                raise FormatError("format.value", f"nobody can be called {text}: that stands for somebody else here")
            found = self.spoken(text)
            named = known.setdefault(text, found[0] if found else anew(PLAYER, text))
        return named


def anew(kind: str, text: str) -> Named:
    """Return a new name for a text, with a salt of its own."""
    salt = secrets.token_bytes(_SALT)
    return Named(pseudonym(salt, text), kind, quoted(text), salt)


def as_kept(named: Named) -> Named:
    """Return a name if its text is what its pseudonym was made of; raises StoreError `store.name`."""
    if named.kind != ERASED:
        try:
            right = pseudonym(named.salt, named.plain) == named.pseudonym
        except (msgspec.DecodeError, TypeError, UnicodeError):
            right = False
        if not right:
            raise StoreError("store.name", f"what is kept for {named.pseudonym} is not the name it was made of")
    return named


def unite(names: Iterable[Iterable[Named]]) -> Iterator[Named]:
    """Yield names that several appends use, each once, in an order that all who append keep to."""
    yield from sorted({named for some in names for named in some})
