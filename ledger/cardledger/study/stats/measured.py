"""Measures of players in tables: one measure of all players, or all measures of one player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.rules.engine.measures import MATCHES, Measure
from cardledger.rules.games import game
from cardledger.study.stats.estimators import estimators_of
from cardledger.study.stats.measures.estimate import Estimate, dispersions, estimates, fields_of
from cardledger.study.stats.measures.limits import has_limits
from cardledger.study.stats.measures.of_game import measures_in
from cardledger.study.stats.measures.tally import Tally, cells, numbered, parts_hands
from cardledger.study.stats.stats_table import GROUPS, StatsTable, group_of, label_of, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query

_VALUES = ("player", "group", "second", "value", "low", "high", "cases", "matches")
UNLIMITED = "the game does not say how far this can go: intervals may reach beyond what its rules allow"
WHOLE = "this measure is about whole matches: it cannot be split by hands"


def measured(sheet: Sheet, query: Query, measure: Measure) -> StatsTable:
    """Return one measure of every player, best first; split by the dimension of the query, if it has one."""
    tally, by = Tally(sheet, query), (measure, *estimators_of([measure]))
    if parts_hands(sheet, query) and {measure.amount, measure.of} & MATCHES:
        return StatsTable(
            "players", _VALUES, [], query.text, {sheet.game: tally.basis()}, (WHOLE,), query.by, definitions=by
        )
    split = cells(tally, query.by)
    players = sheet.text("player")
    player = sheet.seats["player"][tally.rows][split.at]
    codes, group = numbered(player * len(split.labels) + split.group)
    usual = dispersions(measure, split, split.group, len(split.labels))
    fields = fields_of(measure, split, player, len(split.labels))
    label = (codes % len(split.labels)).tolist() if len(codes) else []
    found = estimates(measure, split, group, len(codes), usual[label], fields=[fields[one] for one in label])
    rows = [
        {
            "player": players[code // len(split.labels)],
            **group_of(query, split.labels[code % len(split.labels)]),
            "value": short(estimate.value),
            "low": short(estimate.low),
            "high": short(estimate.high),
            "cases": estimate.cases,
            "matches": estimate.matches,
        }
        for code, estimate in zip(codes, found, strict=True)
        if estimate.cases
    ]
    sign = -1 if measure.better == "more" else 1
    if query.by is None:
        rows.sort(key=lambda row: (sign * row["value"], row["player"]))
    else:
        place = {label: at for at, label in enumerate(split.labels)}
        rows.sort(key=lambda row: (row["player"], place[label_of(query, row)]))
    left_out = GROUPS[len(query.splits) :]
    columns = tuple(name for name in _VALUES if name not in left_out)
    notes = (f"{measure.title}: {measure.formula}", *_unlimited(sheet, measure))
    return StatsTable(
        "players", columns, rows, query.text, {sheet.game: tally.basis()}, notes, query.by, definitions=by
    )


def _unlimited(sheet: Sheet, *measures: Measure) -> tuple[str, ...]:
    """Say so if it is not known what the rules allow some of these measures to be."""
    return () if all(has_limits(one, game(sheet.game)) for one in measures) else (UNLIMITED,)


def player_table(sheets: list[Sheet], query: Query, player: str) -> StatsTable:
    """Return every measure of a player, game by game."""
    own = [Tally(sheet, query, player) for sheet in sheets]
    rows = [row for tally in own for row in _measures(tally, Tally(tally.sheet, query), player)]
    columns = (
        "game", *GROUPS[: len(query.splits)], "measure", "title", "value", "low", "high", "cases", "matches", "others", "kind", "better",
        "edition",
    )  # fmt: skip
    notes = tuple(dict.fromkeys(note for tally in own for note in _unlimited(tally.sheet, *measures_in(tally.sheet))))
    basis = {tally.sheet.game: tally.basis() for tally in own}
    by = estimators_of(one for tally in own for one in measures_in(tally.sheet))
    return StatsTable("player", columns, rows, query.text, basis, notes, query.by, definitions=by)


def _measures(own: Tally, field: Tally, player: str) -> Iterator[dict[str, Any]]:
    """Yield the measures of a player in a game, group by group."""
    sheet, query = own.sheet, own.query
    split, others = cells(own, query.by), cells(field, query.by)
    players = sheet.seats["player"][field.rows][others.at]
    foreign = players != sheet.texts["player"].get(player, -2)
    place = {label: at for at, label in enumerate(others.labels)}
    for measure in measures_in(sheet):
        if parts_hands(sheet, query) and {measure.amount, measure.of} & MATCHES:
            continue
        usual = dispersions(measure, others, others.group, len(others.labels))
        fields = fields_of(measure, others, players, len(others.labels))
        at_label = [place[label] for label in split.labels]
        own_estimates = estimates(
            measure, split, split.group, len(split.labels), usual[at_label], fields=[fields[at] for at in at_label]
        )
        amount, of = (
            np.bincount(others.group[foreign], others.of(name)[foreign], len(others.labels))
            for name in (measure.amount, measure.of)
        )
        for label, estimate in zip(split.labels, own_estimates, strict=True):
            if estimate.cases:
                at = place[label]
                yield {
                    "game": sheet.game,
                    **group_of(query, label),
                    "measure": measure.id,
                    "title": measure.title,
                    "value": short(estimate.value),
                    "low": short(estimate.low),
                    "high": short(estimate.high),
                    "cases": estimate.cases,
                    "matches": estimate.matches,
                    "others": short(float(amount[at] / of[at]) - measure.par) if of[at] else None,
                    "kind": measure.kind,
                    "better": measure.better,
                    "edition": measure.edition,
                }


def by_player(tally: Tally, measure: Measure) -> dict[str, Estimate]:
    """Return a measure of each player who played at least one hand."""
    sheet = tally.sheet
    codes, group = numbered(sheet.seats["player"][tally.rows])
    players = sheet.text("player")
    hands = np.bincount(group, tally.of("hands"), len(codes))
    split = cells(tally, None)
    usual = dispersions(measure, split, split.group, 1)
    field = fields_of(measure, split, codes[group], 1)
    by_code = estimates(measure, split, group, len(codes), usual.repeat(len(codes)), fields=field * len(codes))
    return {players[code]: one for code, one, many in zip(codes, by_code, hands, strict=True) if many}
