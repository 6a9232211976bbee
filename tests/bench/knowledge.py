"""What seats can know, at positions of simulated matches: no true deal excluded, shares that come true, and its time.

Run: python -m tests.bench.knowledge [GAME]...

Every position is asked twice: with the cards recorded, and with hidden hands. A Brier score is the mean of (share - truth)²
over the shares of cards that are not certain; at best it is the mean of share × (1 - share), which stands beside it.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.games import games
from cardledger.rules.knowledge import SeatKnowledge, knowledge
from cardledger.rules.stream import Stream
from tests.bench.timing import scaled
from tests.tables import hide

if TYPE_CHECKING:
    from collections.abc import Sequence

BINS = 10


class Tally:
    """What came of the positions of a game."""

    def __init__(self) -> None:
        self.positions = 0
        self.excluded = 0
        self.longest = 0.0
        self.time = 0.0
        self.squares = 0.0
        self.spread = 0.0
        self.shares = 0
        self.bins = [[0, 0.0, 0] for _ in range(BINS)]

    def add(self, truth: Sequence[Sequence[str]], told: SeatKnowledge, took: float) -> None:
        """Count a position, and how far its shares came true."""
        self.positions += 1
        self.time += took
        self.longest = max(self.longest, took)
        self.excluded += not fits(told, truth)
        faces = [one.face for one in told.unseen]
        for one in told.unseen:
            if faces.count(one.face) > 1:
                continue  # which of two twins is meant cannot be said
            for place, share in one.shares.items():
                if place < len(truth) and share < 1:
                    there = one.face in truth[place] and one.face not in told.known[place]
                    self.shares += 1
                    self.squares += (share - there) ** 2
                    self.spread += share * (1 - share)
                    cell = self.bins[min(int(share * BINS), BINS - 1)]
                    cell[0] += 1
                    cell[1] += share
                    cell[2] += there

    @property
    def worst_bin(self) -> float:
        """The largest difference between the mean share and the truth, among tenths with at least 1,000 shares."""
        return max((abs(told - true) / number for number, told, true in self.bins if number >= 1000), default=0.0)


class Figures(NamedTuple):
    """A tally for positions with recorded cards, and one for hidden hands."""

    recorded: Tally
    hidden: Tally


def fits(told: SeatKnowledge, truth: Sequence[Sequence[str]]) -> bool:
    """Tell whether the true deal is one of those that knowledge counts."""
    left = [[*cards] for cards in truth]
    for seat, cards in enumerate(told.known):
        for face in cards:
            if face not in left[seat]:
                return False
            left[seat].remove(face)
    for seat, cards in enumerate(left):
        may = [one.face for one in told.unseen if one.shares.get(seat, 0) > 0]
        for face in cards:
            if face not in may:
                return False
            may.remove(face)
    return True


def positions(game: str, number: int, seed: int = 0) -> Figures:
    """Ask what a seat can know at so many positions of matches between bots, in every number of players."""
    rng, figures = Random(f"{game} {seed}"), Figures(Tally(), Tally())
    sizes = games()[game].sizes
    while figures.recorded.positions < number:
        n = rng.choice(sizes)
        events = simulate(game, n, rng, [rng.choice(("random", "cautious"))], max_hands=1)
        unseen = hide(events, "record")
        full, bare = Stream(events[0]), Stream(unseen[0])
        for at in range(2, len(events) + 1):
            full.append(events[at - 1])
            bare.append(unseen[at - 1])
            table = full.table
            if not any(table.hand.held) or table.hand.hidden:
                continue
            faces = table.pack.faces
            truth = [[faces[card] for card in cards_in(held)] for held in table.hand.held]
            seat = rng.randrange(n)
            figures.recorded.add(truth, *asked(full, seat, at))
            if bare.table.hidden:
                figures.hidden.add(truth, *asked(bare, seat, at))
    return figures


def asked(stream: Stream, seat: int, at: int) -> tuple[SeatKnowledge, float]:
    """Return what a seat can know, and the processor time it took."""
    begun = time.process_time()
    told = knowledge(stream, seat, at)
    return told, time.process_time() - begun


def main() -> None:
    """Ask and print, game by game."""
    chosen = sys.argv[1:] or sorted(games())
    print("| game | cards | positions | true deal excluded | Brier score | at best | worst tenth | ms: mean, longest |")
    print("|---|---|---|---|---|---|---|---|")
    for game in chosen:
        figures = positions(game, scaled(80_000, 40))
        for what, one in zip(("recorded", "hidden"), figures, strict=True):
            if one.positions:
                print(
                    f"| `{game}` | {what} | {one.positions:,} | {one.excluded} | {one.squares / max(one.shares, 1):.4f} "
                    f"| {one.spread / max(one.shares, 1):.4f} | {100 * one.worst_bin:.1f}% "
                    f"| {1000 * one.time / one.positions:.2f}, {1000 * one.longest:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
