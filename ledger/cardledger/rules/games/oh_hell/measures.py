"""The measures of Oh Hell: bids and tricks, and exact bids by the size of the hand."""

from cardledger.rules import Counts, Measure, Played, first

SIZES = (("small", "1 to 3", 1, 3), ("middle", "4 to 6", 4, 6), ("large", "7 and more", 7, 17))
"""Sizes of hands: an id, the size in words, and the fewest and most cards."""


def count(played: Played) -> Counts:
    """Compare the bids with the tricks taken, by the size of the hand."""
    hand, n = played.hand, played.match.n
    exact = [int(bid == taken) for bid, taken in zip(hand.bids, hand.taken, strict=True)]
    counts: Counts = {"bid": hand.bids, "taken": hand.taken, "exact": exact}
    for name, _, least, most in SIZES:
        here = least <= hand.each <= most
        counts[f"hands_{name}"] = [int(here)] * n
        counts[f"exact_{name}"] = exact if here else [0] * n
    return counts


MEASURES = (
    Measure("bid", "Bid", "tricks bid ÷ hands", "", "bid.range", "bid", least=0, most=25, history=first("2026-11-23")),
    Measure("tricks", "Tricks taken", "tricks taken ÷ hands", "", "lead.taker", "taken", least=0, most=25, history=first("2026-11-23")),
    Measure("exact", "Exact bids", "hands with exactly the tricks bid ÷ hands", "more", "score.made", "exact", kind="share", history=first("2026-11-23")),
    *(
        Measure(f"exact-{name}", f"Exact bids, {words} cards", f"hands of {words} cards with exactly the tricks bid ÷ hands of {words} cards", "more", "score.made", f"exact_{name}", f"hands_{name}", kind="share", history=first("2026-11-23"))
        for name, words, _, _ in SIZES
    ),
)  # fmt: skip
