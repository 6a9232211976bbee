"""The table of decisions: every decision that was reviewed, with its kind, its situations and its cost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cardledger.record.readmodels.columns import GAME, HAND, MATCH, PLAYER, SEAT, SEQ
from cardledger.record.readmodels.model import DerivedTable, Row
from cardledger.study.stats.review.habits import decided
from cardledger.study.stats.review.situations import NUMBER, SITUATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.review.reviews import Reviewed

DECISIONS = DerivedTable(
    "decisions",
    "Every decision that was reviewed.",
    {
        "match": MATCH,
        "game": GAME,
        "hand": HAND,
        "seq": SEQ,
        "seat": SEAT,
        "player": PLAYER,
        "type": ("TEXT NOT NULL", "type of the event: play, bid …"),
        "kind": ("TEXT", "kind of decision: lead, opening lead of a trump, follow suit, trump, discard, bid, pass …"),
        "trick": ("INTEGER", "number of the trick to which a card was played, from 1; null for other acts"),
        "place": ("INTEGER", "place of the card in the trick, 1 for the lead; null for other acts"),
        "situations": ("TEXT NOT NULL", "JSON object: the value of each situation of the decision and of its hand"),
        "made": ("TEXT NOT NULL", "what the player chose"),
        "best": ("TEXT NOT NULL", "what did best in the possible worlds"),
        "choices": ("INTEGER NOT NULL", "number of legal choices"),
        "cost": ("REAL NOT NULL", "points of the hand given up: an unbiased estimate, which can be negative"),
        "error": ("REAL NOT NULL", "standard error of the cost"),
        "bad": ("BOOLEAN NOT NULL", "whether the cost is more than chance explains"),
    },
    ("match", "seq"),
)


def decision_rows(ledger: Ledger, reviewed: Sequence[Reviewed]) -> Iterator[Row]:
    """Yield the rows of the table, game by game as reviewed; a hand corrected since waits for its new review."""
    by_seat = decided(ledger, reviewed, (*SITUATIONS, NUMBER))
    games = {one.hand.match: one.hand.game for one in reviewed}
    players = {match: ledger.folded(match).players for match in {match for match, _ in by_seat}}
    order = {match: at for at, match in enumerate(games)}
    for one in sorted(
        (one for rows in by_seat.values() for one in rows), key=lambda one: (order[one.match], one.decision.seq)
    ):
        values = dict(one.values)
        number, made = values.pop(NUMBER.id, None), one.decision
        place = values.get("place")
        yield (
            one.match, games[one.match], one.hand, made.seq, made.seat, players[one.match][made.seat], made.type,
            values.get("kind"), number and int(number), place and int(place), json.dumps(values, separators=(",", ":")),
            made.made, made.best, made.options, made.cost, made.error, made.bad,
        )  # fmt: skip
