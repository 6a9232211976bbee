"""Measures what deals are worth on average, for every game and number of players, where `expected.py` does not say it yet.

Run, some minutes for an empty table: python -m tests.bench.expected
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

from cardledger.engine.cards import cards_in
from cardledger.games import games
from cardledger.stats.luck import expected
from cardledger.stats.luck.deals import Situation
from cardledger.stats.luck.expected import EXPECTED
from cardledger.stats.luck.values import DEALS, measure
from tests.bench.timing import TINY


def situations() -> list[Situation]:
    """Return what hands begin from at every size of table: every way to play a game of few ways, else the default one.

    Hands that begin from more (debts, or their place in a cycle) are measured where a ledger has one.
    """
    found = []
    for id, game in games().items():
        if game.bot is None:
            continue  # nobody replays its deals
        chosen = [option for option in game.options if option.of_hand]
        few = len(chosen) == 1
        for n in game.players:
            ways = [(option.choices or (False, True)) if few else (option.default_for(n),) for option in chosen]
            for way in product(*ways):
                options = tuple((option.name, one) for option, one in zip(chosen, way, strict=True))
                one = Situation(id, n, options, None)
                table = one.table()
                table.apply(table.game.deal.of_cards(table, 0, [*cards_in(table.game.deal.cards(table, 1)[0])]), 2)
                found.append(replace(one, taken=game.carried and game.carried.of(table, table.hand)))
    return found


def main() -> None:
    """Measure, and write the table; a tiny run writes nothing."""
    if TINY:
        print(situations()[0].text, measure(situations()[0], 4))
        return
    path = Path(expected.__file__)
    head = path.read_text().partition("EXPECTED: ")[0]
    rows = []
    for situation in situations():
        points = EXPECTED.get(situation.text) or measure(situation, DEALS)
        rows.append(f"    {situation.text!r}: {points},\n")
        print(rows[-1], end="", flush=True)
    about = '"""Sums of points by seat from the dealer on, for hands in which nobody owes cards."""\n'
    path.write_text(f"{head}EXPECTED: dict[str, tuple[int, ...]] = {{\n{''.join(rows)}}}\n{about}")


if __name__ == "__main__":
    main()
