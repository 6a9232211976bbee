"""Data that a backup has and its ledger has lost: names, checkpoints, tokens, keys. Such a backup is not replaced."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from cardledger.count_of import count_of
from cardledger.errors import LedgerError, StoreError
from cardledger.record.people.names import ERASED, WITHHELD, Names, erased_by
from cardledger.record.people.people import STREAM
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.keys import read_ring
from cardledger.record.store import EventStore
from cardledger.record.store.paths import Family
from cardledger.record.store.readers import read_only, resting
from cardledger.sentence import advising

_AT_ONCE = 2_000


def expect_names(target: Path, names: Names, store: EventStore) -> None:
    """Refuse to replace a backup with more names, unless events of the ledger erased them.

    Raises StoreError `store.name`.
    """
    if not target.exists():
        return
    erased = {word for group in erased_by(STREAM, (row.line for row in store.read(STREAM))) for word in group}
    lost = 0
    words_with_names = _named_words(target)
    while words := [*islice(words_with_names, _AT_ONCE)]:
        kinds = {named.pseudonym: named.kind for named in names.entries(words)}
        lost += sum(kinds.get(word, ERASED) == ERASED and word not in erased for word in words)
    if lost:
        many = count_of(lost, "name")
        raise StoreError(
            "store.name",
            advising(
                f"{target} has {many} that the ledger has lost, though no event erased a person: nothing was"
                f" replaced. Bring them back: cardledger copy {target} {store.name}"
            ),
        )


def expect_side(side: Family, family: Family, *, with_key: bool) -> None:
    """Refuse to replace files beside a backup by ones with less; raises StoreError `store.differs`."""
    for what, path, lost in (
        ("checkpoints", family.checkpoints, _less_checkpoints(side.checkpoints, family.checkpoints)),
        ("tokens", family.tokens, _less_rows(side.tokens, family.tokens)),
        ("keys", family.key, with_key and _less_keys(side.key, family.key)),
    ):
        if lost:
            raise StoreError(
                "store.differs",
                advising(
                    f"{path} has {what} that the ledger does not have: "
                    "nothing was replaced. Find out why they are missing, or back up to"
                    " another place"
                ),
            )


def _named_words(path: Path) -> Iterator[str]:
    """Yield the pseudonyms in a ledger's file for which a name is kept."""
    with closing(read_only(path, still=resting(path))) as db:
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'names'").fetchone():
            kinds = (ERASED, WITHHELD)
            yield from (word for (word,) in db.execute("SELECT pseudonym FROM names WHERE kind NOT IN (?, ?)", kinds))


def _less_checkpoints(new: Path, old: Path) -> bool:
    if not old.exists() or (new.exists() and new.read_bytes().startswith(old.read_bytes())):
        return False
    try:
        before = Checkpoints(old).all()
    except LedgerError:
        return False  # it is damaged
    return Checkpoints(new).all()[: len(before)] != before


def _less_rows(new: Path, old: Path) -> bool:
    """Tell whether a table of a database has fewer rows than it had: of tokens none is ever deleted."""
    if not old.exists() or not new.exists():
        return False
    before, now = _rows(old), _rows(new)
    return any(now.get(table, 0) < count for table, count in before.items())


def _rows(path: Path) -> dict[str, int]:
    try:
        with closing(read_only(path, still=resting(path))) as db:
            tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}
    except sqlite3.Error:
        return {}


def _less_keys(new: Path, old: Path) -> bool:
    if not old.exists() or not new.exists():
        return False
    try:
        before = read_ring(old)
    except LedgerError:
        return False
    ring = read_ring(new)
    return ring.leaves != before.leaves or not {*ring.verifiers} >= {*before.verifiers}
