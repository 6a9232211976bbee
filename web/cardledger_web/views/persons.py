"""Persons on pages: the person behind a player id, their names, and the persons at the seats of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger_api.current import people_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardledger.record.recording.ledger import Ledger


def called(ledger: Ledger, players: Iterable[str]) -> list[str]:
    """Return the names of players."""
    people = people_of(ledger)
    return [people.name(player) for player in players]


def seated(ledger: Ledger, match: str, players: Sequence[str]) -> list[str]:
    """Return the names of the persons at the seats of a match; `players` are the recorded ids."""
    return called(ledger, people_of(ledger).seated(match, players))
