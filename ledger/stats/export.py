"""Exports: a table of statistics as JSON, CSV, Parquet, or lines for people."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ledger.errors import StoreError
from ledger.matchfile import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.stats.tables import Table
    from ledger.stats.tally import Basis


def as_json(table: Table) -> dict[str, Any]:
    """Return a table ready for JSON."""
    return {
        "name": table.name,
        "query": table.query,
        "by": table.by,
        "basis": {game: asdict(basis) for game, basis in table.basis.items()},
        "notes": list(table.notes),
        "rows": [{name: row[name] for name in table.columns} for row in table.rows],
    }


def as_csv(table: Table) -> str:
    """Return the rows of a table as CSV (RFC 4180) with a line of names; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(table.columns)
    writer.writerows([_harmless(row[name]) for name in table.columns] for row in table.rows)
    return text.getvalue()


def write_parquet(table: Table, path: Path) -> None:
    """Write a table as Parquet, what it was computed from as metadata; raises StoreError `store.extra`, `store.write`."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise StoreError("store.extra", "Parquet needs pyarrow: pip install 'cardledger[analytics]'") from None
    from msgspec import json

    columns = {name: [row[name] for row in table.rows] for name in table.columns}
    about = {key: value for key, value in as_json(table).items() if key != "rows"}
    made = pa.table(columns).replace_schema_metadata({"cardledger": json.encode(about)})
    try:
        parquet.write_table(made, path)
    except OSError as error:
        raise StoreError("store.write", f"{path} was not written: {error}") from None


def as_lines(table: Table) -> Iterator[str]:
    """Yield a table as lines for people, and under it what it was computed from."""
    if not table.rows:
        yield "nothing to tell"
    else:
        yield from _grid(*_SHOWN[table.name](table))
    for note in table.notes:
        yield f"{note}."
    for game, basis in table.basis.items():
        yield _told(game, basis)


def _harmless(value: Any) -> Any:
    """Return a value that a spreadsheet does not take for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def _grid(names: list[str], rows: list[list[str]]) -> Iterator[str]:
    """Yield rows with columns in line, the last one as it is."""
    rows = [[printable(text) for text in row] for row in rows]
    left = [not any(_numeric(row[i]) for row in rows) for i in range(len(names))]
    width = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    for row in (names, *rows):
        cells = (
            text.ljust(most) if words else text.rjust(most) for text, most, words in zip(row, width, left, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _numeric(text: str) -> bool:
    return text[:1].isdigit() or text[:1] == "−"


def _measures(table: Table) -> tuple[list[str], list[list[str]]]:
    names = ["game", "measure", "better", "formula"]
    return names, [[row["game"] or "(all)", row["measure"], row["better"] or "–", row["formula"]] for row in table.rows]


def _players(table: Table) -> tuple[list[str], list[list[str]]]:
    if "rank" not in table.columns:
        return ["player", *_by(table), "value (95%)", "cases", "matches"], [
            [row["player"], *_groups(table, row), _range(row), str(row["cases"]), str(row["matches"])]
            for row in table.rows
        ]
    names = [
        "rank",
        "player",
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
            "–" if row["rank"] is None else f"{row['rank']} ({row['rank_low']}–{row['rank_high']})",
            row["player"],
            str(row["hands"]),
            str(row["matches"]),
            _range(row, "points"),
            "" if row["adjusted"] is None else f"{_number(row['adjusted'])} ± {_number(row['error'])}",
            _range(row, "believed", "believed_low", "believed_high"),
            _percent(row["best"]),
            row["verdict"] or "",
            _percent(row["wins"]),
            _number(row["rating"]),
            row["note"],
        ]
        for row in table.rows
    ]  # fmt: skip


def _player(table: Table) -> tuple[list[str], list[list[str]]]:
    return ["game", *_by(table), "measure", "value (95%)", "others", "better", "cases", "matches"], [
        [
            row["game"],
            *_groups(table, row),
            row["title"],
            _range(row, share=row["kind"] == "share"),
            _percent(row["others"]) if row["kind"] == "share" else _number(row["others"]),
            row["better"] or "–",
            str(row["cases"]),
            str(row["matches"]),
        ]
        for row in table.rows
    ]


def _ratings(table: Table) -> tuple[list[str], list[list[str]]]:
    names = list(table.columns)
    return names, [
        [_number(row[name]) if isinstance(row[name], float) else str(row[name]) for name in names] for row in table.rows
    ]


_SHOWN = {"measures": _measures, "players": _players, "player": _player, "ratings": _ratings}


def _told(game: str, basis: Basis) -> str:
    """Return what numbers were computed from, in words."""
    left_out = [
        f"{number} {what}"
        for number, what in ((basis.under_way, "under way"), (basis.abandoned, "abandoned"))
        if number
    ]
    among = [
        f"{number} {what}"
        for number, what in (
            (basis.score_only, "of them from score sheets"),
            (basis.hidden, "of them with hidden deals"),
        )
        if number
    ]
    return (
        f"{game}: {basis.hands} hands of {basis.matches} matches"
        f"{''.join(f', {text}' for text in among)}; left out: {' and '.join(left_out) or 'none'};"
        f" events up to {basis.position} under {', '.join(basis.rules) or 'no rules'}"
    )


def _by(table: Table) -> list[str]:
    return [table.by] if table.by else []


def _groups(table: Table, row: dict[str, Any]) -> list[str]:
    """Return the group of a row, where the table is split."""
    return [] if table.by is None else ["–" if row["group"] is None else str(row["group"])]


def _number(value: float | None) -> str:
    """Return a number with two digits after the point, a real minus before it."""
    return "" if value is None else f"{value:.2f}".replace("-", "−")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


def _range(
    row: dict[str, Any], name: str = "value", low: str = "low", high: str = "high", *, share: bool = False
) -> str:
    """Return a value with the ends of its interval."""
    show = _percent if share else _number
    if row[name] is None or row[low] is None:
        return show(row[name])
    return f"{show(row[name])} ({show(row[low])} to {show(row[high])})"
