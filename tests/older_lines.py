"""Lines of before: every text stood in clear in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cardledger.record.store import Append
from cardledger.record.store.chain import START, chain
from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger


def in_clear(ledger: Ledger, stream: str, events: Sequence[ev.Event]) -> None:
    """Store events with every text in clear, as programs did before such texts became pseudonyms."""
    lines = [
        ev.encode(
            msgspec.structs.replace(
                event,
                seq=seq,
                id=stream if seq == 1 else f"{stream[-36:-4]}{seq:04x}",
                at="2026-01-01T00:00:00Z",
                by=event.by or "import",
            )
        ).decode()
        for seq, event in enumerate(events, 1)
    ]
    ledger.store.append([Append(stream, 0, chain(START, lines))])
