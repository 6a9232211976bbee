"""An analysis: shares are handed out, their results are added up in order, and the tables are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, NamedTuple

import msgspec

from cardledger.crew import Crew, done
from cardledger.errors import StoreError
from cardledger.study.analyse.share_results import PROBLEMS, ShareResult
from cardledger.study.analyse.shares import Failed
from cardledger.study.analyse.sources import AnalysisSource
from cardledger.study.analyse.tables import Tables
from cardledger.study.archive.files import Heads


class AnalysisStep(NamedTuple):
    """The progress of an analysis: the part of the source done, the events folded, and new problems."""

    size: int
    events: int
    problems: tuple[Failed, ...]


def analyse(source: AnalysisSource, crew: Crew, tables: Tables, audit: bool) -> Iterator[AnalysisStep]:
    """Analyse a source into tables, share by share; the result does not depend on the workers.

    Raises StoreError if the source cannot be read or a table cannot be written, LedgerError `workers.lost`.
    """
    heads, basis = Heads(), Counter[tuple[str, str, str]]()
    seen: set[str] = set()
    size = events = problems = 0
    tasks = ((share, audit, frozenset[str]()) for share in source.shares())
    for (share, *_), result in done(crew, tasks):
        if not source.distinct:
            if twice := seen.intersection(result.ids):
                result = crew.wait(crew.give(share, audit, frozenset(twice)))
            seen.update(result.ids)
        _expect_read(result)
        tables.add(result)
        heads.add_lines(result.heads)
        basis.update(result.basis)
        events += result.events
        problems += len(result.problems)
        size += share.size or result.events
        yield AnalysisStep(size, events, result.problems)

    def about(rows: dict[str, int]) -> bytes:
        description = {
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
        return msgspec.json.format(msgspec.json.encode(description), indent=2) + b"\n"

    tables.finish(about)


def _expect_read(result: ShareResult) -> None:
    """Raise StoreError for a share that could not be read."""
    if result.error is not None:
        raise StoreError(*result.error)


def _by_game(basis: Counter[tuple[str, str, str]]) -> dict[str, dict[str, Any]]:
    """Return the counts by game: totals, and numbers by edition and status."""
    games: dict[str, dict[str, Any]] = {}
    for (game, what, which), count in sorted(basis.items()):
        counted = games.setdefault(game, {})
        if which:
            counted.setdefault(what, {})[which] = count
        else:
            counted[what] = count
    return games
