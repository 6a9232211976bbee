"""Receipts as earlier versions of the program wrote them: only the last event of the match is proven to be sealed."""

from __future__ import annotations

from typing import Any

from cardledger.record.proofs import EventPlace
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.receipts import receipt, tlog_proof


def older_receipt(log: Log, match: str, form: int = 2) -> dict[str, Any]:
    """Return the receipt of a match in version 1 or 2; version 1 had no names."""
    now = receipt(log, match)
    events = [{"hash": event["hash"], "line": event["line"]} for event in now["events"]]
    found = log.inclusion(EventPlace(match, len(events)))
    told = {
        "receipt": f"cardledger-receipt-{form}", "match": match, "keys": now["keys"], "salt": found.salt.hex(),
        "proof": tlog_proof(found, extra=False), "names": now["names"], "events": events,
    }  # fmt: skip
    if form == 1:
        del told["names"]
    return told
