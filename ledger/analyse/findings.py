"""Findings: what folding a share of an archive comes to, as rows of tables and sums, ready to be sent and added up."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

from ledger.analyse.shares import Failed, Share, told
from ledger.archive.columns import arrow
from ledger.archive.files import Heads
from ledger.errors import LedgerError
from ledger.readmodels import MODELS, SUMMARIES
from ledger.readmodels.model import Folded, Kept, ReadModel, Row
from ledger.readmodels.summary import Summary


def _trail(match: Folded, since: int) -> Iterator[Row]:
    """Yield what the rules said of every event that counts."""
    for number, ruling in enumerate(match.stream.table.trail or (), 1):
        yield match.id, number, ruling.seq, ruling.rule, ruling.verdict, ruling.text


TRAIL = ReadModel(
    "trail",
    "What allowed, forbade or resolved every event that counts, in an audit.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "number": ("INTEGER NOT NULL", "place among the rulings of the match, from 1"),
        "seq": ("INTEGER NOT NULL", "number of the event"),
        "rule": ("TEXT NOT NULL", "id of the rule"),
        "verdict": ("TEXT NOT NULL", "allowed, resolved or broken"),
        "text": ("TEXT NOT NULL", "the ruling in words"),
    },
    ("match", "number"),
    _trail,
)
PROBLEMS = Kept(
    "problems",
    "Matches that could not be counted, and are in no other table.",
    {
        "match": ("TEXT NOT NULL", "id of the match, or file and line where it has none"),
        "seq": ("INTEGER NOT NULL", "number of the event that is wrong, 0 where the line is told"),
        "code": ("TEXT NOT NULL", "stable code of what is wrong"),
        "message": ("TEXT NOT NULL", "the same in words"),
    },
    ("match", "seq"),
)
SOURCES = {summary.source.name: summary.source for summary in SUMMARIES}
_ARROW = {"TEXT": "string", "INTEGER": "int64", "REAL": "float64"}


class Findings(NamedTuple):
    """What the matches of a share come to.

    `heads` are their lines for the digest, `basis` counts what the numbers rest on by game, `tables` are batches of
    Arrow, `sums` rows of summaries to be added to those of other shares. `error` says why the share could not be read.
    """

    events: int = 0
    heads: bytes = b""
    ids: tuple[str, ...] = ()
    basis: Counter[tuple[str, str, str]] = Counter()
    tables: dict[str, bytes] = {}
    sums: dict[str, list[Row]] = {}
    problems: tuple[Failed, ...] = ()
    error: tuple[str, str] | None = None


def models(audit: bool) -> tuple[ReadModel, ...]:
    """Return the tables that have rows of every match."""
    return (*MODELS, TRAIL) if audit else MODELS


def find(share: Share, audit: bool, without: frozenset[str]) -> Findings:
    """Fold a share; matches of `without` were counted before, and so a second one here."""
    rows: dict[str, list[Row]] = {model.name: [] for model in models(audit)}
    heads, basis = [], Counter[tuple[str, str, str]]()
    problems: list[Failed] = []
    ids: dict[str, None] = {}
    events = 0
    try:
        for item in share.matches(audit):
            made = item if isinstance(item, Failed) else _rows(item, audit)
            match, hash = (item.match, item.hash) if isinstance(item, Failed) else (item.id, item.hash)
            if match in without or match in ids:
                made = Failed(match, None, 0, "store.duplicate", "the match was there before: it is counted once")
            elif hash is not None:
                ids[match] = None
                heads.append(Heads.line(match, hash))
            if isinstance(made, Failed):
                problems.append(made)
                continue
            assert isinstance(item, Folded)
            for name, some in made.items():
                rows[name] += some
            events += item.stream.seq
            _count(basis, item)
    except LedgerError as error:
        return Findings(error=(error.code, error.message))
    except sqlite3.Error as error:
        return Findings(error=("store.damaged", f"the ledger cannot be read: {error}"))
    return Findings(
        events, b"".join(heads), tuple(ids), basis, {model.name: batch(model, rows[model.name]) for model in models(audit)},
        _sums(rows), tuple(problems),
    )  # fmt: skip


def _rows(match: Folded, audit: bool) -> dict[str, list[Row]] | Failed:
    try:
        return {model.name: list(model.rows(match, 1)) for model in models(audit)}
    except Exception as error:  # noqa: BLE001 - as in folding
        return Failed(match.id, match.hash, match.stream.seq, "store.fold", told(error))


def _count(basis: Counter[tuple[str, str, str]], match: Folded) -> None:
    """Count a match among what the numbers rest on."""
    table = match.stream.table
    game = table.game.id
    basis[game, "matches", ""] += 1
    basis[game, "hands", ""] += len(table.hands)
    basis[game, "events", ""] += match.stream.seq
    basis[game, "rules", table.opening.rules or table.game.book.edition] += 1
    basis[game, "status", table.status] += 1


def schema(table: Kept | Summary) -> Any:
    """Return the schema of a table in Arrow."""
    pa = arrow()
    return pa.schema([(name, _ARROW[kind.partition(" ")[0]]) for name, (kind, _) in table.columns.items()])


def batch(table: Kept | Summary, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as Arrow sends them."""
    pa, form = arrow(), schema(table)
    columns = list(zip(*rows, strict=True)) or [()] * len(form)
    arrays = []
    for values, field in zip(columns, form, strict=True):
        try:
            array = pa.array(values, field.type)
        except pa.ArrowTypeError:
            array = pa.array(values).cast(field.type)  # true and false, which SQL has as 1 and 0
        arrays.append(array)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, form) as stream:
        stream.write_batch(pa.record_batch(arrays, form))
    sent: bytes = sink.getvalue().to_pybytes()
    return sent


def _sums(rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Return what the rows add up to in every summary, as SQL says it."""
    with closing(sqlite3.connect(":memory:")) as db:
        for source in SOURCES.values():
            db.execute(f"CREATE TABLE {source.name} ({', '.join(source.columns)})")
            places = ", ".join("?" * len(source.columns))
            db.executemany(f"INSERT INTO {source.name} VALUES ({places})", rows[source.name])
        return {summary.name: db.execute(summary.folded).fetchall() for summary in SUMMARIES}
