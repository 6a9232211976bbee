"""Who plays for an entry, and who sits at a table."""

from __future__ import annotations

from typing import NamedTuple


class Lineup(NamedTuple):
    """The players of an entry from a round on, and the event that says so.

    `plays_as` is what a player plays as in a drive; `stays`: somebody there cannot move.
    """

    start: int
    players: tuple[str, ...]
    line: str | None
    seq: int
    plays_as: str | None = None
    stays: bool = False


class Seated(NamedTuple):
    """A table of a round: entries by seat (0: an empty seat), its boards and game, and the event that set it."""

    seats: tuple[int, ...]
    boards: tuple[int, ...] = ()
    game: str | None = None
    seq: int = 0

    @property
    def plays(self) -> bool:
        """Whether all seats are taken, and by more than one entry."""
        return len(self.seats) > 1 and 0 not in self.seats

    @property
    def bye(self) -> int:
        """The entry that sits here without opponents, 0 if there is none."""
        here = [entry for entry in self.seats if entry]
        return here[0] if len(here) == 1 else 0
