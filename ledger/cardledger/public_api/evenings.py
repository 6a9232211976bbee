"""The public Python API of clubs, evenings and leagues: `OpenLedger.evenings`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cardledger.record.recording.full_ranking import full_ranking
from cardledger.record.recording.masterpoints import added_up, totals_as_json
from cardledger.record.recording.moment import position_of
from cardledger.study.stats.table_results import table_results

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event


class ClubEvenings:
    """The clubs, sessions and leagues of a ledger. Their ids may be cut short.

    All but `ids` and `record` raise StoreError `store.unknown` or `store.ambiguous` for an id, and RuleError
    `session.phase` where a void match leaves no ranking.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._evenings, self._store = ledger, ledger.evenings, ledger.store

    def ids(self, kind: str | None = None) -> list[str]:
        """Return the ids of all, or of one kind (`club`, `session`, `league`), in the order of recording."""
        return self._evenings.ids(kind)

    def events(self, evening: str) -> Sequence[Event]:
        """Return all recorded events, corrections included."""
        return self._evenings.events(self._evenings.resolve(evening))

    def ranking(self, evening: str, as_of: str | int | None = None) -> dict[str, Any]:
        """Return the ranking of a session or the table of a league, what was published, and what differs since.

        It is as `cardledger evening show --json` prints it. `as_of` is a position of the ledger, or a time such as
        `2026-11-22T22:00Z`.
        """
        position = None if as_of is None else position_of(self._store, str(as_of))
        return full_ranking(self._evenings, self._evenings.resolve(evening), position).as_json()

    def travellers(self, session: str) -> list[dict[str, Any]]:
        """Return each board of a session of bridge with its results, and the points of both lines."""
        return self._evenings.rankings.travellers(self._evenings.resolve(session))

    def card(self, session: str, entry: int) -> dict[str, Any]:
        """Return the card of a pair, a team or a player by its number: every board with its result."""
        return self._evenings.rankings.card(self._evenings.resolve(session), entry)

    def masterpoints(self, league: str | None = None, club: str | None = None) -> list[dict[str, Any]]:
        """Return the masterpoints of the players, most first: of all evenings, a league's or a club's.

        It is as `cardledger evening masterpoints --json` prints it.
        """
        of_league, of_club = (None if each is None else self._evenings.resolve(each) for each in (league, club))
        return totals_as_json(added_up(self._ledger, league=of_league, club=of_club))

    def results(
        self, other_game: str, player: str | None = None, since: str | None = None, until: str | None = None
    ) -> dict[str, Any]:
        """Return how the players of a game without rules did at the tables, and whom a player met.

        It is as `cardledger evening results --json` prints it; the days `since` and `until` are included.
        """
        return table_results(self._ledger, other_game, player, since=since, until=until).as_json()

    def record(
        self,
        evening: str | None,
        events: Sequence[Event],
        expected: int,
        by: str = "python",
        *,
        as_written: bool = False,
    ) -> str:
        """Append events to one that has `expected` events, or open one (None, 0); return its id.

        Points of a table that no number of hands can give are refused, unless they count `as_written`.

        Raises ConflictError if somebody else has appended events, RuleError or FormatError if an event is refused.
        """
        return self._evenings.record(evening, events, expected, by, as_written=as_written).match
