"""Statistics as pages show them: what a player does in a game, and a game's players; rows that a template only has to write down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ledger.errors import StoreError
from ledger.measures import MATCHES
from ledger.stats import DIMENSIONS, Query, Statistics
from ledger.stats.differences import verdicts
from ledger.stats.field import field_means, spread
from ledger.stats.shelf import Shelf
from ledger.stats.tables import measure_of, measures_of
from web import figures_stats
from web.matchview import minus
from web.playerview import month_days

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import plotly.graph_objects as go

    from ledger.game import Game
    from ledger.measures import Measure
    from ledger.people import People
    from ledger.stats.tally import Basis

FILTERS = ("since", "until", "event", "against", "seat", "turn", "size", "option", "policy")
"""Filters of statistics, as they stand in addresses and in the API."""
_WITH_HANDS = frozenset({"since", "until", "seat", "size"})
"""Those that the list of hands has too."""
_DRAWN = 25
"""Players that a figure shows."""
_LISTED = 100
"""Players that a page lists."""


@dataclass(frozen=True, slots=True)
class Row:
    """A measure of a player: its value with interval, beside that of the others; `verdict` where they differ beyond chance.

    `group` is the value of the dimension that numbers are split by. `hands` are the filters of the list of hands (of
    matches, where a measure counts those) that the number comes from, None where no list has just those.
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


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """What a player does in a game: every measure, or one of them split by a dimension."""

    game: Game
    query: Query
    measure: Measure
    dimensions: Mapping[str, str]
    rows: list[Row]
    basis: Basis
    standing: dict[str, Any] | None
    rating: list[dict[str, Any]]
    figure: go.Figure | None
    course: go.Figure | None
    note: str


def selection(given: Mapping[str, str], *, by: bool = False) -> Query:
    """Return the query of an address; raises FormatError. `seats` of other pages is `size` here."""
    names = (*FILTERS, "by") if by else FILTERS
    asked = {name: given[name] for name in names if given.get(name, "").strip()}
    if "size" not in asked and given.get("seats", "").strip():
        asked["size"] = given["seats"]
    return Query.parse(asked)


def player_stats(
    found: Statistics, player: str, game: Game, query: Query, measure: str | None, people: People
) -> PlayerStats:
    """Return what a player does in a game; raises StoreError `store.unknown` for a measure that it has not."""
    sheet = found.sheets.sheet(game.id)
    known = {**DIMENSIONS, **{name: f"{name.replace('_', ' ')} in the hand" for name in sheet.names[2:]}}
    note = ""
    if query.by is not None and query.by not in known:
        note = f"{game.title} knows no {query.by}: nothing is split."
        query = replace(query, by=None)
    chosen = measure_of(game.id, measure or "points")
    table = found.player(player, query, game.id)
    marks = Shelf.of(found.views).get(
        ("verdicts", player, game.id, query), sheet.position, lambda: verdicts(sheet, query, player)
    )
    of = {one.id: one for one in measures_of(game.id)}
    wanted = [row for row in table.rows if query.by is None or row["measure"] == chosen.id]
    rows = [_row(of[row["measure"]], row, marks, player, game, query) for row in wanted]
    figure = None
    if query.by is not None and len(wanted) > 1:
        names = [people.name(row["group"]) if query.by == "opponent" else _named(row["group"]) for row in wanted]
        spans = [(row["value"], row["low"], row["high"]) for row in wanted]
        figure = figures_stats.groups(names, spans, [row["others"] for row in wanted], chosen.title, query.by)
    rating = _rating(found, player, game.id)
    course = None
    if len(rating) > 1:
        course = figures_stats.history(*([row[name] for row in rating] for name in ("date", "mu", "sigma")))
    compared = found.players(game.id, replace(query, by=None))
    standing = next((row for row in compared.rows if row["player"] == player), None)
    return PlayerStats(
        game, query, chosen, known, rows, table.basis[game.id], standing, rating, figure, course, note
    )  # fmt: skip


def _row(measure: Measure, row: dict[str, Any], marks: Mapping[Any, str], player: str, game: Game, query: Query) -> Row:
    group = row.get("group")
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
    )


