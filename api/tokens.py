"""Tokens: random texts that say who is asking; their hashes, names, roles and terms are kept, never the texts."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Protocol

from api.operations import Role
from ledger.errors import LedgerError
from ledger.store.where import Address, Where, where

_PREFIX = "cl_"  # so that people and secret scanners know one when they see it
_BYTES = 32
_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token: everything but its text. Times are RFC 3339 in UTC."""

    digest: bytes
    name: str
    role: Role
    created: str
    expires: str | None
    revoked: str | None = None

    def state(self, now: str) -> str:
        """Return valid, expired or revoked."""
        if self.revoked is not None:
            return "revoked"
        return "valid" if self.expires is None or now < self.expires else "expired"


class TokenStore(Protocol):
    """Where tokens are kept, for every server of the ledger; there need not be anything before the first one."""

    def add(self, token: Token) -> bool:
        """Keep a token, unless its name has a valid one when it is created; tell whether it is kept."""
        ...

    def revoke(self, name: str, now: str) -> bool:
        """End the valid token of a name; tell whether there was one."""
        ...

    def all(self) -> list[Token]:
        """Return every token there ever was, oldest first."""
        ...

    def find(self, digest: bytes) -> Token | None:
        """Return the token with a digest, no older than a second."""
        ...

    def close(self) -> None:
        """Release what the store holds."""
        ...


def new_text() -> str:
    """Return the text of a new token."""
    return _PREFIX + urlsafe_b64encode(secrets.token_bytes(_BYTES)).rstrip(b"=").decode()


def digest_of(text: str) -> bytes:
    """Return what is kept of a token's text.

    One round of SHA-256 without salt: 256 random bits cannot be guessed, which is what slow hashes of passwords are for.
    """
    return sha256(text.encode("utf-8", "replace")).digest()


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def written(time: datetime) -> str:
    """Return a time as it is stored; such texts compare as the times do."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Tokens:
    """The tokens of a ledger, beside the events and never among them: the ledger forgets nothing."""

    def __init__(self, ledger: Where | str, now: Callable[[], datetime] = utc_now) -> None:
        self.store = _kept_for(where(ledger))
        self._now = now

    def create(self, name: str, role: Role, days: int) -> str:
        """Store a new token and return its text, which nobody can find out later.

        Raises LedgerError `access.name` when the name cannot be one or belongs to a valid token.
        """
        if not (name.isprintable() and name == name.strip() and 1 <= len(name) <= _LONGEST_NAME):
            raise LedgerError("access.name", f"a name is 1 to {_LONGEST_NAME} printable characters")
        text, now = new_text(), self._now()
        if not self.store.add(Token(digest_of(text), name, role, written(now), written(now + timedelta(days=days)))):
            raise LedgerError("access.name", f"{name} has a valid token; revoke it, or choose another name")
        return text

    def revoke(self, name: str) -> None:
        """End the valid token of a name; raises LedgerError `access.name` when there is none."""
        if not self.store.revoke(name, written(self._now())):
            raise LedgerError("access.name", f"there is no valid token named {name}")

    def all(self) -> list[tuple[Token, str]]:
        """Return every token there ever was, oldest first, with its state."""
        now = written(self._now())
        return [(token, token.state(now)) for token in self.store.all()]

    def find(self, digest: bytes) -> Token | None:
        """Return the valid token with a digest.

        The index may take longer for a digest that begins like a stored one, but nobody can steer what a token's
        digest begins with; the last word is a comparison in constant time.
        """
        token = self.store.find(digest)
        valid = token and compare_digest(token.digest, digest) and token.state(written(self._now())) == "valid"
        return token if valid else None

    def close(self) -> None:
        """Release the store."""
        self.store.close()


def _kept_for(ledger: Where) -> TokenStore:
    """Return where the tokens of a ledger are kept: in `club.access.db` beside `club.db`, or in the same database."""
    if isinstance(ledger, Address):
        from api.tokentable import TokenTable  # only who has such a ledger needs psycopg

        return TokenTable(ledger)
    from api.tokenfile import TokenFile

    return TokenFile(Path(ledger).with_name(f"{ledger.stem}.access{ledger.suffix or '.db'}"))
