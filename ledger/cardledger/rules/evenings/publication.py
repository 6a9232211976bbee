"""Publication.

The canonical form of a ranking, its hash, and what differs between a published ranking and the one now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from cardledger.errors import RuleError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.ranking import TableScore
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.scoring import Scoring
from cardledger.rules.evenings.standings import Standing
from cardledger.sentence import Sentence, advising

Rows = Sequence[Mapping[str, Any]]
"""A ranking as JSON data: `standings.as_printed`."""


def canonical(rows: Rows, named: Callable[[str], str] = str) -> bytes:
    """Return the canonical JSON of a ranking: UTF-8, keys sorted, no blanks, numbers as printed.

    `named` replaces players by what the record keeps of them, so that the hash still fits after somebody is erased.
    """
    recorded = [{**row, "players": [named(player) for player in row["players"]]} for row in rows]
    return msgspec.json.encode(recorded, order="sorted")


def digest(rows: Rows, named: Callable[[str], str] = str) -> str:
    """Return the SHA-256 of the canonical JSON of a ranking, in hex."""
    return sha256(canonical(rows, named)).hexdigest()


def completed(publish: ev.Publish, position: int, hash: str) -> ev.Publish:
    """Return a publication with the position of the ledger and the hash of the ranking as of it.

    Raises RuleError `session.position` if those given do not agree with them.
    """
    for key, given, computed in (("at_position", publish.at_position, position), ("hash", publish.hash, hash)):
        if given is not None and given != computed:
            raise RuleError(
                "session.position",
                advising(
                    Sentence(
                        "{key} is {given}, but the ranking at position {position} has {computed}: leave it out, or read the ranking again",
                        key=key,
                        given=given,
                        position=position,
                        computed=computed,
                    )
                ),
            )
    return msgspec.structs.replace(publish, at_position=position, hash=hash)


class PointsChange(NamedTuple):
    """What differs for a table of an entry: points then and now, None where there were none."""

    round: int
    table: int
    board: int | None
    then: str | None
    now: str | None


class RankingDifference(NamedTuple):
    """An entry whose place, total or any score differs; a place is None where the entry was not ranked at all."""

    entry: int
    place_then: str | None
    place_now: str | None
    total_then: str | None
    total_now: str | None
    changes: tuple[PointsChange, ...]


def differences(then: Sequence[Standing], now: Sequence[Standing], scoring: Scoring) -> list[RankingDifference]:
    """Return what differs between a ranking as published and as corrected now, by place now."""
    before, after = ({each.entry: each for each in ranking} for ranking in (then, now))
    differing = []
    for entry in dict.fromkeys([*after, *before]):
        old, new = before.get(entry), after.get(entry)
        difference = RankingDifference(
            entry,
            old and old.place,
            new and new.place,
            old and printed(old.total, scoring.decimals),
            new and printed(new.total, scoring.decimals),
            _changes(old.scores if old else (), new.scores if new else (), scoring.decimals),
        )
        same = difference.place_then == difference.place_now and difference.total_then == difference.total_now
        if difference.changes or not same:
            differing.append(difference)
    return differing


def _changes(then: Sequence[TableScore], now: Sequence[TableScore], decimals: int) -> tuple[PointsChange, ...]:
    before, after = (
        {(score.round, score.table, score.board or 0): printed(score.points.value, decimals) for score in scores}
        for scores in (then, now)
    )
    return tuple(
        PointsChange(round, table, board or None, before.get((round, table, board)), after.get((round, table, board)))
        for round, table, board in sorted(before.keys() | after.keys())
        if before.get((round, table, board)) != after.get((round, table, board))
    )
