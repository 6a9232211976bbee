"""Statistics as pages show them: a player in a game, and a game's players; rows ready for a template."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cardledger.errors import StoreError
from cardledger.rules.engine.measures import MATCHES
from cardledger.rules.engine.situations import OF_HAND, missing_in
from cardledger.study.stats import DIMENSIONS, Query, Statistics
from cardledger.study.stats.cache import Shelf
from cardledger.study.stats.measures.differences import verdicts
from cardledger.study.stats.measures.field import field_means, spread
from cardledger.study.stats.measures.of_game import measure_of, measures_of
from cardledger.study.stats.measures.sheet import names_of, splits_of
from cardledger.study.stats.query import FILTERS, OTHERS
from cardledger.study.stats.stats_table import label_of
from cardledger_web.figures import stats as figures_stats
from cardledger_web.languages import N_, _, decimal, minus, split_name, translated
from cardledger_web.views.player import month_days
from cardledger_web.views.scales import SCALE_WORDS, ScaleChoice, scales_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import plotly.graph_objects as go

    from cardledger.record.people.people import People
    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.measures import Measure
    from cardledger.study.stats.compare import Pool
    from cardledger.study.stats.measures.tally import Basis
    from cardledger.study.stats.stats_table import StatsTable

_WITH_HANDS = frozenset({"since", "until", "event", "seat", "turn", "size", "where"})
"""Filters that the list of hands also has."""
_DRAWN = 25
"""The number of players in a figure."""
_WORDS = (N_("behind"), N_("level"), N_("ahead"))
"""The words of situations (`cardledger.rules.engine.situations`)."""
Rows = list[dict[str, Any]]
_LISTED = 100
"""The number of players on a page."""


@dataclass(frozen=True, slots=True)
class Row:
    """A measure of a player: its value with interval, beside that of the others.

    `verdict` is set if they differ by more than chance. `group` is the value of the dimension for a split. `hands` are
    the filters of the list of hands (or matches, if the measure counts those) behind the number, None if no list has
    exactly those.
    """

    measure: Measure
    group: Any
    value: str
    span: str
    others: str
    cases: int
    matches: int
    verdict: str
    hands: dict[str, Any] | None
    parts: Sequence[tuple[str, Any]]
    """The dimensions of the split, each with its value."""


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A player in a game: every measure, or one of them split by a dimension."""

    game: Game[Any]
    query: Query
    measure: Measure
    dimensions: Mapping[str, str]
    rows: list[Row]
    basis: Basis
    editions: Sequence[str]
    standing: dict[str, Any] | None
    rating: list[dict[str, Any]]
    figure: go.Figure | None
    course: go.Figure | None
    change: dict[str, Any] | None
    company: list[dict[str, Any]]
    note: str


def _dimensions(game: Game[Any]) -> Mapping[str, str]:
    """Return by what the numbers of a game can be split, with the meaning of each."""
    missing = missing_in(game)
    named = {name: _("%(name)s in the hand", name=split_name(name)) for name in splits_of(names_of(game.id))}
    return {name: text for name, text in (DIMENSIONS | named).items() if name not in missing}


def _split_by(query: Query, game: Game[Any], splits: Mapping[str, str]) -> tuple[Query, str]:
    """Return the query without a split that the game does not have, and a note that says so."""
    if splits.keys() >= {*query.splits}:
        return query, ""
    note = _(
        "%(game)s has no %(by)s, so nothing is split. Choose another way to split.",
        game=translated(game.title),
        by=query.by,
    )
    return replace(query, by=None), note


def player_stats(
    statistics: Statistics, player: str, game: Game[Any], query: Query, measure: str | None, people: People
) -> PlayerStats:
    """Return a player's statistics in a game; raises StoreError `store.unknown` for an unknown measure."""
    splits = _dimensions(game)
    query, note = _split_by(query, game, splits)
    chosen = measure_of(game.id, measure or "points")
    whole = replace(query, by=None)

    def ask() -> tuple[StatsTable, dict[Any, str], list[dict[str, Any]], StatsTable, StatsTable, StatsTable]:
        sheet = statistics.sheets.sheet(game.id)
        marks = Shelf.of(statistics.views).get(
            ("verdicts", player, game.id, query), sheet.stamp, lambda: verdicts(sheet, query, player)
        )
        return (
            statistics.player(player, query, game.id),
            marks,
            _rating(statistics, player, game.id),
            statistics.players(game.id, whole),
            statistics.change(player, query, game.id),
            statistics.company(player, whole, game.id),
        )

    table, marks, rating, compared, changes, company = statistics.recent(game.id, ("player", player, query), ask)
    of = {one.id: one for one in measures_of(game.id)}
    wanted = [row for row in table.rows if query.by is None or row["measure"] == chosen.id]
    rows = [_row(of[row["measure"]], row, marks, player, game, query) for row in wanted]
    figure = None
    if query.by is not None and len(wanted) > 1:
        names = [
            " · ".join(_named(value, part, people) for part, value in _parts(query, label_of(query, row)))
            for row in wanted
        ]
        spans = [(row["value"], row["low"], row["high"]) for row in wanted]
        figure = figures_stats.groups(
            names, spans, [row["others"] for row in wanted], chosen.title, query.by.replace(",", _(" and "))
        )
    course = None
    if len(rating) > 1:
        course = figures_stats.history(*([row[name] for row in rating] for name in ("date", "mu", "sigma")))
    moved = next(iter(changes.rows), None)
    standing = next((row for row in compared.rows if row["player"] == player), None)
    return PlayerStats(
        game, query, chosen, splits, rows, table.basis[game.id], table.editions, standing, rating, figure, course, moved, company.rows, note
    )  # fmt: skip


