"""Checkpoints: tree size and root as notes signed with Ed25519, in the forms of C2SP.

https://c2sp.org/tlog-checkpoint, https://c2sp.org/signed-note; the time of signing is in a second signature
(https://c2sp.org/tlog-cosignature).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from cardledger.record.proofs import ProofError
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PLAIN, TIMED = b"\x01", b"\x04"
"""Kinds of signatures: over the text, and over the text with a time."""
_DASH = "\N{EM DASH}"
_SIGNATURE_BYTES = 64


def as_base64(data: bytes) -> str:
    """Return bytes as base64, in the standard alphabet with padding."""
    return base64.b64encode(data).decode()


def from_base64(text: str) -> bytes:
    """Decode base64 in its canonical form; raises ValueError for any other text."""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    if as_base64(data) != text:
        raise ValueError("not in canonical form")
    return data


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A name and the 32 bytes of a public key; as text `name+id+key`, the form of signed notes."""

    name: str
    public: bytes

    def id(self, kind: bytes = PLAIN) -> bytes:
        """Return the four bytes that name the key in signatures of a kind."""
        return sha256(self.name.encode() + b"\n" + kind + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id().hex()}+{as_base64(PLAIN + self.public)}"

    def as_witness(self) -> str:
        """Return the key as text for its signatures with a time: what witnesses publish."""
        return f"{self.name}+{self.id(TIMED).hex()}+{as_base64(TIMED + self.public)}"

    @classmethod
    def read(cls, text: str) -> VerifierKey:
        """Read a key from a text, that of a log or a witness; raises ProofError `proofs.key`."""
        try:
            name, _, encoded = text.split("+", 2)
            data = from_base64(encoded)
            key = cls(name, data[1:])
        except ValueError:
            raise ProofError(
                "proofs.key", advising("write a verifier key as NAME+ID+KEY, as cardledger key shows it")
            ) from None
        if text not in (str(key), key.as_witness()) or len(key.public) != 32:
            raise ProofError(
                "proofs.key", advising("the verifier key is damaged: copy it again, as cardledger key shows it")
            )
        return key


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint: the number of events and their root. `note` is the whole signed note."""

    origin: str
    size: int
    root: bytes
    note: str

    @property
    def text(self) -> str:
        """The part of the note that is signed."""
        return self.note.partition("\n\n")[0] + "\n"

    def cosigned_at(self, witness: VerifierKey) -> datetime | None:
        """Return when a witness signed the note, None if it did not; raises ProofError `proofs.signature`."""
        for name, id, signature in self.signatures:
            if (name, id) == (witness.name, witness.id(TIMED)):
                seconds = int.from_bytes(signature[:8], "big")
                _expect_signed(witness, signature[8:], _timed(self.text, seconds))
                return _time_of(seconds)
        return None

    @property
    def signatures(self) -> list[tuple[str, bytes, bytes]]:
        """Every signature, by name and id of its key."""
        lines = self.note.partition("\n\n")[2][:-1].split("\n")
        parts = [line.split(" ") for line in lines]
        return [(name, from_base64(encoded)[:4], from_base64(encoded)[4:]) for _, name, encoded in parts]

    def signers(self, keys: Iterable[VerifierKey]) -> list[VerifierKey]:
        """Return the keys that the note claims to be signed with."""
        claimed = {(name, id) for name, id, _ in self.signatures}
        return [key for key in keys if (key.name, key.id()) in claimed]

    def signed_at(self, *keys: VerifierKey) -> datetime:
        """Return the time of signing; raises ProofError `proofs.signature` unless one of the keys signed the note.

        A wrong signature by one of the keys is refused, and so is a note without a time. Signatures by other keys are
        ignored.
        """
        text = self.text
        plain, seconds = False, None
        for name, id, signature in self.signatures:
            for key in keys:
                if (name, id) == (key.name, key.id(PLAIN)):
                    _expect_signed(key, signature, text)
                    plain = True
                elif (name, id) == (key.name, key.id(TIMED)):
                    seconds = int.from_bytes(signature[:8], "big")
                    _expect_signed(key, signature[8:], _timed(text, seconds))
        if not plain or seconds is None:
            raise ProofError("proofs.signature", Sentence("the checkpoint is not signed by a key of this ledger"))
        return _time_of(seconds)


def sign(origin: str, size: int, root: bytes, when: datetime, *keys: Ed25519PrivateKey) -> Checkpoint:
    """Return a checkpoint signed with every key; its time is to the second."""
    text = f"{origin}\n{size}\n{as_base64(root)}\n"
    seconds = int(when.timestamp())
    lines = []
    for private in keys:
        key = VerifierKey(origin, private.public_key().public_bytes_raw())
        timed = seconds.to_bytes(8, "big") + private.sign(_timed(text, seconds).encode())
        for kind, signature in ((PLAIN, private.sign(text.encode())), (TIMED, timed)):
            lines.append(f"{_DASH} {origin} {as_base64(key.id(kind) + signature)}\n")
    return read(f"{text}\n{''.join(lines)}")


def cosign(checkpoint: Checkpoint, name: str, private: Ed25519PrivateKey, when: datetime) -> str:
    """Return the line of a witness below a checkpoint (https://c2sp.org/tlog-cosignature)."""
    key = VerifierKey(name, private.public_key().public_bytes_raw())
    seconds = int(when.timestamp())
    signature = private.sign(_timed(checkpoint.text, seconds).encode())
    return f"{_DASH} {name} {as_base64(key.id(TIMED) + seconds.to_bytes(8, 'big') + signature)}\n"


def read(note: str) -> Checkpoint:
    """Return the checkpoint in a note, without checking its signatures; raises ProofError `proofs.note`."""
    text, _, lines = note.partition("\n\n")
    try:
        origin, size, root = text.split("\n")
        if not (origin and size.isascii() and size.isdigit() and str(int(size)) == size and len(size) <= 18):
            raise ValueError(size)
        hash = from_base64(root)
        if len(hash) != 32 or not lines.endswith("\n"):
            raise ValueError(root)
        for line in lines[:-1].split("\n"):
            dash, _, encoded = line.split(" ")
            if dash != _DASH or len(from_base64(encoded)) < 4 + _SIGNATURE_BYTES:
                raise ValueError(line)
    except ValueError:
        raise ProofError(
            "proofs.note", "this is not a checkpoint: it needs origin, size, root, and signatures below"
        ) from None
    return Checkpoint(origin, int(size), hash, note)


def _time_of(seconds: int) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        raise ProofError("proofs.signature", Sentence("the time of the checkpoint's signature is not valid")) from None


def _timed(text: str, seconds: int) -> str:
    return f"cosignature/v1\ntime {seconds}\n{text}"


def _expect_signed(key: VerifierKey, signature: bytes, text: str) -> None:
    # Here, as a match file is judged without signatures: such an installation has no cryptography.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        raise ProofError(
            "proofs.signature", Sentence("a signature of {key} does not fit the checkpoint", key=key.name)
        ) from None
