"""Tokens in a table of the ledger's database, for every server that uses it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg

from api.operations import ROLES
from api.tokens import Token
from ledger.store.server import Connection, Server
from ledger.store.where import Address

SCHEMA = f"""CREATE TABLE tokens (
    digest bytea PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ({", ".join(f"'{role}'" for role in ROLES)})),
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C" NOT NULL,
    revoked text COLLATE "C"
)"""
_COLUMNS = "digest, name, role, created, expires, revoked"
_PATIENCE = 5.0
_KEPT = 0.5
"""Seconds for which what was found is believed: so long at most is one good after it was revoked."""
_THERE = (psycopg.errors.DuplicateTable, psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
"""What it may be called that somebody else was faster."""
Result = TypeVar("Result")


class TokenTable:
    """The table is made by the first token, and looked for again until it is there: a server need not know when."""

    def __init__(self, address: Address) -> None:
        self._server = Server(address, _PATIENCE)
        self._kept: dict[bytes, tuple[float, Token]] = {}

    def add(self, token: Token) -> bool:
        """Keep a token, unless its name has a valid one; tell whether it is kept."""

        def work(db: Connection) -> bool:
            if not db.execute("SELECT to_regclass('tokens')").fetchone()[0]:  # type: ignore[index]
                with suppress(*_THERE):
                    db.execute(SCHEMA)
            with db.transaction():
                db.execute("LOCK TABLE tokens IN SHARE ROW EXCLUSIVE MODE")
                taken = "SELECT digest FROM tokens WHERE name = %s AND revoked IS NULL AND expires > %s"
                if found := db.execute(taken, (token.name, token.created)).fetchone():
                    return bool(found[0] == token.digest)  # stored, and then the connection was lost
                row = (token.digest, token.name, token.role, token.created, token.expires, None)
                db.execute(f"INSERT INTO tokens ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)", row)
                return True

        return self._server.patiently(work, "store.write")

    def revoke(self, name: str, now: str) -> bool:
        """End the valid token of a name; tell whether there was one."""
        end = "UPDATE tokens SET revoked = %s WHERE name = %s AND (revoked IS NULL AND expires > %s OR revoked = %s)"

        def work(db: Connection) -> bool:
            # One revoked at this very moment was so by this, before the connection was lost.
            return db.execute(end, (now, name, now, now)).rowcount > 0

        self._kept.clear()
        return self._server.patiently(_if_there(work, False), "store.write")

    def all(self) -> list[Token]:
        """Return every token there ever was, oldest first."""
        return [Token(*row) for row in self._rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created, name")]

    def find(self, digest: bytes) -> Token | None:
        """Return a token as it was half a second ago at most."""
        now = time.monotonic()
        until, token = self._kept.get(digest, (0.0, None))
        if now < until:
            return token
        self._kept.pop(digest, None)
        for row in self._rows(f"SELECT {_COLUMNS} FROM tokens WHERE digest = %s", digest):
            token = Token(*row)
            self._kept[digest] = now + _KEPT, token
            return token
        return None

    def close(self) -> None:
        """Close all connections."""
        self._server.close()

    def _rows(self, query: str, *given: object) -> list[Any]:
        return self._server.patiently(_if_there(lambda db: db.execute(query, given, binary=True).fetchall(), []))


def _if_there(work: Callable[[Connection], Result], otherwise: Result) -> Callable[[Connection], Result]:
    """Return work that gives something else as long as there is no table."""

    def tried(db: Connection) -> Result:
        try:
            return work(db)
        except psycopg.errors.UndefinedTable:
            return otherwise

    return tried
