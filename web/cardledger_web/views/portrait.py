"""A player at a glance: three sentences and three figures; the tables of the page say the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

from flask import url_for

from cardledger.rules.engine.measures import MATCHES
from cardledger.study.stats import Query
from cardledger.study.stats.cache import Shelf
from cardledger.study.stats.measures.differences import verdicts
from cardledger.study.stats.measures.of_game import measure_of
from cardledger_web.dates import in_words
from cardledger_web.figures import linked as figures
from cardledger_web.figures.linked import FieldPlayer, FigureMark
from cardledger_web.languages import N_, _, ngettext, thousands, translated
from cardledger_web.views import stats
from cardledger_web.views.player import month_days, span_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import plotly.graph_objects as go

    from cardledger.record.people.people import People
    from cardledger.rules.engine.game import Game
    from cardledger.study.stats import Statistics
    from cardledger.study.stats.stats_table import StatsTable
    from cardledger_web.views.luck import PlayerLuck

KEEP = "(the measure that is chosen)"
"""What leaves the measure of an address as it is."""
_AROUND = 4
"""How many players of the field are shown above and below."""
_NAMED = 3
"""How many numbers that stand out are named."""
_COMPANY = 2
"""How many of the others are shown whose company does most."""
_BREAKS = 17
"""From so many evenings on a change can be tested (`cardledger.study.stats.strength.change`)."""
_WHY = (
    N_("not known: nobody else sat in this place from the dealer"), N_("too few matches to compare"),
    N_("one match gives no place"), N_("nobody else has a place here"),
)  # fmt: skip
"""Why somebody has no place (`cardledger.study.stats.notes`)."""
_AVERAGES = {
    "points": N_("%(value)s points a hand, where the average is %(average)s."),
    "field": N_("%(value)s%% of the matchpoints, where the average is %(average)s%%."),
    "imps": N_("%(value)s IMPs a board, where the average is %(average)s."),
}


class Choice(NamedTuple):
    """What is chosen, in words, and the address without it."""

    words: str
    address: str


class Apart(NamedTuple):
    """A number that stands out.

    The measure or the other player, the value, that of the others, and what is behind it.
    """

    title: str
    value: str
    others: str
    address: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """A player at a glance: sentences on where the player stands and how it has gone, what stands out, and figures."""

    where: list[str]
    gone: str
    apart: list[Apart]
    standings: go.Figure | None
    course: go.Figure | None
    course_label: str
    measures: go.Figure | None
    results: tuple[float, ...]
    """The results of the evenings, the oldest first; more is better, also where the fewest points win."""
    chosen: list[Choice]
    """What the figures are narrowed to, each with the address that takes it back."""


class _Seen(NamedTuple):
    """The tables behind a portrait."""

    compared: StatsTable
    evenings: StatsTable
    whole: StatsTable
    marks: Mapping[Any, str]
    company: StatsTable
    changes: StatsTable
    monthly: StatsTable | None


class PortraitView:
    """Makes the portrait of a player in a game; `measure` is the one whose course is shown."""

    def __init__(self, statistics: Statistics, player: str, game: Game[Any], query: Query, measure: str | None) -> None:
        """Read the tables; raises StoreError `store.unknown` for an unknown measure."""
        self.player, self.game, self.query = player, game, replace(query, by=None)
        self.measure = measure_of(game.id, measure or "points")
        self._measured = self.measure.id != "points"
        self._seen = statistics.recent(
            game.id, ("portrait", player, self.query, measure), lambda: self._ask(statistics)
        )

    def _ask(self, statistics: Statistics) -> _Seen:
        player, game, query = self.player, self.game.id, self.query
        # No figure is narrowed by what is chosen in it: the course goes on around a day, the others stay beside one.
        calendar = self._calendar
        sheet = statistics.sheets.sheet(game)
        marks = Shelf.of(statistics.views).get(
            ("verdicts", player, game, query), sheet.stamp, lambda: verdicts(sheet, query, player)
        )
        evenings, monthly = statistics.evenings(player, calendar, game), None
        # Where strengths are not known, months say how it has gone.
        if self.measure.id != "points" or not evenings.rows:
            monthly = statistics.player(player, replace(calendar, by="month"), game)
        return _Seen(
            statistics.players(game, query), evenings, statistics.player(player, query, game), marks,
            statistics.company(player, replace(query, against=()), game), statistics.change(player, calendar, game), monthly,
        )  # fmt: skip

    @property
    def _way(self) -> int:
        """Which way is better: 1 for more points, -1 for fewer."""
        return -1 if self.game.scoring.fewest and self.query.scale is None else 1

    def portrait(self, people: People, luck: PlayerLuck | None) -> Portrait | None:
        """Return the portrait with the names of people; None if no complete hand fits."""
        own = next((row for row in self._seen.compared.rows if row["player"] == self.player), None)
        if own is None:
            return None
        marks, sure = self._marks(people)
        course = self._course()
        return Portrait(
            [*self._where(own, luck)], self._gone(), [*self._apart(people)], self._standings(own, people, luck), course,
            _("%(measure)s over time; a mark leads to its day", measure=translated(self.measure.title)),
            figures.apart(marks, sure) if marks else None,
            tuple(self._way * row["points"] for row in self._seen.evenings.rows), [*self._chosen(people)],
        )  # fmt: skip

    @property
    def _span(self) -> tuple[str, str] | None:
        """The first and the last day that are looked at, if they are one day or one month."""
        return span_of(self.query.since, self.query.until)

    @property
    def _calendar(self) -> Query:
        """The query of the course, whose marks are days or months."""
        return replace(self.query, since=None, until=None) if self._span else self.query

    def _chosen(self, people: People) -> Iterable[Choice]:
        """Yield what is chosen, each with the address that takes it back."""
        since, until = self.query.since, self.query.until
        if since and since == until:
            yield Choice(_("only %(day)s", day=in_words(since)), self._address(since=None, until=None))
        elif since or until:
            days = [_("from %(since)s", since=in_words(since))] if since else []
            days += [_("to %(until)s", until=in_words(until))] if until else []
            yield Choice(" ".join(days), self._address(since=None, until=None))
        for one in self.query.against:
            others = tuple(other for other in self.query.against if other != one)
            yield Choice(_("with %(name)s at the table", name=people.name(one)), self._address(against=others))
        if self._measured:
            yield Choice(_("measure: %(title)s", title=translated(self.measure.title)), self._address(measure=None))
        rest = replace(self.query, since=None, until=None, against=(), scale=None).text
        if rest:
            kept = replace(Query(), since=since, until=until, against=self.query.against, scale=self.query.scale)
            yield Choice(_("what fits the filter"), self._page(kept, self._measure))

    # --- sentences

    def _where(self, own: dict[str, Any], luck: PlayerLuck | None) -> Iterable[str]:
        if own["rank_low"] is None:
            yield _("No place yet: %(why)s.", why=translated(own["note"]))
        else:
            values = {"ranked": own["ranked"], "place": stats.place(own)}
            if own["verdict"] == "better":
                yield _("Better than the average of %(ranked)s players, by more than chance: %(place)s.", **values)
            elif own["verdict"] == "worse":
                yield _("Worse than the average of %(ranked)s players, by more than chance: %(place)s.", **values)
            else:
                yield _(
                    "Not different from the average of %(ranked)s players by more than chance: %(place)s.", **values
                )
        if own["more_hands"]:
            about = thousands(int(float(f"{own['more_hands']:.1g}")))
            yield ngettext(
                "About %(about)s more hand would tell, if the difference stays as it is.",
                "About %(about)s more hands would tell, if the difference stays as it is.",
                own["more_hands"],
                about=about,
            )
        average = self._average(own)
        if own["believed"] is not None and average is not None:
            value, mean = stats.number(own["believed"]), stats.number(average)
            yield _(_AVERAGES[self.query.scale or "points"], value=value, average=mean)
        if luck and luck.adjusted and not self.query.text:
            dealt, gave_up = luck.adjusted["luck"], luck.review["cost"] if luck.review else None
            values = {"luck": stats.number(abs(dealt)), "cost": stats.number(gave_up)}
            if luck.review and dealt >= 0:
                yield _("Deals brought %(luck)s points a hand more than usual, choices cost %(cost)s.", **values)
            elif luck.review:
                yield _("Deals brought %(luck)s points a hand fewer than usual, choices cost %(cost)s.", **values)
            elif dealt >= 0:
                yield _("Deals brought %(luck)s points a hand more than usual.", **values)
            else:
                yield _("Deals brought %(luck)s points a hand fewer than usual.", **values)

    def _gone(self) -> str:
        results = self._seen.evenings.rows
        number = len(results)
        moved = next(iter(self._seen.changes.rows), None)
        if moved is None or moved["chance"] is None:
            return ngettext(
                "%(num)s evening so far: whether strength has changed can be said from %(least)s on.",
                "%(num)s evenings so far: whether strength has changed can be said from %(least)s on.",
                number,
                least=_BREAKS,
            )
        values = {"number": number, "day": in_words(results[0]["day"])}
        if moved["stayed"]:
            return _("%(number)s evenings since %(day)s, without a change that stands out.", **values)
        if moved["trend"] is not None and (moved["trend_low"] > 0 or moved["trend_high"] < 0):
            points = stats.number(abs(moved["trend"]))
            if (moved["trend"] < 0) == self.game.scoring.fewest:
                return _("%(number)s evenings since %(day)s: better by %(points)s in a year.", points=points, **values)
            return _("%(number)s evenings since %(day)s: worse by %(points)s in a year.", points=points, **values)
        return _("%(number)s evenings since %(day)s: strength has changed, by more than chance.", **values)

    def _apart(self, people: People) -> Iterable[Apart]:
        found = []
        for row in self._seen.whole.rows:
            if (row["measure"], None) in self._seen.marks:
                value, others = (stats.number(row[name], row["kind"]) for name in ("value", "others"))
                found.append(Apart(translated(row["title"]), value, others, self._hands(row["measure"])))
        found += [
            Apart(self._met(row, people), stats.number(row["effect"]), stats.number(0), self._to(row))
            for row in self._seen.company.rows
            if row["verdict"]
        ]
        return found[:_NAMED]

    def _hands(self, measure: str) -> str:
        """Return the address of the hands (or matches) behind a measure, or of the table if no list has exactly those."""
        one = measure_of(self.game.id, measure)
        whole = bool({one.amount, one.of} & MATCHES)
        filters = (stats.matches_behind if whole else stats.hands_behind)(self.query)
        if filters is None:
            return self._address(measure=measure)
        endpoint = "pages.match_list" if whole else "pages.hand_list"
        return url_for(endpoint, player=self.player, game=self.game.id, **filters)

    def _met(self, row: Mapping[str, Any], people: People) -> str:
        name = people.name(row["player"])
        return _("with %(name)s", name=name) if row["how"] == "with" else _("against %(name)s", name=name)

    def _to(self, row: Mapping[str, Any]) -> str:
        """Return the address with the matches of both: partners meet on the page of the two."""
        if row["how"] == "against":
            return self._address(against=tuple(sorted({*self.query.against} ^ {row["player"]})))
        return url_for("pages.head_to_head", player=self.player, other=row["player"], how=row["how"], game=self.game.id)

    @property
    def _measure(self) -> str | None:
        """The measure that is chosen."""
        return self.measure.id if self._measured else None

    def _address(self, *, measure: str | None = KEEP, **filters: Any) -> str:
        """Return the address of the page with further filters, or without one that is None; the rest stays chosen."""
        return self._page(replace(self.query, **filters), self._measure if measure is KEEP else measure)

    def _page(self, query: Query, measure: str | None) -> str:
        given: dict[str, Any] = dict(parse_qsl(query.text))
        return url_for("pages.player", player=self.player, game=self.game.id, measure=measure, **given)

    # --- figures

    def _average(self, own: dict[str, Any]) -> float | None:
        comparison = self._seen.compared.comparison
        pools = comparison.pools if comparison else ()
        return next((pool.mean for pool in pools if pool.number == own["pool"]), None)

    def _standings(self, own: dict[str, Any], people: People, luck: PlayerLuck | None) -> go.Figure | None:
        field = [row for row in self._seen.compared.rows if row["believed"] is not None and row["pool"] == own["pool"]]
        if own not in field or len(field) < 2:
            return None
        at = field.index(own)
        first = max(0, min(at - _AROUND, len(field) - 2 * _AROUND - 1))
        some = field[first : first + 2 * _AROUND + 1]
        others = [(_("as scored"), "circle-open", own["points"])]
        if luck and luck.adjusted and not self.query.text:
            others.append((_("without the luck of the deal"), "diamond", luck.adjusted["adjusted"]))
        return figures.standings(
            [
                FieldPlayer(
                    people.name(row["player"]),
                    url_for("pages.player", player=row["player"], game=self.game.id),
                    (row["believed"], row["believed_low"], row["believed_high"]),
                )
                for row in some
            ],
            at - first, others, self._average(own), _(stats.SCALE_WORDS[self.query.scale or "points"].choice),
        )  # fmt: skip

    def _course(self) -> go.Figure | None:
        what = translated(self.measure.title)
        if self._seen.monthly is None:
            rows = self._seen.evenings.rows
            results = [
                self._mark(row["day"], row["points"], f"{in_words(row['day'])}: {stats.number(row['points'])}", row["day"], row["day"])
                for row in rows
            ]  # fmt: skip
            what = _(stats.SCALE_WORDS[self.query.scale or "points"].choice)
            return figures.evenings(results, what) if len(rows) > 1 else None
        rows = [row for row in self._seen.monthly.rows if row["measure"] == self.measure.id]
        results = [
            self._mark(
                f"{row['group']}-01", row["value"], f"{row['group']}: {stats.number(row['value'], row['kind'])}",
                **month_days(row["group"]),
            )
            for row in rows
        ]  # fmt: skip
        spans = [(row["value"], row["low"], row["high"]) for row in rows]
        return figures.months(results, spans, [row["others"] for row in rows], what) if len(rows) > 1 else None

    def _mark(self, at: str, value: float, said: str, since: str, until: str) -> FigureMark:
        """Return the mark of a day or a month: it leads to it, or back if it is what is looked at."""
        if self._span == (since, until):
            return FigureMark(at, value, said, self._address(since=None, until=None), chosen=True)
        return FigureMark(at, value, said, self._address(since=since, until=until))

    def _marks(self, people: People) -> tuple[list[FigureMark], list[bool]]:
        """Return how far each measure lies from the others', in halves of its interval, and whether that is sure."""
        found = []
        for row in self._seen.whole.rows:
            way = {"more": 1, "fewer": -1}.get(row["better"])
            if way is None or row["others"] is None or row["low"] is None or not row["high"] - row["low"]:
                continue
            far = way * 2 * (row["value"] - row["others"]) / (row["high"] - row["low"])
            value, others = (stats.number(row[name], row["kind"]) for name in ("value", "others"))
            said = _("%(value)s, the others %(others)s", value=value, others=others)
            chosen = row["measure"] == self._measure
            address = self._address(measure=None if chosen else row["measure"])
            mark = FigureMark(translated(row["title"]), far, said, address, chosen)
            found.append((mark, (row["measure"], None) in self._seen.marks))
        company = [row for row in self._seen.company.rows if row["high"] > row["low"]]
        against = {("against", one) for one in self.query.against}
        company.sort(key=lambda row: (not row["verdict"], row["q"], row["how"], row["player"]))
        company.sort(key=lambda row: (row["how"], row["player"]) not in against)
        for row in company[: max(_COMPANY, len(against))]:
            far = self._way * 2 * row["effect"] / (row["high"] - row["low"])
            said = _("%(points)s points a hand more than expected", points=stats.number(row["effect"]))
            chosen = (row["how"], row["player"]) in against
            mark = FigureMark(self._met(row, people), far, said, self._to(row), chosen)
            found.append((mark, bool(row["verdict"])))
        found.sort(key=lambda one: -one[0].value)
        return [mark for mark, sure in found], [sure for mark, sure in found]
