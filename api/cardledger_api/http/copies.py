"""The copies of a ledger: when a restore of the last one was proven, for health, metrics and the page of integrity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import current_app

from cardledger.record.backup.drills import DAYS, restore_proof
from cardledger.record.backup.manifest import utc_now

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from flask import Flask

    from cardledger.record.backup.drills import RestoreProof
    from cardledger.record.store.paths import Family

_NAME = "cardledger.copies"


@dataclass(frozen=True, slots=True)
class Copies:
    """The files of a ledger with their list of drills, and the days after which a proof is old."""

    family: Family
    days: float = DAYS
    clock: Callable[[], datetime] = utc_now

    def now(self) -> RestoreProof:
        """Return what the drills prove now."""
        return restore_proof(self.family, self.clock(), self.days)

    def report(self) -> dict[str, Any]:
        """Return that for programs, without places and names: anybody may read it."""
        found = self.now()
        return {
            "well": found.well,
            "state": found.state,
            "proven": found.proven and found.proven.at,
            "age": None if found.age is None else int(found.age),
            "seconds": found.proven and found.proven.seconds,
            "code": found.last and found.last.code,
        }


def add_copies(app: Flask, copies: Copies) -> Copies:
    """Give an application the copies of its ledger."""
    app.extensions[_NAME] = copies
    return copies


def copies_here() -> Copies:
    """Return the copies of the current application's ledger."""
    copies: Copies = current_app.extensions[_NAME]
    return copies
