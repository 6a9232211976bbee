"""What a ledger knows beside the sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.formats.spreadsheets.kept_layouts import layouts_of
from cardledger.formats.spreadsheets.known import KnownEvening
from cardledger.record.recording.known_players import KnownPlayers
from cardledger.rules.evenings import evening_events as ev

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from cardledger.formats.spreadsheets.kept_layouts import ClubLayout
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Open
    from cardledger.rules.stream import Stream


class KnownToLedger:
    """What a preview asks (`KnownBeside`), answered by a ledger.

    Args:
        ledger: the ledger, which is only read.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def catch_up(self) -> None:
        """Let the read models follow the log; raises UnusableError."""
        self._ledger.views.catch_up()

    def players(self) -> KnownPlayers:
        """Return the players of its matches, clubs and evenings."""
        return KnownPlayers(self._ledger)

    def person(self, player: str) -> str:
        """Return the person whom an id means."""
        return self._ledger.people().person(player)

    def name(self, player: str) -> str:
        """Return the name under which a player is shown."""
        return self._ledger.people().name(player)

    def clubs(self) -> Sequence[tuple[str, str]]:
        """Return the id and the name of each club."""
        rows = self._ledger.views.reader.execute("SELECT evening, name FROM evenings WHERE kind = 'club'")
        return [(id, name) for id, name in rows.fetchall()]

    def layouts(self, club: str | None) -> Sequence[ClubLayout]:
        """Return the layouts that a club keeps, those of all clubs without."""
        return layouts_of(self._ledger, club)

    def evening(self, wish: str) -> KnownEvening:
        """Return an evening by its id or the beginning of it; raises StoreError `store.unknown`."""
        return self._evening(self._ledger.evenings.resolve(wish))

    def evenings_on(self, day: str) -> Sequence[KnownEvening]:
        """Return the evenings of a day."""
        rows = self._ledger.views.reader.execute(
            "SELECT evening FROM evenings WHERE kind = 'session' AND since = ?", (day,)
        )
        return [self._evening(id) for (id,) in rows.fetchall()]

    def arrived(self, session: str) -> AbstractSet[str]:
        """Return the players of an evening so far."""
        return {event.player for event in self._ledger.evenings.events(session) if isinstance(event, ev.Arrive)}

    def match_id(self, session: str, round: int, first: Open) -> str:
        """Return the id of the match of a table; raises RuleError `session.phase`."""
        return self._ledger.evenings.rounds.match_id(session, round, first)

    def has_match(self, match: str) -> bool:
        """Tell whether a match is recorded."""
        return bool(self._ledger.store.lengths([match]))

    def match(self, match: str) -> Stream:
        """Return a match; raises StoreError `store.unknown`."""
        return self._ledger.stream(match)

    def _evening(self, id: str) -> KnownEvening:
        stream = self._ledger.evenings.stream(id)
        return KnownEvening(id, stream.state, stream.seq)
