"""Which points are possible on a score sheet of oh hell."""

from cardledger.rules import ScoreSheet, Sentence, SheetRules


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """The points must follow from bids and tricks, and all tricks must be taken.

    A bid that is not recorded can be any.
    """
    worth: int = sheet.options["points_per_trick"]
    bonus: int = sheet.options["bonus"]

    def points(bid: int, taken: int) -> int:
        if bid == taken:
            return bonus + worth * bid
        missed = {"exact": 0, "each": worth * taken, "penalty": -worth * abs(taken - bid)}
        return missed[sheet.options["scoring"]]

    tricks = range(sheet.each + 1)
    sums = {0}
    for scored, bid, shown in zip(sheet.scores, sheet.bids, sheet.taken, strict=True):
        bids = tricks if bid is None else (bid,)
        fitting = {taken for bid in bids for taken in tricks[shown:] if points(bid, taken) == scored}
        if not fitting:
            if bid is None:
                return Sentence("no number of tricks gives {points} points with any bid", points=scored)
            return Sentence("no number of tricks gives {points} points with a bid of {bid}", points=scored, bid=bid)
        sums = {total + taken for total in sums for taken in fitting}
    if sheet.each in sums:
        return None
    return Sentence("the tricks of a hand of {tricks} cannot give these points", tricks=sheet.each)


SHEET = SheetRules(check=score_check, tricks_decide=lambda options: True)
