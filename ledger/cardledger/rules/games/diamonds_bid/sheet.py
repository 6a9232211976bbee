"""Which points are possible on a score sheet of the game."""

from cardledger.rules import ScoreSheet, Sentence, SheetRules


def points_of(bid: int, taken: int) -> int:
    """Return the points for a bid and the tricks taken."""
    return 10 * bid + taken - bid if taken >= bid else 10 * taken - 10 * (bid - taken)


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """The points must follow from bids and tricks, and all tricks must be taken.

    A bid that is not recorded can be any.
    """
    tricks = range(52 // sheet.players + 1)
    sums = {0}
    for points, bid, shown in zip(sheet.scores, sheet.bids, sheet.taken, strict=True):
        bids = tricks if bid is None else (bid,)
        fitting = {taken for bid in bids for taken in tricks[shown:] if points_of(bid, taken) == points}
        if not fitting:
            if bid is None:
                return Sentence("no number of tricks gives {points} points with any bid", points=points)
            return Sentence("no number of tricks gives {points} points with a bid of {bid}", points=points, bid=bid)
        sums = {total + taken for total in sums for taken in fitting}
    if tricks[-1] not in sums:
        return Sentence("the {tricks} tricks of a hand cannot give these points", tricks=tricks[-1])
    return None


SHEET = SheetRules(check=score_check, tricks_decide=lambda options: True)
