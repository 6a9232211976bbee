"""Other tools: pandas, polars and DuckDB read the ledger's data from an archive, by the views that the README has."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import polars
import pytest

from cardledger.study import archive as archives
from cardledger.study.archive.arrays import decoded
from cardledger.study.archive.columns import ALPHABETS, COLUMNS, PLAYED
from cardledger.study.archive.files import Archive
from tests.documents import ALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger.record.recording.ledger import Ledger

TYPES = {"named": 'STRUCT(pseudonym VARCHAR, kind VARCHAR, "text" VARCHAR, salt BLOB)', "text": "VARCHAR", "letters": "VARCHAR", "int8": "TINYINT", "int32": "INTEGER", "int64": "BIGINT", "time": "TIMESTAMP WITH TIME ZONE",
         "said": "STRUCT(seq INTEGER, line VARCHAR)"}  # fmt: skip
PLAYS = "SELECT match, hand, seq, seat, card FROM ({}) WHERE type = 'play' ORDER BY match, seq"


VIEWS = (Path(archives.__file__).parent / "README.md").read_text()


def written(language: str, tool: str, archive: Path) -> str:
    """Return the view that the README has for a tool, with the name of an archive in it."""
    (text,) = (
        one for one in re.findall(rf"```{language}\n(.*?)```", VIEWS, re.DOTALL) if tool in one and "season" in one
    )
    return text.replace("season.parquet", str(archive))


def hands_of(tool: str, archive: Path) -> Any:
    """Return the hands as Python code of the README has them."""
    names: dict[str, Any] = {}
    exec(written("python", f"import {tool}\n", archive), names)
    return names["hands"]


def viewed(archive: Path) -> duckdb.DuckDBPyConnection:
    """Return a database with the view of the README."""
    database = duckdb.connect()
    database.execute(written("sql", "CREATE VIEW", archive))
    return database


def by_duckdb(archive: Path) -> list[tuple[str, int, int, int, str]]:
    rows = """SELECT match, hand, unnest(range(first_seq, first_seq + len(types))) AS seq,
        unnest(types) AS type, unnest(seats) AS seat, unnest(cards) AS card FROM hands"""
    return viewed(archive).execute(PLAYS.format(rows)).fetchall()


def by_polars(archive: Path) -> list[tuple[str, int, int, int, str]]:
    length = polars.col("types").list.len()
    rows = (
        hands_of("polars", archive)
        .select(
            "match", "hand", polars.int_ranges("first_seq", polars.col("first_seq") + length), "types", "seats", "cards"
        )
        .explode("first_seq", "types", "seats", "cards")
        .filter(polars.col("types") == "play")
        .select("match", "hand", "first_seq", "seats", "cards")
        .sort("match", "first_seq")
    )
    found: list[tuple[str, int, int, int, str]] = rows.collect().rows()
    return found


def by_pandas(archive: Path) -> list[tuple[str, int, int, int, str]]:
    if not os.environ.get("REQUIRE_PANDAS"):
        pytest.importorskip("pandas")
    frame = hands_of("pandas", archive)[["match", "hand", "first_seq", "types", "seats", "cards"]]
    frame["first_seq"] = [
        range(first, first + len(types)) for first, types in zip(frame.first_seq, frame.types, strict=True)
    ]
    flat = frame.explode(["first_seq", "types", "seats", "cards"])
    flat = flat[flat.types == "play"].drop(columns="types").sort_values(["match", "first_seq"])
    return list(flat.itertuples(index=False, name=None))


@pytest.mark.parametrize("read", [by_duckdb, by_polars, pytest.param(by_pandas, marks=pytest.mark.long)])
def test_every_play_is_found(
    read: Callable[[Path], list[tuple[str, int, int, int, str]]], season: Ledger, archive: Path
) -> None:
    found = read(archive)
    query = """SELECT match, seq, json_extract(line, '$.seat'), json_extract(line, '$.card') FROM log
        WHERE type = 'play' ORDER BY match, seq"""
    assert [(match, seq, seat, card) for match, _, seq, seat, card in found] == season.store.file.reader.execute(
        query
    ).fetchall()  # type: ignore[attr-defined]


def test_the_view_says_what_the_columns_of_a_page_say(archive: Path) -> None:
    told = viewed(archive).execute(f"SELECT {', '.join(ALPHABETS)}, several FROM hands").fetchall()
    with Archive(archive) as packed:
        pages = [packed.page(number, [*COLUMNS]) for number in range(len(packed))]
    for place, name in enumerate(ALPHABETS):
        if name in PLAYED:
            shown = [[None] * len(row[0]) if row[place] is None else row[place] for row in told]
            if name == "cards":
                several = [iter(row[-1] or ()) for row in told]
                shown = [
                    [next(more) if card == "&" else card for card in cards]
                    for cards, more in zip(shown, several, strict=True)
                ]
            said = [one for page in pages for one in decoded(*page.listed(name))]
            assert [one for row in shown for one in row] == said


def test_hands_are_those_of_the_read_models(season: Ledger, archive: Path) -> None:
    found = viewed(archive).execute(
        "SELECT match, hand, first_seq, coalesce(dealer, starter) FROM hands WHERE types[1] = 'deal'"
    )
    rows = season.views.reader.execute("SELECT match, hand, first_seq, dealer FROM hands").fetchall()
    assert len(rows) > 40
    dealers = {row[:3]: row[3] for row in found.fetchall()}
    assert all(dealers[row[:3]] in (row[3], None) for row in rows)  # the number of a board may stand for its dealer


def test_the_columns_have_the_documented_types(archive: Path) -> None:
    found = duckdb.sql(f"DESCRIBE SELECT * FROM '{archive}'").fetchall()
    said = {name: TYPES[kind.replace("[]", "")] + "[]" * kind.count("[]") for name, (kind, _) in COLUMNS.items()}
    assert {name: kind for name, kind, *_ in found} == said
    assert polars.read_parquet(archive).columns == list(COLUMNS)


def test_no_column_has_a_name_that_sql_keeps_for_itself(archive: Path) -> None:
    names = ", ".join(COLUMNS)
    assert duckdb.sql(f"SELECT {names} FROM '{archive}' LIMIT 1").columns == list(COLUMNS)


@pytest.mark.long
def test_the_queries_of_the_readme_run(archive: Path) -> None:
    queries = re.findall(r"duckdb -c \"([^\"]*season\.parquet[^\"]*)\"", ALL)
    assert queries
    for query in queries:
        assert duckdb.sql(query.replace("season.parquet", str(archive))).fetchall()


def test_the_readme_documents_every_column() -> None:
    shown = ALL.partition("<!-- archive columns: begin -->\n")[2].partition("\n<!-- archive columns: end -->")[0]
    rows = [f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in COLUMNS.items()]
    assert shown == "\n".join(["| column | type | meaning |", "|---|---|---|", *rows])
