"""Names: personal texts, stored apart from events, which hold pseudonyms instead.

A pseudonym is `~` and the first 130 bits of SHA-256 over a salt and the text, in base 32: it proves its text as long
as salt and text exist, and reveals nothing once they are erased.
"""

from __future__ import annotations

import os
import re
import threading
from base64 import b32encode
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from cardledger.errors import FormatError, StoreError
from cardledger.pseudonyms import LENGTH, is_pseudonym
from cardledger.record.people.old_lines import OldLines
from cardledger.record.people.people import STREAM, Erase
from cardledger.rules.engine.keys import PLAYER
from cardledger.sentence import Sentence

ERASED = "erased"
"""The kind of an erased name; its text is the pseudonym that replaces the person from then on."""
WITHHELD = "withheld"
"""The kind of marks that a name was left out when this ledger was made, from an archive without names, say."""
_MARK = "withheld:"
_SALT = 16
_MANY = 100_000
"""The number of texts in memory."""
_WORD = re.compile(rf'[A-Z2-7]{{{LENGTH}}}"', re.ASCII)
_BEFORE = frozenset({':"', ',"', '["', '{"'})
_USED = re.compile(rf'(?<!\\)"(~[A-Z2-7]{{{LENGTH}}})"', re.ASCII)
_PLAYERS = re.compile(r'(?<!\\)"(?:by|imported_by|player|into|players|seats)":("~[^"]*"|\[[^][]*\])')
_ERASE = '{"type":"erase"'
_quoted = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(str).decode
_read_erase = msgspec.json.Decoder(Erase).decode


class Named(NamedTuple):
    """The text of a pseudonym: its kind, the text as in JSON, and the salt.

    A mark is stored like a name, under a key that is not a pseudonym: the name itself may still come.
    """

    pseudonym: str
    kind: str
    text: str
    salt: bytes

    @property
    def plain(self) -> str:
        """The text as people read it."""
        return _read(self.text)


def quoted(text: str) -> str:
    """Return a text as written in JSON."""
    return _quoted(text).decode()


def pseudonym(salt: bytes, text: str) -> str:
    """Return the pseudonym of a text under a salt."""
    digest = sha256(salt + text.encode()).digest()
    return "~" + b32encode(digest[:20])[:LENGTH].decode()  # the later bytes are in no pseudonym


def used(lines: Iterable[str]) -> set[str]:
    """Return the pseudonyms in lines as stored."""
    return {word for line in lines if '"~' in line for word in _USED.findall(line)}


def used_for_players(lines: Iterable[str]) -> set[str]:
    """Return the pseudonyms in lines as stored that stand for players and recorders."""
    return {word for line in lines if '"~' in line for value in _PLAYERS.findall(line) for word in _USED.findall(value)}


def mark(pseudonym: str) -> Named:
    """Return the mark that a name was left out."""
    return Named(f"{_MARK}{pseudonym}", WITHHELD, quoted(pseudonym), b"")


def erased_by(match: str, lines: Iterable[str]) -> list[Sequence[str]]:
    """Return the groups of pseudonyms that stored events erase; each group stood for one text."""
    if match != STREAM:
        return []
    return [group for line in lines if line.startswith(_ERASE) for group in _groups(line) if group]


def _groups(line: str) -> Iterable[Sequence[str]]:
    try:
        return _read_erase(line).names
    except msgspec.DecodeError:
        return ()  # a damaged line: reading the events reports it


def collected(names: Iterable[Named], erasing: Sequence[str] = (), match: str = "", lines: Sequence[str] = ()) -> Names:
    """Return the given names without those that lines about people erase; `lines` are those of a match that is read."""
    by_pseudonym = {named.pseudonym: named for named in names}
    for group in erased_by(STREAM, erasing):
        by_pseudonym |= {word: Named(word, ERASED, quoted(group[0]), b"") for word in group}

    def line_at(stream: str, seq: int) -> str | None:
        return lines[seq - 1] if stream == match and 0 < seq <= len(lines) else None

    return Names(
        lambda words: [by_pseudonym[word] for word in words if word in by_pseudonym],
        old=lambda: OldLines(erasing, line_at),
    )


