"""What a player's page shows at a glance is made from: the tables, what is chosen, and the addresses that choose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

from flask import url_for

from cardledger.study.stats import Query
from cardledger.study.stats.cache import Shelf
from cardledger.study.stats.measures.differences import verdicts
from cardledger.study.stats.measures.of_game import measure_of
from cardledger_web.dates import in_words
from cardledger_web.languages import _, translated
from cardledger_web.views.player import span_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardledger.record.people.people import People
    from cardledger.rules.engine.game import Game
    from cardledger.study.stats import Statistics
    from cardledger.study.stats.stats_table import StatsTable

KEEP = "(the measure that is chosen)"
"""What leaves the measure of an address as it is."""


class Narrowed(NamedTuple):
    """What is chosen, in words, and the address without it."""

    words: str
    address: str


class PeerTables(NamedTuple):
    """The tables of a player beside another one."""

    evenings: StatsTable
    whole: StatsTable
    monthly: StatsTable | None


class SeenTables(NamedTuple):
    """The tables behind a portrait."""

    compared: StatsTable
    evenings: StatsTable
    whole: StatsTable
    marks: Mapping[Any, str]
    company: StatsTable
    changes: StatsTable
    monthly: StatsTable | None
    peers: Mapping[str, PeerTables]


class GlanceView:
    """Reads the tables of a player in a game, and knows what is chosen.

    `measure` is the one whose course is shown, `beside` are the players who stand beside.
    """

    def __init__(
        self, statistics: Statistics, player: str, game: Game[Any], query: Query, measure: str | None,
        beside: tuple[str, ...],
    ) -> None:  # fmt: skip
        """Read the tables; raises StoreError `store.unknown` for an unknown measure."""
        self.player, self.game, self.query = player, game, replace(query, by=None)
        self.measure = measure_of(game.id, measure or "points")
        self.chosen_measure = None if self.measure.id == "points" else self.measure.id
        self.beside = beside
        self.seen = statistics.recent(
            game.id, ("portrait", player, self.query, measure, beside), lambda: self._ask(statistics)
        )

    def _ask(self, statistics: Statistics) -> SeenTables:
        player, game, query = self.player, self.game.id, self.query
        # No figure is narrowed by what is chosen in it: the course goes on around a day, the others stay beside one.
        calendar = self.calendar
        sheet = statistics.sheets.sheet(game)
        marks = Shelf.of(statistics.views).get(
            ("verdicts", player, game, query), sheet.stamp, lambda: verdicts(sheet, query, player)
        )
        evenings, monthly = statistics.evenings(player, calendar, game), None
        # Where strengths are not known, months say how it has gone.
        if self.measure.id != "points" or not evenings.rows:
            monthly = statistics.player(player, replace(calendar, by="month"), game)
        peers = {
            one: PeerTables(
                statistics.evenings(one, calendar, game), statistics.player(one, query, game),
                monthly and statistics.player(one, replace(calendar, by="month"), game),
            )
            for one in self.beside
        }  # fmt: skip
        return SeenTables(
            statistics.players(game, query), evenings, statistics.player(player, query, game), marks,
            statistics.company(player, replace(query, against=()), game), statistics.change(player, calendar, game), monthly, peers,
        )  # fmt: skip

    @property
    def way(self) -> int:
        """Which way is better: 1 for more points, -1 for fewer."""
        return -1 if self.game.scoring.fewest and self.query.scale is None else 1

    @property
    def span(self) -> tuple[str, str] | None:
        """The first and the last day that are looked at, if they are one day or one month."""
        return span_of(self.query.since, self.query.until)

    @property
    def calendar(self) -> Query:
        """The query of the course, whose marks are days or months."""
        return replace(self.query, since=None, until=None) if self.span else self.query

    def chosen(self, people: People) -> Iterable[Narrowed]:
        """Yield what is chosen, each with the address that takes it back."""
        since, until = self.query.since, self.query.until
        if since and since == until:
            yield Narrowed(_("only %(day)s", day=in_words(since)), self.address(since=None, until=None))
        elif since or until:
            days = [_("from %(since)s", since=in_words(since))] if since else []
            days += [_("to %(until)s", until=in_words(until))] if until else []
            yield Narrowed(" ".join(days), self.address(since=None, until=None))
        for one in self.query.against:
            others = tuple(other for other in self.query.against if other != one)
            yield Narrowed(_("with %(name)s at the table", name=people.name(one)), self.address(against=others))
        if self.chosen_measure is not None:
            yield Narrowed(_("measure: %(title)s", title=translated(self.measure.title)), self.address(measure=None))
        for one in self.beside:
            words = _("beside %(name)s", name=people.name(one))
            yield Narrowed(
                words, self.page(self.query, self.chosen_measure, [other for other in self.beside if other != one])
            )
        rest = replace(self.query, since=None, until=None, against=(), scale=None).text
        if rest:
            kept = replace(Query(), since=since, until=until, against=self.query.against, scale=self.query.scale)
            yield Narrowed(_("what fits the filter"), self.page(kept, self.chosen_measure, self.beside))

    def address(self, *, measure: str | None = KEEP, **filters: Any) -> str:
        """Return the address of the page with further filters, or without one that is None; the rest stays chosen."""
        kept = self.chosen_measure if measure is KEEP else measure
        return self.page(replace(self.query, **filters), kept, self.beside)

    def page(self, query: Query, measure: str | None, beside: Sequence[str]) -> str:
        """Return the address of the page for a query, a measure and players beside."""
        given: dict[str, Any] = {"measure": measure, "beside": [*beside] or None, **dict(parse_qsl(query.text))}
        return url_for("pages.player", player=self.player, game=self.game.id, **given)
