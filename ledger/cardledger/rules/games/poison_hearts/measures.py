"""The measures of poison-hearts: cards by suit, free suits, and ties."""

from cardledger.rules import Counts, Measure, Played, first

_SUITS = ("red", "yellow", "green", "blue", "purple")


def count(played: Played) -> Counts:
    """Count the cards taken by suit, and who had the most of each."""
    hand, pack, n = played.hand, played.match.pack, played.match.n
    won, led, ties = [0] * n, [0] * n, [0] * n
    for seats, trick, taker, _ in hand.tricks:
        leader = seats[0]
        led[leader] += 1
        if taker is None:
            ties[leader] += 1
        else:
            for card in trick:
                won[taker] |= 1 << card
    free, near = [0] * n, [0] * n
    counts: Counts = {"cards": [cards.bit_count() for cards in won], "led": led, "ties": ties}
    for name, suit in zip(_SUITS, pack.suit_masks, strict=True):
        counts[name] = held = [(cards & suit).bit_count() for cards in won]
        most = max(held)
        for seat, cards in enumerate(held):
            if cards == most > 0:
                (near if held.count(most) > 1 else free)[seat] += 1
    return counts | {"free": free, "near": near}


MEASURES = (
    Measure("cards", "Cards taken", "cards taken ÷ hands", "", "score.card", "cards", least=0, most=60, history=first("2026-11-21")),
    Measure("free", "Free suits", "suits with the most cards of all ÷ hands", "more", "score.most", "free", least=0, most=5, history=first("2026-11-21")),
    Measure("near", "Near misses", "suits in which one card more would have been the most ÷ hands", "", "score.most", "near", least=0, most=5, history=first("2026-11-21")),
    Measure("ties", "Ties", "tied tricks led ÷ leads", "", "trick.tie", "ties", "led", kind="share", history=first("2026-11-21")),
    *(Measure(suit, f"Cards taken, {suit}", f"{suit} cards taken ÷ hands", "", "score.card", suit, least=0, most=60, history=first("2026-11-21")) for suit in _SUITS),
)  # fmt: skip