class Names:
    """The names of a store: from lines as stored to lines in clear, and from texts to pseudonyms.

    Safe between threads.
    """

    def __init__(
        self,
        find: Callable[[Collection[str]], Iterable[Named]],
        spoken: Callable[[str, str], Iterable[Named]] = lambda kind, text: (),
        old: Callable[[], OldLines] = OldLines,
    ) -> None:
        """`find` returns the stored names of pseudonyms, `spoken` those of a kind with a text in JSON, `old` old lines."""
        self._find = find
        self._spoken = spoken
        self._read_old = old
        self._lock = threading.Lock()
        self.salt: Callable[[int], bytes] = os.urandom
        """Makes the salt of a new name; a ledger of made-up people, the same every time, sets another source."""
        self.generation = 0
        """Grows whenever data read before may hold erased names."""
        self.forget()

    def forget(self) -> None:
        """Clear the memory after an erasure."""
        with self._lock:
            # A new dict instead of clearing: a lookup under way then writes to the old one.
            self._texts: dict[str, str] = {}
            self._known: dict[tuple[str, str], Named] = {}
            self._old: OldLines | None = None
            self.generation += 1

    # --- reading

    def clear(self, text: str) -> str:
        """Return lines in clear; unknown pseudonyms, such as those of erased people, stay as they are.

        `text` may be any number of lines as stored. Raises StoreError `store.name` for a name that does not fit its
        pseudonym.
        """
        text = self.blanked(text)
        # Searching for a single character runs at the speed of memory.
        head, *tails = text.split("~")
        if not tails:
            return text
        texts = self._texts
        words = [part[: LENGTH + 1] for part in tails]
        if missing := [word for word in words if word not in texts and _WORD.fullmatch(word)]:
            self._look_up({*missing}, texts)
        parts, before = [head], head
        for word, part in zip(words, tails, strict=True):
            clear = texts.get(word)
            # A text begins only after a quote with one of these before it.
            if clear is not None and before[-2:] in _BEFORE:
                parts += (clear, part[LENGTH + 1 :])
            else:
                parts += ("~", part)
            before = part
        return "".join(parts)

    def blanked(self, text: str) -> str:
        """Return lines as stored without texts in clear that somebody was erased from; pseudonyms stay."""
        old = self._old
        if old is None:
            generation = self.generation
            old = self._read_old()
            with self._lock:
                if generation == self.generation:
                    self._old = old
        return old.blanked(text)

    def lines(self, lines: Sequence[str]) -> Sequence[str]:
        """Return lines in clear, one for one; raises like `clear`."""
        joined = self.blanked("\n".join(lines))
        if "~" not in joined:
            return lines
        clear = self.clear(joined).split("\n")
        return clear if len(clear) == len(lines) else [*map(self.clear, lines)]

    def _look_up(self, words: Collection[str], texts: dict[str, str]) -> None:
        if len(texts) > _MANY:
            texts.clear()
        for named in self._find([f"~{word[:-1]}" for word in words]):
            texts[f'{named.pseudonym[1:]}"'] = as_kept(named).text[1:]

    def find(self, lines: Iterable[str]) -> list[Named]:
        """Return the stored names of the pseudonyms in lines, except erased ones."""
        words = used(lines)
        return sorted(as_kept(named) for named in self._find(words) if named.kind != ERASED) if words else []

    def carried(self, lines: Iterable[str]) -> list[Named]:
        """Return the names for a copy of lines, with marks for erased and left-out ones.

        A name that is missing without a reason is not marked: the copy misses it too.
        """
        words = used(lines)
        entries = self.entries(words) if words else []
        gone = {named.pseudonym for named in entries if named.kind == ERASED}
        return sorted({*(as_kept(named) for named in entries if named.kind != ERASED), *map(mark, gone)})

    def entries(self, words: Collection[str]) -> list[Named]:
        """Return all stored entries of pseudonyms, right or wrong: names, erased names, and marks."""
        return [*self._find([*words, *(mark(word).pseudonym for word in words)])]

    def without(self, line: str) -> bool:
        """Tell whether a stored line holds an erased person."""
        if self.blanked(line) != line:
            return True
        words = used([line])
        return any(named.kind == ERASED for named in self._find(words)) if words else False

    def is_erased(self, word: str) -> bool:
        """Tell whether a pseudonym stands for an erased person."""
        found = [*self._find([word])]
        return bool(found) and all(named.kind == ERASED for named in found)

    # --- writing

    def spoken(self, text: str, kind: str = PLAYER) -> list[Named]:
        """Return all stored entries of a player id, or of another text that has one pseudonym."""
        return sorted(as_kept(named) for named in self._spoken(kind, quoted(text)))

    def shared(self, kind: str, text: str) -> Named:
        """Return the name of a text that has one pseudonym, a new one if it has none.

        Raises FormatError `format.value` for a player with the pseudonym of another person: the two would become one
        after an erasure.
        """
        by_text = self._known
        named = by_text.get((kind, text))
        if named is None:
            if kind == PLAYER and is_pseudonym(text) and any(each.kind != ERASED for each in self._find([text])):
                raise FormatError(
                    "format.value",
                    Sentence(
                        "{text} cannot be a name: it is another person's pseudonym here. Choose another name", text=text
                    ),
                )
            stored = self.spoken(text, kind)
            named = by_text.setdefault((kind, text), stored[0] if stored else self.new(kind, text))
        return named

    def new(self, kind: str, text: str) -> Named:
        """Return a new name for a text, with a salt of its own."""
        return new_pseudonym(kind, text, self.salt(_SALT))


def new_pseudonym(kind: str, text: str, salt: bytes | None = None) -> Named:
    """Return a new name for a text, with a salt of its own."""
    salt = salt or os.urandom(_SALT)
    return Named(pseudonym(salt, text), kind, quoted(text), salt)


def as_kept(named: Named) -> Named:
    """Return a name if it is valid; raises StoreError `store.name`.

    A name must fit its pseudonym, an erased entry must be a pseudonym, and a mark must name its own. Otherwise a
    writer to the table could give any pseudonym any name.
    """
    try:
        if named.kind == ERASED:
            right = is_pseudonym(named.plain)
        elif named.kind == WITHHELD:
            right = named == mark(named.plain)
        else:
            right = pseudonym(named.salt, named.plain) == named.pseudonym
    except (msgspec.DecodeError, TypeError, UnicodeError):
        right = False
    if not right:
        raise StoreError(
            "store.name", Sentence("the stored name of {pseudonym} does not fit it", pseudonym=named.pseudonym)
        )
    return named


def unite(names: Iterable[Iterable[Named]]) -> Iterator[Named]:
    """Yield the names of several appends, each once, in an order common to all writers."""
    yield from sorted({named for some in names for named in some})
