"""A read model: a table, the meaning of its columns, and the fold that fills it from one match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any, Protocol

from cardledger.record.people.people import NOBODY, People
from cardledger.record.readmodels.columns import Column
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import VOID
from cardledger.rules.engine.days import DayOfPlay, known_day, known_period
from cardledger.rules.stream import Stream

Row = tuple[Any, ...]
_STORED = {"BOOLEAN": "INTEGER", "DATE": "TEXT", "TIMESTAMP": "TEXT"}


def sql_type(declared: str) -> str:
    """Return how SQLite declares a column: numbers compare as numbers, days and times as text."""
    kind, space, constraint = declared.partition(" ")
    return _STORED.get(kind, kind) + space + constraint


_REFERRED: dict[tuple[str, ...], str] = {
    ("match",): "matches", ("match", "hand"): "hands", ("match", "seat"): "players", ("player",): "people",
    ("evening",): "evenings", ("club",): "evenings",
}  # fmt: skip
"""The tables whose rows are named by columns of others."""


class Described(Protocol):
    """A table with the meanings of its columns: a read model, or a summary of one."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def about(self) -> str:
        """What a row is, in a sentence."""

    @property
    def columns(self) -> dict[str, Column]:
        """The columns with their types and meanings."""

    @property
    def key(self) -> Collection[str]:
        """The columns that identify a row."""

    @property
    def refers(self) -> dict[tuple[str, ...], str]:
        """The tables that hold the rows which columns of this one point at."""


def referred(table: Described) -> dict[tuple[str, ...], str]:
    """Return the tables that hold the rows which columns of a table point at."""
    return {
        columns: other for columns, other in _REFERRED.items() if {*columns} <= {*table.columns} and other != table.name
    }


def create_table(table: Described) -> str:
    """Return the statement that creates a table; comments say what it holds, and what each column means."""
    parts = [f"    {name} {sql_type(kind)}" for name, (kind, _) in table.columns.items()]
    parts.append(f"    PRIMARY KEY ({', '.join(table.key)})")
    # For tools that show how tables belong together; rows are replaced match by match, so nobody enforces it.
    parts += [f"    FOREIGN KEY ({', '.join(columns)}) REFERENCES {other}" for columns, other in table.refers.items()]
    return f"CREATE TABLE {table.name} ({_remarked(table, parts)}\n) WITHOUT ROWID"


def _remarked(table: Described, parts: Sequence[str]) -> str:
    """Return the lines of a statement, those of columns with their meanings."""
    meanings = [meaning for _, meaning in table.columns.values()]
    lines = [f" -- {table.about}"]
    for number, (part, meaning) in enumerate(zip_longest(parts, meanings), 1):
        comma = "," if number < len(parts) else ""
        lines.append(f"{part}{comma} -- {meaning}" if meaning else f"{part}{comma}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Folded:
    """A match as the read models see it: its id, its opening and latest event as stored, and its folded stream.

    `people` gives the players as known now.
    """

    id: str
    position: int
    opening: ev.Event
    latest: ev.Event
    hash: bytes
    stream: Stream
    people: People = NOBODY

    def known_to(self, people: People) -> Folded:
        """Return the same with the players as these people know them."""
        return replace(self, people=people) if people.events else self

    @property
    def players(self) -> Sequence[str]:
        """The persons by seat."""
        return self.people.seated(self.id, self.stream.table.players)

    @property
    def date(self) -> DayOfPlay:
        """The day of play, None if it is not known."""
        return known_day(self._said_day)

    @property
    def period(self) -> str | None:
        """The month or the year of play, where no day is known."""
        return known_period(self._said_day)

    @property
    def _said_day(self) -> str:
        """What the opening that counts says, or the one recorded; else the day of recording in UTC."""
        assert isinstance(self.opening, ev.Open)
        return self.stream.table.opening.date or self.opening.date or str(self.opening.at)[:10]


@dataclass(frozen=True)
class DerivedTable:
    """A table computed from the events alone.

    `columns` maps each column to its type and meaning; `key` are the columns that identify a row. SQLite stores
    BOOLEAN as 1 and 0, DATE and TIMESTAMP as text (ISO 8601, UTC); Arrow and Parquet have types of their own for them.
    """

    name: str
    about: str
    columns: dict[str, Column]
    key: tuple[str, ...]

    @property
    def schema(self) -> str:
        """The statement that creates the table; rows are stored in the order of the key."""
        return create_table(self)

    @property
    def refers(self) -> dict[tuple[str, ...], str]:
        """The tables that hold the rows which columns of this one point at."""
        return referred(self)


@dataclass(frozen=True)
class DerivedView(DerivedTable):
    """A table that is not stored: its rows are those of a query on other tables."""

    query: str

    @property
    def schema(self) -> str:
        """The statement that creates the view."""
        return (
            f"CREATE VIEW {self.name} ({_remarked(self, [f'    {name}' for name in self.columns])}\n) AS {self.query}"
        )


@dataclass(frozen=True)
class ReadModel(DerivedTable):
    """A table whose rows follow each from one match, or from one club, session or league; the key begins with it.

    `fold(match, since)` yields the rows of a match from hand number `since` on. A void match counts nowhere: only
    tables that list matches (`lists_void`) have rows of it. So it is with one that is secret, as long as it is.
    """

    fold: Callable[[Folded, int], Iterator[Row]]
    lists_void: bool = False

    @property
    def refers(self) -> dict[tuple[str, ...], str]:
        """The tables that hold the rows which columns of this one point at; those of void matches are only listed."""
        return {columns: other for columns, other in referred(self).items() if not self.lists_void or len(columns) == 1}

    def rows(self, match: Folded, since: int) -> Iterator[Row]:
        """Return the rows of a match from hand number `since` on."""
        return self.fold(match, since) if self.lists_void or match.stream.table.status != VOID else iter(())

    @cached_property
    def insert(self) -> str:
        """The statement that adds a row, or changes the row with its key; an unchanged row costs no write."""
        values = [name for name in self.columns if name not in self.key]
        new = ", ".join(f"excluded.{name}" for name in values)
        return (
            f"INSERT INTO {self.name} VALUES ({', '.join('?' * len(self.columns))}) ON CONFLICT DO UPDATE SET "
            f"({', '.join(values)}) = ({new}) WHERE ({', '.join(values)}) IS NOT ({new})"
        )

    @cached_property
    def delete(self) -> str:
        """The statement that removes the rows of a match."""
        return f"DELETE FROM {self.name} WHERE {self.key[0]} = ?"
