"""What a read model is: a table, its columns explained, and the fold that fills it from one match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ledger import events as ev
from ledger.corrections import Stream
from ledger.people import NOBODY, People

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """A match as the read models see it: its id, its opening and latest event as stored, and its folded stream.

    `people` tells who the players are, as known now.
    """

    id: str
    position: int
    opening: ev.Event
    latest: ev.Event
    hash: bytes
    stream: Stream
    people: People = NOBODY

    @property
    def players(self) -> Sequence[str]:
        """The persons by seat."""
        return self.people.seated(self.id, self.stream.table.players)


@dataclass(frozen=True)
class Kept:
    """A table that follows from the events alone.

    `columns` maps each column to its SQL type and meaning; `key` are the columns that identify a row.
    """

    name: str
    about: str
    columns: dict[str, tuple[str, str]]
    key: tuple[str, ...]

    @cached_property
    def schema(self) -> str:
        """The statement that creates the table; rows lie in the order of the key, however they came."""
        columns = ", ".join(f"{name} {kind}" for name, (kind, _) in self.columns.items())
        return f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({', '.join(self.key)})) WITHOUT ROWID"


@dataclass(frozen=True)
class ReadModel(Kept):
    """A table whose rows follow each from one match.

    The key begins with the match; `rows(match, since)` yields the rows of a match from hand number `since` on.
    """

    rows: Callable[[Folded, int], Iterator[Row]]

    @cached_property
    def insert(self) -> str:
        """The statement that adds a row, or changes the one with its key; a row that stays as it was costs no write."""
        rest = [name for name in self.columns if name not in self.key]
        new = ", ".join(f"excluded.{name}" for name in rest)
        return (
            f"INSERT INTO {self.name} VALUES ({', '.join('?' * len(self.columns))}) ON CONFLICT DO UPDATE SET "
            f"({', '.join(rest)}) = ({new}) WHERE ({', '.join(rest)}) IS NOT ({new})"
        )

    @cached_property
    def delete(self) -> str:
        """The statement that removes the rows of a match."""
        return f"DELETE FROM {self.name} WHERE match = ?"
