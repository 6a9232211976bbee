"""Hands judged in columns and at the live table, side by side: hands, violations, and how many are judged otherwise.

Run: python -m tests.bench.compared [SECONDS] [GAME]...    (processor time for each game, regular and irregular matches of all editions)
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from cardledger.rules.games import editions, game
from cardledger.rules.kernel import kernels
from tests.bench.timing import TINY, loop_speed, row, scaled
from tests.kernel.chosen import OF_TRICKS
from tests.kernel.in_columns import archive_of, both_ways
from tests.kernel.played import matches

SECONDS = scaled(100, 0)
MATCHES = scaled(400, 40)
"""Matches of an archive."""


def main() -> None:
    """Compare and print, as a table of the README."""
    row("empty loop", loop_speed(), "turns/s")
    if not kernels.available():
        print("there is no numba: pip install 'cardledger[fast]'")
        return
    words = sys.argv[1:]
    seconds = int(words.pop(0)) if words and words[0].isdigit() else SECONDS
    print("| game | hands | events that break a rule | hands judged otherwise |")
    print("|---|---|---|---|")
    for id in words or (["ruff"] if TINY else OF_TRICKS):
        for rules in editions()[id]:
            kernels.warm(game(id, rules), kernels.Judge)
        hands, violations, wrong = compared(id, seconds)
        print(f"| {id} | {hands:,} | {violations:,} | {wrong:,} |", flush=True)


def compared(id: str, seconds: float) -> tuple[int, int, int]:
    """Judge hands of a game both ways for some seconds, at least an archive: how many, their violations, and those judged otherwise."""
    hands = violations = wrong = number = 0
    begun = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        while not number or time.process_time() - begun < seconds:
            path = archive_of(matches(id, MATCHES, f" {number}"), Path(folder) / "matches.parquet")
            for table, columns in both_ways(path, id):
                hands += 1
                violations += len(table.violations)
                wrong += columns != table
            number += 1
    return hands, violations, wrong


if __name__ == "__main__":
    main()
