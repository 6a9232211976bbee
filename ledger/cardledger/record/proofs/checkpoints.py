"""All checkpoints of a ledger: signed notes in an append-only file."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from cardledger.errors import UnusableError
from cardledger.record.proofs import ProofError, notes
from cardledger.record.proofs.keys import durably, sync_folder
from cardledger.record.proofs.notes import Checkpoint
from cardledger.sentence import Sentence, advising

_EMPTY_LINE = b"\n\n"
"""Ends each half of a note: the signed text, and its signatures."""
_TAIL = 8_192
"""Bytes that hold the last note."""


class Checkpoints:
    """The file; a note cut off during writing was never shown and does not count."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Checkpoint | None:
        """Return the latest checkpoint, None if there is none; raises ProofError `proofs.note`."""
        pairs = [*_pairs(self._halves(_TAIL))]
        return _read(*pairs[-1]) if pairs else None

    def all(self) -> list[Checkpoint]:
        """Return all checkpoints, the oldest first; raises ProofError `proofs.note`."""
        return [_read(text, signatures) for text, signatures in _pairs(self._halves())]

    def of_size(self, size: int) -> Checkpoint | None:
        """Return the checkpoint over this number of events, None if there is none; raises ProofError `proofs.note`."""
        for text, signatures in _pairs(self._halves()):
            if text.split(b"\n")[1:2] == [b"%d" % size]:
                return _read(text, signatures)
        return None

    def add(self, checkpoint: Checkpoint) -> int:
        """Add a checkpoint, and return how many there are.

        It is on disk on return. The caller must keep other writers out.

        Raises ProofError `proofs.note`, `proofs.write`.
        """
        halves = self._halves()
        whole = sum(len(half) + len(_EMPTY_LINE) for half in halves)
        try:
            with open(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
                if not whole:
                    sync_folder(self.path.parent)  # first, or a crash could leave a note in a file without a name
                file.truncate(whole)  # remove a note that was cut off
                file.seek(whole)
                file.write(f"{checkpoint.note}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ProofError("proofs.write", f"the checkpoint could not be stored: {error.strerror}") from None
        return len(halves) // 2 + 1

    def keep(self, size: int) -> None:
        """Take off the checkpoints over more events than a number.

        Raises ProofError `proofs.note`, UnusableError `store.write`.
        """
        left = [one for one in self.all() if one.size <= size]
        if not self.path.exists():
            return
        draft = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}")
        try:
            content = "".join(f"{one.note}\n" for one in left).encode()
            durably(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), content)
            draft.replace(self.path)
            sync_folder(self.path.parent)
        except OSError as error:
            raise UnusableError("store.write", f"{self.path} cannot be written: {error.strerror}") from None

    def _halves(self, tail: int | None = None) -> list[bytes]:
        """Return text and signatures of all notes in order, or of the last few (at least one, if there is one)."""
        try:
            with self.path.open("rb") as file:
                start = 0 if tail is None else max(0, file.seek(0, os.SEEK_END) - tail)
                file.seek(start)
                *halves, _cut_off = file.read().split(_EMPTY_LINE)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise UnusableError(
                "store.open", Sentence("{path} cannot be read: {why}", path=str(self.path), why=str(error.strerror))
            ) from None
        if halves and not _signs(halves[-1]):
            halves.pop()
        if start and len(halves) < 3:
            return self._halves()
        return halves[-2:] if start else halves


def _pairs(halves: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    if len(halves) % 2:
        raise ProofError("proofs.note", advising("a stored checkpoint is incomplete: restore the file from a backup"))
    return zip(halves[::2], halves[1::2], strict=True)


def _signs(half: bytes) -> bool:
    return half.startswith("\N{EM DASH} ".encode())


def _read(text: bytes, signatures: bytes) -> Checkpoint:
    try:
        return notes.read(f"{text.decode()}\n\n{signatures.decode()}\n")
    except UnicodeDecodeError:
        raise ProofError(
            "proofs.note", advising("a stored checkpoint is not text: restore the file from a backup")
        ) from None
