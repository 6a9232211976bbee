"""Which points are possible on a score sheet of the game."""

from cardledger.rules import ScoreSheet, Sentence, SheetRules


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """There are sixty cards, and at most half of a suit can count for one player: with more than half it is free."""
    half = 7 if sheet.options["double_suits"] else 6
    if min(sheet.scores) < 0:
        return Sentence("nobody scores below 0")
    if sum(sheet.scores) > 60:
        return Sentence("a hand has 60 cards, so its points are at most 60 together, not {sum}", sum=sum(sheet.scores))
    if max(sheet.scores) > 5 * half:
        return Sentence(
            "nobody scores more than {most}: a player with more than {half} cards of a suit has the most of it",
            most=5 * half,
            half=half,
        )
    return None


SHEET = SheetRules(check=score_check)
