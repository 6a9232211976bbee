"""The sheet of a whole match with results only: its recorded hands, and rows for those that are typed."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.errors import LedgerError
from cardledger.record.matches.results_only import (
    BLIND,
    ENDED,
    Asked,
    HandResult,
    boards_left,
    numbers_asked,
    points_of_all,
    points_that_follow,
    record_line,
    record_result,
    result_of,
    sides_of,
    typed_points,
)
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.hand_line import LineWords
from cardledger.rules.engine.score_sheet import doubt
from cardledger_web.languages import _, as_sentence, language, minus, ngettext, translated
from cardledger_web.views.directing import decision_in
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.datastructures import MultiDict

    from cardledger.rules.engine.hand_line import LineRules
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream

EMPTY_ROWS = 4
"""The rows of an empty sheet, and those that `More rows` adds."""
MOST_ROWS = 100
"""A number as it is typed."""
_WORDS = {"nil": 0, "n": 0, "blind": BLIND, "blind nil": BLIND, "bn": BLIND, "00": BLIND}
"""Bids that are words, or a number that stands for one."""


class SheetCell(NamedTuple):
    """A number to type: the name of its field, its text, the seats it belongs to, and the number that follows from the others."""

    name: str
    text: str
    seats: tuple[int, ...]
    follows: str = ""


class StandingCell(NamedTuple):
    """A side after a hand: its total, and the points of the hand."""

    total: int
    points: int


@dataclass
class SheetRow:
    """A hand: what was typed of it by kind or on one `line`, its board (0: none), the standing after it, and a remark.

    `state` is `recorded`, `empty`, `unfinished`, `wrong`, `doubtful`, `right`, or `decided` where a director's decision
    was typed for the board.
    """

    number: int
    state: str
    cells: dict[str, list[SheetCell]] = field(default_factory=dict)
    standing: list[StandingCell] = field(default_factory=list)
    remark: str = ""
    line: str = ""
    board: int = 0


@dataclass
class HandSheet:
    """The sheet of a match: `rows`, and with them `events`, what is to be recorded once every row is right.

    `columns` are the seats side by side, partners together, and `sides` the seats of each side. `first` is the seat
    that deals first, asked for until a hand is recorded; `left` is the number of its `boards` yet to be played; `blind`
    tells whether a nil may be blind. `playing` is the number of a hand that is being played: then nothing can be typed.
    `over` tells whether the match is over after the rows. `decides` tells whether a director's decision can be typed for
    a board, and `decision` is the board of one and what was typed. `takers` are the seats that may take everything in the
    hand `next`, with what that gives. `line` says how a hand is written on one line, in a game where players do.
    """

    seq: int
    players: Sequence[str]
    columns: list[int]
    sides: list[list[int]]
    asked: list[Asked]
    rows: list[SheetRow] = field(default_factory=list)
    events: list[ev.Event] = field(default_factory=list)
    boards: Sequence[int] = ()
    left: int = 0
    first: int = 0
    ends: bool = False
    as_written: bool = False
    starts: bool = False
    playing: int = 0
    blind: bool = False
    over: bool = False
    closed: bool = False
    wrong: str = ""
    takers: dict[int, tuple[int, ...]] = field(default_factory=dict)
    next: int = 0
    decides: bool = False
    decision: tuple[int, str] | None = None
    line: LineRules | None = None

    @property
    def most(self) -> int:
        """The number of the last hand that the sheet can have."""
        return sum(row.state == "recorded" for row in self.rows) + (self.left if self.boards else MOST_ROWS)

    @property
    def help(self) -> str:
        """How a hand is written on one line, as a sentence; "" where it is not."""
        return as_sentence(translated(self.line.help)) if self.line else ""

    @property
    def kinds(self) -> list[str]:
        """The kinds of numbers of a hand, in their order."""
        return list(dict.fromkeys(asked.kind for asked in self.asked))

    @property
    def by_seat(self) -> bool:
        """Whether there is a column for each seat, and not for each side."""
        return any(len(asked.seats) == 1 for asked in self.asked)

    @property
    def typed(self) -> list[SheetRow]:
        """The rows with something in them that is not recorded."""
        return [row for row in self.rows if row.state not in ("recorded", "empty")]

    def has(self, state: str) -> bool:
        """Tell whether a row is in a state."""
        return any(row.state == state for row in self.rows)

    def may_be_recorded(self) -> bool:
        """Tell whether all is right; otherwise `wrong` names the mistake."""
        bad = [row.number for row in self.typed if row.state in ("unfinished", "wrong")]
        if bad:
            hands = ", ".join(map(str, bad))
            self.wrong = ngettext(
                "Nothing is recorded yet: hand %(hands)s is not right.",
                "Nothing is recorded yet: hands %(hands)s are not right.",
                len(bad), hands=hands,
            )  # fmt: skip
        elif self.has("doubtful") and not self.as_written:
            self.wrong = _(
                "Nothing is recorded yet: some points are impossible. "
                "Correct them, or say that the sheet counts as written."
            )
        elif not self.typed and not self.ends:
            self.wrong = _("Nothing is typed yet.")
        return not self.wrong


def sheet_of(
    stream: Stream,
    match: str,
    players: Sequence[str],
    given: MultiDict[str, str],
    boards: Sequence[int] = (),
    *,
    decides: bool = False,
) -> HandSheet:
    """Return the sheet of a match with what was typed in it.

    `players` are the names by seat, `boards` those of its table that are to be played, `decides` whether the director
    types here.
    """
    table = stream.table.copy()
    sides = sides_of(table)
    sheet = HandSheet(
        stream.seq, players, [seat for side in sides for seat in side], sides, numbers_asked(table),
        ends="ends" in given, as_written="as_written" in given, starts=table.game.deal.first == "starter",
        boards=boards, decides=decides, closed=table.status != "open", blind=bool(table.options.get("blind_nil")),
        line=table.game.sheet.line,
    )  # fmt: skip
    first = given.get("first", "")
    sheet.first = int(first) if first.isdecimal() and int(first[:3]) < table.n else 0
    before = [0] * table.n
    for hand in table.hands:
        if hand.scores is None:
            sheet.playing = hand.number
            break
        standing = _standing(sides, before, hand.totals)
        sheet.rows.append(SheetRow(hand.number, "recorded", standing=standing, board=getattr(hand, "board", 0)))
        before = hand.totals
    if not sheet.playing and not sheet.closed:
        _read(sheet, table, given)
        _number(sheet, match)
    return sheet


def _read(sheet: HandSheet, table: Match[Any], given: MultiDict[str, str]) -> None:
    """Add the rows that were typed, each judged after those above it."""
    typed = {asked: [text.strip() for text in given.getlist(_name(asked))] for asked in sheet.asked}
    if any(asked.kind == "points" for asked in typed):
        sheet.takers = {seat: points for seat in sheet.columns if (points := points_of_all(table, seat))}
    if (all_to := given.get("all", "")).isdecimal() and (points := sheet.takers.get(int(all_to[:3]))):
        _take_all(typed, points)
    lines = [text.strip() for text in given.getlist("line")] if sheet.line else []
    filled = [any(texts) for texts in zip_longest(lines, *typed.values())]
    last = max((place for place, some in enumerate(filled, 1) if some), default=0)
    many = min(MOST_ROWS, max(EMPTY_ROWS, last + 1, len(filled)) + EMPTY_ROWS * ("more" in given))
    boards = boards_left(table, sheet.boards)
    if sheet.boards:
        sheet.left = len(boards)
        many = max(last, min(many, sheet.left))
    stopped, done = False, len(sheet.rows)
    for place in range(many):
        texts = {asked: (column[place] if place < len(column) else "") for asked, column in typed.items()}
        row = SheetRow(done + place + 1, "empty", _cells(sheet, texts))
        row.line = lines[place] if place < len(lines) else ""
        row.board = boards[place] if place < len(boards) else 0
        some = bool(row.line) or any(texts.values())
        if table.status != "open":
            if not some:
                break
            row.state, row.remark = "wrong", _("The match is over after hand %(hand)s.", hand=len(table.hands))
        elif some or place < last:
            table = _judge(sheet, row, table, texts, stopped=stopped)
            stopped = stopped or row.state in ("unfinished", "wrong")
        if row.state in ("empty", "unfinished"):
            sheet.next = sheet.next or row.number
        sheet.rows.append(row)
    sheet.over = table.status != "open"
    if sheet.ends and not sheet.over:
        sheet.events.append(ev.End(reason=ENDED))


def _take_all(typed: dict[Asked, list[str]], points: Sequence[int]) -> None:
    """Write the points of a hand in which one takes everything into the first row that is not filled."""
    columns = {asked: texts for asked, texts in typed.items() if asked.kind == "points"}
    rows = [*zip_longest(*columns.values(), fillvalue="")]
    place = next((at for at, row in enumerate(rows) if not all(row)), len(rows))
    for asked, texts in columns.items():
        texts += [""] * (place + 1 - len(texts))
        texts[place] = str(points[asked.seats[0]])


def _judge(sheet: HandSheet, row: SheetRow, table: Match[Any], texts: dict[Asked, str], *, stopped: bool) -> Match[Any]:
    """Judge what was typed of a hand, and return the match after it: as before if the hand is not right."""
    numbers: dict[Asked, int | None] = {}
    said = [text for text in (row.line, *texts.values()) if text]
    if sheet.decides and not stopped and _decide(sheet, row, table, said):
        return table
    row.state = "wrong"
    for asked, text in texts.items():
        numbers[asked] = number = _number_of(asked, text, blind=sheet.blind)
        if text and number is None:
            row.remark = _("“%(text)s” is no whole number.", text=text)
            return table
    if not said:
        row.state, row.remark = "unfinished", _("This hand is empty, and a later one is not.")
        return table
    if stopped:
        row.state, row.remark = "unfinished", _("First the hands above.")
        return table
    if row.line:
        return _judge_line(sheet, row, table, numbers)
    result = result_of(table, numbers)
    if not isinstance(result, HandResult):
        row.state, row.remark = "unfinished" if result.missing else "wrong", as_sentence(translated(result.why or ""))
        if result.missing and not row.remark:
            row.remark = _follows(row, table, numbers) or _together(numbers) or _("A number is missing.")
        return table
    for asked in [asked for asked, number in numbers.items() if number is None and asked.kind == "tricks"]:
        if [*asked.seats] in sheet.sides and result.tricks is not None:
            _propose(row, asked, sum(result.tricks[seat] for seat in asked.seats))
    after = table.copy()
    try:
        events = record_result(after, result, sheet.first, sheet.boards)
    except LedgerError as error:
        row.remark = sentence(error)
        return table
    why = doubt(after, after.hands[-1])
    row.state, row.remark = ("doubtful", as_sentence(translated(why))) if why else ("right", "")
    row.standing = _standing(sheet.sides, table.totals, after.totals)
    sheet.events += events
    return after


def _judge_line(sheet: HandSheet, row: SheetRow, table: Match[Any], numbers: dict[Asked, int | None]) -> Match[Any]:
    """Judge a hand that was written on one line; numbers beside it must say the same, and are proposed if left out."""
    after = table.copy()
    try:
        events = record_line(after, row.line, LineWords(sheet.players, language()), sheet.first, sheet.boards)
    except LedgerError as error:
        row.remark = sentence(error)
        return table
    hand = after.hands[-1]
    for asked, number in numbers.items():
        given = hand.scores[asked.seats[0]] if asked.kind == "points" and hand.scores else None
        if number is not None and number != given:
            row.remark = _(
                "“%(line)s” gives %(given)s, but %(number)s is written. Correct one of them.",
                line=row.line, given=minus(given or 0), number=minus(number),
            )  # fmt: skip
            return table
        if number is None and given is not None:
            _propose(row, asked, given)
    row.state = "right"
    row.standing = _standing(sheet.sides, table.totals, after.totals)
    sheet.events += events
    return after


def _decide(sheet: HandSheet, row: SheetRow, table: Match[Any], texts: list[str]) -> bool:
    """Take in a decision on the next board that a director typed in place of a result; tell whether there is one."""
    left, said = boards_left(table, sheet.boards), "/".join(texts)
    if not left or not texts or decision_in(said) is None:
        return False
    if sheet.decision is not None:
        row.state, row.remark = (
            "wrong",
            _("One decision at a time: board %(board)s comes first.", board=sheet.decision[0]),
        )
        return True
    sheet.decision = left[0], said
    sheet.boards = [board for board in sheet.boards if board != left[0]]
    row.state = "decided"
    row.remark = _("The director decides on board %(board)s: the next page shows what that changes.", board=left[0])
    return True


def _follows(row: SheetRow, table: Match[Any], numbers: dict[Asked, int | None]) -> str:
    """Propose the number that follows from the others, if one does, and say so."""
    found = points_that_follow(table, numbers)
    if found is None:
        return ""
    return _("The number that is missing can only be %(number)s.", number=_propose(row, *found))


def _propose(row: SheetRow, asked: Asked, number: int) -> str:
    """Put a number into its cell in grey, and return it as written."""
    said = minus(number)
    cells = row.cells[asked.kind]
    row.cells[asked.kind] = [cell._replace(follows=said) if cell.name == _name(asked) else cell for cell in cells]
    return said


def _number(sheet: HandSheet, match: str) -> None:
    """Give the events ids that follow from match, place and content, so that a sheet sent twice is recorded once."""
    for place, event in enumerate(sheet.events):
        content = f"{match} {sheet.seq + place + 1} {ev.encode(event).decode()}"
        sheet.events[place] = msgspec.structs.replace(event, id=str(uuid.uuid5(uuid.NAMESPACE_OID, content)))


def _cells(sheet: HandSheet, texts: dict[Asked, str]) -> dict[str, list[SheetCell]]:
    return {
        kind: [SheetCell(_name(asked), text, asked.seats) for asked, text in texts.items() if asked.kind == kind]
        for kind in sheet.kinds
    }


def _name(asked: Asked) -> str:
    return f"{asked.kind}-{asked.seats[0]}"


def _number_of(asked: Asked, text: str, *, blind: bool) -> int | None:
    text = text.replace("\u2212", "-").lower()
    if asked.kind == "bid" and text in _WORDS and (blind or _WORDS[text] != BLIND):
        return _WORDS[text]
    number = typed_points(text)
    return None if asked.kind == "bid" and number is not None and number < 0 else number


def _together(numbers: dict[Asked, int | None]) -> str:
    """Say the sum of the points typed so far."""
    points = [number for asked, number in numbers.items() if asked.kind == "points" and number is not None]
    return _("%(points)s together so far.", points=minus(sum(points))) if points else ""


def _standing(sides: list[list[int]], before: Sequence[int], after: Sequence[int]) -> list[StandingCell]:
    return [StandingCell(after[side[0]], after[side[0]] - before[side[0]]) for side in sides]
