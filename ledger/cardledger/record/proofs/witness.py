"""A ledger as the witness of other logs: it signs only what continues what it signed before.

The protocol is https://c2sp.org/tlog-witness. What contradicts an earlier checkpoint is kept as evidence.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.proofs import ProofError, merkle, notes
from cardledger.record.proofs.log import CLOCKS_DIFFER
from cardledger.record.proofs.notes import Checkpoint, VerifierKey
from cardledger.record.proofs.submissions import Submission

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardledger.record.proofs.keys import KeyRing
    from cardledger.record.proofs.witness_file import WitnessedLog, WitnessFile

SIZE = "text/x.tlog.size"
TEXT = "text/plain; charset=utf-8"
FORK, SMALLER, CLOCK, UNPROVEN = "witness.fork", "witness.smaller", "witness.clock", "witness.unproven"
_TRIES = 3
_LOG = logging.getLogger("cardledger.witness")


class Reply(NamedTuple):
    """What a log is answered."""

    status: int
    body: str
    media: str = TEXT


class Witness:
    """Signs the checkpoints of the logs in a file, with the key of a ledger, at the time of a clock."""

    def __init__(self, file: WitnessFile, ring: Callable[[], KeyRing], clock: Callable[[], datetime]) -> None:
        self.file, self._ring, self._clock = file, ring, clock

    def add_checkpoint(self, body: bytes) -> Reply:
        """Answer a log that sent a checkpoint; raises LedgerError if the file or the key cannot be used."""
        try:
            submission = Submission.read(body.decode())
        except (ProofError, UnicodeDecodeError) as error:
            return Reply(400, f"{error}\n")
        for _ in range(_TRIES):
            log = self.file.log(submission.checkpoint.origin)
            if log is None:
                return Reply(404, "this log is not witnessed here\n")
            reply = self._judged(log, submission)
            if reply is not None:
                return reply
        return Reply(503, "another checkpoint of this log is being taken: send it again\n")

    def _judged(self, log: WitnessedLog, submission: Submission) -> Reply | None:
        """Return the answer; None if another checkpoint of the log was taken meanwhile."""
        given = submission.checkpoint
        try:
            signed_at = given.signed_at(*map(VerifierKey.read, log.keys))
        except ProofError as error:
            return Reply(403, f"{error}\n")
        if submission.old > given.size:
            return Reply(400, "the old size is beyond the size of the checkpoint\n")
        before = notes.read(log.note) if log.note else None
        seconds = int(signed_at.timestamp())
        if before is not None and (code := _contradicts(log, before, given, seconds)):
            self._tell(log, code, given)
            return _conflict(log)
        if submission.old != log.size:
            return _conflict(log)
        root = merkle.EMPTY if before is None else before.root
        if not merkle.goes_on((log.size, root), (given.size, given.root), submission.proof):
            if seconds > log.signed:
                self._tell(log, UNPROVEN, given)
            return Reply(422, "the proof does not lead from the last checkpoint to this one\n")
        now, ring = self._clock(), self._ring()
        if not self.file.advance(log, given, max(seconds, log.signed), now):
            return None
        return Reply(200, notes.cosign(given, ring.origin, ring.signer, now))

    def _tell(self, log: WitnessedLog, code: str, given: Checkpoint) -> None:
        self.file.tell(log, code, given, self._clock())
        _LOG.error("a log contradicts itself", extra={"fields": {"log": log.origin, "code": code}})


def _contradicts(log: WitnessedLog, before: Checkpoint, given: Checkpoint, seconds: int) -> str | None:
    """Return how a checkpoint contradicts the last one of a log, None if it does not; `seconds` is when it was signed.

    Anybody can send an old note again: only what the log has signed since counts.
    """
    if given.size == before.size:
        return FORK if given.root != before.root else None
    if given.size < before.size:
        return SMALLER if seconds > log.signed else None
    return CLOCK if log.signed - seconds > CLOCKS_DIFFER.total_seconds() else None


def _conflict(log: WitnessedLog) -> Reply:
    return Reply(409, f"{log.size}\n", SIZE)
