"""Tokens in a table of the ledger's database, for every server that uses it."""

from __future__ import annotations

import time
from typing import Any

from cardledger.record.store.address import Address
from cardledger.record.store.postgres_server import Connection, Server, create_missing, if_there
from cardledger_api.auth.token import Token
from cardledger_api.http.operations import ROLES

SCHEMA = f"""CREATE TABLE tokens (
    digest bytea PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ({", ".join(f"'{role}'" for role in ROLES)})),
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C" NOT NULL,
    revoked text COLLATE "C",
    scope text
)"""
_HAS_SCOPE = "SELECT 1 FROM pg_attribute WHERE attrelid = 'tokens'::regclass AND attname = 'scope' AND NOT attisdropped"
_ADD_SCOPE = "ALTER TABLE tokens ADD COLUMN scope text"
"""For a table that an earlier version made; its servers see an invitation as the token of a reader."""
_COLUMNS = "digest, name, role, created, expires, revoked"
_FOUND = f"SELECT {_COLUMNS}, to_jsonb(tokens) ->> 'scope' FROM tokens"
"""Reads the scope where the table has one, and none where it was made by an earlier version."""
_PATIENCE = 5.0
_MOST = 1_000
"""Tokens that are cached, at most."""
_KEPT = 0.5
"""Seconds for which a token is cached: a revoked one is valid for that long at most."""


class TokenTable:
    """The first token creates the table; until then every request looks for it."""

    def __init__(self, address: Address) -> None:
        self._server = Server(address, _PATIENCE)
        self._kept: dict[bytes, tuple[float, Token]] = {}

    def add(self, token: Token) -> bool:
        """Store a token, unless its name has a valid one; tell whether it was stored."""

        def work(db: Connection) -> bool:
            create_missing(db, "tokens", SCHEMA)
            with db.transaction():
                db.execute("LOCK TABLE tokens IN SHARE ROW EXCLUSIVE MODE")
                query = "SELECT digest FROM tokens WHERE name = %s AND revoked IS NULL AND expires > %s"
                if existing := db.execute(query, (token.name, token.created)).fetchone():
                    return bool(existing[0] == token.digest)  # stored, and then the connection was lost
                row = (token.digest, token.name, token.role, token.created, token.expires, None)
                db.execute(f"INSERT INTO tokens ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)", row)
                if token.scope is not None:
                    if not db.execute(_HAS_SCOPE).fetchone():
                        db.execute(_ADD_SCOPE)
                    db.execute("UPDATE tokens SET scope = %s WHERE digest = %s", (token.scope, token.digest))
                return True

        return self._server.patiently(work, "store.write")

    def rename(self, digest: bytes, name: str, ended: str | None) -> None:
        """Give a token another name, and end it at a time if it is valid.

        The server's own log is its owner's to expire.
        """
        change = "UPDATE tokens SET name = %s, revoked = coalesce(revoked, %s) WHERE digest = %s"
        self._server.patiently(lambda db: db.execute(change, (name, ended, digest)), "store.write")
        self._kept.clear()

    def revoke(self, name: str, now: str) -> bool:
        """End the valid token of a name; tell whether there was one."""
        end = "UPDATE tokens SET revoked = %s WHERE name = %s AND (revoked IS NULL AND expires > %s OR revoked = %s)"

        def work(db: Connection) -> bool:
            # A token revoked at exactly this moment was revoked by this call, before the connection was lost.
            return db.execute(end, (now, name, now, now)).rowcount > 0

        self._kept.clear()
        return self._server.patiently(if_there(work, False), "store.write")

    def all(self) -> list[Token]:
        """Return all tokens, ended ones too, oldest first."""
        return [Token(*row) for row in self.rows(f"{_FOUND} ORDER BY created, name")]

    def find(self, digest: bytes) -> Token | None:
        """Return a token as of at most half a second ago."""
        now = time.monotonic()
        until, token = self._kept.get(digest, (0.0, None))
        if now < until:
            return token
        self._kept.pop(digest, None)
        for row in self.rows(f"{_FOUND} WHERE digest = %s", digest):
            token = Token(*row)
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[digest] = now + _KEPT, token
            return token
        return None

    def close(self) -> None:
        """Close all connections."""
        self._server.close()

    def rows(self, query: str, *given: object) -> list[Any]:
        """Return the rows that a query finds, none where there are no tokens yet."""
        return self._server.patiently(if_there(lambda db: db.execute(query, given, binary=True).fetchall(), []))
