"""Measures what deals are worth on average, for every game and number of players, where the `measured.py` of the game does not say it yet.

Run, some minutes without any of them: python -m tests.bench.expected
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from cardledger.rules.engine.cards import cards_in
from cardledger.rules.games import games
from cardledger.study.stats.luck.deals import Situation
from cardledger.study.stats.luck.values import DEALS, measure, measured_points
from tests.bench.timing import TINY


def situations() -> list[Situation]:
    """Return what hands begin from at every size of table: every way to play a game of few ways, else the default one.

    Hands that begin from more (debts, or their place in a cycle) are measured where a ledger has one.
    """
    found = []
    for id, game in games().items():
        if game.study.bot is None:
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
                found.append(replace(one, taken=game.study.carried and game.study.carried.of(table, table.hand)))
    return found


def main() -> None:
    """Print the rows that the `measured.py` of games lack; a tiny run prints a small one."""
    if TINY:
        print(situations()[0].text, measure(situations()[0], 4))
        return
    for situation in situations():
        if situation.text not in measured_points(situation.game):
            print(f"{situation.text!r}: {measure(situation, DEALS)},", flush=True)


if __name__ == "__main__":
    main()
