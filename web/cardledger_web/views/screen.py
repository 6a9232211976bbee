"""The big screen of an evening: the tables of the present round and the ranking, cut into slides that fit on it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cardledger.errors import RuleError, StoreError
from cardledger.record.readmodels.tables.boards import in_play
from cardledger.record.recording.directing import left_open
from cardledger.rules.engine.at_any_time import VOID
from cardledger.rules.evenings.session import SessionState
from cardledger_web.languages import _, decimal, minus, ngettext, translated
from cardledger_web.views.evening import board_numbers, boards_done
from cardledger_web.views.persons import called, seated
from cardledger_web.views.ranking import heading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.match import Match
    from cardledger.rules.evenings import evening_events as ev
    from cardledger.rules.evenings.lineup import Seated

_LINES = 10
"""Lines of names and headings that a slide has room for, in letters large enough for the back of a hall."""
_COLUMNS = 2
_PLACES = 9
"""Places of a ranking that a slide has room for."""


@dataclass(frozen=True, slots=True)
class ScreenSeat:
    """Who sits at a seat or two, with the points of the match so far and of its last hand, as printed.

    `wins` once it is over. `sits` is the line and the number of a pair, where boards are compared.
    """

    names: Sequence[str]
    points: str = ""
    last: str = ""
    wins: bool = False
    sits: str = ""


@dataclass(frozen=True, slots=True)
class ScreenTable:
    """A table on the screen; `match` is the match under way or over, `said` the result where there is none."""

    name: str
    lines: Sequence[ScreenSeat]
    match: Match[Any] | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class RankedLine:
    """An entry of the ranking: its place (empty without one), its names, its total as printed."""

    place: str
    names: Sequence[str]
    total: str


@dataclass(frozen=True, slots=True)
class Slide:
    """What is on the screen at one time: tables, or a part of the ranking under its heading."""

    heading: str
    tables: Sequence[ScreenTable] = ()
    ranking: Sequence[RankedLine] = ()


class Screen:
    """The slides of an evening; everything on them is public.

    `refusal` says why there is no ranking.
    """

    def __init__(self, ledger: Ledger, evening: str) -> None:
        """Read an evening; raises StoreError `store.unknown`."""
        state = ledger.evenings.stream(evening).state
        if not isinstance(state, SessionState):
            raise StoreError("store.unknown", f"there is no evening {evening}")
        self._ledger, self._state = ledger, state
        self.opening = state.opening
        self.round = self._present_round()
        self.refusal = ""
        self.slides = [*self._tables(), *self._ranking(evening)]

    def _present_round(self) -> int:
        """Return the number of the round that is played now, 0 before any."""
        rounds = self._state.rounds
        begun = [round for round in rounds if round <= self._state.round]
        ahead = rounds[len(begun) :]
        if begun and (not ahead or any(not self._over(begun[-1], number) for number in self._state.tables(begun[-1]))):
            return begun[-1]
        return ahead[0] if ahead else 0

    def _over(self, round: int, table: int) -> bool:
        """Tell whether a table has all the results of a round."""
        seated, results = self._state.tables(round)[table], self._results(round, table)
        if results and seated.boards and not left_open(self._ledger, self._state, round, table):
            return True
        matches = [self._ledger.stream(result.match).table for result in results if result.match]
        absent = {board for at, number, board in self._state.absences if (at, number) == (round, table)}
        given = {result.board for result in results} | absent
        return (
            not seated.plays
            or (None in given or given >= {*seated.boards})
            and bool(given)
            and all(match.status != "open" for match in matches)
        )

    def _results(self, round: int, table: int) -> list[ev.Result]:
        return [
            result for (at, number, _), (_, result) in self._state.results.items() if (at, number) == (round, table)
        ]

    def _played(self, result: ev.Result) -> bool:
        """Tell whether a board has been played: its match has finished it."""
        if result.match is None:
            return True
        match = self._ledger.stream(result.match).table
        over = {getattr(hand, "board", 0) for hand in match.hands if hand.scores is not None}
        return match.status != "open" or not over.isdisjoint((0, result.board))

    # --- tables

    def _tables(self) -> list[Slide]:
        tables = [
            self._table(number, seated) for number, seated in self._state.tables(self.round).items() if seated.plays
        ]
        most = max((sum(max(1, len(line.names)) for line in table.lines) for table in tables), default=1)
        each = _COLUMNS * max(1, _LINES // (most + 1))
        parts = [tables[first : first + each] for first in range(0, len(tables), each)]
        return [Slide(_("Round %(number)s", number=self.round), tables=part) for part in parts]

    def _table(self, number: int, seated: Seated) -> ScreenTable:
        results, name = self._results(self.round, number), self._state.table_name(self.round, number)
        if len(results) == 1 and results[0].match and not results[0].board:
            return self._of_match(name, results[0].match)
        entries = [called(self._ledger, players) for players in self._state.at_table(self.round, seated)]
        points = results[0].points if len(results) == 1 else None
        lines = [
            ScreenSeat(
                names,
                minus(points[seat]) if points and len(points) == len(entries) else "",
                sits=f"{(_('NS'), _('EW'))[seat]} {seated.seats[seat]}" if seated.boards and len(entries) == 2 else "",
            )
            for seat, names in enumerate(entries)
        ]
        boards = {result.board for result in results if result.board and self._played(result)}
        if seated.boards:
            done = _("over") if self._over(self.round, number) else boards_done(len(boards), len(seated.boards))
            numbers = board_numbers(seated.boards)
            progress = ngettext(
                "board %(numbers)s, %(done)s",
                "boards %(numbers)s, %(done)s",
                len(seated.boards),
                numbers=numbers,
                done=done,
            )
        else:
            progress = _("result entered") if results else _("no result yet")
        return ScreenTable(name, lines, said=progress)

    def _of_match(self, name: str, id: str) -> ScreenTable:
        match = self._ledger.stream(id).table
        names = seated(self._ledger, id, match.players)
        last: Sequence[int | None] = next(
            (hand.scores for hand in reversed(match.hands) if hand.scores is not None), [None] * match.n
        )
        lines = []
        for seats in match.sides or [[seat] for seat in range(match.n)]:
            scored = last[seats[0]]
            lines.append(
                ScreenSeat(
                    [names[seat] for seat in seats],
                    minus(match.totals[seats[0]]),
                    "" if scored is None else _signed(scored),
                    seats[0] in match.winners,
                )
            )
        return ScreenTable(name, lines, match, _("void") if match.status == VOID else "")

    # --- ranking

    def _ranking(self, evening: str) -> list[Slide]:
        if not self._state.entries:
            return []
        try:
            boards = in_play(self._ledger.views.current)  # everybody in the hall reads the screen
            rows = self._ledger.evenings.rankings.without(boards).ranking(evening).rows
        except RuleError as error:
            self.refusal = translated(error.message)
            return [Slide(_("Ranking"))]
        slides = []
        for (section, line), group in groupby(rows, lambda row: (row.get("section"), row.get("line"))):
            title = heading(section, line) or _("Ranking")
            ranked = [
                RankedLine(
                    row["place"],
                    called(self._ledger, row["players"]),
                    f"{decimal(row['percent'])} %" if "percent" in row else minus(row["total"]),
                )
                for row in group
            ]
            slides += [Slide(title, ranking=ranked[at : at + _PLACES]) for at in range(0, len(ranked), _PLACES)]
        return slides


def _signed(points: int) -> str:
    """Return points with their sign: what a hand added.

    >>> _signed(5), _signed(-3), _signed(0)
    ('+5', '−3', '0')
    """
    return f"+{points}" if points > 0 else str(minus(points))
