"""Adds to `ledger/stats/expected.py` what is lacking: what deals are worth on average, for every game and number of players.

Run, some minutes for an empty table: python -m tests.bench.expected
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from ledger.games import game
from ledger.stats import expected
from ledger.stats.deals import OPTIONS, Situation
from ledger.stats.expected import EXPECTED
from ledger.stats.values import DEALS, REPLAYS, measured


def situations() -> list[Situation]:
    """Return every game at every size of table with every way to play a hand, the default first; nobody owes cards."""
    found = []
    for id in REPLAYS:
        chosen = [option for option in game(id).options if option.name in OPTIONS]
        ways = [option.choices or (False, True) for option in chosen]
        for way in product(*ways):
            options = tuple((option.name, one) for option, one in zip(chosen, way, strict=True))
            found += [Situation(id, n, options, None) for n in game(id).players]
    return found


def main() -> None:
    """Measure, and write the table."""
    path = Path(expected.__file__)
    head = path.read_text().partition("EXPECTED: ")[0]
    rows = []
    for situation in situations():
        points = EXPECTED.get(situation.text) or measured(situation, DEALS)
        rows.append(f"    {situation.text!r}: {points},\n")
        print(rows[-1], end="", flush=True)
    about = '"""Points added up by seat from the dealer on; nobody owes cards."""\n'
    path.write_text(f"{head}EXPECTED: dict[str, tuple[int, ...]] = {{\n{''.join(rows)}}}\n{about}")


if __name__ == "__main__":
    main()
