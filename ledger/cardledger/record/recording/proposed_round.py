"""A round of an evening before it is open, and its tables afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cardledger.rules.evenings import evening_events as ev


class ProposedTable(NamedTuple):
    """A table to open: its number, its players by seat, and its boards."""

    number: int
    players: tuple[str, ...]
    boards: tuple[int, ...] = ()


class Proposal(NamedTuple):
    """A round to open: its game, its tables, the players who sit out, and the reasons, in English.

    `decided` are the events that set its tables; there are none where a movement has planned them.
    """

    round: int
    game: str | None
    tables: tuple[ProposedTable, ...]
    sitting_out: tuple[str, ...]
    reasons: tuple[str, ...]
    decided: tuple[ev.Table, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "round": self.round,
            "game": self.game,
            "tables": [{"table": each.number, "players": each.players, "boards": each.boards} for each in self.tables],
            "sitting_out": self.sitting_out,
            "reasons": self.reasons,
        }


class OpenTable(NamedTuple):
    """A table of a round that was opened: its number, and its match; None where each board has a result of its own, in a drive, and at a game without rules."""

    number: int
    match: str | None
