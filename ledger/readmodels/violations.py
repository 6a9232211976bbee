"""The table of violations: one row for each irregular event that counts."""

from collections.abc import Iterator

from ledger.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the violations of a match."""
    table = match.stream.table
    for found in table.violations:
        hand = next(hand.number for hand in reversed(table.hands) if hand.first <= found.seq)
        if hand >= since:
            yield (
                match.id, found.seq, hand, found.seat, match.players[found.seat], found.rule, " ".join(found.legal)
            )  # fmt: skip


VIOLATIONS = ReadModel(
    "violations",
    "Every irregular event that counts, with what would have been legal.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "seq": ("INTEGER NOT NULL", "number of the event"),
        "hand": ("INTEGER NOT NULL", "number of the hand in the match, from 1"),
        "seat": ("INTEGER NOT NULL", "seat that broke the rule"),
        "player": ("TEXT NOT NULL", "id of the person, as known now"),
        "rule": ("TEXT NOT NULL", "first rule broken"),
        "legal": ("TEXT NOT NULL", "faces that would have broken no rule"),
    },
    ("match", "seq"),
    rows,
)