def matches_behind(query: Query, group: Any = None) -> dict[str, Any] | None:
    """Return the filters of the list of matches that let the same complete matches through, None where it has not got them.

    >>> matches_behind(Query(event="spring", by="month"), "2026-02")
    {'since': '2026-02-01', 'until': '2026-02-28', 'event': 'spring', 'status': 'complete'}
    """
    by_event = query.by == "event"
    event = group if by_event else query.event
    found = hands_behind(replace(query, event=None, by=None if by_event else query.by), group)
    if found is None or by_event and event is None or found.keys() - {"since", "until"}:
        return None
    return found | ({} if event is None else {"event": event}) | {"status": "complete"}


def hands_behind(query: Query, group: Any = None) -> dict[str, Any] | None:
    """Return the filters of the list of hands that let the same hands through, None where it has not got them.

    >>> hands_behind(Query(since="2026-01-01", size=4, by="month"), "2026-02")
    {'since': '2026-02-01', 'seats': 4, 'until': '2026-02-28'}
    """
    asked = {name: value for name in FILTERS if (value := getattr(query, name)) not in (None, ())}
    if asked.keys() - _WITH_HANDS:
        return None
    if query.by == "month":
        days = month_days(group)
        asked["since"] = max(days["since"], asked.get("since", ""))
        asked["until"] = min(days["until"], asked.get("until", "9999"))
    elif query.by == "year":
        asked["since"] = max(f"{group}-01-01", asked.get("since", ""))
        asked["until"] = min(f"{group}-12-31", asked.get("until", "9999"))
    elif query.by in ("seat", "size"):
        asked[query.by] = group
    elif query.by is not None:
        return None
    return {"seats" if name == "size" else name: value for name, value in asked.items()}


def _rating(found: Statistics, player: str, game: str) -> list[dict[str, Any]]:
    """Return how a rating came about, nothing for somebody without a complete match."""
    try:
        return found.ratings(game, player).rows
    except StoreError:
        return []


def _named(group: Any) -> str:
    return "–" if group is None else str(group)


@dataclass(frozen=True, slots=True)
class GameStats:
    """What the players of a game do: compared, rated, and all together."""

    game: Game
    query: Query
    rows: list[dict[str, Any]]
    number: int
    ranked: int
    notes: Sequence[str]
    ratings: list[dict[str, Any]]
    rated: int
    field: list[dict[str, Any]]
    basis: Basis
    forest: go.Figure | None
    spread: go.Figure | None


def game_stats(found: Statistics, game: Game, query: Query, people: People) -> GameStats:
    """Return what the players of a game do."""
    table = found.players(game.id, query)
    sheet = found.sheets.sheet(game.id)
    shelf = Shelf.of(found.views)
    field = shelf.get(("field", game.id, query), sheet.position, lambda: field_means(sheet, query))
    points = shelf.get(("points", game.id, query), sheet.position, lambda: spread(sheet, query)).rows
    ranked = [row for row in table.rows if row["rank"] is not None]
    drawn = (ranked or [row for row in table.rows if row["low"] is not None])[:_DRAWN]
    forest = None
    if drawn:
        forest = figures_stats.forest(
            [people.name(row["player"]) for row in drawn],
            [(row["points"], row["low"], row["high"]) for row in drawn],
            [None if row["rank"] is None else (row["believed"], row["believed_low"], row["believed_high"]) for row in drawn],
            "points a hand",
        )  # fmt: skip
    bars = None
    if points:
        bars = figures_stats.spread([row["points"] for row in points], [row["seats"] for row in points])
    rated = found.ratings(game.id).rows
    return GameStats(
        game, query, table.rows[:_LISTED], len(table.rows), len(ranked), table.notes, rated[:_LISTED], len(rated),
        field.rows, table.basis[game.id], forest, bars,
    )  # fmt: skip


def number(value: float | None, kind: str = "mean") -> str:
    r"""Return a value in words: shares and rates in per cent, others with two digits.

    >>> number(0.256, "share"), number(3.25), ascii(number(-1.5)), number(0.0042, "rate"), ascii(number(None))
    ('26%', '3.25', "'\\u22121.50'", '0.4%', "'\\u2013'")
    """
    if value is None:
        return "\u2013"
    return f"{value:.1%}" if kind == "rate" else f"{value:.0%}" if kind == "share" else minus(f"{value:.2f}")


def interval(low: float | None, high: float | None, kind: str = "mean") -> str:
    r"""Return the ends of an interval in words; nothing where there is none.

    >>> interval(0.1, 0.25, "share"), interval(None, None)
    ('10% to 25%', '')
    """
    return "" if low is None or high is None else f"{number(low, kind)} to {number(high, kind)}"
