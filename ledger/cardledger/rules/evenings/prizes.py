"""The prizes of a drive.

The best of all, of the ladies and of the gentlemen, of each half, the hidden table, the lowest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.evenings.drive import GENTLEMAN, LADY
from cardledger.rules.evenings.drive_rules import last_round
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.score_cards import lowest_first

if TYPE_CHECKING:
    from cardledger.rules.evenings.session import SessionState
    from cardledger.rules.evenings.standings import Standing

PRIZES = ("best", "best_lady", "best_gentleman", "first_half", "second_half", "hidden_table", "lowest")
"""The prizes, in the order in which they are given."""


class Prize(NamedTuple):
    """A prize.

    Its name of `PRIZES`, the entries that have it (several: a tie), and their points, None at the hidden table.

    `table` is the hidden table.
    """

    name: str
    entries: tuple[int, ...]
    points: Fraction | None = None
    table: int | None = None


def prizes(session: SessionState, ranked: Sequence[Standing], hidden_table: int | None = None) -> list[Prize]:
    """Return the prizes of a drive as it stands; none without a drive, or before anybody has played.

    A player without a place in the ranking gets no prize. The prize of the hidden table is for those who sit there in the last
    hand. One person can have several: whether that is so is the club's affair.
    """
    movement = session.movements[-1] if session.movements else None
    placed = [each for each in ranked if each.place]
    if movement is None or movement.kind != "drive" or not placed:
        return []
    half = movement.start + (movement.rounds or 0) // 2
    last, low = last_round(movement), lowest_first(session)
    every = {each.entry: _sum(each, range(movement.start, last + 1)) for each in placed}
    halves = {
        name: {each.entry: _sum(each, rounds) for each in placed if any(score.round in rounds for score in each.scores)}
        for name, rounds in (("first_half", range(movement.start, half)), ("second_half", range(half, last + 1)))
    }
    kinds = {kind: {e: n for e, n in every.items() if session.plays_as(e) == kind} for kind in (LADY, GENTLEMAN)}
    found = [
        _most("best", every, low),
        _most("best_lady", kinds[LADY], low),
        _most("best_gentleman", kinds[GENTLEMAN], low),
        _most("first_half", halves["first_half"], low),
        _most("second_half", halves["second_half"], low),
        _hidden(session, last, hidden_table),
        _most("lowest", every, not low),
    ]
    return [prize for prize in found if prize.entries]


def described(prize: Prize, players: Mapping[int, Collection[str]]) -> dict[str, Any]:
    """Return a prize as JSON data, with the players of each entry."""
    return {
        "prize": prize.name,
        "entries": prize.entries,
        "players": [player for entry in prize.entries for player in players[entry]],
        "points": None if prize.points is None else printed(prize.points, 0),
        "table": prize.table,
    }


def _sum(standing: Standing, rounds: Collection[int]) -> Fraction:
    return sum((score.points.value for score in standing.scores if score.round in rounds), Fraction(0))


def _most(name: str, points: Mapping[int, Fraction], low: bool) -> Prize:
    """Return a prize for those with the most points, or the fewest."""
    if not points:
        return Prize(name, ())
    best = min(points.values()) if low else max(points.values())
    return Prize(name, tuple(entry for entry, mine in points.items() if mine == best), best)


def _hidden(session: SessionState, last: int, table: int | None) -> Prize:
    seated = session.tables(last).get(table or 0)
    entries = seated.seats if seated is not None and seated.plays else ()
    return Prize("hidden_table", tuple(entry for entry in entries if entry), None, table)
