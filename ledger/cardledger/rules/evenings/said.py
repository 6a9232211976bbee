"""What a table says of its result after another was recorded: both stand beside each other until the director decides.

The first result of a table is its result. Another one is a note, so that nothing is decided by who was last:
`said: round 3, table 2, points: 7 6 7 6`. The director decides with an amended result, or lets the first one stand, and
in both cases with a note `settled: round 3, table 2`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from cardledger.errors import RuleError
from cardledger.rules.engine.events import Note
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drive_sheet import points_of
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.stream import EveningStream

Form = Literal["points", "places"]
_SAID = re.compile(r"said: round ([0-9]{1,4}), table ([0-9]{1,4}), (points|places):((?: -?[0-9]{1,9}){1,8})")
_SETTLED = re.compile(r"settled: round ([0-9]{1,4}), table ([0-9]{1,4})")


class Numbers(NamedTuple):
    """A result without a match: points or places, by seat."""

    form: Form
    values: tuple[int, ...]

    @classmethod
    def of(cls, result: ev.Result) -> Numbers | None:
        """Return the numbers of a result, None for one that has other forms."""
        if result.points is not None:
            return cls("points", result.points)
        return None if result.places is None else cls("places", result.places)

    def result(self, round: int, table: int) -> ev.Result:
        """Return them as the result of a table."""
        if self.form == "points":
            return ev.Result(round=round, table=table, points=self.values)
        return ev.Result(round=round, table=table, places=self.values)


class Difference(NamedTuple):
    """A table of a round whose result is `recorded`, and the others that were `said` of it, in order."""

    round: int
    table: int
    recorded: Numbers
    said: tuple[Numbers, ...]


def differences(stream: EveningStream) -> list[Difference]:
    """Return the results of an evening that tables said otherwise and that nobody has settled, by round and table."""
    state = stream.state
    found: dict[tuple[int, int], list[Numbers]] = {}
    settled: set[tuple[int, int]] = set()
    for text in stream.notes():
        if after := _SETTLED.fullmatch(text):
            settled.add((int(after[1]), int(after[2])))
        elif (said := _SAID.fullmatch(text)) and (at := (int(said[1]), int(said[2]))) not in settled:
            form: Form = "points" if said[3] == "points" else "places"
            found.setdefault(at, []).insert(0, Numbers(form, tuple(map(int, said[4].split()))))
    if not isinstance(state, SessionState):
        return []
    open_now = []
    for (round, table), all_said in sorted(found.items()):
        _, result = state.results.get((round, table, None), (0, None))
        recorded = Numbers.of(result) if result is not None else None
        said_otherwise = tuple(dict.fromkeys(said for said in all_said if said != recorded))
        if recorded is not None and said_otherwise:
            open_now.append(Difference(round, table, recorded, said_otherwise))
    return open_now


def round_at_table(state: SessionState, table: int) -> int | None:
    """Return the round whose result a table enters now: the first without one, else its last.

    None where it enters none: boards are compared, its match is scored, nobody plays there, or the evening is closed.
    """
    if state.status != "open" or state.opening.scoring.kind in ON_BOARDS:
        return None
    rounds = [
        round for round in state.rounds if (seated := state.tables(round).get(table)) is not None and seated.plays
    ]
    missing = [round for round in rounds if (round, table, None) not in {**state.results, **state.absences}]
    at = next(iter(missing), rounds[-1] if rounds else None)
    _, result = state.results.get((at or 0, table, None), (0, None))
    return None if result is not None and result.match else at


def given_numbers(state: SessionState, round: int, table: int, form: str, values: Sequence[int]) -> Numbers:
    """Return what was written for a table as numbers by seat; `tricks` are those of a drive, as `points_of` reads them.

    Raises RuleError `session.seats` for a table that enters no result in this round, `session.tricks`.
    """
    latest = round_at_table(state, table)
    name = state.table_name(round, table)
    if latest is None or not 1 <= round <= latest or table not in state.tables(round):
        _refuse_a_result(state, round, table, name)
    if form == "tricks" or state.drive(round) is not None:
        return Numbers("points", points_of(state, round, table, values))
    numbers = Numbers("places" if form == "places" else "points", (*values,))
    trial = state.copy()
    trial.results.pop((round, table, None), None)
    trial.apply(numbers.result(round, table), 0)
    return numbers


def _refuse_a_result(state: SessionState, round: int, table: int, name: str) -> NoReturn:
    """Raise RuleError `session.seats`, which says why a table enters no result in a round, and what to do."""
    at = {"table": name, "round": round}
    if table not in state.tables(round):
        raise RuleError(
            "session.seats",
            advising(Sentence("nobody plays at table {table} in round {round}: check both numbers", **at)),
        )
    _, result = state.results.get((round, table, None), (0, None))
    if result is not None and result.match:
        raise RuleError(
            "session.seats",
            advising(Sentence("table {table} has a match in round {round}: record its hands there", **at)),
        )
    raise RuleError(
        "session.seats",
        advising(Sentence("table {table} enters no result in round {round}: look at its page again", **at)),
    )


def entered_at_table(stream: EveningStream, round: int, table: int, form: str, values: Sequence[int]) -> list[Event]:
    """Return the event that a table's result becomes: a result, a note beside another one, none if it is known.

    Raises like `given_numbers`.
    """
    state = stream.state
    assert isinstance(state, SessionState)
    numbers = given_numbers(state, round, table, form, values)
    _, result = state.results.get((round, table, None), (0, None))
    if result is None:
        return [numbers.result(round, table)]
    before = [each for each in differences(stream) if (each.round, each.table) == (round, table)]
    if Numbers.of(result) == numbers or any(numbers in each.said for each in before):
        return []
    return [Note(text=f"said: round {round}, table {table}, {numbers.form}: {' '.join(map(str, numbers.values))}")]


def settled(stream: EveningStream, round: int, table: int, form: str, values: Sequence[int]) -> list[Event]:
    """Return the events with which the director says which result of a table is right; none for the same again.

    Raises RuleError `session.seats` if the table has none yet, and like `given_numbers`.
    """
    state = stream.state
    assert isinstance(state, SessionState)
    numbers = given_numbers(state, round, table, form, values)
    seq, result = state.results.get((round, table, None), (0, None))
    if result is None:
        raise RuleError(
            "session.seats",
            advising(
                Sentence(
                    "table {table} has no result in round {round}: enter it first",
                    table=state.table_name(round, table),
                    round=round,
                )
            ),
        )
    is_open = any((each.round, each.table) == (round, table) for each in differences(stream))
    amended = [] if Numbers.of(result) == numbers else [ev.EveningAmend(about=seq, event=numbers.result(round, table))]
    return [*amended, *([Note(text=f"settled: round {round}, table {table}")] if is_open else [])]


def settling(stream: EveningStream, events: Sequence[Event]) -> list[Event]:
    """Return events of a director, and with each amended result that its table is settled, if it was open."""
    amended = {
        (event.event.round, event.event.table)
        for event in events
        if isinstance(event, ev.EveningAmend) and isinstance(event.event, ev.Result)
    }
    now_settled = [each for each in differences(stream) if (each.round, each.table) in amended] if amended else []
    return [*events, *(Note(text=f"settled: round {each.round}, table {each.table}") for each in now_settled)]


def expect_settled(stream: EveningStream, round: int) -> None:
    """Refuse to go on from a round whose tables say different results; raises RuleError `session.phase`."""
    open_now = [each for each in differences(stream) if each.round == round]
    if open_now:
        raise RuleError(
            "session.phase",
            Sentence(
                "table {table} said another result than the one recorded in round {round}: decide which is right first",
                table=open_now[0].table,
                round=round,
            ),
        )
