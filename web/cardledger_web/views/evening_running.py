"""What runs an evening: its tables with what is left to do at each, and the form of the next round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import RuleError, StoreError
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.at_tables import record_until_taken
from cardledger.record.recording.directing import left_open
from cardledger.record.recording.rounds import pairs_can_meet
from cardledger.rules.evenings.drive_sheet import DrivenHand, driven_hand, last_hand
from cardledger.rules.evenings.other_game import ANY_SIZE, game_played
from cardledger.rules.evenings.said import differences
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games import games
from cardledger_api.auth.visible import rankings_shown
from cardledger_web.views.evening import board_numbers
from cardledger_web.views.wording import seat_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.readmodels.questions.evening_list import EveningTable
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.proposed_round import Proposal
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.lineup import Seated

LEADING = 5
"""How many entries the standing on a scorer's page shows."""


class RoundTable(NamedTuple):
    """A table of a round: its players by seat, and where its result comes from.

    `seats` are the short names of the seats, `game` is the title of its game, on an evening of several games. `state`
    is `ready` for a match without a hand, `open` while it is played, `over`, `void`, `entered` for a result without a
    match, `differs` where the director has to decide between two, or `missing`. Where boards are compared, `pairs` are the numbers north-south and east-west, and `boards`
    those that it plays, as printed. `name` is what the table is called: B1 in a section.
    """

    round: int
    number: int
    players: tuple[str, ...]
    seats: tuple[str, ...]
    game: str | None
    match: str | None
    state: str
    pairs: tuple[int, ...] = ()
    boards: str = ""
    name: str = ""

    @property
    def waits(self) -> bool:
        """Whether something is still to be done here."""
        return self.state not in ("over", "entered")


class Running(NamedTuple):
    """An evening as those who run it see it.

    Tables to show, the round they belong to, how many are here and how many entries compete.

    `tables` are those of the last round, after those of earlier rounds that still wait; of a closed evening those
    with a match. `results` counts all results,
    `by_sheet` tells whether results without a match can be entered here, `unplayed` whether the last round can be
    taken back: nothing is played in it yet. `drive` is the last hand of a drive, `guided` whether
    a movement has planned seats, so that there are guide cards.
    """

    evening: str
    closed: bool
    round: int
    tables: list[RoundTable]
    unit: str
    here: int
    entries: int
    substitutes: bool
    results: int
    by_sheet: bool
    unplayed: bool
    drive: DrivenHand | None = None
    guided: bool = False

    @property
    def waiting(self) -> list[RoundTable]:
        """The tables where something is still to be done; none once the evening is closed."""
        return [] if self.closed else [table for table in self.tables if table.waits]

    def besides(self, round: int, tables: Sequence[Any]) -> list[Any]:
        """Return the tables of a round that do not wait: the others stand at the top of the page."""
        if self.drive is not None:  # its tables are on the sheet of the hand
            return [*tables]
        waiting = {table.number for table in self.waiting if table.round == round}
        return [table for table in tables if table.number not in waiting]

    def can_correct(self, round: int, number: int) -> bool:
        """Tell whether the result of a table was entered without a match, and can be entered again."""
        entered = [table for table in self.tables if table.state == "entered" and not self.closed]
        return self.by_sheet and any((table.round, table.number) == (round, number) for table in entered)


@dataclass
class RoundForm:
    """The form of the next round: the tables as proposed, or as sent; `wrong` is why they were refused.

    `fixed` tables are those of a movement, or set before: nobody is exchanged there, and they keep their `numbers`.
    """

    round: int
    game: str
    size: str
    tables: list[tuple[str, ...]]
    sitting_out: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    fixed: bool = False
    wrong: str = ""
    by_hand: bool = False
    choices: list[str] = field(default_factory=list)
    numbers: tuple[int, ...] = ()


