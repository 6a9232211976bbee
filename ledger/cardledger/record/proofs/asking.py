"""A ledger asks its witnesses to sign its checkpoints: each new one at once, and the last one again each minute."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cardledger.errors import LedgerError
from cardledger.record.proofs import ProofError, notes
from cardledger.record.proofs.keys import written
from cardledger.record.proofs.log import CLOCKS_DIFFER, Log
from cardledger.record.proofs.notes import VerifierKey
from cardledger.record.proofs.submissions import Submission

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardledger.record.proofs.notes import Checkpoint
    from cardledger.record.proofs.witness_file import AskedWitness, WitnessFile
    from cardledger.record.recording.ledger import Ledger

EVERY_SECONDS = 60.0
"""Seconds after which the last checkpoint is sent again."""
_OK, _CONFLICT = 200, 409
_LOG = logging.getLogger("cardledger.witness")


class Heard(NamedTuple):
    """The answer of a witness: its status and text, or why there is none."""

    status: int | None
    body: str = ""
    error: str | None = None


class Post(Protocol):
    """Sends a text to an address of a witness."""

    def __call__(self, url: str, body: bytes) -> Heard:
        """Return the answer."""
        ...


class Asker:
    """Asks the witnesses in the file of a ledger; `wrong` is what they object to, by their names."""

    def __init__(self, ledger: Ledger, file: WitnessFile, post: Post, clock: Callable[[], datetime]) -> None:
        self._ledger, self._file, self._post, self._clock = ledger, file, post, clock
        self._sent: dict[tuple[str, str], tuple[int, float]] = {}
        self.wrong: dict[str, LedgerError] = {}

    def look(self) -> None:
        """Ask the witnesses that have not seen the last checkpoint, or nothing for a minute."""
        asked = self._file.witnesses()
        self.wrong = {name: error for name, error in self.wrong.items() if name in {one.name for one in asked}}
        if not asked or not Log.begun(self._ledger):
            return
        with Log(self._ledger, create=False) as log:
            last = log.checkpoints.last()
            for witness in asked:
                key, now = (witness.name, witness.url), self._clock()
                size, when = self._sent.get(key, (-1, float("-inf")))
                if last is not None and last.size == size and abs(now.timestamp() - when) < EVERY_SECONDS:
                    continue
                self._sent[key] = (last.size if last else -1, now.timestamp())
                self._ask(log, witness, now)

    def _ask(self, log: Log, witness: AskedWitness, now: datetime) -> None:
        witness, checkpoint, line = witness._replace(asked=written(now), code=None, error=None), None, None
        try:
            checkpoint = log.stated(now)
            line = self._cosignature(log, witness, checkpoint, now)
            witness = witness._replace(signed=checkpoint.size, agreed=written(now))
            self.wrong.pop(witness.name, None)
        except LedgerError as error:
            witness = witness._replace(code=error.code, error=error.message)
            if error.code != "witness.silent":
                self.wrong[witness.name] = error
                _LOG.error("a witness objects", extra={"fields": {"witness": witness.name, "code": error.code}})
        self._file.note(witness, checkpoint, line)

    def _cosignature(self, log: Log, witness: AskedWitness, checkpoint: Checkpoint, now: datetime) -> str:
        """Return the line of a witness; raises LedgerError `witness.*`, ProofError."""
        old, heard = witness.signed, Heard(None)
        for _ in range(2):
            path = log.consistency(old, checkpoint.size).path if 0 < old <= checkpoint.size else []
            heard = self._post(witness.url, str(Submission(min(old, checkpoint.size), path, checkpoint)).encode())
            if heard.status != _CONFLICT:
                break
            old = _size_in(heard, witness)
            if old > checkpoint.size:
                raise ProofError(
                    "witness.smaller",
                    f"{witness.name} has signed {old:,} events of this ledger, which has {checkpoint.size:,}",
                )
            if old == checkpoint.size == witness.signed:
                break
        if heard.status is None:
            raise LedgerError("witness.silent", heard.error or "no answer")
        if heard.status == _CONFLICT:
            raise ProofError("witness.fork", f"{witness.name} has signed {old:,} other events of this ledger")
        if heard.status == 422:
            raise ProofError("witness.unproven", f"{witness.name} has signed a past that this ledger does not continue")
        if heard.status != _OK:
            raise LedgerError("witness.silent", f"{witness.name} answered with status {heard.status}")
        return _line_of(heard, witness, checkpoint, now)


def _size_in(heard: Heard, witness: AskedWitness) -> int:
    text = heard.body.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise LedgerError("witness.silent", f"{witness.name} answered with no size")
    return int(text)


def _line_of(heard: Heard, witness: AskedWitness, checkpoint: Checkpoint, now: datetime) -> str:
    """Return the line of an answer that the witness signed with its key; all others are left out."""
    key = VerifierKey.read(witness.key)
    for line in heard.body.splitlines():
        try:
            note = notes.read(f"{checkpoint.text}\n{line}\n")
            when = note.cosigned_at(key)
        except ProofError:
            continue
        if when is None:
            continue
        if abs(when - now) > CLOCKS_DIFFER:
            raise LedgerError(
                "witness.clock",
                f"the clock of this computer says {written(now)}, that of {witness.name} {written(when)}",
            )
        return f"{line}\n"
    raise LedgerError("witness.silent", f"{witness.name} gave no signature with its key")
