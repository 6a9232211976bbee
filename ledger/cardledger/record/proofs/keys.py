"""The key file of a ledger: the present and earlier signing keys, and the secret behind the salts."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cardledger.errors import UnusableError
from cardledger.record.proofs import ProofError
from cardledger.record.proofs.leaves import Leaves
from cardledger.record.proofs.notes import PLAIN, VerifierKey, as_base64, from_base64
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_SIGNER = "PRIVATE+KEY+"
_SECRET_BYTES = 32


class KnownKey(msgspec.Struct, frozen=True):
    """A verifier key as text, and the time in which it signed (`until` None: still in use)."""

    key: str
    since: str
    until: str | None = None


class _KeyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file: JSON, readable by its owner only."""

    origin: str
    signer: str
    salts: str
    keys: list[KnownKey]


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The key ring of a log: its name, the key that signs, the secret behind the leaves, and all keys so far."""

    origin: str
    signer: Ed25519PrivateKey
    leaves: Leaves
    known: tuple[KnownKey, ...]

    @property
    def verifiers(self) -> list[VerifierKey]:
        """Every key whose signatures count, the current one first."""
        return [VerifierKey.read(key.key) for key in self.known]

    @property
    def verifier(self) -> VerifierKey:
        """The key that verifies new signatures."""
        return self.verifiers[0]

    def rotated(self, now: datetime) -> KeyRing:
        """Return the ring with a new key that signs from now on; the old one remains known."""
        signer, when = _private().generate(), written(now)
        key, *before = self.known
        retired = KnownKey(key.key, key.since, when)
        return replace(self, signer=signer, known=(_known(self.origin, signer, when), retired, *before))


def written(time: datetime) -> str:
    """Return a UTC time in RFC 3339 form, to the second."""
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def new_ring(name: str, now: datetime) -> KeyRing:
    """Return a ring for a ledger of this name, with a new key."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "ledger"
    origin, signer = f"cardledger/{slug}-{secrets.token_hex(4)}", _private().generate()
    return KeyRing(origin, signer, Leaves(secrets.token_bytes(_SECRET_BYTES)), (_known(origin, signer, written(now)),))


def read_ring(path: Path) -> KeyRing:
    """Read a key file.

    Raises ProofError `proofs.key` for another kind of file, which stays untouched, and UnusableError `store.open`.
    """
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_KeyFile)
        *_, encoded = file.signer.removeprefix(_SIGNER).split("+", 2)
        signer = _private().from_private_bytes(from_base64(encoded)[1:])
        ring = KeyRing(file.origin, signer, Leaves(bytes.fromhex(file.salts)), tuple(file.keys))
        # Check everything now, not only at the first signature.
        if _signer(ring) != file.signer or ring.verifier != _verifier(file.origin, signer):
            raise ValueError(file.origin)
    except OSError as error:
        raise UnusableError(
            "store.open", Sentence("{path} cannot be read: {why}", path=str(path), why=str(error.strerror))
        ) from None
    except (ValueError, IndexError, msgspec.DecodeError, ProofError):
        raise ProofError(
            "proofs.key", Sentence("{path} is not the key file of a ledger, or is damaged", path=str(path))
        ) from None
    return ring


def write_ring(path: Path, ring: KeyRing, *, first: bool = False) -> None:
    """Write a key file for its owner only, whole or not at all; raises UnusableError `store.write`.

    With `first`, a file that another process has just written is left alone.
    """
    file = _KeyFile(ring.origin, _signer(ring), ring.leaves.secret.hex(), list(ring.known))
    content = msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        durably(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), content)
        if first:
            with suppress(FileExistsError):
                path.hardlink_to(draft)
        else:
            draft.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise UnusableError("store.write", f"{path} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):  # it is secret: leave no copy behind
            draft.unlink()


def durably(file: int, content: bytes) -> None:
    """Write to an open file, flush it to disk, and close it."""
    with open(file, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(file)


def sync_folder(folder: Path) -> None:
    """Flush a folder to disk, if the system lets folders be opened."""
    if os.name == "posix":
        held = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(held)
        finally:
            os.close(held)


def _signer(ring: KeyRing) -> str:
    """Return the private key as text, in the form that tools for signed notes use."""
    key = _verifier(ring.origin, ring.signer)
    return f"{_SIGNER}{key.name}+{key.id().hex()}+{as_base64(PLAIN + ring.signer.private_bytes_raw())}"


def _private() -> type[Ed25519PrivateKey]:
    # Here, as a match file is judged without keys: such an installation has no cryptography.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey


def _verifier(origin: str, signer: Ed25519PrivateKey) -> VerifierKey:
    return VerifierKey(origin, signer.public_key().public_bytes_raw())


def _known(origin: str, signer: Ed25519PrivateKey, since: str) -> KnownKey:
    return KnownKey(str(_verifier(origin, signer)), since)


def lines_of(keys: Sequence[KnownKey]) -> list[str]:
    """Return keys as lines of text, each with its time of use."""
    return [f"{key.key}  since {key.since}" + (f", until {key.until}" if key.until else "") for key in keys]
