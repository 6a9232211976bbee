"""A league as its page shows it: the table over its nights, what was published, and what differs now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.errors import RuleError, StoreError
from cardledger.rules.evenings.league import LeagueState
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.session import SessionState
from cardledger_api.auth.visible import hidden_boards, rankings_shown
from cardledger_web.languages import N_, _, evening_called, minus, ngettext, translated
from cardledger_web.views.ranking import ON_PODIUM, RankedRow, moved, publications

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.recording.comparison import ChangedRow
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.season import Night

_VALUES = {
    None: N_("what the night ranks by"), "percent": N_("the percentage"), "vp": N_("the victory points"), "points": N_("the points"),
    "place": N_("the place"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NightCell:
    """What a night was worth to a player: as printed, whether it counts, and the value as published if that differs."""

    value: str
    counts: bool
    then: str | None = None


@dataclass(frozen=True, slots=True)
class LeagueRow(RankedRow):
    """A player in the table of a league, numbers as printed; a night without the player is None."""

    place: str
    players: tuple[str, ...]
    total: str
    nights: int
    cells: tuple[NightCell | None, ...]
    then: ChangedRow | None
    moved: str


@dataclass(frozen=True, slots=True)
class NightHead:
    """A night that counts: its id, name, day and weight."""

    session: str
    name: str
    date: str
    weight: str


class LeagueView:
    """A league as of a position, or as it is now; players are ids of persons. `refusal` says why there is no table."""

    unit = "points"

    def __init__(self, ledger: Ledger, id: str, position: int | None = None) -> None:
        """Read a league; raises StoreError `store.unknown`."""
        self._ledger = ledger
        self.id = id
        self.position = position
        self.stream = ledger.evenings.at(position).evening(id)
        if not isinstance(self.stream.state, LeagueState):
            raise StoreError("store.unknown", f"there is no league {id}")
        self.state: LeagueState = self.stream.state
        self.opening = self.state.opening
        self.refusal = ""
        self._nights: list[Night] = []
        rows = []
        try:
            rankings = rankings_shown(ledger)
            rows = rankings.ranking(id, position).rows
            self._nights = rankings.nights(id, position)
        except RuleError as error:
            self.refusal = translated(error.message)
        under_way = hidden_boards(ledger).keys() & self.state.sessions.keys()
        self.published, self.changed = publications(ledger, id, position, ranked=not self.refusal and not under_way)
        # A night more, say, changes the row of a player who stays where they were: nothing to tell.
        self.changed = [
            row for row in self.changed if (row.place_then, row.total_then) != (row.place_now, row.total_now)
        ]
        self._then = ledger.evenings.rankings.nights(id, self.published[-1].ranking.position) if self.changed else []
        published = {night.session for night in self._then}
        self.added = sum(night.session not in published for night in self._nights) if self.changed else 0
        """The number of nights that count and were not in the table as published."""
        self.rows = [*self._rows(rows)]

    @property
    def final(self) -> bool:
        """Whether the table was published on the last day of the league or later."""
        return bool(self.published) and (self.published[-1].event.at or "")[:10] >= self.opening.until

    @property
    def counted(self) -> str:
        """What counts, in a sentence."""
        count = self.opening.count
        which = (
            ngettext("The best night counts", "The best %(num)s nights count", count.best)
            if count.best
            else _("All nights count")
        )
        per = _(", divided by their number") if count.per == "mean" else ""
        few = (
            ngettext(
                ". A place takes at least %(num)s night", ". A place takes at least %(num)s nights", count.min_nights
            )
            if count.min_nights
            else ""
        )
        return _("%(which)s, each with %(value)s", which=which, value=translated(_VALUES[count.value])) + f"{per}{few}."

    @property
    def nights(self) -> list[NightHead]:
        """The nights, by day."""
        heads = []
        for night in self._nights:
            state = self._ledger.evenings.stream(night.session).state
            assert isinstance(state, SessionState)
            weight = "" if night.weight == 1 else f"× {minus(printed(night.weight, 1))}"
            heads.append(NightHead(night.session, evening_called(state.opening.name), night.date, weight))
        return heads

    @property
    def placed(self) -> list[LeagueRow]:
        """The players with a place."""
        return [row for row in self.rows if row.place]

    @property
    def podium(self) -> list[LeagueRow]:
        """The players in the first three places."""
        return [row for row in self.placed if row.step <= ON_PODIUM]

    @property
    def unplaced(self) -> list[LeagueRow]:
        """The players who came too seldom."""
        return [row for row in self.rows if not row.place]

    def _rows(self, rows: list[dict[str, Any]]) -> Iterator[LeagueRow]:
        changed = {row.players: row for row in self.changed}
        for row in rows:
            players = tuple(row["players"])
            then = changed.get(players)
            yield LeagueRow(
                row["place"], players, minus(row["total"]), row["nights"],
                tuple(self._cell(night, players[0], row["counted"]) for night in self._nights), then, moved(then),
            )  # fmt: skip

    def _cell(self, night: Night, player: str, counted: list[str]) -> NightCell | None:
        now = self._worth(night, player)
        if now is None:
            return None
        then = next((self._worth(each, player) for each in self._then if each.session == night.session), now)
        return NightCell(now, night.session in counted, None if then == now else then or "–")

    def _worth(self, night: Night, player: str) -> str | None:
        value = night.values.get(player)
        return None if value is None else minus(printed(value * night.weight, self.opening.count.decimals))
