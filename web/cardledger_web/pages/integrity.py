"""The page of integrity: the state of the ledger, and checks of every hash, all play and every row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flask import g, redirect, render_template, url_for

from cardledger.errors import LedgerError
from cardledger.record.proofs.keys import written
from cardledger.record.proofs.log import Log
from cardledger_api.auth.users import RoleWanted
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_api.http.checks import checks_of
from cardledger_api.http.copies import copies_here
from cardledger_api.http.findings import ANSWER, findings_here
from cardledger_web.pages.blueprint import pages

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger.record.proofs.keys import KnownKey
    from cardledger.record.proofs.notes import Checkpoint
    from cardledger.record.recording.ledger import Ledger


@pages.get("/integrity")
def integrity() -> str:
    ledger = current_ledger()
    checks = checks_of(current_ledger())
    matches, latest = ledger.views.reader.execute("SELECT count(*), max(recorded_at) FROM matches").fetchone()
    return render_template(
        "integrity.html",
        matches=matches,
        latest=latest,
        events=ledger.count(),
        folded=ledger.views.position,
        behind=ledger.store.last_position() - ledger.views.position,
        seal=sealed(ledger),
        running=checks.running,
        last=checks.last,
        may_start=sees_all(),
        findings=findings_here().all,
        restore=copies_here().now(),
    )


@pages.post("/integrity")
def check_integrity() -> Response:
    checks = checks_of(current_ledger())
    if not sees_all():
        raise RoleWanted(
            "Only scorers may start a check, as it takes the server a while. Sign in with a scorer's token."
        )
    checks.start(g.recorder or "", findings_here())
    return redirect(url_for("pages.integrity"), 303)


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal: the latest checkpoint, its time, the number of events since, and every key.

    None without checkpoints; `wrong` is the difference that a quick look found.
    """

    checkpoint: Checkpoint | None = None
    when: str = ""
    since: int = 0
    keys: tuple[KnownKey, ...] = ()
    wrong: LedgerError | None = None


def sealed(ledger: Ledger) -> Seal:
    """Return the seal; checks only that the ledger continues from the sealed events, not all of them."""
    if not Log.begun(ledger):
        return Seal()
    seal = Seal()
    try:
        with Log(ledger, create=False) as log:
            last = log.checkpoints.last()
            if last is not None:
                when = written(log.signed_at(last))
                seal = Seal(last, when, ledger.count() - last.size, log.ring.known)
                log.expect_same_end()
                if log.tree.tiles.size >= last.size:
                    log.expect_goes_on(last)
    except LedgerError as error:
        findings_here().tell(ANSWER, error)
        return replace(seal, wrong=error)
    return seal
