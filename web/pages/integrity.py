"""The page of integrity: the state of the ledger, and checks of it: every hash, every course of play, every row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flask import current_app, g, redirect, render_template, url_for

from api.access import RoleWanted
from api.secrecy import sees_all
from ledger.errors import LedgerError
from ledger.proofs.keys import written
from ledger.proofs.log import Log
from web.checks import Checks

if TYPE_CHECKING:
    from flask import Blueprint
    from werkzeug.wrappers import Response

    from ledger.ledger import Ledger
    from ledger.proofs.keys import KnownKey
    from ledger.proofs.notes import Checkpoint
    from ledger.proofs.sealer import Sealer


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page of integrity."""
    checks = Checks(ledger)

    @pages.get("/integrity")
    def integrity() -> str:
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
        )

    @pages.post("/integrity")
    def check_integrity() -> Response:
        if not sees_all():
            raise RoleWanted("A check is for scorers to begin: it takes the server a while.")
        checks.start(g.recorder or "")
        return redirect(url_for("pages.integrity"), 303)


@dataclass(frozen=True, slots=True)
class Seal:
    """What was sealed: the latest checkpoint, when it was signed, how many events came since, and every key there was.

    Without checkpoints there is none; `wrong` is what is found amiss at a glance.
    """

    checkpoint: Checkpoint | None = None
    when: str = ""
    since: int = 0
    keys: tuple[KnownKey, ...] = ()
    wrong: LedgerError | None = None


def sealed(ledger: Ledger) -> Seal:
    """Return what was sealed; whether the ledger ends as it did and goes on from there is looked at, all of it is not."""
    if not Log.begun(ledger):
        return Seal()
    # While served it is surveyed every now and then: what was found at that, a glance may not see.
    sealer: Sealer | None = current_app.extensions.get("cardledger.sealer")
    found = Seal(wrong=sealer.wrong if sealer else None)
    try:
        with Log(ledger, create=False) as log:
            last = log.checkpoints.last()
            if last is not None:
                when = written(log.signed_at(last))
                found = Seal(last, when, ledger.count() - last.size, log.ring.known, found.wrong)
                log.expect_same_end()
                if log.tree.tiles.size >= last.size:
                    log.expect_goes_on(last)
    except LedgerError as error:
        return replace(found, wrong=found.wrong or error)
    return found
