"""The table of company: who met whom in a match whose sides change from hand to hand.

Without rows for all other matches.
"""

from collections.abc import Iterator
from itertools import permutations

from cardledger.record.readmodels.columns import MATCH, SEAT
from cardledger.record.readmodels.model import Folded, ReadModel, Row


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield for each two players of a match the hands they played with and against each other."""
    table = match.stream.table
    if table.game.sides_of_hand is None:
        return
    complete = [hand for hand in table.hands if hand.scores is not None]
    for seat, other in permutations(range(table.n), 2):
        for how in ("against", "with"):
            met = [hand.scores for hand in complete if (hand.side[seat] == hand.side[other]) == (how == "with")]
            if met:
                points = sum(scores[seat] - (scores[other] if how == "against" else 0) for scores in met)
                yield match.id, seat, other, how, len(met), points


COMPANY = ReadModel(
    "company",
    "With and against whom, in matches whose sides change from hand to hand.",
    {
        "match": MATCH,
        "seat": SEAT,
        "other": ("INTEGER NOT NULL", "seat of the other player, from 0"),
        "how": ("TEXT NOT NULL", "`with` as partners, or `against` each other"),
        "hands": ("INTEGER NOT NULL", "hands scored in which they met like that"),
        "gain": ("INTEGER NOT NULL", "points of the seat in those hands, less those of the other if against"),
    },
    ("match", "seat", "other", "how"),
    rows,
)
