"""Appending to PostgreSQL: events and names as few long values, in one round trip."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import nullcontext
from typing import Any

import psycopg

from cardledger.errors import ConflictError, ErasedError, StoreError
from cardledger.record.people.names import Named, quoted, unite
from cardledger.record.store import Append
from cardledger.record.store.postgres_server import Connection

_APPEND = "SELECT append_events(%s, %s, %s, %s, %s, %s, %s)"
_NAMES = "%s::text[], %s::text[], %s::text[], %s::bytea[]"
_APPEND_NAMED = f"SELECT append_named(%s, %s, %s, %s, %s, %s, %s, {_NAMES}, %s::text[])"
_LEARN = f"SELECT learn_names({_NAMES})"
_ERASE = "SELECT erase_names(%s::text[], %s::text[])"
_WAS_ERASED = "CARD1"


def learn(db: Connection, names: Collection[Named]) -> None:
    """Store names, except known and erased ones."""
    db.execute(_LEARN, _columns(sorted(names)))


def appended(db: Connection, appends: Sequence[Append], erased: Sequence[Sequence[str]]) -> Any:
    """Store events, with names if there are any; return their positions."""
    names = [*unite(each.names for each in appends)]
    if not names and not erased:
        return one(db, _APPEND, _packed(appends))
    fresh = sorted({named.pseudonym for each in appends if each.fresh for named in each.names})
    try:
        with db.transaction() if erased else nullcontext():
            if erased:
                gone = {word: quoted(group[0]) for group in erased for word in group}
                db.execute(_ERASE, ([*gone], [*gone.values()]))
            return one(db, _APPEND_NAMED, (*_packed(appends), *_columns(names), fresh))
    except psycopg.Error as error:
        if error.sqlstate == _WAS_ERASED:
            raise ErasedError() from None
        raise


def _columns(names: Iterable[Named]) -> tuple[list[Any], ...]:
    """Return names column by column."""
    columns = tuple(map(list, zip(*names, strict=True)))
    return columns or ([], [], [], [])


def _packed(appends: Sequence[Append]) -> tuple[str, str, str, bytes, str, str, str]:
    """Return appends as `append_events` takes them.

    Few long values, which both sides read faster than many short ones.
    """
    matches: list[str] = []
    seqs: list[int] = []
    lines: list[str] = []
    hashes: list[bytes] = []
    wanted: list[int] = []
    before: dict[str, int] = {}
    ends: dict[str, int] = {}
    for match, expected, new, *_ in appends:
        if expected and ends.get(match) != expected:
            before[match] = expected
        wanted.append(len(lines) + 1)
        matches += [match] * len(new)
        seqs += range(expected + 1, expected + 1 + len(new))
        for line, digest in new:
            lines.append(line)
            hashes.append(digest)
        ends[match] = expected + len(new)
    wanted.append(len(lines))
    joined = "\n".join(lines)
    if joined.count("\n") >= len(lines) or "\0" in joined:
        raise StoreError("store.write", "a line holds a line break or a NUL, which canonical JSON does not have")
    return (
        "\n".join(matches), ",".join(map(str, seqs)), joined, b"".join(hashes),
        "\n".join(before), ",".join(map(str, before.values())), ",".join(map(str, wanted)),
    )  # fmt: skip


def one(db: Connection, query: str, given: Sequence[object] = ()) -> Any:
    """Return the single value of a query."""
    row = db.execute(query, given, binary=True).fetchone()
    assert row is not None
    return row[0]


def expect_as_expected(db: Connection, appends: Iterable[Append]) -> None:
    """Raise ConflictError for the first append whose match is not where it expects it."""
    ends: dict[str, int] = {}
    for match, expected, lines, *_ in appends:
        if match not in ends:
            row = db.execute("SELECT seq FROM events WHERE match = %s ORDER BY seq DESC LIMIT 1", (match,)).fetchone()
            ends[match] = row[0] if row else 0
        if ends[match] != expected:
            raise ConflictError(match, expected, ends[match])
        ends[match] += len(lines)
