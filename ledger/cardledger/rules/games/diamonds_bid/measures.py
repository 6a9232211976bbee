"""The measures of diamonds-bid: bids and tricks, and the points lost by the difference."""

from cardledger.rules import Counts, Measure, Played, first


def count(played: Played) -> Counts:
    """Compare the bids with the tricks taken."""
    bids, taken = played.hand.bids, played.hand.taken
    over = [max(0, tricks - bid) for bid, tricks in zip(bids, taken, strict=True)]
    under = [max(0, bid - tricks) for bid, tricks in zip(bids, taken, strict=True)]
    return {
        "bid": bids,
        "taken": taken,
        "made": [int(short == 0) for short in under],
        "over": over,
        "under": under,
        "lost_bidding": [9 * more + 10 * short for more, short in zip(over, under, strict=True)],
        "lost_play": [20 * short for short in under],
    }


MEASURES = (
    Measure("bid", "Bid", "tricks bid ÷ hands", "", "bid.range", "bid", least=0, most=26, history=first("2026-11-23")),
    Measure("tricks", "Tricks taken", "tricks taken ÷ hands", "more", "trick.trump", "taken", least=0, most=26, history=first("2026-11-23")),
    Measure("made", "Bids made", "hands with at least the tricks bid ÷ hands; by bid, the calibration of bids", "more", "score.bid", "made", kind="share", history=first("2026-11-23")),
    Measure("over", "Overtricks", "tricks beyond the bid ÷ hands", "fewer", "score.bid", "over", kind="count", most=26, history=first("2026-11-23")),
    Measure("under", "Undertricks", "tricks short of the bid ÷ hands", "fewer", "score.bid", "under", kind="count", most=26, history=first("2026-11-23")),
    Measure("lost-bidding", "Points lost in bidding", "points that a bid of exactly the tricks taken would have added (9 an overtrick, 10 an undertrick) ÷ hands", "fewer", "score.bid", "lost_bidding", kind="count", most=260, history=first("2026-11-23")),
    Measure("lost-play", "Points lost in play", "points that making the bid exactly would have added (20 an undertrick) ÷ hands; judged in hindsight, so it overlaps with bidding", "fewer", "score.bid", "lost_play", kind="count", most=520, history=first("2026-11-23")),
)  # fmt: skip
