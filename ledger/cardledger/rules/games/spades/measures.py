"""The measures of spades: bids against tricks, nils, and bags."""

from cardledger.rules import Counts, Measure, Played, first
from cardledger.rules.games.spades.scoring import made_and_bags


def count(played: Played) -> Counts:
    """Compare the bids with the tricks taken, by player and by side."""
    hand, seats = played.hand, range(4)
    nil = [int(hand.bids[seat] == 0) for seat in seats]
    outcome = [made_and_bags(hand, seat) for seat in seats]
    return {
        "bid": hand.bids,
        "taken": hand.taken,
        "contract": [int(hand.bids[seat] + hand.bids[(seat + 2) % 4] > 0) for seat in seats],
        "made": [int(outcome[seat][0] and hand.bids[seat] + hand.bids[(seat + 2) % 4] > 0) for seat in seats],
        "nil": nil,
        "nil_made": [int(nil[seat] and not hand.taken[seat]) for seat in seats],
        "bags": [bags for _, bags in outcome],
    }


MEASURES = (
    Measure("bid", "Bid", "tricks bid ÷ hands, a nil as none", "", "bid.range", "bid", least=0, most=13, history=first("2026-11-23")),
    Measure("tricks", "Tricks taken", "tricks taken ÷ hands", "", "lead.taker", "taken", least=0, most=13, history=first("2026-11-23")),
    Measure("made", "Bids made", "hands in which the side took at least its bid ÷ hands in which it bid any tricks", "more", "score.bid", "made", "contract", kind="share", history=first("2026-11-23")),
    Measure("nils", "Nils bid", "hands with a nil ÷ hands", "", "bid.range", "nil", kind="share", history=first("2026-11-23")),
    Measure("nils-made", "Nils made", "nils without a trick ÷ nils", "more", "score.nil", "nil_made", "nil", kind="share", history=first("2026-11-23")),
    Measure("bags", "Bags", "bags of the side ÷ hands", "fewer", "score.bag", "bags", kind="count", most=13, history=first("2026-11-23")),
)  # fmt: skip
