"""What all ledgers of one server share: the turns of its threads, its expensive answers, and places for live streams."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from cardledger_api.auth import known_scorers
from cardledger_api.auth.known_scorers import KnownScorers, known_of
from cardledger_api.http import gate, turns
from cardledger_api.http.gate import Gate, gate_of
from cardledger_api.http.shared_places import Places
from cardledger_api.http.streams import STREAMS_AT_ONCE, streams_of
from cardledger_api.http.turns import ReadersTurns, turns_of

if TYPE_CHECKING:
    from flask import Flask


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The parts of a server that know no ledger."""

    gate: Gate = field(default_factory=Gate)
    turns: ReadersTurns = field(default_factory=ReadersTurns)
    known: KnownScorers = field(default_factory=KnownScorers)
    places: Places = field(default_factory=lambda: Places(STREAMS_AT_ONCE))

    @classmethod
    def of(cls, app: Flask) -> Self:
        """Return the parts that an application uses."""
        return cls(gate_of(app), turns_of(app), known_of(app), streams_of(app).places)

    def give(self, app: Flask) -> None:
        """Let a new application use them, before anything else is added to it."""
        app.extensions |= {gate.KEY: self.gate, turns.KEY: self.turns, known_scorers.KEY: self.known}
        streams_of(app).places = self.places
