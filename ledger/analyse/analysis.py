"""An analysis: shares are handed out, what comes back is added up in their order, and the tables are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, NamedTuple

import msgspec

from ledger.analyse.crew import Crew, done
from ledger.analyse.findings import PROBLEMS, Findings
from ledger.analyse.shares import Failed
from ledger.analyse.sources import Source
from ledger.analyse.tables import Tables
from ledger.archive.files import Heads
from ledger.errors import StoreError


class Step(NamedTuple):
    """How far an analysis has come: the part of the source done so far, the events folded, and new problems."""

    size: int
    events: int
    problems: tuple[Failed, ...]


def analyse(source: Source, crew: Crew, tables: Tables, audit: bool) -> Iterator[Step]:
    """Analyse what a source has into tables, share by share; whose workers do it changes nothing in them.

    Raises StoreError where the source cannot be read or a table cannot be written, LedgerError `workers.lost`.
    """
    heads, basis = Heads(), Counter[tuple[str, str, str]]()
    seen: set[str] = set()
    size = events = problems = 0
    tasks = ((share, audit, frozenset[str]()) for share in source.shares())
    for (share, *_), found in done(crew, tasks):
        if not source.distinct:
            if twice := seen.intersection(found.ids):
                found = crew.wait(crew.give(share, audit, frozenset(twice)))
            seen.update(found.ids)
        _expect_read(found)
        tables.add(found)
        heads.add_lines(found.heads)
        basis.update(found.basis)
        events += found.events
        problems += len(found.problems)
        size += share.size or found.events
        yield Step(size, events, found.problems)

    def about(rows: dict[str, int]) -> bytes:
        said = {
            "program": f"cardledger {version('cardledger')}",
            "position": source.position,
            "matches": rows["matches"],
            "hands": rows["hands"],
            "events": events,
            "problems": rows[PROBLEMS.name],
            "heads": heads.hex(),
            "people": list(source.people),
            "games": _by_game(basis),
            "tables": rows,
        }
        return msgspec.json.format(msgspec.json.encode(said), indent=2) + b"\n"

    tables.finish(about)


def _expect_read(found: Findings) -> None:
    """Raise StoreError for a share that could not be read."""
    if found.error is not None:
        raise StoreError(*found.error)


def _by_game(basis: Counter[tuple[str, str, str]]) -> dict[str, dict[str, Any]]:
    """Return what is counted by game: numbers, and numbers by edition and status."""
    games: dict[str, dict[str, Any]] = {}
    for (game, what, which), count in sorted(basis.items()):
        counted = games.setdefault(game, {})
        if which:
            counted.setdefault(what, {})[which] = count
        else:
            counted[what] = count
    return games
