"""A ranking in full: as of a position, what was published by then, and what differs.

For pages, the API and the command line.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import RuleError
from cardledger.rules.engine.events import type_of
from cardledger.rules.evenings.evening_events import Publish
from cardledger.rules.evenings.league import LeagueState
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.record.recording.comparison import ChangedRow
    from cardledger.record.recording.evenings import Evenings
    from cardledger.record.recording.rankings import Published, Ranking, RankingComparison

NOTHING: Mapping[str, frozenset[int]] = MappingProxyType({})
"""No board is hidden."""


class FullRanking(NamedTuple):
    """The ranking of a session or a league with its name, its publications, and the comparison with the last of them."""

    name: str
    ranking: Ranking
    published: list[Published]
    compared: RankingComparison | None

    @property
    def changed(self) -> list[ChangedRow]:
        """What differs from the last publication, a row for each entry or player."""
        return self.compared.rows if self.compared else []

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        ranking = self.ranking
        return {
            "evening": ranking.evening,
            "name": self.name,
            "position": ranking.position,
            "hash": ranking.hash,
            "ranking": ranking.rows,
            "published": [
                {"seq": each.seq, "at": each.event.at, "position": each.ranking.position, "hash": each.event.hash,
                 "fits": each.fits, "text": each.event.text, "ranking": each.ranking.rows}
                for each in self.published
            ],
            "differences": [_difference(row) for row in self.changed],
        }  # fmt: skip


def full_ranking(
    evenings: Evenings, evening: str, position: int | None = None, hidden: Mapping[str, frozenset[int]] = NOTHING
) -> FullRanking:
    """Return the ranking of a session or a league as of a position, or now.

    Boards of sessions that are `hidden` do not count in it, and as long as there are any, nothing is compared.
    Raises like `Rankings.ranking`; where a ranking cannot be made, the error says at which position it was published.
    """
    rankings = evenings.rankings.without(hidden)
    try:
        ranking = rankings.ranking(evening, position)
    except RuleError as error:
        events = evenings.at(position).evening(evening).events
        last = next((event.at_position for event in reversed(events) if isinstance(event, Publish)), None)
        if last is None:
            raise
        raise RuleError(
            error.code,
            Sentence("{message} (as of position {last} it is as published)", message=error.message, last=last),
        ) from None
    published = rankings.published(evening, ranking.position)
    state = evenings.at(ranking.position).evening(evening).state
    sessions = state.sessions if isinstance(state, LeagueState) else (evening,)
    compares = published and hidden.keys().isdisjoint(sessions)
    compared = rankings.compared(evening, published[-1].ranking.position, ranking.position) if compares else None
    name = state.opening.name
    return FullRanking(name, ranking, published, compared)


def _difference(row: ChangedRow) -> dict[str, Any]:
    return {
        "entry": row.entry,
        "players": row.players,
        "place": {"then": row.place_then, "now": row.place_now},
        "total": {"then": row.total_then, "now": row.total_now},
        "changes": [change._asdict() for change in row.changes],
        "events": [
            {"stream": later.stream, "seq": later.seq, "position": later.position, "type": type_of(later.event),
             "reason": getattr(later.event, "reason", None), "law": getattr(later.event, "law", None)}
            for later in row.events
        ],
    }  # fmt: skip
