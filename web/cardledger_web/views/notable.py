"""What is notable in a match: rules broken and corrections, as far as the reader may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.record.recording.secrecy import Secrets
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import people_of
from cardledger_web.views.match import correction_rows, violation_rows
from cardledger_web.views.persons import seated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.game import Game
    from cardledger_web.views.match import CorrectionRow, ViolationRow


@dataclass(frozen=True, slots=True)
class Notable:
    """A match with its violations and corrections; what a scorer tapped wrong and took back is nobody's news."""

    row: dict[str, Any]
    game: Game[Any]
    players: Sequence[str]
    violations: list[ViolationRow]
    corrections: list[CorrectionRow]


def notable(ledger: Ledger, row: dict[str, Any]) -> Notable:
    """Return what is notable in a match, given its row; raises StoreError `store.unknown`."""
    match: str = row["match"]
    stream = ledger.stream(match)
    secrets = None if sees_all(match) else Secrets.of(ledger, match, stream)
    table = stream.table
    return Notable(
        row,
        table.game,
        people_of(ledger).seated(match, table.players),
        violation_rows(stream, secrets),
        [row for row in correction_rows(stream, secrets, seated(ledger, match, table.players)) if _told(row)],
    )


def _told(row: CorrectionRow) -> bool:
    """Tell whether members would tell each other of a correction."""
    return not row.undone or bool(row.changes)
