"""Which points are possible on a score sheet of spades."""

from itertools import product

from cardledger.rules import ScoreSheet, Sentence, SheetRules


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """If the bids are known, the points of both sides must follow from thirteen tricks."""
    sides = sheet.scores[0], sheet.scores[1]
    if None in sheet.bids:
        return None
    tricks = [{taken for taken in range(14) if sides[side] in side_points(sheet, side, taken)} for side in (0, 1)]
    if any(13 - taken in tricks[1] for taken in tricks[0]):
        return None
    return Sentence(
        "the 13 tricks of a hand cannot give {ours} and {theirs} points with these bids", ours=sides[0], theirs=sides[1]
    )


def side_points(sheet: ScoreSheet, side: int, tricks: int) -> set[int]:
    """Return the points a side may score with a number of tricks, however the partners share them.

    With any bags carried.
    """
    options = sheet.options
    seats = (side, side + 2)
    bids = [sheet.bids[seat] or 0 for seat in seats]
    # A blind nil counts twice, and a score sheet does not show whether a nil was blind.
    worth = [options["nil_points"] * (1 + blind) for blind in range(1 + bool(options["blind_nil"]))]
    scores = set()
    for first in range(tricks + 1):
        taken = [first, tricks - first]
        if any(taken[i] < sheet.taken[seat] for i, seat in enumerate(seats)):
            continue
        alone = [taken[i] if bids[i] == 0 and options["nil_tricks"] == "bags" else 0 for i in (0, 1)]
        helping, bid = tricks - sum(alone), sum(bids)
        bags = helping - bid + sum(alone) if helping >= bid else sum(alone)
        score = (10 * bid if helping >= bid else -10 * bid) + bags
        nils = [[-each if taken[i] else each for each in worth] if bids[i] == 0 else [0] for i in (0, 1)]
        full = range((options["bag_limit"] - 1 + bags) // options["bag_limit"] + 1)
        scores |= {score + one + other - times * options["bag_penalty"] for one, other, times in product(*nils, full)}
    return scores


SHEET = SheetRules(check=score_check, tricks_decide=lambda options: True)
