"""What may be entered: the checks on results, rulings and absences of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import FormatError, RuleError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.contract import score
from cardledger.rules.evenings.drive_rules import expect_points
from cardledger.rules.evenings.lineup import Lineup, Seated
from cardledger.rules.evenings.places import places
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.sentence import Sentence, advising, either

if TYPE_CHECKING:
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.session import SessionState

FORMS: dict[str, tuple[str, ...]] = {
    "boards": ("match", "score", "contract"),
    "total": ("match", "points"),
    "places": ("match", "points", "places"),
}
"""The forms of a result that a kind of scoring can use."""


def expect_result(session: SessionState, result: ev.Result) -> None:
    """Refuse a result that does not fit.

    Raises RuleError `session.seats`, `session.board`, `session.twice`, FormatError.
    """
    seated = _expect_players(session, result.round, result.table)
    _expect_board(session, seated, result, needed=True)
    _expect_new(session, result)
    kind = session.opening.scoring.kind
    usable = FORMS["boards" if kind in ON_BOARDS else kind]
    (form,) = (key for key in ev.FORMS if getattr(result, key) is not None)
    if form not in usable:
        raise FormatError(
            "format.key",
            Sentence(
                "an evening scored by {kind} needs {usable}, not {form}",
                kind=kind,
                usable=either(usable),
                form=form,
            ),
        )
    if result.contract is not None:
        score(result.contract, result.declarer, result.tricks, result.board or 1)
    if (drive := session.drive(result.round)) is not None:
        expect_points(drive, result.table, result.round, result.points)
    for key in ("points", "places"):
        _expect_by_seat(key, getattr(result, key), len(seated.seats))
    for _, other in session.results.values():
        if result.match is not None and (other.match, other.board) == (result.match, result.board):
            raise RuleError(
                "session.twice",
                advising(
                    Sentence(
                        "match {match} is the result of table {table} in round {round} already: name another",
                        match=result.match,
                        table=other.table,
                        round=other.round,
                    )
                ),
            )


def expect_absent(session: SessionState, absent: ev.Absent) -> None:
    """Refuse an absence that does not fit; raises RuleError `session.seats`, `session.board`, `session.twice`.

    A result that names a match only says where the result will come from: until the board is played there, it may be
    absent.
    """
    seated = session.seated(absent.round, absent.table)
    if absent.why == "average":
        _expect_players(session, absent.round, absent.table)
    _expect_board(session, seated, absent, needed=False)
    _expect_new(session, absent)
    given = [result for at, (_, result) in session.results.items() if at[:2] == (absent.round, absent.table)]
    if absent.board is None and any(result.match is None for result in given):
        raise RuleError(
            "session.twice",
            advising(
                Sentence("{where} has results already: say which board is missing", where=_where(session, absent))
            ),
        )


def expect_ruling(session: SessionState, ruling: ev.EveningAdjust) -> None:
    """Refuse a ruling that does not fit.

    Raises RuleError `session.seats`, `session.board`, FormatError `format.value`.
    """
    if ruling.entry is not None:
        if ruling.entry not in session.entries:
            entries = ", ".join(map(str, session.entries)) or "none yet"
            raise RuleError(
                "session.seats",
                Sentence("there is no entry {entry}: entries are {entries}", entry=ruling.entry, entries=entries),
            )
        return
    if session.opening.scoring.kind not in ON_BOARDS:
        raise FormatError(
            "format.key", Sentence("this evening is played without boards: rule on the match itself, or give a penalty")
        )
    seated = _expect_players(session, ruling.round or 0, ruling.table or 0)
    _expect_board(session, seated, ruling, needed=True)
    for award in (ruling.ns, ruling.ew):
        for each in award if isinstance(award, tuple) else ():
            if (each.score is None) == (each.contract is None):
                raise FormatError(
                    "format.key",
                    Sentence("each result of a ruling has 'score', or 'contract' with its tricks: give one"),
                )
            if each.contract is not None:
                score(each.contract, each.declarer, each.tricks, ruling.board or 1)
        if not isinstance(award, tuple) and award is not None and not 0 <= award <= 100:
            raise FormatError("format.value", Sentence("a percentage is 0 to 100, not {award}", award=award))


def entries_of(
    session: SessionState, event: ev.Table, seq: int
) -> tuple[tuple[int, ...], dict[int, tuple[Lineup, ...]]]:
    """Return the entries at a table by seat, and those that begin there.

    Players are entries where single players compete.

    Raises RuleError `session.seats`.
    """
    by_player = {player: number for number in session.entries for player in session.players(number, event.round)}
    entries: list[int] = []
    added: dict[int, tuple[Lineup, ...]] = {}
    for seat in event.seats:
        if isinstance(seat, int):
            if seat not in session.entries:
                raise RuleError(
                    "session.seats",
                    advising(Sentence("there is no entry {seat}: enter it first, then set the table", seat=seat)),
                )
            entries.append(seat)
        elif session.opening.unit != "player":
            raise RuleError(
                "session.seats",
                advising(
                    Sentence(
                        "{seat} plays for a {unit} here: give the number of the entry",
                        seat=seat,
                        unit=session.opening.unit,
                    )
                ),
            )
        else:
            number = by_player.setdefault(seat, max([0, *session.entries, *added]) + 1)
            if number not in session.entries:
                added[number] = (Lineup(event.round, (seat,), None, seq),)
            entries.append(number)
    return tuple(entries), added


def _expect_players(session: SessionState, round: int, table: int) -> Seated:
    seated = session.seated(round, table)
    if not seated.plays:
        alone = [entry for entry in seated.seats if entry]
        who = Sentence("entry {entry} sits out", entry=alone[0]) if alone else Sentence("its seats are empty")
        raise RuleError(
            "session.seats",
            advising(
                Sentence(
                    "nobody plays at table {table} in round {round}, {who}: check round and table",
                    table=table,
                    round=round,
                    who=who,
                )
            ),
        )
    return seated


def _expect_board(
    session: SessionState, seated: Seated, event: ev.Result | ev.Absent | ev.EveningAdjust, needed: bool
) -> None:
    board, on_boards = event.board, session.opening.scoring.kind in ON_BOARDS
    if board is None:
        if needed and on_boards:
            raise RuleError(
                "session.board",
                advising(Sentence("{where} plays boards: say which board this is", where=_where(session, event))),
            )
    elif not on_boards and not seated.boards:
        raise RuleError(
            "session.board", advising(Sentence("this evening is played without boards: leave the board out"))
        )
    elif seated.boards and board not in seated.boards:
        theirs = ", ".join(map(str, seated.boards))
        raise RuleError(
            "session.board",
            advising(
                Sentence(
                    "{where} has boards {theirs}, not {board}: check the number",
                    where=_where(session, event),
                    theirs=theirs,
                    board=board,
                )
            ),
        )


def _expect_new(session: SessionState, event: ev.Result | ev.Absent) -> None:
    key = event.round, event.table, event.board
    whole = event.round, event.table, None
    entered = [kept.get(at) for kept in (session.results, session.absences) for at in dict.fromkeys((key, whole))]
    for earlier in filter(None, entered):
        if _one_to_come(event, earlier[1]):
            continue
        board = "" if event.board is None else Sentence(", board {board},", board=event.board)
        raise RuleError(
            "session.twice",
            advising(
                Sentence(
                    "{where}{board} is entered already, as event {earlier}: amend that event",
                    where=_where(session, event),
                    board=board,
                    earlier=earlier[0],
                )
            ),
        )


def _one_to_come(one: Event, other: Event) -> bool:
    """Tell whether of two events one is an absence, and the other a result that names a match.

    What it played counts.
    """
    matches = [each.match for each in (one, other) if isinstance(each, ev.Result)]
    return len(matches) == 1 and matches[0] is not None


def _expect_by_seat(key: str, values: tuple[int, ...] | None, seats: int) -> None:
    """Refuse points or places that are not one for each seat.

    Two pairs at a table may have four, partners equal ones.
    """
    if values is None:
        return
    pairs = seats == 2 and len(values) == 4 and values[:2] == values[2:]
    if len(values) != seats and not pairs:
        raise RuleError(
            "session.seats",
            advising(
                Sentence(
                    "{key} are {given}, but {seats} play at this table: give one for each seat",
                    key=key,
                    given=len(values),
                    seats=seats,
                )
            ),
        )
    one_each = values[:seats]
    if key == "places" and places(one_each, low=True) != one_each:
        raise FormatError("format.value", Sentence("places count all before them, such as 1 2 2 4: correct them"))


def _where(session: SessionState, event: ev.Result | ev.Absent | ev.EveningAdjust) -> Sentence:
    name = "" if event.round is None or event.table is None else session.table_name(event.round, event.table)
    return Sentence("table {table} in round {round}", table=name, round=event.round)
