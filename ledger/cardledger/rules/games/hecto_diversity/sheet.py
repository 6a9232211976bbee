"""Which points are possible on a score sheet of the game."""

from cardledger.rules import ScoreSheet, Sentence, SheetRules
from cardledger.rules.games.hecto_diversity.diverse import LAYOUTS, PACKS


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """The closer scores minus all penalties, twenty less with a straight; a penalty is at most six cards."""
    worst = 6 * max(PACKS[LAYOUTS.index(sheet.options["layout"])].ranks)
    if sum(sheet.scores) not in (0, -20):
        return Sentence(
            "the closer scores minus the penalties of the others, so points add up to 0, or to -20 with a straight, not to {sum}",
            sum=sum(sheet.scores),
        )
    if sum(points < 0 for points in sheet.scores) > 1:
        return Sentence("nobody but the closer scores below 0")
    if max(sheet.scores) > worst:
        return Sentence("a penalty is at most {worst}", worst=worst)
    return None


SHEET = SheetRules(check=score_check, sums=lambda options, n: {0, -20})