class EveningStanding(NamedTuple):
    """The evening of a match, and who leads there: printed rows, each with whether somebody of the match is in it."""

    table: EveningTable
    rows: list[tuple[dict[str, Any], bool]]


def standing_of(ledger: Ledger, match: str) -> EveningStanding | None:
    """Return the standing of the evening that a match belongs to, None without one."""
    table = table_of(ledger, match)
    if table is None:
        return None
    try:
        rows = rankings_shown(ledger).ranking(table.evening).rows
    except RuleError:  # a match of the evening is void: its page says so
        rows = []
    here = {*ledger.people().seated(match, ledger.stream(match).table.players)}
    leading = [row for row in rows if row["place"]][:LEADING]
    return EveningStanding(table, [(row, not here.isdisjoint(row["players"])) for row in leading])


def session_of(ledger: Ledger, evening: str) -> SessionState:
    """Return an evening now; raises StoreError `store.unknown`."""
    state = ledger.evenings.stream(evening).state
    if not isinstance(state, SessionState):
        raise StoreError("store.unknown", f"there is no session {evening}")
    return state


def next_step(state: SessionState) -> str:
    """Return the page that leads to the next round: `evening_round`, or what is still needed for its tables."""
    alone = state.opening.unit == "player"
    meets = state.opening.unit == "pair" and pairs_can_meet(game_played(state, None))
    seated = alone or (meets and len(state.entries) > 1)
    if last_hand(state):
        return "evening_drive"
    if (seated and state.opening.scoring.kind not in ON_BOARDS) or state.movements or state.tables(state.round + 1):
        return "evening_round"
    return "evening_movement" if alone or state.entries else "evening_entries"


def takes_substitutes(state: SessionState) -> bool:
    """Tell whether other players can take over a number: a round has begun, and the rounds to come seat numbers."""
    return state.round > 0 and bool(state.entries) and (state.opening.unit != "player" or bool(state.planned))


def running(ledger: Ledger, evening: str) -> Running:
    """Return an evening as those who run it see it; raises StoreError `store.unknown`."""
    state = session_of(ledger, evening)
    open_now = {(each.round, each.table) for each in differences(ledger.evenings.stream(evening))}
    closed = state.status == "closed"
    by_sheet = state.opening.scoring.kind not in ON_BOARDS
    # Where boards are compared, a movement plans rounds long before their tables are opened.
    begun = {round for round, _ in state.by_hand} | {*range(state.round + 1)}
    rounds = [round for round in state.rounds if by_sheet or round in begun]
    last = max(rounds, default=0)
    drive = driven_hand(state) if last_hand(state) else None
    rounds = rounds if drive is None else rounds[-1:]  # no hand of a drive begins before the one before is over
    tables = [
        table
        for round in rounds
        for number, seated in state.tables(round).items()
        if seated.plays
        and ((table := _table(ledger, state, round, number, seated, open_now)).waits or round == last)
        and not (closed and table.state in ("entered", "missing"))
    ]
    unplayed = all(
        table.state in ("ready", "missing") and (last, table.number) in state.by_hand
        for table in tables
        if table.round == last
    )
    return Running(
        evening, closed, last, tables, state.opening.unit, len(state.here), len(state.entries), takes_substitutes(state),
        len(state.results), by_sheet, unplayed and bool(tables), drive,
        bool(state.planned) and not closed,
    )  # fmt: skip


def _table(
    ledger: Ledger, state: SessionState, round: int, number: int, seated: Seated, open_now: Collection[tuple[int, int]]
) -> RoundTable:
    results = [result for (at, table, _), (_, result) in state.results.items() if (at, table) == (round, number)]
    absent = any(at[:2] == (round, number) for at in state.absences)
    match = results[0].match if results else None
    word = "differs" if (round, number) in open_now else "entered" if results or absent else "missing"
    if match is not None:
        row = match_row(ledger, match)
        word = {"open": "open" if row["hands"] else "ready", "void": "void"}.get(row["status"], "over")
        if word in ("open", "ready") and _nothing_left(ledger, state, round, number, seated):
            word = "over"  # its other boards were said not to be played
    game = None if state.opening.game else games().get(seated.game or "")
    players = state.by_seat(round, seated)
    seats = tuple(short for _full, short in seat_names(seated.game or state.opening.game, len(players)))
    pairs = seated.seats if seated.boards and len(seated.seats) == 2 else ()
    boards = board_numbers(seated.boards)
    name = state.table_name(round, number)
    return RoundTable(round, number, players, seats, game.title if game else None, match, word, pairs, boards, name)


