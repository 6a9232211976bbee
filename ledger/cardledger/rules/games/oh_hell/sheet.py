"""Which points are possible on a score sheet of oh hell."""

from cardledger.rules import ScoreSheet, SheetRules


def score_check(sheet: ScoreSheet) -> str | None:
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
            return f"no number of tricks gives {scored} points with {'any bid' if bid is None else f'a bid of {bid}'}"
        sums = {total + taken for total in sums for taken in fitting}
    return None if sheet.each in sums else f"the tricks of a hand of {sheet.each} cannot give these points"


SHEET = SheetRules(check=score_check, tricks_decide=lambda options: True)