def _row(
    measure: Measure, row: dict[str, Any], marks: Mapping[Any, str], player: str, game: Game[Any], query: Query
) -> Row:
    group = label_of(query, row)
    whole = bool({measure.amount, measure.of} & MATCHES)
    hands = (matches_behind if whole else hands_behind)(query, group)
    return Row(
        measure,
        group,
        number(row["value"], measure.kind),
        interval(row["low"], row["high"], measure.kind),
        number(row["others"], measure.kind),
        row["cases"],
        row["matches"],
        marks.get((measure.id, group), ""),
        None if hands is None else {"player": player, "game": game.id, **hands},
        _parts(query, group),
    )


def matches_behind(query: Query, group: Any = None) -> dict[str, Any] | None:
    """Return the filters of the list of matches for the same complete matches, None if it does not have them.

    >>> matches_behind(Query(event="spring", by="month"), "2026-02")
    {'since': '2026-02-01', 'until': '2026-02-28', 'event': 'spring', 'status': 'complete'}
    """
    by_event = query.by == "event"
    event = group if by_event else query.event
    filters = hands_behind(replace(query, event=None, by=None if by_event else query.by), group)
    if filters is None or by_event and event is None or filters.keys() - {"since", "until"}:
        return None
    return filters | ({} if event is None else {"event": event}) | {"status": "complete"}


def hands_behind(query: Query, group: Any = None) -> dict[str, Any] | None:
    """Return the filters of the list of hands for the same hands, None if it does not have them.

    >>> hands_behind(Query(since="2026-01-01", size=4, by="month"), "2026-02")
    {'since': '2026-02-01', 'seats': 4, 'until': '2026-02-28'}
    """
    asked = {name: value for name in FILTERS if (value := getattr(query, name)) not in (None, ())}
    if asked.keys() - _WITH_HANDS:
        return None
    situations = [*asked.pop("where", ())]
    for part, value in _parts(query, group):
        if part in ("month", "year"):
            days = month_days(value) if part == "month" else {"since": f"{value}-01-01", "until": f"{value}-12-31"}
            asked["since"] = max(days["since"], asked.get("since", ""))
            asked["until"] = min(days["until"], asked.get("until", "9999"))
        elif part in ("seat", "size", "turn") or (part == "event" and value is not None):
            asked[part] = value
        elif value is not None and (part in OF_HAND or part not in DIMENSIONS):
            situations.append((part, value))
        else:
            return None
    if situations:
        asked["where"] = ",".join(f"{name}:{value}" for name, value in situations)
    return {"seats" if name == "size" else name: value for name, value in asked.items()}


def _parts(query: Query, group: Any) -> list[tuple[str, Any]]:
    """Return the dimensions of a split, each with its value."""
    return [*zip(query.splits, group if len(query.splits) > 1 else (group,), strict=False)]


def _rating(statistics: Statistics, player: str, game: str) -> list[dict[str, Any]]:
    """Return the history of a rating; empty without a complete match."""
    try:
        return statistics.ratings(game, player).rows
    except StoreError:
        return []


def _named(group: Any, part: str, people: People) -> str:
    if part in OTHERS:
        return people.name(group)
    return "–" if group is None else translated(str(group))


@dataclass(frozen=True, slots=True)
class GameStats:
    """The players of a game: compared, rated, and all together."""

    game: Game[Any]
    query: Query
    rows: list[dict[str, Any]]
    number: int
    placed: int
    pools: Sequence[Pool]
    notes: Sequence[str]
    ratings: list[dict[str, Any]]
    rated: int
    field: list[dict[str, Any]]
    dimensions: Mapping[str, str]
    basis: Basis
    editions: Sequence[str]
    forest: go.Figure | None
    spread: go.Figure | None
    turns: go.Figure | None
    """Points by place from the dealer: whether it is an advantage to sit somewhere."""
    head: str
    """The head of the column of results: what they are measured in."""
    scales: list[ScaleChoice]
    in_points: Query
    """The query for what stands on the scale of points alone."""


