"""Which points are possible on a score sheet of the game."""

from cardledger.rules import ScoreSheet, Sentence, SheetRules


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """Points are cards left, and there is a limit to the cards left when a hand ends."""
    most = most_left(sheet.players)
    if min(sheet.scores) < 0:
        return Sentence("nobody scores below 0")
    if sum(sheet.scores) > most:
        return Sentence(
            "the cards left in a hand make at most {most} points together, not {sum}", most=most, sum=sum(sheet.scores)
        )
    return None


def most_left(n: int) -> int:
    """Return the most points that can be left when a hand of `n` players ends.

    Each trick uses up `n` cards, and its taker draws one card, plus one for each of its diamonds; a diamond left in
    hand counts one extra point too. Either the stack is empty: that takes 13 tricks fewer than the stack had cards, if
    all diamonds were played. Or a player who never drew has no cards left: the others drew one card for each trick.
    """
    each = 30 // n
    stack = 52 - n * each
    return max(52 - n * (stack - 13), each + 13)


SHEET = SheetRules(check=score_check)
