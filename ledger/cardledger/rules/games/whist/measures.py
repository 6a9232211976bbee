"""The measures of whist: odd tricks, and honours."""

from cardledger.rules import Counts, Measure, Played, first


def count(played: Played) -> Counts:
    """Count the tricks of both partners beyond six, and the points for honours."""
    hand = played.hand
    together = [hand.taken[seat] + hand.taken[(seat + 2) % 4] for seat in range(4)]
    return {"taken": hand.taken, "odd": [max(0, tricks - 6) for tricks in together], "honours": hand.honours}


MEASURES = (
    Measure("tricks", "Tricks against 3.25", "tricks taken ÷ hands, less a quarter of the 13", "more", "lead.taker", "taken", par=3.25, least=0, most=13, history=first("2026-11-23")),
    Measure("odd-tricks", "Odd tricks", "tricks of the side beyond six ÷ hands", "more", "score.odd", "odd", kind="count", most=7, history=first("2026-11-23")),
    Measure("honours", "Honours", "points of the side for honours ÷ hands", "", "score.honours", "honours", kind="count", most=4, history=first("2026-11-23")),
)  # fmt: skip
