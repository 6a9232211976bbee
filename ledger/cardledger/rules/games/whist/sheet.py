"""Which points are possible on a score sheet of whist."""

from typing import Any

from cardledger.rules import ScoreSheet, Sentence, SheetRules

HONOURS = ((0, 0), (2, 0), (4, 0), (0, 2), (0, 4))
"""Points for honours by side."""


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """There are thirteen tricks; all of them count, or those beyond six; one side may have honours."""
    sides = sheet.scores[0], sheet.scores[1]
    shown = [sheet.taken[0] + sheet.taken[2], sheet.taken[1] + sheet.taken[3]]
    beyond = 0 if sheet.options["scoring"] == "all" else 6
    for tricks in range(shown[0], 14 - shown[1]):
        ours, theirs = max(0, tricks - beyond), max(0, 13 - tricks - beyond)
        for honours in HONOURS if sheet.options["honours"] else HONOURS[:1]:
            if sides == (ours + honours[0], theirs + honours[1]):
                return None
    return Sentence("the 13 tricks of a hand cannot give {ours} and {theirs} points", ours=sides[0], theirs=sides[1])


def sums(options: dict[str, Any], n: int) -> set[int]:
    """Return what the points of both sides add up to: thirteen tricks, or one to seven beyond six; honours come on top."""
    tricks = {13} if options["scoring"] == "all" else {*range(1, 8)}
    return {points + honours for points in tricks for honours in ((0, 2, 4) if options["honours"] else (0,))}


SHEET = SheetRules(check=score_check, sums=sums, tricks_decide=lambda options: not options["honours"])
