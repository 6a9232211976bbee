"""The list of restore drills beside a ledger, and what it proves: whether its last copy can be restored."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any, Literal, NamedTuple

import msgspec

from cardledger.errors import LedgerError
from cardledger.record.backup.manifest import backups
from cardledger.record.backup.snapshot import put
from cardledger.record.store.paths import Family
from cardledger.sentence import as_data, as_sentence, from_data

DAYS = 7.0
"""A restore that was proven longer ago has to be proven again."""
KEPT = 50
"""Drills in the list; the last one that went well stays in it however many failed since."""
_DAY = 86_400


class Drill(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A restore that was tried: of which copy, when, and the code and sentence of the error, None if all went well.

    `seconds` is the time until the restored ledger could be served, read models included; `events` is their number,
    `sealed` the number of those held to a checkpoint, `matches` the number of matches.
    """

    at: str
    copy: str
    seconds: float = 0.0
    events: int = 0
    sealed: int = 0
    matches: int = 0
    digest: str | None = None
    code: str | None = None
    error: str | None = None
    said: dict[str, Any] | None = None
    """The sentence of the error as data: pages say it in any language."""

    def failed(self, error: LedgerError) -> Drill:
        """Return the drill that found an error."""
        said = msgspec.json.decode(msgspec.json.encode(as_data(as_sentence(error.message)), enc_hook=str))
        return msgspec.structs.replace(self, code=error.code, error=str(error.message), said=said)

    @property
    def words(self) -> str:
        """What went wrong as a sentence; a text in a list of an earlier version; empty if all went well."""
        with suppress(KeyError, TypeError, ValueError, AttributeError, IndexError):
            return from_data(self.said) if self.said else self.error or ""
        return self.error or ""

    def age(self, now: datetime) -> float:
        """Return how many seconds ago it was."""
        return (now - datetime.fromisoformat(self.at)).total_seconds()


def drills(family: Family) -> list[Drill]:
    """Return the drills of a ledger, the oldest first; none if the list is missing or cannot be read."""
    with suppress(OSError, msgspec.DecodeError):
        return [one for one in msgspec.json.decode(family.drills.read_bytes(), type=list[Drill]) if _dated(one)]
    return []


def add(family: Family, drill: Drill) -> None:
    """Add a drill to the list; the caller keeps others out. Raises StoreError `store.write`."""
    listed = [*drills(family), drill]
    older, kept = listed[:-KEPT], listed[-KEPT:]
    if all(one.code is not None for one in kept):
        kept = [one for one in older if one.code is None][-1:] + kept
    put(family.drills, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


State = Literal["proven", "failed", "old", "never", "no copy"]


class RestoreProof(NamedTuple):
    """How far copies of a ledger are known to be good.

    The last drill that went well, the last of all, and the seconds since the former.
    """

    state: State
    proven: Drill | None
    last: Drill | None
    age: float | None

    @property
    def well(self) -> bool:
        """Whether there is nothing to do: a restore was proven lately, or there is no copy yet."""
        return self.state in ("proven", "no copy")


def restore_proof(family: Family, now: datetime, days: float = DAYS) -> RestoreProof:
    """Return what the drills of a ledger prove; `days` is the age from which a proof is old."""
    listed = drills(family)
    last = listed[-1] if listed else None
    proven = next((one for one in reversed(listed) if one.code is None), None)
    age = proven.age(now) if proven else None
    state: State
    if last is None:
        state = "never" if backups(family) else "no copy"
    elif last.code is not None:
        state = "failed"
    else:
        state = "old" if age is not None and age > days * _DAY else "proven"
    return RestoreProof(state, proven, last, age)


def _dated(drill: Drill) -> bool:
    with suppress(ValueError):
        return datetime.fromisoformat(drill.at).tzinfo is not None
    return False
