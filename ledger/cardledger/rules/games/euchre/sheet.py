"""Which points are possible on a score sheet of euchre."""

from cardledger.rules import ScoreSheet, Sentence, SheetRules

POINTS = (0, 1, 2, 4)
"""The points a side can score in a hand."""


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """One side scores 1, 2 or 4 points, or nobody if all passed."""
    sides = sheet.scores[0], sheet.scores[1]
    if min(sides) != 0:
        return Sentence("only one side scores in a hand")
    if max(sides) not in POINTS:
        return Sentence("a side scores 1, 2 or 4 points in a hand, not {points}", points=max(sides))
    return None


SHEET = SheetRules(check=score_check)
