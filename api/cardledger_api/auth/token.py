"""A token of a user, and what stores tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from cardledger_api.http.operations import Role


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its text. Times are RFC 3339 in UTC.

    An invitation is the token of a reader with a `scope`: there, and only there, it is a scorer's.
    """

    digest: bytes
    name: str
    role: Role
    created: str
    expires: str | None
    revoked: str | None = None
    scope: str | None = None

    def state(self, now: str) -> str:
        """Return valid, expired or revoked."""
        if self.revoked is not None:
            return "revoked"
        return "valid" if self.expires is None or now < self.expires else "expired"


class TokenStore(Protocol):
    """The store of tokens, for every server of the ledger; it may be missing until the first token."""

    def add(self, token: Token) -> bool:
        """Store a token, unless its name has a valid one at that time; tell whether it was stored."""
        ...

    def revoke(self, name: str, now: str) -> bool:
        """End the valid token of a name; tell whether there was one."""
        ...

    def rename(self, digest: bytes, name: str, ended: str | None) -> None:
        """Give a token another name, and end it at a time if it is valid; nothing is left of the name."""
        ...

    def all(self) -> list[Token]:
        """Return all tokens, ended ones too, oldest first."""
        ...

    def find(self, digest: bytes) -> Token | None:
        """Return the token with a digest, no older than a second."""
        ...

    def close(self) -> None:
        """Release what the store holds."""
        ...
