"""An evening as its page shows it: the ranking, its tables, what was published, and what differs now."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError, RuleError, StoreError
from cardledger.record.matches.describe import evening_event_in_words
from cardledger.record.recording.secrecy import public_evening_event
from cardledger.rules.engine.events import Event
from cardledger.rules.evenings.drive_sheet import driven_hand, is_over
from cardledger.rules.evenings.evening_events import Member, Movement, Result
from cardledger.rules.evenings.prizes import prizes
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.score_cards import lowest_first
from cardledger.rules.evenings.scoring import COMPARED, ON_BOARDS
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.standings import Standing
from cardledger.rules.games import games
from cardledger_api.auth.visible import hidden_boards, secret_matches
from cardledger_api.current import people_of
from cardledger_web.languages import N_, _, here, joined, minus, ngettext, translated
from cardledger_web.views.directing import DirectorsDecision, decisions_of
from cardledger_web.views.drive import PrizeRow, prize_rows
from cardledger_web.views.persons import called
from cardledger_web.views.ranking import ON_PODIUM, PlaceRow, heading, moved, publications, why_no_place
from cardledger_web.views.wording import seat_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardledger.record.recording.comparison import ChangedRow
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.moment import Moment
    from cardledger.record.recording.rankings import Published
    from cardledger.rules.evenings.lineup import Seated
    from cardledger.rules.evenings.stream import EveningStream

UNITS = {
    "matchpoints": N_("matchpoints"), "percentile": N_("percentiles"), "cross_imps": N_("IMPs"), "butler": N_("IMPs"), "teams": N_("IMPs"),
    "total": N_("points"), "places": N_("place points"),
}  # fmt: skip
"""What is added up, by the kind of scoring."""
SCORED = {
    "matchpoints": N_("Matchpoints: every result is compared with those of the other tables"),
    "percentile": N_("Percentiles: every result is compared with those of the other tables"),
    "cross_imps": N_("IMPs against every other table"),
    "butler": N_("IMPs against the mean of the tables"),
    "teams": N_("IMPs of team matches"),
    "total": N_("The points of all matches, added up"),
    "places": N_("Points for the place at each table"),
}
"""How an evening is scored, by the kind of scoring."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat at a table, numbered from 1, or its direction: who sits there, the points of the game, what these were worth; `best`: nobody had more."""

    seat: str
    entry: int
    players: tuple[str, ...]
    points: str | None
    scored: str | None
    best: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of a round: its seats, its match, and the event that says what it scored (or who sits there).

    `open` is how far a match under way has come, `said` a result that is no match or points, or why there is none. `name`
    is what it is called: B1 in a section.
    """

    number: int
    seats: list[SeatLine]
    seq: int
    match: str | None = None
    game: str | None = None
    boards: tuple[int, ...] = ()
    open: str = ""
    said: str = ""
    name: str = ""


class EveningView:
    """An evening as of a position, or as it is now; players are ids of persons.

    `refusal` says why there is no ranking, such as a match that was declared void. `hidden` are boards that the reader
    may not see yet: nothing of them is here; `secret` are matches with such a board.
    """

    def __init__(self, ledger: Ledger, id: str, position: int | None = None, *, compare: bool = True) -> None:
        """Read an evening, compared with what was published unless asked not to; raises StoreError `store.unknown`."""
        self._ledger = ledger
        self.id = id
        self.position = position
        self.moment: Moment = ledger.evenings.at(position)
        self.stream: EveningStream = self.moment.evening(id)
        if not isinstance(self.stream.state, SessionState):
            raise StoreError("store.unknown", f"there is no evening {id}")
        hidden = hidden_boards(ledger)
        self.hidden = hidden.get(id, frozenset())
        self.secret = secret_matches(ledger)
        self.state: SessionState = self.stream.state.without(self.hidden)
        self.opening = self.state.opening
        self.scoring = self.opening.scoring
        self.refusal = ""
        self.rankings = ledger.evenings.rankings.without(hidden)
        self.standings: list[Standing] = []
        try:
            self.standings = self.rankings.standings(id, position)
        except RuleError as error:
            self.refusal = translated(error.message)
        self.published: list[Published] = []
        self.changed: list[ChangedRow] = []
        if compare:
            ranked = not self.refusal and not self.hidden
            self.published, self.changed = publications(ledger, id, position, ranked=ranked)
        self.rows = [*self._rows()]

    # --- about it

    @property
    def over(self) -> bool:
        """Whether the evening is closed."""
        return self.state.status == "closed"

    @property
    def game(self) -> str | None:
        """The title of its game, None for any."""
        return self._title(self.opening.game) or self.opening.other_game

    @property
    def unit(self) -> str:
        """What its totals count."""
        if self.drive is not None and self.drive.tricks is not None:
            return N_("tricks")
        return "VP" if self.scoring.kind == "teams" and self.scoring.vp else UNITS[self.scoring.kind]

    @property
    def scored(self) -> str:
        """How it is scored, in a sentence."""
        if self.drive is not None and self.drive.tricks is not None:
            return _("A progressive drive: the tricks of each person, added up.")
        lowest = _("; the lowest total wins") if lowest_first(self.state) else ""
        return f"{translated(SCORED[self.scoring.kind])}{lowest}."

    @property
    def compares(self) -> bool:
        """Whether its ranking has percentages."""
        return self.scoring.kind in COMPARED

    @property
    def adds_up(self) -> bool:
        """Whether a table scores the points of its game."""
        return self.scoring.kind == "total"

    @property
    def on_boards(self) -> bool:
        """Whether its results are those of boards."""
        return self.scoring.kind in ON_BOARDS

    def _title(self, game: str | None) -> str | None:
        known = games().get(game) if game else None
        return translated(known.title) if known else game

    @property
    def drive(self) -> Movement | None:
        """Its movement if that is a progressive drive, else None."""
        movement = self.state.movements[-1] if self.state.movements else None
        return movement if movement is not None and movement.kind == "drive" else None

    @property
    def all_hands_played(self) -> bool:
        """Whether it is a drive whose last hand is played."""
        return self.drive is not None and is_over(driven_hand(self.state))

    @property
    def has_cards(self) -> bool:
        """Whether each entry has a card with all it played."""
        return self.on_boards or self.drive is not None

    def prizes(self) -> list[PrizeRow]:
        """Return the prizes of a drive as it stands; none otherwise."""
        if self.drive is None:
            return []
        found = prizes(self.state, self.standings, self.stream.hidden_table)
        return prize_rows(found, {each.entry: each.players for each in self.standings}, self.drive.tricks is not None)

    # --- the ranking

    def _rows(self) -> Iterator[PlaceRow]:
        changed = {row.entry: row for row in self.changed}
        decimals, busiest = self.scoring.decimals, max((each.played for each in self.standings), default=0)
        for each in self.standings:
            row = changed.get(each.entry)
            yield PlaceRow(
                each.entry, each.place, each.players, each.line, minus(printed(each.total, decimals)),
                None if each.percent is None else minus(printed(each.percent, decimals)),
                each.played, why_no_place(each, busiest), row, moved(row), each.section,
            )  # fmt: skip

    def lines(self) -> list[tuple[str, list[PlaceRow]]]:
        """Return the rankings, each under its heading: one, or one for each section and each line where two win."""
        groups = dict.fromkeys((row.section, row.line) for row in self.rows)
        return [
            (
                heading(section, line),
                [row for row in self.rows if (row.section, row.line) == (section, line) and row.place],
            )
            for section, line in groups
        ]

    @staticmethod
    def podium(rows: Sequence[PlaceRow]) -> list[PlaceRow]:
        """Return the rows of the first three places; nothing before anybody has played."""
        return [row for row in rows if 0 < row.step <= ON_PODIUM and row.played]

    @property
    def unplaced(self) -> dict[str, list[PlaceRow]]:
        """The entries without a place, by the reason."""
        reasons: dict[str, list[PlaceRow]] = {}
        for row in self.rows:
            if not row.place:
                reasons.setdefault(row.why, []).append(row)
        return reasons

    # --- the tables

    def rounds(self) -> list[tuple[int, list[TableRow], list[str]]]:
        """Return the rounds, the latest last: number, tables, and who sits out; of a drive the last hand.

        The sheets of a drive have the other hands.
        """
        scores = {
            (each.entry, score.round, score.table): Fraction(0) for each in self.standings for score in each.scores
        }
        for each in self.standings:
            for score in each.scores:
                scores[each.entry, score.round, score.table] += score.points.value
        rows = []
        for round in self.state.rounds[-1:] if self.drive is not None else self.state.rounds:
            seated = self.state.tables(round)
            tables = [self._table(round, number, one, scores) for number, one in seated.items() if one.plays]
            sitting = [
                p
                for one in seated.values()
                if not one.plays
                for entry in one.seats
                if entry
                for p in self.persons(entry, round)
            ]
            playing = {player for table in tables for seat in table.seats for player in seat.players}
            here = map(self.moment.people.person, self.state.present.get(round, ()))
            rows.append((round, tables, [*dict.fromkeys([*sitting, *(p for p in here if p not in playing)])]))
        return rows

    def persons(self, entry: int, round: int | None = None) -> tuple[str, ...]:
        """Return the persons of an entry, in a round or ever."""
        players = self.state.everybody(entry) if round is None else self.state.players(entry, round)
        return tuple(map(self.moment.people.person, players))

    def _table(
        self, round: int, number: int, seated: Seated, scores: Mapping[tuple[int, int, int], Fraction]
    ) -> TableRow:
        results = [(seq, result) for at, (seq, result) in self.state.results.items() if at[:2] == (round, number)]
        absences = [(seq, absent) for at, (seq, absent) in self.state.absences.items() if at[:2] == (round, number)]
        decimals, points, match, open, said, seq = self.scoring.decimals, None, None, "", "", seated.seq
        if results and not self.on_boards:
            ((seq, result),) = results[:1]
            match, points = result.match, result.points
            if match is not None:
                points, open, said = self._of_match(match)
            elif result.places is not None:
                said = result.said
        elif results:
            match, open = self._of_boards([result for _, result in results])
        elif absences and absences[0][1].board is None:
            seq, said = absences[0][0], absences[0][1].said
        won = {
            each.entry
            for each in self.standings
            for s in each.scores
            if (s.round, s.table, s.board) == (round, number, None) and s.points.best
        }
        rows = []
        at_table = self.state.at_table(round, seated)
        game = seated.game or self.opening.game
        names = _seat_names("bridge" if self.on_boards else game, len(seated.seats))
        for seat, entry in enumerate(seated.seats):
            scored = scores.get((entry, round, number))
            rows.append(
                SeatLine(
                    names[seat],
                    entry,
                    tuple(map(self.moment.people.person, at_table[seat])),
                    minus(points[seat]) if points and seat < len(points) and not open.startswith("before") else None,
                    minus(printed(scored, decimals)) if scored is not None else None,
                    entry in won,
                )
            )
        name = self.state.table_name(round, number)
        return TableRow(number, rows, seq, match, self._title(game), seated.boards, open, said, name)

    def _of_match(self, match: str) -> tuple[tuple[int, ...] | None, str, str]:
        """Return the points of a match, how far it has come while it is played, and what is wrong with it."""
        try:
            points = self.moment.result_of(match).points
        except RuleError:
            return None, "", _("the match is void")
        except LedgerError as error:
            return None, "", error.code
        table = self._ledger.stream(match).table
        if self.position is not None or table.status != "open":
            return points, "", ""
        hand = table.hand
        if not hand.over:
            return points, _("hand %(hand)s", hand=hand.number), ""
        how_far = _("after hand %(hand)s", hand=len(table.hands)) if table.hands else _("before the first deal")
        return points, how_far, ""

    def _of_boards(self, results: Sequence[Result]) -> tuple[str | None, str]:
        """Return the match of a table whose boards are compared, if one gives them all, and how far it has come."""
        match, others = results[0].match, {result.match for result in results[1:]}
        if match is None or others - {match} or match in self.secret:
            return None, ""
        table = self._ledger.stream(match).table
        if self.position is not None or table.status != "open":
            return match, ""
        done = sum(hand.scores is not None for hand in table.hands)
        return match, boards_done(done, len(results))

    @property
    def live(self) -> list[tuple[int, TableRow]]:
        """The tables with a match under way, each with its round."""
        return [(round, table) for round, tables, _ in self.rounds() for table in tables if table.open]

    def matches(self) -> list[str]:
        """Return the matches of its tables, in the order of play."""
        return [
            *dict.fromkeys(
                result.match for _, (_, result) in sorted(self.state.results.items(), key=_order) if result.match
            )
        ]

    # --- its events

    def rulings(self) -> list[DirectorsDecision]:
        """Return the rulings and penalties of the director, and what was not played but for byes."""
        made = decisions_of(
            self._ledger, self.stream, self.state, lambda: self.rankings.travellers(self.id, self.position), self.hidden
        )
        return [one for one in made if not one.bye]

    def words(self, event: Event) -> str:
        """Return an event of the evening in words, with names."""
        shown = public_evening_event(event, self.hidden)
        if shown is not event and not isinstance(event, Member):
            return _("a board that another table has yet to play: shown when it is open")
        return evening_event_in_words(event, people_of(self._ledger).name, self._entry, here(), self.state.table_name)

    def _entry(self, number: int) -> str:
        known = number in self.state.entries
        return joined(called(self._ledger, self.persons(number))) if known else _("number %(number)s", number=number)


def boards_done(done: int, every: int) -> str:
    """Say how many boards of a table are done."""
    return ngettext("%(done)s of %(num)s board", "%(done)s of %(num)s boards", every, done=done)


def board_numbers(boards: Sequence[int]) -> str:
    """Return the numbers of boards as printed, neighbours as a span.

    >>> board_numbers((1, 2, 3, 7)), board_numbers((5,))
    ('1–3, 7', '5')
    """
    spans: list[list[int]] = []
    for board in sorted({*boards}):
        if spans and spans[-1][-1] == board - 1:
            spans[-1].append(board)
        else:
            spans.append([board])
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}–{span[-1]}" for span in spans)


def _order(item: tuple[tuple[int, int, int | None], Any]) -> tuple[int, int, int]:
    (round, table, board), _ = item
    return round, table, board or 0


def _seat_names(game: str | None, n: int) -> list[str]:
    """Return the seats at a table in short; where two partners are one entry, their lines."""
    short = [short for _full, short in seat_names(game, n)]
    return short if n == len(short) else [_("NS"), _("EW")] * n