def _nothing_left(ledger: Ledger, state: SessionState, round: int, number: int, seated: Seated) -> bool:
    """Tell whether nothing is left to play at a table whose match is open: the director decided on the rest."""
    if state.opening.scoring.kind in ON_BOARDS and seated.boards:
        return not left_open(ledger, state, round, number)
    return (round, number, None) in state.absences


def proposed(ledger: Ledger, evening: str, game: str, size: str) -> RoundForm:
    """Return the form with the next round as it is proposed; raises like `Rounds.propose`."""
    smallest, largest = size_of(size)
    proposal = ledger.evenings.rounds.propose(evening, game or None, smallest, largest)
    return RoundForm(
        proposal.round, proposal.game or game, size, [table.players for table in proposal.tables],
        proposal.sitting_out, proposal.reasons, fixed=not seated_here(proposal),
        numbers=tuple(table.number for table in proposal.tables),
        choices=_by_name(ledger, session_of(ledger, evening).here),
    )  # fmt: skip


def seated_here(proposal: Proposal) -> bool:
    """Tell whether single players were seated for this round: then they can be exchanged."""
    return bool(proposal.decided) and all(isinstance(seat, str) for table in proposal.decided for seat in table.seats)


def as_sent(ledger: Ledger, evening: str, form: RoundForm) -> RoundForm:
    """Return a form that was sent, with the players to choose from and those at no table."""
    here = session_of(ledger, evening).here
    seated = {player for table in form.tables for player in table}
    form.choices = _by_name(ledger, {**dict.fromkeys(here), **dict.fromkeys(seated)})
    form.sitting_out = tuple(player for player in here if player not in seated)
    return form


def _by_name(ledger: Ledger, players: Sequence[str] | dict[str, bool] | dict[str, None]) -> list[str]:
    people = ledger.people()
    return sorted(players, key=lambda player: people.name(player).casefold())


def game_of_round(state: SessionState) -> str:
    """Return the game of the next round unless another is chosen: that of the evening, or of its last round.

    "" for none.
    """
    if state.opening.game or state.opening.other_game:
        return state.opening.game or ""
    played = [seated.game for round in state.rounds for seated in state.tables(round).values() if seated.game]
    return played[-1] if played else ""


def size_of(text: str) -> tuple[int | None, int | None]:
    """Return the least and the most players at a table.

    `4` is at most 4, `=4` is 4, anything else leaves it to the game.

    >>> size_of("4"), size_of("=4"), size_of("")
    ((None, 4), (4, 4), (None, None))
    """
    exactly, number = text.startswith("="), text.removeprefix("=")
    if not (number.isascii() and number.isdigit() and 2 <= int(number[:3]) <= 99):
        return None, None
    return (int(number) if exactly else None), int(number)


def sizes(state: SessionState, game: str) -> list[int]:
    """Return the numbers of players at a table that the game of a round allows; of any game 2 to 8."""
    known = game_played(state, game or None)
    return [*(known.sizes if known else ANY_SIZE)]


def recorded(ledger: Ledger, evening: str, by: Recorder | str, events: Callable[[Any], Sequence[Event]]) -> None:
    """Record what `events` makes of the state of an evening or a league, as `record_until_taken` does."""
    record_until_taken(ledger, evening, by, lambda stream: events(stream.state), as_written=False)
