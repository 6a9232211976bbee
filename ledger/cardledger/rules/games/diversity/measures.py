"""The measures of diversity: tricks by the rule that decides them and by the taker's place in the trick."""

from cardledger.rules import Counts, Measure, Played, first

_PLACES = ("first", "second", "third", "last")


def count(played: Played) -> Counts:
    """Count tricks by rule, and by the taker's place in the trick."""
    hand, n = played.hand, played.match.n
    four_suits, repeated_suit, leads = [0] * n, [0] * n, [0] * n
    taken = [[0] * n for _ in range(n)]
    for seats, _, taker, rule in hand.tricks:
        leader = seats[0]
        assert taker is not None
        (four_suits if rule == "trick.four-suits" else repeated_suit)[taker] += 1
        leads[leader] += 1
        taken[(taker - leader) % n][taker] += 1
    counts: Counts = {"taken": hand.taken, "four_suits": four_suits, "repeated_suit": repeated_suit}
    for place, name in enumerate(_PLACES):
        counts[f"taken_{name}"] = taken[place]
        counts[f"played_{name}"] = [leads[(seat - place) % n] for seat in range(n)]
    return counts


MEASURES = (
    Measure("tricks", "Tricks against 3.25", "tricks taken ÷ hands, less a quarter of the 13", "fewer", "score.trick", "taken", par=3.25, least=0, most=13, history=first("2026-11-21")),
    Measure("four-suits", "Taken by four suits", "tricks taken as the lowest of four suits ÷ hands", "fewer", "trick.four-suits", "four_suits", least=0, most=13, history=first("2026-11-21")),
    Measure("repeated-suit", "Taken by a repeated suit", "tricks taken as the highest of the repeated suits ÷ hands", "fewer", "trick.repeated-suit", "repeated_suit", least=0, most=13, history=first("2026-11-21")),
    *(
        Measure(f"taken-{name}", f"Taken playing {name}", f"tricks taken ÷ tricks played, of those played {name} to", "fewer", "score.trick", f"taken_{name}", f"played_{name}", kind="share", history=first("2026-11-21"))
        for name in _PLACES
    ),
)  # fmt: skip
