"""Exports: a table of statistics as JSON, CSV, or lines for people."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from cardledger.count_of import count_of
from cardledger.formats.spreadsheets.cells import harmless
from cardledger.record.matches.grid import grid
from cardledger.study.stats.number_texts import number_text, percent_text, range_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.study.stats.measures.tally import Basis
    from cardledger.study.stats.stats_table import StatsTable


def as_json(table: StatsTable) -> dict[str, Any]:
    """Return a table ready for JSON."""
    answer: dict[str, Any] = {
        "name": table.name,
        "query": table.query,
        "by": table.by,
        "basis": {game: asdict(basis) for game, basis in table.basis.items()},
        "definitions": list(table.editions),
        "notes": [*map(str, table.notes)],
        "rows": [{name: _plain(row[name]) for name in table.columns} for row in table.rows],
    }
    if table.comparison is not None:
        answer["pools"] = [asdict(pool) for pool in table.comparison.pools]
        answer["between"] = [asdict(one) for one in table.comparison.between]
    return answer


def _plain(value: Any) -> Any:
    """Return the value of a cell, a sentence as its text."""
    return str(value) if isinstance(value, str) else value


def in_cells(table: StatsTable) -> tuple[list[str], list[list[Any]]]:
    """Return columns and rows for a file of cells; the last column of figures names the editions of their definitions."""
    by = [" ".join(table.editions)] if table.editions else []
    rows = [[*(_plain(row[name]) for name in table.columns), *by] for row in table.rows]
    return [*table.columns, *(["definitions"] if by else [])], rows


def as_csv(table: StatsTable) -> str:
    """Return a table as CSV (RFC 4180) with a header line; unknown values are empty."""
    text = io.StringIO()
    writer = csv.writer(text)
    columns, rows = in_cells(table)
    writer.writerow(columns)
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def as_lines(table: StatsTable, width: int | None = None) -> Iterator[str]:
    """Yield a table as lines of text that fit a width, and below it what it was computed from."""
    if not table.rows:
        yield "nothing to tell"
    else:
        yield from grid(*_SHOWN[table.name](table), width)
    by = (f"definitions: {', '.join(table.editions)}",) if table.editions else ()
    for text in (*(f"{note}." for note in table.notes), *(_in_words(*each) for each in table.basis.items()), *by):
        yield from [text] if width is None else wrap(text, width)


def _measures(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    names = ["game", "measure", "better", "formula", "edition"]
    return names, [
        [row["game"] or "(all)", row["measure"], row["better"] or "–", row["formula"], row["edition"]]
        for row in table.rows
    ]


def _definitions(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    names = ["game", "what", "edition", "since", "changed"]
    return names, [[row["game"] or "(all)", *(row[name] for name in names[1:])] for row in table.rows]


def _players(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    if "rank" not in table.columns:
        return ["player", *_by(table), "value (95%)", "cases", "matches"], [
            [row["player"], *_groups(table, row), range_text(row), str(row["cases"]), str(row["matches"])]
            for row in table.rows
        ]
    pools = table.comparison is not None and len(table.comparison.pools) > 1
    names = [
        "place",
        "player",
        *(["pool"] if pools else []),
        "hands",
        "matches",
        "points (95%)",
        "adjusted",
        "believed (95%)",
        "best",
        "",
        "wins",
        "rating",
        "",
    ]
    return names, [
        [
            place(row),
            f"{row['player']} (with {row['partner']})" if row["partner"] else row["player"],
            *([str(row["pool"])] if pools else []),
            str(row["hands"]),
            str(row["matches"]),
            range_text(row, "points"),
            _adjusted(row),
            range_text(row, "believed", "believed_low", "believed_high"),
            percent_text(row["best"]),
            row["verdict"] or "",
            percent_text(row["wins"]),
            number_text(row["rating"]),
            row["note"],
        ]
        for row in table.rows
    ]  # fmt: skip


def place(row: dict[str, Any]) -> str:
    """Return a place in words: an interval, or a single number only if the interval is that narrow.

    >>> place({"rank": 3, "rank_low": 2, "rank_high": 5, "ranked": 12}), place({"rank_low": None, "rank_high": None})
    ('2–5 of 12', '–')
    >>> place({"rank": None, "rank_low": 2, "rank_high": 8, "ranked": 9})
    'anywhere 2–8 of 9'
    """
    low, high = row["rank_low"], row["rank_high"]
    if low is None:
        return "–"
    ends = str(low) if low == high else f"{low}–{high}"
    return f"{'anywhere ' if row['rank'] is None else ''}{ends} of {row['ranked']}"


def _player(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    return ["game", *_by(table), "measure", "value (95%)", "others", "better", "cases", "matches", "edition"], [
        [
            row["game"],
            *_groups(table, row),
            row["title"],
            range_text(row, share=row["kind"] == "share"),
            percent_text(row["others"]) if row["kind"] == "share" else number_text(row["others"]),
            row["better"] or "–",
            str(row["cases"]),
            str(row["matches"]),
            row["edition"],
        ]
        for row in table.rows
    ]


def _ratings(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    names = list(table.columns)
    return names, [
        [number_text(row[name]) if isinstance(row[name], float) else str(row[name]) for name in names]
        for row in table.rows
    ]


def _change(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    return ["game", "matches", "from", "to", "over all (95%)", "now (95%)", "a year (95%)", ""], [
        [
            row["game"],
            str(row["matches"]),
            row["first"],
            row["last"],
            range_text(row, "season", "season_low", "season_high"),
            range_text(row, "now", "now_low", "now_high"),
            range_text(row, "trend", "trend_low", "trend_high"),
            "no change that stands out" if row["stayed"] else "did not stay the same",
        ]
        for row in table.rows
    ]


def _head_to_head(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    names = [
        "how",
        "game",
        "seats",
        "matches",
        "won",
        "ahead",
        "behind",
        "hands",
        "points a hand (95%)",
        "ahead next time",
    ]
    return names, [
        [
            row["how"],
            row["game"],
            str(row["seats"]),
            str(row["matches"]),
            f"{row['won']} of {row['complete']}",
            *("" if row[name] is None else str(row[name]) for name in ("ahead", "behind")),
            str(row["hands"]),
            range_text(row, "a_hand"),
            percent_text(row["chance"]),
        ]
        for row in table.rows
    ]


def _company(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    return ["game", "how", "player", "matches", "hands", "effect (95%)", ""], [
        [
            row["game"],
            row["how"],
            row["player"],
            str(row["matches"]),
            str(row["hands"]),
            range_text(row, "effect"),
            row["verdict"],
        ]
        for row in table.rows
    ]


def _partnerships(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    names = ["place", "pair", "pool", "hands", "matches", "evenings", "adjusted", "believed (95%)", "best", "", ""]
    return names, [
        [
            place(row), row["pair"], str(row["pool"]), str(row["hands"]), str(row["matches"]), str(row["evenings"]),
            _adjusted(row), range_text(row, "believed"), percent_text(row["best"]), row["verdict"], row["note"],
        ]
        for row in table.rows
    ]  # fmt: skip


def _adjusted(row: dict[str, Any]) -> str:
    return "" if row["adjusted"] is None else f"{number_text(row['adjusted'])} ± {number_text(row['error'])}"


def _pairs(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    names = ["first", "second", "matches", "hands", "effect (95%)", "odd matches", "even matches", "by chance in"]
    return names, [
        [
            row["first"],
            row["second"],
            str(row["matches"]),
            str(row["hands"]),
            range_text(row, "effect"),
            number_text(row["odd"]),
            number_text(row["even"]),
            f"{row['rate']:.1%} of leagues",
        ]
        for row in table.rows
    ]


def _cards(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    if "difference" in table.columns:
        return ["card", "hands", "evenings", "worth", "to others", "difference (95%)", "believed (95%)", ""], [
            [
                row["card"], str(row["hands"]), str(row["evenings"]), number_text(row["worth"]), number_text(row["others"]),
                range_text(row, "difference"), range_text(row, "believed", "believed_low", "believed_high"), row["verdict"],
            ]
            for row in table.rows
        ]  # fmt: skip
    return ["card", "hands", "evenings", "worth (95%)", "pooled (95%)"], [
        [
            row["card"], str(row["hands"]), str(row["evenings"]), range_text(row, "worth"),
            range_text(row, "pooled", "pooled_low", "pooled_high"),
        ]
        for row in table.rows
    ]  # fmt: skip


def _decisions(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    names = ["kind", "decisions", "evenings", "cost (95%)", "careful bot", "a hand", "clear mistakes", "costliest"]
    return names, [
        [
            row["kind"], str(row["decisions"]), str(row["evenings"]), range_text(row, "cost"), number_text(row["careful"]),
            number_text(row["a_hand"]), str(row["bad"]),
            f"match {row['match'][:8]}, event {row['seq']}" if row["match"] else "",
        ]
        for row in table.rows
    ]  # fmt: skip


def _after_bad_hand(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    return ["player", "measured in", "bad hands", "evenings", "worse by (95%)", "beyond chance"], [
        [
            row["player"] or "all together", row["measure"], str(row["bad"]), str(row["evenings"]), range_text(row, "effect"),
            "" if not row["found"] else "worse" if row["effect"] > 0 else "better",
        ]
        for row in table.rows
    ]  # fmt: skip


def _partner_calls(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    return ["partner's call", "hands", "evenings", "points", "expected", "worth (95%)"], [
        [
            row["call"], str(row["hands"]), str(row["evenings"]), number_text(row["points"]), number_text(row["expected"]),
            range_text(row, "worth"),
        ]
        for row in table.rows
    ]  # fmt: skip


def _dealer(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    return ["game", "hands", "evenings", "dealer favoured by (95%)", "beyond chance"], [
        [
            row["game"] or "all games (deviations)", str(row["hands"]), str(row["evenings"]), range_text(row, "favoured"),
            "" if not row["found"] else "favoured" if row["favoured"] > 0 else "at a disadvantage",
        ]
        for row in table.rows
    ]  # fmt: skip


def _forecasts(table: StatsTable) -> tuple[list[str], list[list[str]]]:
    return ["game", "question", "foretold", "came true (95%)", "forecasts", "matches", "Brier score", "equal chances", "slope (95%)"], [
        [
            row["game"], row["question"],
            "all" if row["tenth"] is None else f"{percent_text(row['foretold'])}",
            range_text(row, "happened", share=True), str(row["forecasts"]), str(row["matches"]),
            f"{row['brier']:.3f}", f"{row['equal']:.3f}", range_text(row, "slope", "slope_low", "slope_high"),
        ]
        for row in table.rows
    ]  # fmt: skip


_SHOWN = {
    "measures": _measures,
    "definitions": _definitions,
    "players": _players,
    "player": _player,
    "ratings": _ratings,
    "change": _change,
    "company": _company,
    "pairs": _pairs,
    "partnerships": _partnerships,
    "cards": _cards,
    "decisions": _decisions,
    "after-bad-hand": _after_bad_hand,
    "dealer": _dealer,
    "forecasts": _forecasts,
    "partner-calls": _partner_calls,
    "head-to-head": _head_to_head,
}


def _in_words(game: str, basis: Basis) -> str:
    """Say what the numbers were computed from."""
    left_out = [
        f"{number} {what}"
        for number, what in (
            (basis.under_way, "under way"),
            (basis.abandoned, "abandoned"),
            (basis.undated, "of an unknown day"),
        )
        if number
    ]
    among = [
        f"{number} {what}"
        for number, what in (
            (basis.valued, "of them with the luck of the deal taken off"),
            (basis.score_only, "of them from score sheets"),
            (basis.held, "of them by their points alone until others have played their cards"),
            (basis.hidden, "of them with hidden deals"),
        )
        if number
    ]
    return (
        f"{game}: {count_of(basis.hands, 'hand')} of {count_of(basis.matches, 'match')}"
        f"{''.join(f', {text}' for text in among)}; left out: {' and '.join(left_out) or 'none'};"
        f" events up to {basis.position} under {', '.join(basis.rules) or 'no rules'}"
    )


def _by(table: StatsTable) -> list[str]:
    return table.by.split(",") if table.by else []


def _groups(table: StatsTable, row: dict[str, Any]) -> list[str]:
    """Return the group of a row, if the table is split."""
    columns = ("group", "second")[: len(_by(table))]
    return ["–" if row[name] is None else str(row[name]) for name in columns]
