"""What tables and their columns mean, said once for the schemas of SQLite, for PostgreSQL's comments, and for Datasette."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_COLUMN = re.compile(r"^( +([a-z_]+) .*?)(,?)$", re.MULTILINE)


class Meaning(NamedTuple):
    """The meaning of a table, and of each of its columns by name."""

    table: str
    columns: Mapping[str, str]


EVENTS = Meaning(
    "Every event as recorded: rows are added, never changed or deleted.",
    {
        "position": "number of the event in the ledger, in the order of recording; PostgreSQL may leave some out",
        "match": "id of its stream: a match, a club, a session, a league, or people",
        "seq": "number of the event in its stream, from 1",
        "line": "the event as canonical JSON, with pseudonyms in place of personal texts",
        "hash": "SHA-256 of the hash before it in its stream (32 zero bytes at first) and the line",
    },
)
NAMES = Meaning(
    "Every name and other personal text that events use, under a pseudonym; no hash covers them.",
    {
        "pseudonym": "what stands for it in the lines of events",
        "kind": "what the text is: player for the name of a person, erased if that is gone",
        "text": "the text as JSON; of an erased one the pseudonym that stands for it",
        "salt": "random bytes that the pseudonym follows from, with the text; empty if it is erased",
        "due": "1 while the log of the file may still hold erased text",
    },
)
NEEDS = Meaning(
    "What the ledger needs of a program; one row.",
    {
        "writes": "the oldest form of events whose programs may record in it",
        "reads": "the oldest form of events whose programs can show it",
        "program": "the version of the program that said so",
    },
)
_OF_LOG = ("position", "match", "seq", "type", "at", "by", "seat", "card", "line", "hash")
LOG = Meaning(
    "The events with their commonest keys as columns; an event without a key has null there.",
    {name: EVENTS.columns.get(name, f"the key `{name}` of the event") for name in _OF_LOG}
    | {"hash": f"{EVENTS.columns['hash']}, in hexadecimal digits"},
)


def in_schema(statement: str, meaning: Meaning) -> str:
    """Return a CREATE TABLE statement, with a line for each column, that says what the table and each column mean."""

    def with_meaning(found: re.Match[str]) -> str:
        said, name, comma = found.groups()
        return f"{said}{comma} -- {meaning.columns[name]}" if name in meaning.columns else found[0]

    opening, _, columns = statement.partition(" (\n")
    return f"{opening} ( -- {meaning.table}\n{_COLUMN.sub(with_meaning, columns)}"


def as_comments(kind: str, name: str, meaning: Meaning, label: str = "", without: Iterable[str] = ()) -> list[str]:
    """Return PostgreSQL's statements that say what a table or view (`kind`) and its columns mean.

    `label` comes first.
    """
    columns = {column: said for column, said in meaning.columns.items() if column not in without}
    return [
        f"COMMENT ON {kind} {name} IS {_quoted(label + meaning.table)}",
        *(f"COMMENT ON COLUMN {name}.{column} IS {_quoted(said)}" for column, said in columns.items()),
    ]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
