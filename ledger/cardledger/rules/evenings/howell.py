"""Howell movements: every pair meets every other; all but one pair move."""

from __future__ import annotations

from cardledger.rules.evenings.movement import PlannedTable, Schedule, on_paper, refusal

STARTS = {
    4: "1-2:0",
    6: "3-2:0 1-4:0",
    8: "2-3:5 1-5:6 4-6:3",
    10: "8-5:1 6-4:7 2-1:8 3-7:2",
    12: "9-8:6 5-2:7 4-6:10 3-10:2 1-7:8",
    14: "5-3:8 12-11:10 1-6:7 8-4:12 10-7:4 2-9:11",
    16: "1-4:5 10-3:13 14-5:4 2-7:9 9-13:7 6-8:14 12-11:8",
    18: "14-13:10 1-3:4 2-12:14 4-8:12 16-7:6 11-5:16 6-9:15 10-15:8",
    20: "15-16:12 6-11:17 17-8:6 3-5:8 9-13:3 10-4:14 1-12:13 7-14:2 2-18:1",
    22: "6-20:5 10-5:15 16-7:2 18-19:16 11-13:3 2-17:19 1-9:10 4-8:12 15-12:6 3-14:17",
    24: "3-10:13 16-1:17 5-9:14 7-2:9 22-20:19 18-21:16 17-11:5 14-4:18 8-19:4 15-6:21 12-13:2",
    26: "13-5:18 23-18:16 17-2:19 24-6:5 10-1:11 9-8:17 22-11:8 4-16:20 21-19:15 20-14:9 15-12:2 7-3:10",
    28: "16-21:10 2-26:1 22-10:5 3-14:17 12-13:25 4-11:15 23-17:13 1-20:21 6-24:3 19-15:7 18-5:23 9-7:16 8-25:6",
}
"""Round 1 by number of pairs: `ns-ew:offset` for table 2 and on; table 1 is the pair that stays, and offset 0.

Found by search: every pair meets every other once and plays every set once, and no set is at two tables but for 4 and
6 pairs.
"""


def howell(pairs: int, rounds: int | None = None) -> Schedule:
    """Return a Howell for 3 to 28 pairs; the pair with the highest number stays at table 1.

    An odd number of pairs plays the movement of one more: its last pair is missing, and who would meet it sits out.
    Raises RuleError `session.movement`.
    """
    entries = pairs + pairs % 2
    if entries not in STARTS:
        raise refusal(
            "a Howell has 3 to {most} pairs, not {pairs}: choose another movement", most=max(STARTS), pairs=pairs
        )
    n = entries - 1
    starts = [start.replace(":", "-").split("-") for start in STARTS[entries].split()]
    couples = [(int(ns), int(ew), int(offset)) for ns, ew, offset in starts]
    all_rounds = [
        (
            PlannedTable((entries, on_paper(r, n)), (on_paper(r, n),)),
            *(PlannedTable((on_paper(a + r, n), on_paper(b + r, n)), (on_paper(s + r, n),)) for a, b, s in couples),
        )
        for r in range(n)
    ]
    return Schedule(entries, tuple(all_rounds), entries in (4, 6)).shortened(rounds)
