"""The thread of a server that asks the witnesses of its ledger, and the sending to them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from cardledger.errors import LedgerError
from cardledger.record.proofs.asking import Asker, Heard
from cardledger.record.proofs.submissions import MOST_BYTES
from cardledger.record.proofs.witness_file import WitnessFile
from cardledger.record.store.opening import family
from cardledger_api.beside.times import utc_now
from cardledger_api.hooks.sending import post

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store.address import Where

LOOK_SECONDS = 1.0
_LOG = logging.getLogger("cardledger.witness")
_HEADERS = {"Content-Type": "text/plain; charset=utf-8", "User-Agent": "cardledger"}


def start_asking(ledger: Ledger, at: Where, *, private: bool) -> None:
    """Ask the witnesses of a ledger until it is closed; with `private` they may be on this computer and its network."""

    def send(url: str, body: bytes) -> Heard:
        answer = post(f"{url.rstrip('/')}/add-checkpoint", body, _HEADERS, private=private, most=MOST_BYTES)
        return Heard(answer.status, answer.body.decode("utf-8", "replace"), answer.error)

    file = WitnessFile(family(at, ledger.store).witness)
    asker, closing = Asker(ledger, file, send, utc_now), ledger.views.background.closing

    def run() -> None:
        try:
            while not closing.wait(LOOK_SECONDS):
                try:
                    asker.look()
                except LedgerError as error:
                    _LOG.warning("witnesses wait", extra={"fields": {"code": error.code}})
                except Exception:  # noqa: BLE001 - it is logged
                    _LOG.exception("witnesses broken off")
        finally:
            file.close()

    ledger.views.background.lasting(run)
