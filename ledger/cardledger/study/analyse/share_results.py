"""Findings: the results of folding a share, as rows of tables and sums, ready to be sent and added up."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.readmodels import MODELS, SUMMARIES, VIEWS
from cardledger.record.readmodels.arrow_tables import arrow, table_of
from cardledger.record.readmodels.model import DerivedTable, Folded, ReadModel, Row
from cardledger.record.readmodels.summary import Summary
from cardledger.rules.engine.at_any_time import VOID
from cardledger.study.analyse.shares import Failed, Share, message_of
from cardledger.study.archive.files import Heads


def _trail(match: Folded, since: int) -> Iterator[Row]:
    """Yield the rulings on every event that counts."""
    for number, ruling in enumerate(match.stream.table.trail or (), 1):
        yield match.id, number, ruling.seq, ruling.rule, ruling.verdict, ruling.text


TRAIL = ReadModel(
    "trail",
    "The rules that allowed, forbade or decided each event that counts, with --audit.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "ruling": ("INTEGER NOT NULL", "number of the ruling in the match, from 1"),
        "seq": ("INTEGER NOT NULL", "number of the event"),
        "rule": ("TEXT NOT NULL", "id of the rule"),
        "verdict": ("TEXT NOT NULL", "allowed, resolved or broken"),
        "text": ("TEXT NOT NULL", "the ruling in words"),
    },
    ("match", "ruling"),
    _trail,
)
PROBLEMS = DerivedTable(
    "problems",
    "Matches that could not be counted, and are in no other table.",
    {
        "match": ("TEXT NOT NULL", "id of the match, or file and line where it has none"),
        "seq": ("INTEGER NOT NULL", "number of the event that is wrong, 0 if the whole line is wrong"),
        "code": ("TEXT NOT NULL", "stable code of what is wrong"),
        "message": ("TEXT NOT NULL", "the same in words"),
    },
    ("match", "seq"),
)
WRITTEN: tuple[DerivedTable | Summary, ...] = (*MODELS, *VIEWS, *SUMMARIES)
"""The read models that an analysis writes: every one whose rows follow from single matches, and their sums."""
SOURCES = {
    model.name: model
    for model in MODELS
    if any(summary.source is model for summary in SUMMARIES) or any(model.name in view.query.split() for view in VIEWS)
}
"""The tables that views and sums are made of."""


class ShareResult(NamedTuple):
    """The results of a share's matches.

    `heads` are their lines for the digest, `basis` counts the source by game, `tables` are batches of Arrow, `sums`
    rows of summaries to be added to those of other shares. `error` says why the share could not be read.
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


def find(share: Share, audit: bool, without: frozenset[str]) -> ShareResult:
    """Fold a share; matches of `without` were counted before, and so a second one here."""
    rows: dict[str, list[Row]] = {model.name: [] for model in models(audit)}
    heads, basis = [], Counter[tuple[str, str, str]]()
    problems: list[Failed] = []
    ids: dict[str, None] = {}
    events = 0
    try:
        for item in share.matches(audit):
            outcome = item if isinstance(item, Failed) else _rows(item, audit)
            match, hash = (item.match, item.hash) if isinstance(item, Failed) else (item.id, item.hash)
            if match in without or match in ids:
                outcome = Failed(match, None, 0, "store.duplicate", "the match occurred before: it is counted once")
            elif hash is not None:
                ids[match] = None
                heads.append(Heads.line(match, hash))
            if isinstance(outcome, Failed):
                problems.append(outcome)
                continue
            assert isinstance(item, Folded)
            for name, some in outcome.items():
                rows[name] += some
            events += item.stream.seq
            _count(basis, item)
    except LedgerError as error:
        return ShareResult(error=(error.code, error.message))
    except sqlite3.Error as error:
        return ShareResult(error=("store.damaged", f"the ledger cannot be read: {error}"))
    tables = {model.name: batch(model, rows[model.name]) for model in models(audit)}
    of_views, sums = _derived(rows)
    return ShareResult(events, b"".join(heads), tuple(ids), basis, tables | of_views, sums, tuple(problems))


def _rows(match: Folded, audit: bool) -> dict[str, list[Row]] | Failed:
    try:
        return {model.name: list(model.rows(match, 1)) for model in models(audit)}
    except Exception as error:  # noqa: BLE001 - as in folding
        return Failed(match.id, match.hash, match.stream.seq, "store.fold", message_of(error))


def _count(basis: Counter[tuple[str, str, str]], match: Folded) -> None:
    """Count a match in the basis; the hands of a void one count nowhere."""
    table = match.stream.table
    game = table.game.id
    basis[game, "status", table.status] += 1
    basis[game, "matches", ""] += 1
    basis[game, "events", ""] += match.stream.seq
    basis[game, "rules", table.opening.rules or table.game.book.edition] += 1
    if table.status != VOID:
        basis[game, "hands", ""] += len(table.hands)


def batch(table: DerivedTable | Summary, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as Arrow sends them."""
    pa, filled = arrow(), table_of(table, rows)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, filled.schema) as stream:
        stream.write_table(filled)
    sent: bytes = sink.getvalue().to_pybytes()
    return sent


def _derived(rows: dict[str, list[Row]]) -> tuple[dict[str, bytes], dict[str, list[Row]]]:
    """Return what follows from the rows by SQL: batches of every view, and the sums of every summary."""
    order = {match: place for place, (match, *_) in enumerate(rows["matches"])}
    with closing(sqlite3.connect(":memory:")) as db:
        for source in SOURCES.values():
            db.execute(source.schema)
            db.executemany(source.insert, rows[source.name])
        views = {}
        for view in VIEWS:
            db.execute(view.schema)
            found = db.execute(f"SELECT * FROM {view.name} ORDER BY {', '.join(view.key)}")
            # Matches stand in the order of the source, so that its cuts into shares change nothing.
            views[view.name] = batch(view, sorted(found, key=lambda row: order[row[0]]))
        return views, {summary.name: db.execute(summary.folded).fetchall() for summary in SUMMARIES}
