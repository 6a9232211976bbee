"""Hands worth seeing of some matches, of one evening say: the biggest swing and the closest hand of each game."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.readmodels.questions.shared_deals import held_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.readmodels.readable import ReadableLedger

# Hands from score sheets cannot be watched, so they are left out, as on the page of hands worth seeing.
_SPREADS = """SELECT m.game, s.match, s.hand, h.first_seq, max(score) - min(score) AS spread
    FROM seats AS s JOIN hands AS h ON h.match = s.match AND h.hand = s.hand JOIN matches AS m ON m.match = s.match
    WHERE s.match IN (SELECT value FROM json_each(?)) AND h.ended_by IN ('play', 'claim')
    GROUP BY s.match, s.hand ORDER BY m.game, spread DESC, m.position, s.hand"""


class NightHand(NamedTuple):
    """A hand worth seeing.

    Why (`swing` or `closest`), its game, match and number, its first event, and the points between best and worst.
    """

    kind: str
    game: str
    match: str
    hand: int
    seq: int
    spread: int


def night_hands(ledger: ReadableLedger, matches: Sequence[str]) -> list[NightHand]:
    """Return the biggest swing and the closest hand of each game, of hands that everybody may see.

    One hand alone is neither.
    """
    held = {*held_pairs(ledger.views)}
    rows = [
        row for row in ledger.views.reader.execute(_SPREADS, (json.dumps(matches),)) if (row[1], row[2]) not in held
    ]
    chosen = []
    for _, group in groupby(rows, key=lambda row: row[0]):
        hands = [*group]
        if hands[0][4] > hands[-1][4]:
            chosen += [NightHand("swing", *hands[0]), NightHand("closest", *hands[-1])]
    return chosen
