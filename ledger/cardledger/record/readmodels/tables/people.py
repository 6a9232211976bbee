"""The table of people: the name and all ids of every person, as known now."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from cardledger.record.people.people import People
from cardledger.record.readmodels.columns import PLAYER
from cardledger.record.readmodels.model import DerivedTable, Row
from cardledger.record.store.readers import Readable

PEOPLE = DerivedTable(
    "people",
    "Every person who played in a match that counts or came to an evening, and everybody with a name.",
    {
        "player": PLAYER,
        "name": ("TEXT NOT NULL", "name of the person, as shown on pages"),
        "ids": ("TEXT NOT NULL", "JSON list of all ids of the person, the one of `player` first"),
    },
    ("player",),
)
_ALL = "SELECT DISTINCT player FROM standings"
_ALL_WHO_CAME = "SELECT DISTINCT recorded_as FROM evening_players"
_SOME = "SELECT DISTINCT player FROM players WHERE match IN (SELECT value FROM json_each(?))"
_SOME_WHO_CAME = "SELECT DISTINCT recorded_as FROM evening_players WHERE evening IN (SELECT value FROM json_each(?))"
_INSERT = """INSERT INTO people VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET (name, ids) = (excluded.name, excluded.ids)"""


def expected(db: Readable, people: People) -> list[Row]:
    """Return the rows that follow from the other tables and from what is known of people."""
    played = {player for (player,) in db.execute(_ALL)}
    came = {people.person(id) for (id,) in db.execute(_ALL_WHO_CAME)}
    named = {*map(people.person, people.named())}
    return [_row(person, people) for person in sorted(played | came | named)]


def fill(db: sqlite3.Connection, people: People) -> None:
    """Write the table as it must be: after a correction or an event about people, rows may have gone or changed."""
    rows = expected(db, people)
    gone = {player for (player,) in db.execute("SELECT player FROM people")} - {player for player, *_ in rows}
    db.executemany("DELETE FROM people WHERE player = ?", [(player,) for player in gone])
    db.executemany(_INSERT, rows)


def add(db: sqlite3.Connection, people: People, streams: Collection[str]) -> None:
    """Add the people of some matches and evenings."""
    some = (json.dumps([*streams]),)
    persons = {player for (player,) in db.execute(_SOME, some)}
    persons |= {people.person(id) for (id,) in db.execute(_SOME_WHO_CAME, some)}
    db.executemany(_INSERT, [_row(person, people) for person in sorted(persons)])


def differing(db: Readable, people: People) -> bool:
    """Tell whether the table differs from what it must be."""
    return db.execute("SELECT * FROM people ORDER BY player").fetchall() != expected(db, people)


def _row(person: str, people: People) -> Row:
    return person, people.name(person), json.dumps(people.ids(person), ensure_ascii=False, separators=(",", ":"))
