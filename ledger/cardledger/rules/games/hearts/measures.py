"""The measures of hearts: moons, points in early, middle and late tricks, and cards passed."""

from cardledger.rules import Counts, Measure, Played, first
from cardledger.rules.games.hearts.scoring import HEARTS, QUEEN


def count(played: Played) -> Counts:
    """Count moons, points in early, middle and late tricks, the queen of spades, and the cards passed."""
    hand = played.hand
    early, middle, late = [0] * 4, [0] * 4, [0] * 4
    for number, (_, cards, taker, _) in enumerate(hand.tricks):
        laid = sum(1 << card for card in cards)
        assert taker is not None
        part = early if number < 4 else middle if number < 9 else late
        part[taker] += (laid & HEARTS).bit_count() + (13 if laid & QUEEN else 0)
    seen = [max(0, cards) for cards in hand.passed]
    return {
        "moon": [int(seat == hand.shot) for seat in range(4)],
        "queen": [int(bool(cards & QUEEN)) for cards in hand.won],
        "early": early,
        "middle": middle,
        "late": late,
        "passing": [int(cards != 0) for cards in seen],
        "hearts_passed": [(cards & HEARTS).bit_count() for cards in seen],
        "queen_passed": [int(bool(cards & QUEEN)) for cards in seen],
    }


MEASURES = (
    Measure("moons", "Moons", "hands in which the player took all 26 points ÷ hands", "more", "score.moon", "moon", kind="share", history=first("2026-11-23")),
    Measure("queen", "Queen of spades taken", "hands in which the player took the queen of spades ÷ hands", "fewer", "score.card", "queen", kind="share", history=first("2026-11-23")),
    Measure("early", "Points in tricks 1 to 4", "points taken in the first four tricks ÷ hands", "fewer", "score.card", "early", kind="count", most=26, history=first("2026-11-23")),
    Measure("middle", "Points in tricks 5 to 9", "points taken in the fifth to ninth trick ÷ hands", "fewer", "score.card", "middle", kind="count", most=26, history=first("2026-11-23")),
    Measure("late", "Points in tricks 10 to 13", "points taken in the last four tricks ÷ hands", "fewer", "score.card", "late", kind="count", most=26, history=first("2026-11-23")),
    Measure("hearts-passed", "Hearts passed on", "hearts passed on ÷ hands in which cards were seen to be passed on", "", "give.three", "hearts_passed", "passing", kind="count", most=3, history=first("2026-11-23")),
    Measure("queen-passed", "Queen passed on", "hands in which the queen of spades was passed on ÷ hands in which cards were seen to be passed on", "", "give.three", "queen_passed", "passing", kind="share", history=first("2026-11-23")),
)  # fmt: skip
