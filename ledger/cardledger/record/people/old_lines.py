"""Old lines: stored lines with a text in clear that somebody was erased from, and what readers get instead.

A line never changes, and one from before such texts became pseudonyms may hold a name. Code that reads lines reads them
through `Names`, so through this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.record.people.people import Erase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cardledger.record.people.people import OldLine

_ERASE = '{"type":"erase"'
_ID = '"id":"'
_read = msgspec.json.Decoder(dict[str, Any]).decode
_write = msgspec.json.Encoder().encode
_read_erase = msgspec.json.Decoder(Erase).decode


class LineText(NamedTuple):
    """A text in a line: its place as a JSON pointer, the keys on the way there, and the text."""

    pointer: str
    keys: tuple[str | int, ...]
    text: str


def texts_in(value: object, keys: tuple[str | int, ...] = ()) -> Iterator[LineText]:
    """Yield the texts in JSON data, however deep.

    >>> [text.pointer for text in texts_in({"type": "open", "players": ["ana", "ben"]})]
    ['/type', '/players/0', '/players/1']
    """
    if isinstance(value, str):
        yield LineText("".join(f"/{_escaped(key)}" for key in keys), keys, value)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from texts_in(each, (*keys, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from texts_in(each, (*keys, index))


def _escaped(key: str | int) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def with_puts(line: str, puts: Mapping[str, str]) -> str:
    """Return a line with other texts at some places; a place that is not there is left alone.

    >>> with_puts('{"type":"open","players":["ana","ben"]}', {"/players/0": "~X"})
    '{"type":"open","players":["~X","ben"]}'
    """
    event = _read(line)
    for text in [*texts_in(event)]:
        if text.pointer in puts:
            within: Any = event
            for key in text.keys[:-1]:
                within = within[key]
            within[text.keys[-1]] = puts[text.pointer]
    return _write(event).decode()


class OldLines:
    """The old lines of a ledger, by the id of their event: few, and mostly none."""

    def __init__(self, people: Iterable[str] = (), line_at: Callable[[str, int], str | None] | None = None) -> None:
        """`people` are the stored lines about people, `line_at` returns the line of an event as stored."""
        puts: dict[tuple[str, int], dict[str, str]] = {}
        for old in old_in(people):
            puts.setdefault((old.stream, old.seq), {}).update(old.puts)
        self._by_id: dict[str, list[tuple[str, str]]] = {}
        for place, put in puts.items():
            line = line_at(*place) if line_at else None
            if line is not None:
                id, _, _ = line.partition(_ID)[2].partition('"')
                self._by_id.setdefault(id, []).append((line, with_puts(line, put)))

    def blanked(self, text: str) -> str:
        """Return lines as stored, any number of them, without the texts that somebody was erased from."""
        if not self._by_id:
            return text
        for part in text.split(_ID)[1:]:
            for line, instead in self._by_id.get(part.partition('"')[0], ()):
                text = text.replace(line, instead)
        return text


def old_in(people: Iterable[str]) -> Iterator[OldLine]:
    """Yield the old lines that stored lines about people list."""
    for line in people:
        if line.startswith(_ERASE):
            try:
                yield from _read_erase(line).lines
            except msgspec.DecodeError:
                continue  # a damaged line: reading the events reports it
