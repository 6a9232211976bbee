"""Mitchell movements: the north-south pairs stay, the east-west pairs go to the next table."""

from __future__ import annotations

from typing import Literal

from cardledger.rules.evenings.movement import PlannedTable, Schedule, refusal

MOST_TABLES = 40
"""More tables than any club has in one section."""


def mitchell(
    tables: int, even: Literal["skip", "share"] = "skip", arrow_switch: int = 0, rounds: int | None = None
) -> Schedule:
    """Return a Mitchell for 3 tables or more; north-south pairs are 1 to `tables`, east-west pairs go on from there.

    An even number of tables needs one of two ways out, else pairs would meet boards again halfway: `skip`, the
    east-west pairs pass one table over halfway, and there is one round less; or `share`, share and relay, where tables
    1 and the last share their boards and a relay stands halfway. In the last `arrow_switch` rounds the lines change
    seats, so that there is one winner. Raises RuleError `session.movement`.
    """
    if not 3 <= tables <= MOST_TABLES:
        raise refusal(
            "a Mitchell has 3 to {most} tables, not {tables}: choose another movement", most=MOST_TABLES, tables=tables
        )
    m, half = tables, tables // 2
    skips, shares = m % 2 == 0 and even == "skip", m % 2 == 0 and even == "share"
    all_rounds = []
    for r in range(m - 1 if skips else m):
        skipped = int(skips and r >= half)
        all_rounds.append(
            tuple(
                PlannedTable((t + 1, m + 1 + (t - r - skipped) % m), ((t + r + int(shares and t >= half)) % m + 1,))
                for t in range(m)
            )
        )
    movement = Schedule(2 * m, tuple(all_rounds), shares).shortened(rounds)
    return switch(movement, arrow_switch)


def switch(movement: Schedule, last: int) -> Schedule:
    """Return the movement with the two lines in each other's seats in its last rounds.

    Raises RuleError `session.movement`.
    """
    n = len(movement.rounds)
    if not 0 <= last <= n:
        raise refusal("the lines can change seats in the last 0 to {most} rounds, not {last}", most=n, last=last)
    changed = [tuple(table._replace(seats=table.seats[::-1]) for table in each) for each in movement.rounds[n - last :]]
    return movement._replace(rounds=(*movement.rounds[: n - last], *changed))