def game_stats(statistics: Statistics, game: Game[Any], query: Query, people: People, measure: str) -> GameStats:
    """Return the statistics of a game's players; a split, of one `measure`, is of all players together."""
    splits = {name: text for name, text in _dimensions(game).items() if name not in OTHERS}
    query, note = _split_by(query, game, splits)
    words, in_points = SCALE_WORDS[query.scale or "points"], replace(query, scale=None)

    def ask() -> tuple[StatsTable, StatsTable, Rows, Rows, Rows]:
        sheet, shelf = statistics.sheets.sheet(game.id), Shelf.of(statistics.views)
        field = shelf.get(("field", game.id, in_points), sheet.stamp, lambda: field_means(sheet, in_points))
        points = shelf.get(("points", game.id, in_points), sheet.stamp, lambda: spread(sheet, in_points))
        by_turn = replace(in_points, by="turn")
        turns = []
        if "turn" in splits:
            turns = shelf.get(("field", game.id, by_turn), sheet.stamp, lambda: field_means(sheet, by_turn)).rows
        return (
            statistics.players(game.id, replace(query, by=None)),
            field,
            points.rows,
            [row for row in turns if row["measure"] == "points" and row["group"] is not None],
            statistics.ratings(game.id).rows,
        )

    table, field, points, turns, rated = statistics.recent(game.id, ("all players", query), ask)
    with_place = sum(row["rank"] is not None for row in table.rows)
    placed = [row for row in table.rows if row["rank_low"] is not None]
    drawn = (placed or [row for row in table.rows if row["low"] is not None])[:_DRAWN]
    forest = None
    if drawn:
        forest = figures_stats.forest(
            [people.name(row["player"]) for row in drawn],
            [(row["points"], row["low"], row["high"]) for row in drawn],
            [
                None if row["believed"] is None else (row["believed"], row["believed_low"], row["believed_high"])
                for row in drawn
            ],
            _(words.choice),
        )  # fmt: skip
    bars = None
    if points:
        bars = figures_stats.spread([row["points"] for row in points], [row["seats"] for row in points])
    turns_figure = None
    if len(turns) > 1:
        turns_figure = figures_stats.means(
            [str(row["group"]) for row in turns], [(row["value"], row["low"], row["high"]) for row in turns],
            _("points a hand"), _("place from the dealer"),
        )  # fmt: skip
    return GameStats(
        game, query, table.rows[:_LISTED], len(table.rows), with_place, table.comparison.pools if table.comparison else (), (*table.notes, *([note] if note else ())), rated[:_LISTED], len(rated),
        [row for row in field.rows if query.by is None or row["measure"] == measure], splits, table.basis[game.id], tuple(dict.fromkeys((*table.editions, *field.editions))), forest,
        bars, turns_figure, words.head, scales_of(statistics, game.id, query),
        in_points,
    )  # fmt: skip


def place(row: Mapping[str, Any]) -> str:
    """Return the place of a player in words; empty without one.

    >>> place({"rank": 3, "rank_low": 2, "rank_high": 5, "ranked": 12})
    '2nd to 5th of 12'
    >>> place({"rank": None, "rank_low": 2, "rank_high": 11, "ranked": 11})
    'anywhere from 2nd to 11th'
    """
    low, high = row["rank_low"], row["rank_high"]
    if low is None:
        return ""
    if row["rank"] is None:
        return _("anywhere from %(low)s to %(high)s", low=_ordinal(low), high=_ordinal(high))
    if low == high:
        return _("%(place)s of %(number)s", place=_ordinal(low), number=row["ranked"])
    return _("%(low)s to %(high)s of %(number)s", low=_ordinal(low), high=_ordinal(high), number=row["ranked"])


def _ordinal(number: int) -> str:
    if number == 1:
        return _("1st")
    match 0 if number % 100 in (11, 12, 13) else number % 10:
        case 1:
            return _("%(number)sst", number=number)
        case 2:
            return _("%(number)snd", number=number)
        case 3:
            return _("%(number)srd", number=number)
    return _("%(number)sth", number=number)


def number(value: float | None, kind: str = "mean") -> str:
    r"""Return a value in words: shares and rates in per cent, others with two digits.

    >>> number(0.256, "share"), number(3.25), ascii(number(-1.5)), number(0.0042, "rate"), ascii(number(None))
    ('26%', '3.25', "'\\u22121.50'", '0.4%', "'\\u2013'")
    """
    if value is None:
        return "\u2013"
    if kind in ("rate", "share"):
        return decimal(f"{value:.1%}" if kind == "rate" else f"{value:.0%}")
    return minus(f"{value:.2f}")


def interval(low: float | None, high: float | None, kind: str = "mean") -> str:
    r"""Return the ends of an interval in words; empty without one.

    >>> interval(0.1, 0.25, "share"), interval(None, None)
    ('10% to 25%', '')
    """
    return (
        ""
        if low is None or high is None
        else _("%(first)s to %(last)s", first=number(low, kind), last=number(high, kind))
    )
