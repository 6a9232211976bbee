"""The results of boards as JSON data: the traveller of each with its frequencies, and the card of an entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from cardledger.errors import RuleError
from cardledger.rules.evenings.awards import Artificial, Award, turned
from cardledger.rules.evenings.played_boards import PlayedBoard
from cardledger.rules.evenings.ranking import TableScore
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.scoring import ON_BOARDS, BoardPoints
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.standings import Standing
from cardledger.rules.evenings.travellers import ResultOf, TravellerLine, travellers
from cardledger.sentence import Sentence


def described_travellers(
    session: SessionState, result_of: ResultOf, ranked: Sequence[Standing]
) -> list[dict[str, Any]]:
    """Return the traveller of each board: results with the points of both lines, as printed; none without boards.

    `frequencies` are the different results of the board, the best for north-south first, with how often each was
    scored; the same score with other points, as after a penalty, is another result. Raises what `result_of` raises.
    """
    if session.opening.scoring.kind not in ON_BOARDS:
        return []
    gained = {
        (each.entry, score.round, score.table, score.board): score.points for each in ranked for score in each.scores
    }
    described = []
    for board, lines in travellers(session, result_of).items():
        rows = [_line(session, board, line, gained) for line in lines]
        described.append({"board": board, "lines": rows, "frequencies": [*_frequencies(rows)]})
    return described


def described_card(
    session: SessionState, result_of: ResultOf, ranked: Sequence[Standing], entry: int
) -> dict[str, Any]:
    """Return the card of an entry: what it scored on each board it played, in the order of play, and how it stood then.

    Scores are those of its side. `running` is its percentage so far, or its points where fields are not compared.
    Raises RuleError `session.seats` for an entry that is not there, and what `result_of` raises.
    """
    standing = next((each for each in ranked if each.entry == entry), None)
    if standing is None:
        entries = ", ".join(map(str, session.entries)) or "none yet"
        raise RuleError(
            "session.seats", Sentence("there is no entry {entry}: entries are {entries}", entry=entry, entries=entries)
        )
    on_boards = session.opening.scoring.kind in ON_BOARDS
    by_board = travellers(session, result_of) if on_boards else {}
    decimals, total, top, rows = session.opening.scoring.decimals, Fraction(0), Fraction(0), []
    for score in standing.scores:
        total, top = total + score.points.value, top + score.points.top
        line = next(
            (one for one in by_board.get(score.board or 0, ()) if (one.round, one.table) == (score.round, score.table)),
            None,
        )
        rows.append({
            "round": score.round, "table": score.table, "board": score.board, "opponents": score.opponents,
            **_side(line, score, entry, session),
            **_points(score.points, decimals),
            "running": printed(100 * total / top if top else total, decimals),
        })  # fmt: skip
    return {"entry": entry, "players": standing.players, "place": standing.place, "lines": rows}


def _line(
    session: SessionState, board: int, line: TravellerLine, gained: dict[tuple[int, int, int, int | None], BoardPoints]
) -> dict[str, Any]:
    at, decimals = (line.round, line.table, board), session.opening.scoring.decimals
    result = session.results.get(at)
    ns, ew = (
        next((gained[key] for entry in side if (key := (entry, *at)) in gained), None) for side in (line.ns, line.ew)
    )
    return {
        "round": line.round,
        "table": line.table,
        "ns": line.ns,
        "ew": line.ew,
        **_played(line.played),
        "ns_award": _award(line.row.ns),
        "ew_award": _award(line.row.ew),
        **{f"ns_{key}": value for key, value in _points(ns, decimals).items()},
        **{f"ew_{key}": value for key, value in _points(ew, decimals).items()},
        "match": result[1].match if result else None,
        "events": line.events,
    }


def _played(played: PlayedBoard | None) -> dict[str, Any]:
    """Return what a table made of a board; the score is that of north-south before rulings."""
    return {key: getattr(played, key, None) for key in ("contract", "declarer", "lead", "tricks", "score", "hand")}


def _side(line: TravellerLine | None, score: TableScore, entry: int, session: SessionState) -> dict[str, Any]:
    """Return the result of a board as one side sees it."""
    if line is None:
        return _in_drive(score, entry, session)
    ns = entry in line.ns
    mine = line.ns if ns else line.ew
    made, award = _played(line.played), line.row.ns if ns else line.row.ew
    result = session.results.get((score.round, score.table, score.board))
    sign = 1 if ns or made["score"] is None else -1
    return made | {
        "line": "ns" if ns else "ew",
        "partners": tuple(other for other in mine if other != entry),
        "score": None if made["score"] is None else sign * made["score"],
        "ruled": line.played is None or award != _unruled(line.played),
        "award": _award(award if ns else turned(award)),
        "match": result[1].match if result else None,
    }


def _in_drive(score: TableScore, entry: int, session: SessionState) -> dict[str, Any]:
    """Return with whom an entry played in a drive; nothing in another movement."""
    if session.drive(score.round) is None:
        return {}
    seats = session.tables(score.round)[score.table].seats
    return {"partners": tuple(other for other in seats if other != entry and other not in score.opponents)}


def _unruled(played: PlayedBoard) -> Award:
    return ((Fraction(1), played.score or 0),)


def _points(points: BoardPoints | None, decimals: int) -> dict[str, str | None]:
    """Return points as printed, and their percentage of the top where there is one."""
    if points is None:
        return {"points": None, "percent": None}
    share = printed(100 * points.value / points.top, decimals) if points.top else None
    return {"points": printed(points.value, decimals), "percent": share}


def _frequencies(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the different results of a board, plain scores first, with the points of both lines."""
    names = ("ns_award", "ew_award", "ns_points", "ew_points", "ns_percent", "ew_percent")
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(str([row[name] for name in names]), []).append(row)

    def worth(group: list[dict[str, Any]]) -> tuple[bool, int]:
        scores = group[0]["ns_award"].get("scores", [])
        return len(scores) != 1, -scores[0]["score"] if scores else 0

    for group in sorted(groups.values(), key=worth):
        yield {"times": len(group), **{name: group[0][name] for name in names}}


def _award(award: Award) -> dict[str, Any]:
    if isinstance(award, Artificial):
        return {"percent": printed(award.percent, 2)}
    return {"scores": [{"weight": printed(100 * share, 2), "score": score} for share, score in award]}
