"""The evenings of a player: the place, and what it was for, as published last or as it stands at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import RuleError
from cardledger.record.readmodels.questions.evening_list import list_evenings
from cardledger.record.recording.masterpoints import awarded
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.visible import rankings_shown
from cardledger_web.views.ranking import step
from cardledger_web.views.winners import final_standings

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.standings import Standing


class PlayerEvening(NamedTuple):
    """An evening that names a player.

    `row` is that of the list of evenings. `place` is as printed, empty without one; `ranked` is how many have a place
    in the same ranking. `masterpoints` are printed, empty without any. `result` is the percentage if the evening compares the tables of a board, else the total.
    """

    row: dict[str, Any]
    place: str
    ranked: int
    result: str
    partners: tuple[str, ...]
    masterpoints: str = ""

    @property
    def won(self) -> bool:
        """Whether nobody was better."""
        return step(self.place) == 1


class PlayerEvenings(NamedTuple):
    """A player's evenings, the newest first, and whether there are more."""

    evenings: list[PlayerEvening]
    more: bool


def evenings_of(ledger: Ledger, player: str, limit: int) -> PlayerEvenings:
    """Return the latest evenings of a player, given by the id of the person."""
    found = list_evenings(ledger, limit, player=player)
    return PlayerEvenings([_evening(ledger, player, row) for row in found.evenings], found.next is not None)


def _evening(ledger: Ledger, player: str, row: dict[str, Any]) -> PlayerEvening:
    standings = final_standings(ledger, row)
    for one in standings:
        if player in one.players:
            others = tuple(other for other in one.players if other != player)
            ranked = sum(bool(each.place) for each in standings if each.group == one.group)
            result = _result(ledger, row, one) if one.played else ""
            return PlayerEvening(row, one.place, ranked, result, others, _masterpoints(ledger, row, one))
    return PlayerEvening(row, "", 0, "", ())


def _result(ledger: Ledger, row: dict[str, Any], one: Standing) -> str:
    """Return what an entry has, as the ranking of its evening prints it."""
    state = ledger.evenings.stream(row["evening"]).state
    decimals = state.opening.scoring.decimals if isinstance(state, SessionState) else 0
    return printed(one.total, decimals) if one.percent is None else f"{printed(one.percent, decimals)}%"


def _masterpoints(ledger: Ledger, row: dict[str, Any], one: Standing) -> str:
    """Return the masterpoints of an entry, as printed; empty without any."""
    try:
        points = awarded(ledger, row["evening"], rankings_shown(ledger)).points
    except RuleError:  # a match of the evening is void: nothing is given
        return ""
    return printed(points[one.entry]) if one.entry in points else ""
