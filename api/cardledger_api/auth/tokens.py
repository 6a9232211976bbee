"""Tokens: random texts that identify users. Hashes, names, roles and terms are stored, never the texts."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING

from cardledger.errors import LedgerError, RuleError
from cardledger.record.people.pseudonyms import PROGRAMS
from cardledger.record.people.spelling import expect_name
from cardledger.record.recording.beside import KEEPERS, Forgotten, Keeper
from cardledger.record.store.address import Address, Where, where
from cardledger.record.store.paths import Family
from cardledger.sentence import Sentence, advising
from cardledger_api.auth.token import Token, TokenStore
from cardledger_api.auth.token_file import TokenFile
from cardledger_api.beside.times import utc_now, written
from cardledger_api.http.operations import ROLES, Role

if TYPE_CHECKING:
    from cardledger.record.recording.mentions import Mention

_PREFIX = "cl_"  # so that people and secret scanners recognise one
_BYTES = 32


def new_text() -> str:
    """Return the text of a new token."""
    return _PREFIX + urlsafe_b64encode(secrets.token_bytes(_BYTES)).rstrip(b"=").decode()


def digest_of(text: str) -> bytes:
    """Return the digest of a token's text.

    One round of SHA-256 without salt is enough: slow hashes protect passwords that can be guessed, and 256 random
    bits cannot.
    """
    return sha256(text.encode("utf-8", "replace")).digest()


class Tokens:
    """The tokens of a ledger. They are never events, as a ledger forgets nothing."""

    def __init__(self, ledger: Where | str, now: Callable[[], datetime] = utc_now) -> None:
        self.store = _kept_for(where(ledger))
        self._now = now

    def create(self, name: str, role: Role, days: int) -> str:
        """Store a new token and return its text, which is not stored.

        Raises LedgerError `access.name` when the name is not possible or belongs to a valid token.
        """
        return self._create(name, role, self._now() + timedelta(days=days))

    def invite(self, name: str, scope: str, until: datetime) -> str:
        """Store an invitation to score one match or one evening until a time; return its text; raises like `create`."""
        return self._create(name, ROLES[0], until, scope)

    def _create(self, name: str, role: Role, until: datetime, scope: str | None = None) -> str:
        try:
            expect_name(name, Sentence("the name of a token"))
        except RuleError as error:
            raise LedgerError("access.name", error.message) from None
        if name in PROGRAMS:
            raise LedgerError("access.name", advising(f"{name} is what a program records as; choose another name"))
        text, until = new_text(), until.astimezone(UTC)
        if not self.store.add(Token(digest_of(text), name, role, written(self._now()), written(until), scope=scope)):
            raise LedgerError("access.name", advising(f"{name} has a valid token; revoke it, or choose another name"))
        return text

    def revoke(self, name: str) -> None:
        """End the valid token of a name; raises LedgerError `access.unknown` when there is none."""
        if not self.store.revoke(name, written(self._now())):
            raise LedgerError(
                "access.unknown", advising(f"there is no valid token named {name}: see cardledger token list")
            )

    def mentioning(self, mention: Mention) -> list[Token]:
        """Return the tokens whose names mention a person, ended ones too."""
        return [token for token in self.store.all() if mention(token.name)]

    def forget(self, person: Forgotten) -> None:
        """Give tokens that mention a person another name; those of that very name end."""
        taken = {token.name for token in self.store.all()}
        for token in self.mentioning(person.mention):
            name = person.other_name(taken)
            self.store.rename(token.digest, name, written(self._now()) if token.name in person.own else None)
            taken.add(name)

    def all(self) -> list[tuple[Token, str]]:
        """Return all tokens, oldest first, each with its state."""
        now = written(self._now())
        return [(token, token.state(now)) for token in self.store.all()]

    def find(self, digest: bytes) -> Token | None:
        """Return the valid token with a digest.

        The index may take longer for a digest that begins like a stored one, but an attacker cannot choose how a
        digest begins; the final comparison takes constant time.
        """
        token = self.store.find(digest)
        valid = token and compare_digest(token.digest, digest) and token.state(written(self._now())) == "valid"
        return token if valid else None

    def close(self) -> None:
        """Release the store."""
        self.store.close()


def _kept_for(ledger: Where) -> TokenStore:
    """Return the token store of a ledger: in `club.access.db` beside `club.db`, or in the same database."""
    if isinstance(ledger, Address):
        from cardledger_api.auth.token_table import TokenTable  # only such ledgers need psycopg

        return TokenTable(ledger)
    return TokenFile(Family(Path(ledger)).tokens)


def _named(at: Where, mention: Mention) -> list[str]:
    with closing(Tokens(at)) as tokens:
        names = dict.fromkeys(token.name for token in tokens.mentioning(mention))
    return [f"the name of the token or invitation “{name}”" for name in names]


def _forget(at: Where, person: Forgotten) -> None:
    with closing(Tokens(at)) as tokens:
        tokens.forget(person)


KEEPERS.append(Keeper(_named, lambda at, mention: (), _forget, lambda family: [family.tokens]))
