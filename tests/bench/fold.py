"""Speed of the checked fold: events into a table, game by game, every rule asked.

Run: python -m tests.bench.fold
"""

from __future__ import annotations

import gc

from ledger import events as ev
from ledger.bots.simulation import league
from ledger.corrections import Stream
from ledger.games import games, start
from tests.bench.timing import loop_speed, row, seconds

GOAL_SHARE = 1.5 / 30
"""Plays for each turn of an empty loop: 1.5 million a second on a core that does 30 million turns."""


def main() -> None:
    """Measure and print."""
    gc.set_threshold(50_000, 20, 20)
    loop = loop_speed()
    row("empty loop", loop, "turns/s")
    for game in games().values():
        n = 4
        matches = list(league(game.id, n, 1, 12, ("cautious", "random"), max_hands=6))
        events = sum(map(len, matches))
        plays = sum(isinstance(event, ev.Play | ev.Draw | ev.Discard) for match in matches for event in match)

        def fold(matches: list[list[ev.Event]] = matches) -> None:
            for match in matches:
                apply = start(match[0]).apply  # type: ignore[arg-type]
                for seq, event in enumerate(match[1:], 2):
                    apply(event, seq)

        def stream(matches: list[list[ev.Event]] = matches) -> None:
            for match in matches:
                Stream.of(match)

        speed = plays / seconds(fold)
        row(f"{game.id}: table", speed, "plays/s", GOAL_SHARE * loop, f"{speed / loop:.3f} plays a turn")
        row(f"{game.id}: stream, corrections ready", events / seconds(stream), "events/s")


if __name__ == "__main__":
    main()
