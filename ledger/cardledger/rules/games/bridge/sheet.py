"""Which points are possible on a score sheet of bridge."""

from functools import cache

from cardledger.rules import ScoreSheet, Sentence, SheetRules
from cardledger.rules.games.bridge.contract_line import LINE
from cardledger.rules.games.bridge.rubber import RUBBER
from cardledger.rules.games.bridge.scoring import duplicate_score, rubber_score


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """One side's points are the other's loss, and some contract gives them."""
    ours, theirs = sheet.scores[0], sheet.scores[1]
    if ours != -theirs:
        return Sentence(
            "the points of one side are the loss of the other: {ours} and {theirs} are not", ours=ours, theirs=theirs
        )
    rubber = sheet.options["scoring"] == RUBBER
    return None if abs(ours) in possible(rubber) else Sentence("no contract gives {points} points", points=abs(ours))


@cache
def possible(rubber: bool) -> frozenset[int]:
    """Return the points that a contract can give to a side, and 0 for a hand passed out."""
    score = rubber_score if rubber else duplicate_score
    points = (
        score(level, strain, doubles, vulnerable, tricks)
        for level in range(1, 8) for strain in range(5) for doubles in range(3) for vulnerable in (0, 1) for tricks in range(14)
    )  # fmt: skip
    return frozenset({0, *(abs(one) for one in points)})


SHEET = SheetRules(check=score_check, line=LINE)
