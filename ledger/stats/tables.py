"""The tables of statistics: measures, players of a game, one player, ratings; each with what it was computed from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from ledger.errors import StoreError
from ledger.games import game, games
from ledger.measures import COMMON, MATCHES, Measure
from ledger.readmodels import ratings
from ledger.stats.compare import MIN_HANDS, MIN_MATCHES, Compared, compare
from ledger.stats.estimate import Estimate, estimates
from ledger.stats.query import DIMENSIONS, Query
from ledger.stats.sheet import Sheets
from ledger.stats.tally import Basis, Tally, cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.readmodels import ReadModels
    from ledger.stats.sheet import Sheet

_KEPT = 256
"""Answers kept until something is recorded."""
_VALUES = ("player", "group", "value", "low", "high", "cases", "matches")
_STANDING = ("rank", "player", "rating", "mu", "sigma", "played", "date")
_COURSE = ("number", "match", "date", "seat", "place", "rating", "mu", "sigma")
# Each step goes to the next player of the index, however many matches the one before has.
_LATEST = """WITH RECURSIVE found (player) AS (
    SELECT min(player) FROM ratings WHERE game = :game
    UNION ALL SELECT (SELECT min(player) FROM ratings WHERE game = :game AND player > found.player) FROM found
    WHERE player IS NOT NULL
) SELECT r.player, mu, sigma, played, date FROM found JOIN ratings AS r ON r.game = :game AND r.player = found.player
    AND number = (SELECT max(number) FROM ratings WHERE game = :game AND player = found.player)"""
_HISTORY = """SELECT number, match, date, seat, place, mu, sigma FROM ratings
    WHERE game = :game AND player = :player ORDER BY number"""
WHOLE = "this measure tells of whole matches: it does not go by hands"
APART = "some players never met, not even by way of others: their groups are taken to be equally strong"


@dataclass(frozen=True, slots=True)
class Table:
    """An answer: rows of named values, and for each game what they were computed from.

    `query` is the text of what was asked, and `by` the dimension that the column `group` is of, if there is one;
    `notes` are sentences that belong beside the numbers.
    """

    name: str
    columns: tuple[str, ...]
    rows: list[dict[str, Any]]
    query: str
    basis: dict[str, Basis]
    notes: tuple[str, ...] = ()
    by: str | None = None


class Statistics:
    """Statistics over the read models of a ledger; safe to share between threads.

    `Statistics.of` is the one of some read models that all share: its memory grows with the ledger.
    """

    _shared: ClassVar[WeakKeyDictionary[ReadModels, Statistics]] = WeakKeyDictionary()

    @classmethod
    def of(cls, views: ReadModels) -> Statistics:
        """Return the statistics over some read models."""
        return cls._shared.setdefault(views, cls(views))

    def __init__(self, views: ReadModels) -> None:
        self.views = views
        self.sheets = Sheets(views)
        self._kept: dict[tuple[Any, ...], tuple[int, Table]] = {}

    @staticmethod
    def measures(game_id: str | None = None) -> Table:
        """Return the measures, those of all games first; raises FormatError `format.game`."""
        rows = [
            {
                "game": id, "measure": one.id, "title": one.title, "formula": one.formula, "better": one.better,
                "kind": one.kind, "source": one.source,
            }
            for id in ([None, *games()] if game_id is None else [game_id])
            for one in (COMMON if id is None else measures_of(id) if game_id else game(id).measures)
        ]  # fmt: skip
        return Table("measures", ("game", "measure", "title", "formula", "better", "kind", "source"), rows, "", {})

    def players(self, game_id: str, query: Query, measure: str | None = None) -> Table:
        """Return the players of a game: compared by points a hand, or with a measure or a dimension by its value.

        Raises FormatError `format.game`, StoreError `store.unknown` for a measure or dimension that the game has not.
        """
        sheet, query = self.sheets.sheet(game_id), self._of_people(query)
        if measure is None and query.by is None:
            return self._once(sheet.position, (game_id, query), lambda: self._compared(sheet, query))
        chosen = measure_of(game_id, measure or "points")
        return self._once(sheet.position, (game_id, query, measure), lambda: _measured(sheet, query, chosen))

    def player(self, player: str, query: Query, game_id: str | None = None) -> Table:
        """Return every measure of a player, beside that of the others in the same selection of matches.

        Raises FormatError `format.game`, StoreError `store.unknown` for somebody who never played, or a dimension that
        the game has not.
        """
        player, query = self._person(player), self._of_people(query)
        played = self.views.reader.execute("SELECT DISTINCT game FROM players WHERE player = ?", (player,))
        ids = {id for (id,) in played}
        if not ids:
            raise StoreError("store.unknown", f"there is no player {player!r}")
        sheets = [self.sheets.sheet(id) for id in ([game_id] if game_id else games()) if id == game_id or id in ids]
        if not game_id and query.by is not None and query.by not in DIMENSIONS:
            sheets = [sheet for sheet in sheets if query.by in sheet.names] or sheets  # only some games count that
        upto = max(sheet.position for sheet in sheets)
        return self._once(upto, (player, query, game_id), lambda: _told(sheets, query, player))

    def ratings(self, game_id: str, player: str | None = None) -> Table:
        """Return the ratings of a game, the surest strength first; of one player, how it came about.

        Raises FormatError `format.game`, StoreError `store.unknown` for a player without a complete match of the game.
        """
        game(game_id)
        player = player and self._person(player)
        position = ratings.bring_up_to_date(self.views)
        table = self._once(position, ("ratings", game_id, player), lambda: self._rated(game_id, player, position))
        if player is not None and not table.rows:
            raise StoreError("store.unknown", f"{player!r} has no complete match of {game_id}")
        return table

    def _person(self, player: str) -> str:
        """Return the person a player id means, under whose id the read models have them."""
        return self.views.source.register.people().person(player)

    def _of_people(self, query: Query) -> Query:
        """Return a query that names persons."""
        return replace(query, against=tuple(sorted({*map(self._person, query.against)})))

    def _once(self, position: int, question: tuple[Any, ...], ask: Callable[[], Table]) -> Table:
        """Return the answer to a question, the one given before if nothing has been recorded since."""
        kept = self._kept.get(question)
        if kept is None or kept[0] != position:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            kept = self._kept[question] = (position, ask())
        return kept[1]

    def _rated(self, game_id: str, player: str | None, position: int) -> Table:
        question, columns = (_LATEST, _STANDING) if player is None else (_HISTORY, _COURSE)
        found = self.views.reader.execute(question, {"game": game_id, "player": player})
        names = [column[0] for column in found.description]
        rows = [dict(zip(names, row, strict=True)) for row in found]
        for row in rows:
            row["rating"] = row["mu"] - 3 * row["sigma"]
        if player is None:
            rows.sort(key=lambda row: (-row["rating"], row["player"]))
        for rank, row in enumerate(rows, 1):
            row |= {"rank": rank, **{name: _short(row[name]) for name in ("rating", "mu", "sigma")}}
        basis = replace(Tally(self.sheets.sheet(game_id), Query()).basis(), position=position)
        return Table("ratings", columns, rows, "", {game_id: basis}, ("rating = μ − 3σ; everybody starts at 0",))

    def _compared(self, sheet: Sheet, query: Query) -> Table:
        tally = Tally(sheet, query)
        found, apart = compare(tally, fewest=game(sheet.game).fewest)
        ranked = {one.player: one for one in found}
        latest = {row["player"]: row for row in self.ratings(sheet.game).rows}
        points = _by_player(tally, COMMON[0])
        wins = _by_player(tally, COMMON[1])
        mean = float(tally.of("points").sum() / max(tally.of("hands").sum(), 1))
        rows = []
        for player, estimate in points.items():
            one = ranked.get(player)
            rating = latest.get(player)
            rows.append(
                {
                    "rank": one and one.rank,
                    "player": player,
                    "hands": estimate.cases,
                    "matches": estimate.matches,
                    "points": _short(estimate.value),
                    "low": _short(estimate.low),
                    "high": _short(estimate.high),
                    **_comparison(one, mean),
                    "wins": _short(wins[player].value),
                    "rating": rating and rating["rating"],
                    "note": "" if one else _too_few(estimate),
                }
            )
        rows.sort(key=lambda row: (row["rank"] is None, row["rank"] or 0, -row["hands"], row["player"]))
        columns = ("rank", "player", "hands", "matches", "points", "low", "high", *_comparison(None, 0), "wins", "rating", "note")  # fmt: skip
        return Table("players", columns, rows, query.text, {sheet.game: tally.basis()}, (APART,) if apart else ())


def measures_of(game_id: str) -> tuple[Measure, ...]:
    """Return all measures of a game; raises FormatError `format.game`."""
    chosen = game(game_id)
    points = replace(COMMON[0], better="fewer" if chosen.fewest else "more")
    return (points, *COMMON[1:], *chosen.measures)


def measure_of(game_id: str, id: str) -> Measure:
    """Return a measure of a game; raises FormatError `format.game`, StoreError `store.unknown`."""
    found = {measure.id: measure for measure in measures_of(game_id)}
    if id not in found:
        raise StoreError("store.unknown", f"{game_id} has no measure {id!r} (there are {', '.join(found)})")
    return found[id]


def _measured(sheet: Sheet, query: Query, measure: Measure) -> Table:
    """Return one measure of every player, split by the dimension of the query if it has one; the best first."""
    tally = Tally(sheet, query)
    if query.by_hand and {measure.amount, measure.of} & MATCHES:
        return Table("players", _VALUES, [], query.text, {sheet.game: tally.basis()}, (WHOLE,), query.by)
    split = cells(tally, query.by)
    players = sheet.text("player")
    group = sheet.seats["player"][tally.rows][split.at] * len(split.labels) + split.group
    kept, group = np.unique(group, return_inverse=True)
    rows = [
        {
            "player": players[code // len(split.labels)],
            "group": split.labels[code % len(split.labels)],
            "value": _short(found.value),
            "low": _short(found.low),
            "high": _short(found.high),
            "cases": found.cases,
            "matches": found.matches,
        }
        for code, found in zip(kept, estimates(measure, split, group, len(kept)), strict=True)
        if found.cases
    ]
    sign = -1 if measure.better == "more" else 1
    if query.by is None:
        rows.sort(key=lambda row: (sign * row["value"], row["player"]))
    else:
        place = {label: at for at, label in enumerate(split.labels)}
        rows.sort(key=lambda row: (row["player"], place[row["group"]]))
    columns = tuple(name for name in _VALUES if name != "group" or query.by is not None)
    note = f"{measure.title}: {measure.formula}"
    return Table("players", columns, rows, query.text, {sheet.game: tally.basis()}, (note,), query.by)


def _told(sheets: list[Sheet], query: Query, player: str) -> Table:
    """Return every measure of a player, game by game."""
    own = [Tally(sheet, query, player) for sheet in sheets]
    rows = [row for tally in own for row in _measures(tally, Tally(tally.sheet, query), player)]
    columns = (
        "game", *_group(query), "measure", "title", "value", "low", "high", "cases", "matches", "others", "kind", "better"
    )  # fmt: skip
    return Table("player", columns, rows, query.text, {tally.sheet.game: tally.basis() for tally in own}, by=query.by)


def _measures(own: Tally, field: Tally, player: str) -> Iterator[dict[str, Any]]:
    """Yield the measures of a player in a game, group by group of the dimension."""
    sheet, query = own.sheet, own.query
    split, others = cells(own, query.by), cells(field, query.by)
    foreign = sheet.seats["player"][field.rows][others.at] != sheet.texts["player"].get(player, -2)
    place = {label: at for at, label in enumerate(others.labels)}
    for measure in measures_of(sheet.game):
        if query.by_hand and {measure.amount, measure.of} & MATCHES:
            continue
        found = estimates(measure, split, split.group, len(split.labels))
        amount, of = (
            np.bincount(others.group[foreign], others.of(name)[foreign], len(others.labels))
            for name in (measure.amount, measure.of)
        )
        for label, estimate in zip(split.labels, found, strict=True):
            if estimate.cases:
                at = place[label]
                yield {
                    "game": sheet.game,
                    "group": label,
                    "measure": measure.id,
                    "title": measure.title,
                    "value": _short(estimate.value),
                    "low": _short(estimate.low),
                    "high": _short(estimate.high),
                    "cases": estimate.cases,
                    "matches": estimate.matches,
                    "others": _short(float(amount[at] / of[at]) - measure.par) if of[at] else None,
                    "kind": measure.kind,
                    "better": measure.better,
                }


def _by_player(tally: Tally, measure: Measure) -> dict[str, Estimate]:
    """Return a measure for every player who played at least a hand."""
    sheet = tally.sheet
    codes, group = np.unique(sheet.seats["player"][tally.rows], return_inverse=True)
    players = sheet.text("player")
    hands = np.bincount(group, tally.of("hands"), len(codes))
    found = estimates(measure, cells(tally, None), group, len(codes))
    return {players[code]: one for code, one, many in zip(codes, found, hands, strict=True) if many}


def _comparison(one: Compared | None, mean: float) -> dict[str, Any]:
    """Return what the comparison says of a player; `mean` is the field's, by which differences become points."""
    if one is None:
        names = (
            "adjusted", "error", "believed", "believed_low", "believed_high", "best", "rank_low", "rank_high", "q",
            "verdict",
        )  # fmt: skip
        return dict.fromkeys(names)
    return {
        "adjusted": _short(mean + one.adjusted),
        "error": _short(one.error),
        "believed": _short(mean + one.shrunk),
        "believed_low": _short(mean + one.low),
        "believed_high": _short(mean + one.high),
        "best": _short(one.best),
        "rank_low": one.rank_low,
        "rank_high": one.rank_high,
        "q": _short(one.q),
        "verdict": one.verdict,
    }


def _group(query: Query) -> tuple[str, ...]:
    """Return the column of a dimension, where there is one."""
    return () if query.by is None else ("group",)


def _too_few(estimate: Estimate) -> str:
    """Say why a player is not ranked."""
    if estimate.cases < MIN_HANDS:
        return f"too few hands: {estimate.cases} of {MIN_HANDS}"
    if estimate.matches < MIN_MATCHES:
        return f"too few matches: {estimate.matches} of {MIN_MATCHES}"
    return "nobody else has enough hands"


def _short(value: float | None) -> float | None:
    """Return a number with as many digits as say something."""
    return None if value is None else float(f"{value:.6g}")
