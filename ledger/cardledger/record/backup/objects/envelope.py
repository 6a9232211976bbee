"""The outer form of an object: compressed, with a digest, or encrypted with a secret; nothing half is ever taken."""

from __future__ import annotations

import os
import re
import zlib
from hashlib import sha256
from pathlib import Path

from cardledger.errors import StoreError
from cardledger.record.backup.objects.places import ObjectPlace
from cardledger.sentence import advising

_PLAIN = b"cardledger object 1\n"
_SEALED = b"cardledger object 1, encrypted\n"
_NONCE = 12
_SECRET = re.compile(r"[0-9a-fA-F]{64}")


def read_secret(path: Path) -> bytes:
    """Return the secret in a file, 64 hexadecimal digits; raises StoreError `store.secret`."""
    try:
        text = path.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise StoreError("store.secret", f"{path} cannot be read: {error}") from None
    if not _SECRET.fullmatch(text):
        raise StoreError(
            "store.secret",
            advising(f"{path} holds no secret of 64 hexadecimal digits: make one with openssl rand -hex 32"),
        )
    return bytes.fromhex(text)


class Objects:
    """The objects of a place in their outer form; with a secret all are encrypted, each under its own name."""

    def __init__(self, place: ObjectPlace, secret: bytes | None = None) -> None:
        self.place = place
        self.encrypted = secret is not None
        self._secret = secret

    def names(self, under: str) -> list[str]:
        """Return the names that begin with `under/`, in their order."""
        return self.place.names(under)

    def get(self, name: str) -> bytes | None:
        """Return the content of an object, None if there is none.

        Raises StoreError `store.damaged` if it is not as it was written, `store.secret` for the wrong secret, or none.
        """
        packed = self.place.get(name)
        return None if packed is None else self._content(name, packed)

    def create(self, name: str, content: bytes) -> None:
        """Write an object once and read it back; it may be there already, with the same content.

        Raises StoreError `store.differs` if there is another content under the name, `store.write`.
        """
        self.place.create(name, self._packed(name, content))
        there = self.get(name)
        if there is None:
            raise StoreError("store.write", f"{name} was written, and is not there")
        if there != content:
            raise StoreError(
                "store.differs",
                advising(
                    f"{name} is there with another content, so another program copies to this place: nothing was "
                    "replaced. Give each ledger, and each program, a place of its own"
                ),
            )

    def replace(self, name: str, content: bytes) -> None:
        """Write an object in place of the one of this name; raises StoreError `store.write`."""
        self.place.replace(name, self._packed(name, content))

    def _packed(self, name: str, content: bytes) -> bytes:
        data = zlib.compress(content)
        if self._secret is None:
            return _PLAIN + sha256(name.encode() + b"\n" + data).digest() + data
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(_NONCE)
        return _SEALED + nonce + AESGCM(self._secret).encrypt(nonce, data, _SEALED + name.encode())

    def _content(self, name: str, packed: bytes) -> bytes:
        if packed.startswith(_SEALED):
            data = self._opened(name, packed[len(_SEALED) :])
        else:
            if self._secret is not None and packed.startswith(_PLAIN):
                # Whoever can write there could put anything in place of what only the secret can make.
                raise StoreError(
                    "store.secret", advising(f"{name} is not encrypted: leave the secret out, or choose another place")
                )
            head, data = packed[: len(_PLAIN) + 32], packed[len(_PLAIN) + 32 :]
            if head != _PLAIN + sha256(name.encode() + b"\n" + data).digest():
                raise damaged(name)
        try:
            return zlib.decompress(data)
        except zlib.error:
            raise damaged(name) from None

    def _opened(self, name: str, sealed: bytes) -> bytes:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if self._secret is None:
            raise StoreError("store.secret", advising(f"{name} is encrypted: give the secret with --secret FILE"))
        try:
            return AESGCM(self._secret).decrypt(sealed[:_NONCE], sealed[_NONCE:], _SEALED + name.encode())
        except (InvalidTag, ValueError):
            raise StoreError(
                "store.secret", f"{name} does not open with this secret: it is another one, or the object is damaged"
            ) from None


def damaged(name: str) -> StoreError:
    """Return the error for an object that is not as it was written."""
    return StoreError(
        "store.damaged", advising(f"{name} is not as it was written: restore from another copy, or copy to a new place")
    )
