"""The measures of ruff and ruff-2: tricks against the quota, debts, ruffs and overruffs."""

from cardledger.rules import Counts, Measure, Played, first
from cardledger.rules.games.ruff.rules import CYCLES, HIERARCHY

HEIGHTS = tuple(
    tuple({suit: -height for height, suit in enumerate(trumps)} for trumps in by_suit_led)
    for by_suit_led in ((HIERARCHY,) * 4, CYCLES)
)
"""The height of each suit as trump, by the suit led: first for Ruff, then for Ruff 2.0."""


def count(played: Played) -> Counts:
    """Compare tricks with the quota, and count ruffs and overruffs."""
    hand, match = played.hand, played.match
    pack, n = match.pack, match.n
    quota, heights = sum(hand.taken) // n, HEIGHTS[hand.circling]
    followed, ruffs, overruffs, ruffed = [0] * n, [0] * n, [0] * n, [0] * n
    for seats, cards, taker, rule in hand.tricks:
        leader = seats[0]
        led = pack.suits[cards[0]]
        height = heights[led.bit_length() - 1]
        best: tuple[int, int] | None = None
        for place, card in enumerate(cards[1:], 1):
            seat, suit = (leader + place) % n, pack.suits[card]
            followed[seat] += 1
            if suit != led:
                ruffs[seat] += 1
                value = height[pack.suit_masks[suit.bit_length() - 1]], pack.ranks[card]
                if best is None or value > best:
                    overruffs[seat] += best is not None
                    best = value
        if rule == "trick.ruff":
            assert taker is not None
            ruffed[taker] += 1
    return {
        "taken": hand.taken,
        "beyond": [taken - quota for taken in hand.taken],
        "short": [max(0, quota - taken) for taken in hand.taken],
        "followed": followed,
        "ruffs": ruffs,
        "overruffs": overruffs,
        "ruffed": ruffed,
    }


MEASURES = (
    Measure("tricks", "Tricks against the quota", "tricks taken less the quota ÷ hands", "more", "quota", "beyond", least=-15, most=15, history=first("2026-11-21")),
    Measure("debts", "Debts", "tricks short of the quota, each a card owed after the next deal ÷ hands", "fewer", "debt.owed", "short", kind="count", most=15, history=first("2026-11-21")),
    Measure("ruffs", "Ruffs", "cards of another suit than the one led ÷ cards played to another's lead", "", "trick.ruff", "ruffs", "followed", kind="share", history=first("2026-11-21")),
    Measure("overruffs", "Overruffs", "ruffs higher than a ruff before ÷ ruffs", "", "trick.ruff", "overruffs", "ruffs", kind="share", history=first("2026-11-21")),
    Measure("ruffed", "Ruffs that took", "tricks taken by a ruff ÷ ruffs", "more", "trick.ruff", "ruffed", "ruffs", kind="share", history=first("2026-11-21")),
)  # fmt: skip
