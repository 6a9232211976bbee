"""Speed of the checked fold: events into a table, game by game, with every rule checked.

Run: python -m tests.bench.fold    (beside others, and compiled: python -m tests.bench.peers)
"""

from __future__ import annotations

import gc
from time import process_time

from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import standard_pack
from cardledger.rules.games import COMPILED, games, start
from cardledger.rules.stream import Stream
from tests.bench.reducer import Reducer
from tests.bench.timing import loop_speed, row, scaled, seconds

GOAL_SHARE = 1.5 / 4.7
"""What share of a hand-written reducer's speed the checked fold is to reach: 1.5 of 4.7 million plays a second."""


def main() -> None:
    """Measure and print."""
    gc.set_threshold(50_000, 20, 20)
    print("rules compiled" if COMPILED else "rules in pure Python")
    row("empty loop", loop_speed(), "turns/s")
    reference = reducer_speed()
    row("hand-written reducer, diversity", reference, "plays/s")
    for game in games().values():
        n = 4
        matches = list(league(game.id, n, 1, scaled(12, 1), ("cautious", "random"), max_hands=6))
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

        speed = plays / seconds(fold, clock=process_time)
        row(f"{game.id}: table", speed, "plays/s", GOAL_SHARE * reference, f"{speed / reference:.2f} × reducer")
        row(f"{game.id}: stream, corrections ready", events / seconds(stream, clock=process_time), "events/s")


def reducer_speed() -> float:
    """Return plays a second of the hand-written reducer."""
    of = standard_pack().of
    hands = []
    for match in league("diversity", 4, 1, scaled(12, 1)):
        for event in match:
            if isinstance(event, ev.Deal):
                assert event.hands is not None
                assert event.dealer is not None
                held = [sum(of[face][1] for face in hand) for hand in event.hands]
                hands.append((held, (event.dealer + 1) % 4, []))
            elif isinstance(event, ev.Play):
                hands[-1][2].append((event.seat, of[event.card][0]))

    def reduce() -> None:
        for held, leader, plays in hands:
            play = Reducer(held.copy(), leader).play
            for seat, card in plays:
                play(seat, card)

    return sum(len(plays) for _, _, plays in hands) / seconds(reduce, clock=process_time)


if __name__ == "__main__":
    main()
