"""Individual movements: everybody is everybody's partner once, and everybody's opponent twice."""

from __future__ import annotations

from cardledger.rules.evenings.movement import PlannedTable, Schedule, on_paper, refusal

STARTS = {
    4: "*-1-0-2",
    5: "3-1-2-4",
    8: "*-4-0-6 3-5-2-1",
    12: "*-3-0-1 8-4-5-10 6-2-7-9",
    13: "8-12-1-2 10-3-6-11 4-9-5-7",
    16: "*-1-0-8 6-4-9-13 5-10-7-11 12-3-2-14",
    17: "6-10-7-1 4-2-9-8 15-12-13-5 11-16-14-3",
    20: "*-16-0-15 5-14-10-17 8-2-4-13 1-18-7-6 11-3-9-12",
}
"""Round 1 by number of players: N-E-S-W for each table; `*` stays, the others count on by one each round.

Nine players have no movement of this kind.
"""


def individual(players: int, rounds: int | None = None) -> Schedule:
    """Return an individual movement; all tables of a round share one set of boards.

    With 5, 13 or 17 players one sits out each round; else the last player stays at table 1. Raises RuleError
    `session.movement`.
    """
    if players not in STARTS:
        numbers = ", ".join(map(str, STARTS))
        raise refusal(
            "there is an individual movement for {numbers} players, not for {players}: choose another",
            numbers=numbers,
            players=players,
        )
    n = players - 1 + players % 4
    all_rounds = [
        tuple(
            PlannedTable(
                tuple(players if word == "*" else on_paper(int(word) + r, n) for word in table.split("-")), (r + 1,)
            )
            for table in STARTS[players].split()
        )
        for r in range(n)
    ]
    return Schedule(players, tuple(all_rounds), shared=True).shortened(rounds)
