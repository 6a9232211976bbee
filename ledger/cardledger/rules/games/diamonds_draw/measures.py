"""The measures of diamonds-draw: cards left and drawn, and diamonds eaten."""

from cardledger.rules import Counts, Measure, Played, first


def count(played: Played) -> Counts:
    """Count tricks, their diamonds and the draws they cost; the cards left follow from the number of cards dealt."""
    hand, match = played.hand, played.match
    diamond, n = match.pack.suit_masks[1], match.n
    each = 30 // n
    stack = 52 - n * each
    eaten, drawn = [0] * n, [0] * n
    for _, cards, taker, _ in hand.tricks:
        assert taker is not None
        diamonds = sum(diamond >> card & 1 for card in cards)
        draws = min(1 + diamonds, stack)
        stack -= draws
        eaten[taker] += diamonds
        drawn[taker] += draws
    left = [each + more - len(hand.tricks) for more in drawn]
    assert hand.scores is not None
    return {
        "taken": hand.taken,
        "eaten": eaten,
        "drawn": drawn,
        "left": left,
        "diamonds_left": [points - cards for points, cards in zip(hand.scores, left, strict=True)],
    }


MEASURES = (
    Measure("left", "Cards left", "cards in hand at the end ÷ hands", "fewer", "score.left", "left", least=0, most=52, history=first("2026-11-21")),
    Measure("diamonds-left", "Diamonds left", "diamonds in hand at the end ÷ hands", "fewer", "score.left", "diamonds_left", kind="count", most=13, history=first("2026-11-21")),
    Measure("drawn", "Cards drawn", "cards drawn ÷ hands", "fewer", "draw.winner", "drawn", least=0, most=52, history=first("2026-11-21")),
    Measure("eaten", "Diamonds eaten", "diamonds in tricks taken ÷ hands", "fewer", "draw.winner", "eaten", least=0, most=13, history=first("2026-11-21")),
    Measure("tricks", "Tricks taken", "tricks taken ÷ hands", "fewer", "trick.led-suit", "taken", least=0, most=52, history=first("2026-11-21")),
)  # fmt: skip
