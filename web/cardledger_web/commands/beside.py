"""What a server does beside answering for a ledger: it seals it, sends to webhooks, and computes reviews in quiet hours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.proofs.sealer import Sealer
from cardledger.study.stats.review.idle import IdleReviews
from cardledger_api.hooks.delivering import Deliveries
from cardledger_api.hooks.hooks import Hooks
from cardledger_api.witness.asking import start_asking
from cardledger_web.app import findings_of, ledger_of

if TYPE_CHECKING:
    from flask import Flask

    from cardledger.record.store.address import Where


def work_beside(app: Flask, at: Where, *, reviews: bool, private_webhooks: bool) -> None:
    """Start the work for an application's ledger; it ends with the ledger. A ledger that is read-only needs none."""
    ledger = ledger_of(app)
    if not ledger.store.writable:
        return
    Sealer(ledger, findings_of(app).surveyed).start()
    Deliveries(ledger, Hooks(at, private=private_webhooks)).start()
    start_asking(ledger, at, private=private_webhooks)
    if reviews:
        IdleReviews(ledger).start()
