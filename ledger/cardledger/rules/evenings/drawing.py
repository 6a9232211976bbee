"""The next round: table events proposed from what a season has seen so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drive import seat_everybody
from cardledger.rules.evenings.score_cards import lowest_first
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.evenings.seating import History, Seating, propose
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.standings import Standing
from cardledger.rules.evenings.swiss import draw
from cardledger.rules.evenings.table_sizes import FOUR

_TWO_PAIRS = 2


def remember(session: SessionState, history: History, partners: bool = False) -> None:
    """Add the rounds of an evening of single players to the history of a season: who met, who sat out while here."""
    for round in session.rounds:
        tables = [
            [player for entry in seated.seats for player in session.players(entry, round)]
            for seated in session.tables(round).values()
            if seated.plays
        ]
        seated = {player for table in tables for player in table}
        history.add(tables, [player for player in session.present.get(round, ()) if player not in seated], partners)


def table_events(tables: Sequence[Sequence[str]], round: int, game: str | None = None) -> list[ev.Table]:
    """Return the events that set the tables of a round, players by seat."""
    return [ev.Table(round=round, table=number, seats=(*seats,), game=game) for number, seats in enumerate(tables, 1)]


def who_comes(
    session: SessionState,
    history: History,
    *,
    sizes: Collection[int] = FOUR,
    partners: bool = False,
    names: dict[str, str] | None = None,
) -> Seating:
    """Return a seating of those who are here now, as `propose` does; raises RuleError `session.seats`."""
    return propose([*session.here], history, sizes=sizes, partners=partners, names=names)


def pairs_meet(
    session: SessionState, round: int, name: Callable[[str], str]
) -> tuple[tuple[ev.Table, ...], tuple[str, ...]]:
    """Return the tables of a round at which fixed pairs meet, and why: they met as seldom as can be, this evening.

    Of an odd number one sits alone at the last table, who did so least. `name` says what a player is called. Raises
    RuleError `session.seats` for fewer than two pairs.
    """
    names = {str(entry): " / ".join(map(name, session.players(entry, round))) for entry in session.entries}
    history, numbers = History(), sorted(session.entries)
    for earlier in session.rounds:
        tables = [[*map(str, seated.seats)] for seated in session.tables(earlier).values() if seated.plays]
        playing = {entry for table in tables for entry in table}
        resting = [str(entry) for entry in numbers if session.players(entry, earlier) and str(entry) not in playing]
        history.add(tables, resting)
    seating = propose([*map(str, numbers)], history, sizes=(_TWO_PAIRS,), names=names)
    rows = [*seating.tables, *((alone,) for alone in seating.sitting_out)]
    decided = (ev.Table(round=round, table=number, seats=(*map(int, row),)) for number, row in enumerate(rows, 1))
    return (*decided,), seating.reasons


def drive_round(session: SessionState, ranked: Sequence[Standing], round: int) -> list[ev.Table]:
    """Return the table events of a round of a drive, from what everybody scored in the one before.

    Raises like `seat_everybody`.
    """
    points = {each.entry: score.points.value for each in ranked for score in each.scores if score.round == round - 1}
    return seat_everybody(session, round, points, lowest_first(session))


def boards_of_round(state: SessionState, round: int) -> Sequence[int]:
    """Return the boards that all tables play in a round drawn of a Swiss movement.

    None where it does not say how many.
    """
    movement = state.movements[-1]
    if state.opening.scoring.kind not in ON_BOARDS or movement.boards == 1:
        return ()
    first = movement.first_board + (round - movement.start) * movement.boards
    return range(first, first + movement.boards)


def swiss_round(
    session: SessionState, ranked: Sequence[Standing], round: int, boards: Sequence[int] = ()
) -> list[ev.Table]:
    """Return the table events of a Swiss round, from the ranking before it; before round 1 the numbers decide.

    A match of teams is two tables, each team north-south at one. An entry with a bye sits alone at the last table.
    Raises RuleError `session.movement`.
    """
    met: Counter[frozenset[int]] = Counter()
    byes: Counter[int] = Counter()
    ns: Counter[int] = Counter()
    teams = session.opening.unit == "team"
    for earlier in range(1, round):
        seen = set()
        for seated in session.tables(earlier).values():
            if seated.bye:
                byes[seated.bye] += 1
            elif seated.plays:
                seen.add(frozenset(seated.seats))
                ns[seated.seats[0]] += 1
        met.update(seen)
    order = [standing.entry for standing in ranked] if round > 1 else sorted(session.entries)
    drawn = draw(order, met, byes, ns)
    rows: list[tuple[int, ...]] = []
    for one, other in drawn.couples:
        rows += [(one, other), (other, one)] if teams else [(one, other)]
    tables = [ev.Table(round=round, table=number, seats=row, boards=(*boards,)) for number, row in enumerate(rows, 1)]
    if drawn.bye is not None:
        tables.append(ev.Table(round=round, table=len(tables) + 1, seats=(drawn.bye,)))
    return tables
