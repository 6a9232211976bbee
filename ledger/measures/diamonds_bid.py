"""The measures of diamonds-bid: bids against tricks, and the points that the difference cost."""

from ledger.measures import Counts, Measure, Played


def count(played: Played) -> Counts:
    """Compare what was bid with what was taken."""
    bid, taken = played.hand.extra["bids"], played.hand.taken
    over = [max(0, made - said) for said, made in zip(bid, taken, strict=True)]
    under = [max(0, said - made) for said, made in zip(bid, taken, strict=True)]
    return {
        "bid": bid,
        "taken": taken,
        "made": [int(short == 0) for short in under],
        "over": over,
        "under": under,
        "lost_bidding": [9 * more + 10 * short for more, short in zip(over, under, strict=True)],
        "lost_play": [20 * short for short in under],
    }


MEASURES = (
    Measure("bid", "Bid", "tricks bid ÷ hands", "", "bid.range", "bid"),
    Measure("tricks", "Tricks taken", "tricks taken ÷ hands", "more", "trick.trump", "taken"),
    Measure("made", "Bids made", "hands with at least the tricks bid ÷ hands; by bid, the calibration of bids", "more", "score.bid", "made", kind="share"),
    Measure("over", "Overtricks", "tricks beyond the bid ÷ hands", "fewer", "score.bid", "over"),
    Measure("under", "Undertricks", "tricks missing to the bid ÷ hands", "fewer", "score.bid", "under"),
    Measure("lost-bidding", "Points lost in bidding", "what a bid of exactly the tricks taken would have scored more (9 an overtrick, 10 an undertrick) ÷ hands", "fewer", "score.bid", "lost_bidding"),
    Measure("lost-play", "Points lost in play", "what just making the bid would have scored more (20 an undertrick) ÷ hands; looks back, so it overlaps with bidding", "fewer", "score.bid", "lost_play"),
)  # fmt: skip
