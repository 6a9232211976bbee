"""A player at a glance: three sentences and three figures; the tables of the page say the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import url_for

from cardledger.rules.engine.measures import MATCHES
from cardledger.study.stats.measures.of_game import measure_of
from cardledger_web.dates import in_words
from cardledger_web.figures import linked as figures
from cardledger_web.figures.days import ordinals
from cardledger_web.figures.linked import Beside, FieldPlayer, FigureMark
from cardledger_web.languages import N_, _, ngettext, thousands, translated
from cardledger_web.views import stats
from cardledger_web.views.glance import GlanceView, Narrowed, PeerTables
from cardledger_web.views.player import month_days
from cardledger_web.views.scales import SCALE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import plotly.graph_objects as go

    from cardledger.record.people.people import People
    from cardledger_web.figures.stats import Span
    from cardledger_web.views.luck import PlayerLuck

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
    N_("one match is too few for a place"), N_("nobody else has a place here"),
)  # fmt: skip
"""Why somebody has no place (`cardledger.study.stats.notes`)."""
_AVERAGES = {
    "points": N_("%(value)s points a hand, where the average is %(average)s."),
    "field": N_("%(value)s%% of the matchpoints, where the average is %(average)s%%."),
    "imps": N_("%(value)s IMPs a board, where the average is %(average)s."),
}


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
    chosen: list[Narrowed]
    """What the figures are narrowed to, each with the address that takes it back."""
    side_by_side: list[tuple[str, list[tuple[str, str]]]]
    """The title of each measure, with value and interval of the player and of those beside; empty without any."""


class PortraitView(GlanceView):
    """Makes the portrait of a player in a game: sentences and figures."""

    def portrait(self, people: People, luck: PlayerLuck | None) -> Portrait | None:
        """Return the portrait with the names of people; None if no complete hand fits."""
        own = next((row for row in self.seen.compared.rows if row["player"] == self.player), None)
        if own is None:
            return None
        measures, course = self._measures(people), self._course(people)
        return Portrait(
            [*self._where(own, luck)], self._gone(), [*self._apart(people)], self._standings(own, people, luck), course,
            _("%(measure)s over time; a mark leads to its day", measure=translated(self.measure.title)),
            measures,
            tuple(self.way * row["points"] for row in self.seen.evenings.rows), [*self.chosen(people)],
            [*self._side_by_side()],
        )  # fmt: skip

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
        results = self.seen.evenings.rows
        number = len(results)
        moved = next(iter(self.seen.changes.rows), None)
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
        for row in self.seen.whole.rows:
            if (row["measure"], None) in self.seen.marks:
                value, others = (stats.number(row[name], row["kind"]) for name in ("value", "others"))
                found.append(Apart(translated(row["title"]), value, others, self._hands(row["measure"])))
        found += [
            Apart(self._met(row, people), stats.number(row["effect"]), stats.number(0), self._to(row))
            for row in self.seen.company.rows
            if row["verdict"]
        ]
        return found[:_NAMED]

    def _hands(self, measure: str) -> str:
        """Return the address of the hands (or matches) behind a measure, or of the table if no list has exactly those."""
        one = measure_of(self.game.id, measure)
        whole = bool({one.amount, one.of} & MATCHES)
        filters = (stats.matches_behind if whole else stats.hands_behind)(self.query)
        if filters is None:
            return self.address(measure=measure)
        endpoint = "pages.match_list" if whole else "pages.hand_list"
        return url_for(endpoint, player=self.player, game=self.game.id, **filters)

    def _met(self, row: Mapping[str, Any], people: People) -> str:
        name = people.name(row["player"])
        return _("with %(name)s", name=name) if row["how"] == "with" else _("against %(name)s", name=name)

    def _to(self, row: Mapping[str, Any]) -> str:
        """Return the address with the matches of both: partners meet on the page of the two."""
        if row["how"] == "against":
            return self.address(against=tuple(sorted({*self.query.against} ^ {row["player"]})))
        return url_for("pages.head_to_head", player=self.player, other=row["player"], how=row["how"], game=self.game.id)

    # --- figures

    def _average(self, own: dict[str, Any]) -> float | None:
        comparison = self.seen.compared.comparison
        pools = comparison.pools if comparison else ()
        return next((pool.mean for pool in pools if pool.number == own["pool"]), None)

    def _standings(self, own: dict[str, Any], people: People, luck: PlayerLuck | None) -> go.Figure | None:
        field = [row for row in self.seen.compared.rows if row["believed"] is not None and row["pool"] == own["pool"]]
        if own not in field or len(field) < 2:
            return None
        at = field.index(own)
        first = max(0, min(at - _AROUND, len(field) - 2 * _AROUND - 1))
        around = field[first : first + 2 * _AROUND + 1]
        some = [row for row in field if row in around or row["player"] in self.beside]
        at_place = {row["player"]: place for place, row in enumerate(some)}
        beside = [at_place[one] for one in self.beside if one in at_place]
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
            some.index(own), others, self._average(own), _(SCALE_WORDS[self.query.scale or "points"].choice),
            beside,
        )  # fmt: skip

    def _course(self, people: People) -> go.Figure | None:
        own, what = people.name(self.player), translated(self.measure.title)
        if self.seen.monthly is None:
            rows = self.seen.evenings.rows
            results = [
                self._mark(row["day"], row["points"], f"{in_words(row['day'])}: {stats.number(row['points'])}", row["day"], row["day"])
                for row in rows
            ]  # fmt: skip
            what = _(SCALE_WORDS[self.query.scale or "points"].choice)
            peers = [
                Beside(place, people.name(one), [(ordinals([row["day"]])[0], (row["points"], None, None), "") for row in tables.evenings.rows])
                for place, (one, tables) in enumerate(self.seen.peers.items())
            ]  # fmt: skip
            return figures.evenings(results, what, own, peers) if len(rows) > 1 else None
        rows = [row for row in self.seen.monthly.rows if row["measure"] == self.measure.id]
        results = [
            self._mark(
                f"{row['group']}-01", row["value"], f"{row['group']}: {stats.number(row['value'], row['kind'])}",
                **month_days(row["group"]),
            )
            for row in rows
        ]  # fmt: skip
        spans = [(row["value"], row["low"], row["high"]) for row in rows]
        others = [
            Beside(place, people.name(one), self._months_of(tables))
            for place, (one, tables) in enumerate(self.seen.peers.items())
        ]
        by_month = [row["others"] for row in rows]
        return figures.months(results, spans, by_month, what, own, others) if len(rows) > 1 else None

    def _months_of(self, tables: PeerTables) -> list[tuple[float, Span, str]]:
        rows = tables.monthly.rows if tables.monthly else []
        return [
            (ordinals([f"{row['group']}-01"])[0], (row["value"], row["low"], row["high"]), f"{row['group']}: {stats.number(row['value'], row['kind'])}")
            for row in rows
            if row["measure"] == self.measure.id
        ]  # fmt: skip

    def _mark(self, at: str, value: float, said: str, since: str, until: str) -> FigureMark:
        """Return the mark of a day or a month: it leads to it, or back if it is what is looked at."""
        if self.span == (since, until):
            return FigureMark(at, value, said, self.address(since=None, until=None), chosen=True)
        return FigureMark(at, value, said, self.address(since=since, until=until))

    def _measures(self, people: People) -> go.Figure | None:
        """Return how far each measure lies from the others', in halves of its interval, and whether that is sure."""
        found: list[tuple[FigureMark, bool, dict[str, tuple[Span, str]]]] = []
        for row in self.seen.whole.rows:
            way = {"more": 1, "fewer": -1}.get(row["better"])
            if way is None or row["others"] is None or row["low"] is None or not row["high"] - row["low"]:
                continue
            far = way * 2 * (row["value"] - row["others"]) / (row["high"] - row["low"])
            value, others = (stats.number(row[name], row["kind"]) for name in ("value", "others"))
            said = _("%(value)s, the others %(others)s", value=value, others=others)
            chosen = row["measure"] == self.chosen_measure
            address = self.address(measure=None if chosen else row["measure"])
            mark = FigureMark(translated(row["title"]), far, said, address, chosen)
            found.append((mark, (row["measure"], None) in self.seen.marks, self._beside_in(row, way)))
        company = [row for row in self.seen.company.rows if row["high"] > row["low"]]
        against = {("against", one) for one in self.query.against}
        company.sort(key=lambda row: (not row["verdict"], row["q"], row["how"], row["player"]))
        company.sort(key=lambda row: (row["how"], row["player"]) not in against)
        for row in company[: max(_COMPANY, len(against))]:
            far = self.way * 2 * row["effect"] / (row["high"] - row["low"])
            said = _("%(points)s points a hand more than expected", points=stats.number(row["effect"]))
            chosen = (row["how"], row["player"]) in against
            mark = FigureMark(self._met(row, people), far, said, self._to(row), chosen)
            found.append((mark, bool(row["verdict"]), {}))
        found.sort(key=lambda one: -one[0].value)
        peers = [
            Beside(
                place,
                people.name(one),
                [(at, *values[one]) for at, (*_rest, values) in enumerate(found) if one in values],
            )
            for place, one in enumerate(self.beside)
        ]
        return figures.apart([one[0] for one in found], [one[1] for one in found], peers) if found else None

    def _beside_in(self, row: Mapping[str, Any], way: int) -> dict[str, tuple[Span, str]]:
        """Return where the players beside would lie on the scale of the player's measure, each with a text."""
        found = {}
        for player, tables in self.seen.peers.items():
            its = next((one for one in tables.whole.rows if one["measure"] == row["measure"]), None)
            if its is not None:
                ends = [its[name] if its[name] is not None else its["value"] for name in ("value", "low", "high")]
                value, *rest = (way * 2 * (end - row["others"]) / (row["high"] - row["low"]) for end in ends)
                said = f"{translated(row['title'])}: {stats.number(its['value'], its['kind'])}"
                found[player] = ((value, min(rest), max(rest)), said)
        return found

    def _side_by_side(self) -> Iterable[tuple[str, list[tuple[str, str]]]]:
        """Yield each measure with value and interval of the player and of those beside."""
        if self.beside:
            tables = [{row["measure"]: row for row in one.whole.rows} for one in self.seen.peers.values()]
            for row in self.seen.whole.rows:
                each = [row, *(table.get(row["measure"]) for table in tables)]
                yield translated(row["title"]), [_in_words(one) for one in each]


def _in_words(row: Mapping[str, Any] | None) -> tuple[str, str]:
    """Return a value and its interval."""
    if row is None:
        return "–", ""
    return stats.number(row["value"], row["kind"]), stats.interval(row["low"], row["high"], row["kind"])
