"""Every ruling of a match as one digest: the same code in this Python and in a browser's, so that they can be compared.

`digests` needs the rules alone; a test gives this file to the worker of the engine as it stands.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.rules.engine.event_types import readers
from cardledger.rules.stream import Stream

if TYPE_CHECKING:
    from cardledger.rules.engine import events as ev


def digests(asked: str) -> str:
    """Return a digest for each match of a JSON list of matches, as JSON.

    It covers each refusal with its words, and after each event the rulings of its audit, what may be done and by whom, the
    broken rules and the totals.
    """
    read = readers().many.decode
    return json.dumps([_digest(read(json.dumps(match))) for match in json.loads(asked)])


def _digest(events: list[ev.Event]) -> str:
    stream = Stream(events[0], audit=True)
    seen = sha256()
    for event in events[1:]:
        told = 0 if stream.table.trail is None else len(stream.table.trail)
        try:
            stream.append(event)
        except LedgerError as error:
            seen.update(f"refused {error.code} {error.message}\n".encode())
            continue
        seen.update(_said(stream.table, told).encode())
    return seen.hexdigest()


def _said(table: Any, told: int) -> str:
    trail = (table.trail or [])[min(told, len(table.trail or [])) :]
    return "".join([
        *(f"{ruling.seq} {ruling.rule} {ruling.verdict} {ruling.text}\n" for ruling in trail),
        *(f"{choice.type} {choice.seat} {sorted(map(str, choice.cards or ()))}\n" for choice in table.choices()),
        *(f"{broken.seq} {broken.seat} {broken.rule} {broken.legal}\n" for broken in table.violations[-2:]),
        f"{table.status} {table.totals} {len(table.hands)} {len(table.violations)}\n",
    ])  # fmt: skip
