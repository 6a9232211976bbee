"""All clubs of a house at a glance: the state of each ledger, told without opening it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.backup.drills import DAYS, restore_proof
from cardledger.record.backup.manifest import backups
from cardledger.record.store.glance import Glance, glance
from cardledger.record.store.opening import expect_ledger
from cardledger.record.store.paths import Family
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardledger.record.backup.drills import State
    from cardledger.record.store.address import Where
    from cardledger_web.clubs.places import ClubPlace

ASKED_LATER = Sentence("It is in a database, which is asked when the club opens.")
_WHY = {
    "store.damaged": Sentence("Its file is damaged or empty."),
    "store.version": Sentence("It was recorded in by a later program. Update this one."),
    "store.siblings": Sentence("Its file is missing, and other files of it are there."),
}
_UNKNOWN = Sentence("Its file cannot be opened, or is no ledger.")
_DAY = len("2026-11-28")


class ClubGlance(NamedTuple):
    """What is known of a club without opening its ledger; None is what is not known.

    `opens` tells whether its ledger can be opened; if not, `code` and `why` say the reason. `last` is the day on which
    something was recorded last (UTC), `bytes` the size of all its files, `copied` the time of the last backup that was
    noted beside it; `restore` tells what its restore drills prove, and `restored` is the time of the last one that went
    well. `findings` counts the differences from the record that a server has found while the ledger was
    open; it is None while it is closed.
    """

    name: str
    opens: bool | None
    code: str | None = None
    why: Sentence | None = None
    last: str | None = None
    events: int | None = None
    bytes: int | None = None
    copied: str | None = None
    restore: State | None = None
    restored: str | None = None
    findings: int | None = None

    @property
    def well(self) -> bool:
        """Whether nothing is known to be wrong."""
        return self.opens is not False and not self.findings and self.restore not in ("failed", "old", "never")


def overview(
    clubs: Mapping[str, ClubPlace], findings: Callable[[str], int | None] = lambda name: None, days: float = DAYS
) -> list[ClubGlance]:
    """Return the state of every club, by name.

    Args:
        clubs: the places of their ledgers.
        findings: tells how many findings of a club are open, None if it is not known.
        days: after how many days a restore that was proven is old.
    """
    return [_state(name, clubs[name].at, findings(name), days) for name in sorted(clubs)]


def _state(name: str, at: Where, findings: int | None, days: float) -> ClubGlance:
    if not isinstance(at, Path):
        return ClubGlance(name, None, why=ASKED_LATER, findings=findings)
    family = Family(at)
    proof = restore_proof(family, datetime.now(UTC), days)
    noted = ClubGlance(
        name, True, bytes=family.size(), findings=findings, restore=proof.state,
        restored=proof.proven.at if proof.proven else None,
        copied=max((made.made for made in backups(family).values()), default=None),
    )  # fmt: skip
    try:
        expect_ledger(at, create=True)  # as the first request would
        seen = glance(at) if at.exists() and at.stat().st_size else Glance(0, None)
    except LedgerError as error:
        # The message names places of this computer; those who ask may be elsewhere.
        return noted._replace(opens=False, code=error.code, why=_WHY.get(error.code, _UNKNOWN))
    except OSError:
        return noted._replace(opens=False, code="store.open", why=_UNKNOWN)
    return noted._replace(events=seen.events, last=seen.last and seen.last[:_DAY])
