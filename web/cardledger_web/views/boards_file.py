"""Matches of a file, as the page that takes them shows them: boards of bridge, and matches of any other game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.formats.bridge_files.boards import GAME
from cardledger.formats.bridge_files.notation import NAMES
from cardledger.record.matches.matchfile import MatchInFile, Problem, Warned
from cardledger.record.matches.missing_days import MissingDays
from cardledger.record.matches.noticed import Noticed
from cardledger.record.matches.replay import result
from cardledger.rules.engine.events import Open

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardledger.record.matches.noticed import Cause

    Items = Iterable[MatchInFile | Problem | Warned]

_SHOWN = 300


class FileBoard(NamedTuple):
    """A board: its number, who played, the contract with its declarer, tricks and points of north-south."""

    number: int | None
    players: Sequence[str]
    contract: str
    declarer: str
    made: int | None
    points: int | None


class FileMatch(NamedTuple):
    """A match of another game: its game, its day, who played, and the points by seat."""

    game: str
    date: str | None
    players: Sequence[str]
    points: Sequence[int]


class BoardsShown(NamedTuple):
    """The first boards and other matches of some files, how many there are of each, and what was found.

    That is what is wrong, whether all of that is about boards, what was noticed, and whether a day is missing.
    """

    rows: Sequence[FileBoard]
    total: int
    matches: Sequence[FileMatch]
    total_matches: int
    problems: Sequence[Problem]
    noticed: Sequence[Cause]
    undated: bool


def matches_in(items: Items) -> Iterator[MatchInFile]:
    """Yield the matches of a file, without those that are wrong."""
    for item in items:
        if isinstance(item, MatchInFile):
            yield item


def boards_in(files: Iterable[Items]) -> BoardsShown:
    """Return what some files hold."""
    rows: list[FileBoard] = []
    problems: list[Problem] = []
    matches: list[FileMatch] = []
    notices, missing = Noticed(), MissingDays()
    count = others = 0
    for items in files:
        for item in items:
            if isinstance(item, Problem):
                problems.append(item)
            elif isinstance(item, Warned):
                notices.append(item)
            else:
                notices.extend(item.source.notices if item.source else ())
                missing.take(item)
                found = result(item.stream.table)
                if found["game"] != GAME or len(found["hands"]) > 1:
                    others += 1
                    if others <= _SHOWN:
                        matches.append(FileMatch(found["game"], _day(item), found["players"], found["totals"]))
                    continue
                count += 1
                if count <= _SHOWN:
                    rows.append(_row(found))
    undated = [*missing.notices()]
    notices.extend(undated)
    return BoardsShown(rows, count, matches, others, problems, notices.causes, bool(undated))


def _day(match: MatchInFile) -> str | None:
    opening = match.events[0]
    return opening.date if isinstance(opening, Open) else None


def _row(found: dict[str, Any]) -> FileBoard:
    hand: dict[str, Any] = found["hands"][0] if found["hands"] else {}
    declarer = hand.get("declarer")
    return FileBoard(
        hand.get("board"), found["players"], hand.get("contract") or "", NAMES[declarer] if declarer is not None else "",
        hand.get("made"), hand["scores"][0] if hand.get("scores") else None,
    )  # fmt: skip
