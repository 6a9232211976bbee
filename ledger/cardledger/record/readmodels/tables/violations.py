"""The table of violations: one row for each irregular event that counts."""

from collections.abc import Iterator

from cardledger.record.readmodels.columns import HAND, MATCH, PLAYER, RULE, SEAT, SEQ, here
from cardledger.record.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the violations of a match."""
    table = match.stream.table
    for violation in table.violations:
        hand = next(hand.number for hand in reversed(table.hands) if hand.first <= violation.seq)
        if hand >= since:
            yield (
                match.id, violation.seq, hand, violation.seat, match.players[violation.seat], violation.rule,
                " ".join(violation.legal),
            )  # fmt: skip


VIOLATIONS = ReadModel(
    "violations",
    "Every irregular event that counts, with the cards that were legal.",
    {
        "match": MATCH,
        "seq": SEQ,
        "hand": HAND,
        "seat": here(SEAT, "the one that broke the rule"),
        "player": PLAYER,
        "rule": here(RULE, "the first one broken"),
        "legal": ("TEXT NOT NULL", "faces of the cards that would have broken no rule"),
    },
    ("match", "seq"),
    rows,
)
