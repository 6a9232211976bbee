"""The tables of a ledger in PostgreSQL.

Their versions, the steps from one to the next, and what they need of a program.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import psycopg

from cardledger.record.store import meanings
from cardledger.record.store.meanings import as_comments
from cardledger.record.store.needs import Needs
from cardledger.record.store.postgres_append import one
from cardledger.record.store.postgres_server import Connection

VERSION = 4
ALIKE = (2, 3, VERSION)
"""Versions that this program can use: the last steps need the owner of the tables."""
KIND = "cardledger "
SCHEMA = Path(__file__).with_name("postgres.sql").read_bytes()
STEPS = {
    1: Path(__file__).with_name("postgres_2.sql").read_bytes(),
    2: ";\n".join(
        (
            *as_comments("TABLE", "events", meanings.EVENTS, label=f"{KIND}3: "),
            *as_comments("TABLE", "names", meanings.NAMES, without=("due",)),
            *as_comments("VIEW", "log", meanings.LOG),
        )
    ).encode(),
    3: ";\n".join(
        (
            "CREATE TABLE needs (writes integer NOT NULL, reads integer NOT NULL, program text NOT NULL)",
            "INSERT INTO needs VALUES (0, 0, '')",
            "GRANT SELECT ON needs TO PUBLIC",
            *as_comments("TABLE", "needs", meanings.NEEDS),
            *as_comments("TABLE", "events", meanings.EVENTS, label=f"{KIND}4: "),
        )
    ).encode(),
}
"""The steps from each version to the next."""
FOUND = "SELECT obj_description(to_regclass(quote_ident(current_schema()) || '.events'), 'pg_class')"
"""The version of the tables, and their meaning."""
_NEEDS = "SELECT writes, reads, program FROM needs"


def led_on(db: Connection) -> str:
    """Migrate the tables to this version, as far as there are steps and rights; return their version."""
    version = _version(db)
    while version in map(str, STEPS):
        db.execute("SELECT pg_advisory_lock(hashtextextended('cardledger ' || current_schema(), 0))")
        try:
            with db.transaction():
                if _version(db) == version:  # another server was not faster
                    db.execute(STEPS[int(version)])
        except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction):
            if int(version) not in ALIKE:
                raise
            return version
        version = _version(db)
    return version


def _version(db: Connection) -> str:
    """Return the version in the comment on the table of events, as text: before a colon, if its meaning follows."""
    return str(one(db, FOUND)).removeprefix(KIND).partition(":")[0]


def needs_in(db: Connection) -> Needs:
    """Return what a ledger needs of a program; nothing before that was written down."""
    try:
        row = db.execute(_NEEDS).fetchone()
    except psycopg.errors.UndefinedTable:
        row = None
    return Needs(*row) if row else Needs(0, 0, "")


def state_needs(db: Connection) -> None:
    """Write down what a ledger needs from now on, where this user may."""
    if more := needs_in(db).raised():
        with suppress(psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege):
            db.execute("UPDATE needs SET writes = %s, reads = %s, program = %s", more)
