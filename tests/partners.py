"""Matches of partners, of which only the results are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.rules.engine import events as ev

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


def euchre(players: str, scores: tuple[int, int], date: str) -> list[ev.Event]:
    """Return a complete match of one hand: the first and third player against the second and fourth."""
    opening = ev.Open(game="euchre", players=tuple(players.split()), options={"hands": 1}, date=date)
    return [opening, ev.Deal(dealer=0, hands=None, upcard=None), ev.Score(scores=scores * 2)]


def evening(ledger: Ledger) -> list[str]:
    """Record three matches: ana with chloe wins twice, 2 to 0 and 4 to 0; ana with dev loses 0 to 1."""
    nights = [
        ("ana ben chloe dev", (2, 0), "2026-01-01"),
        ("ana ben dev chloe", (0, 1), "2026-01-02"),
        ("dev ana ben chloe", (0, 4), "2026-01-03"),
    ]
    return [ledger.record(None, euchre(*night), 0).match for night in nights]
