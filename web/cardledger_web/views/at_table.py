"""The page of a table that enters its own result: its hand or round, who sits there, what is recorded and what was said."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from werkzeug.datastructures import MultiDict

from cardledger.record.recording.entered_results import doubt_about
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.drive_sheet import driven_hand
from cardledger.rules.evenings.said import Difference, Numbers, differences, round_at_table
from cardledger.rules.evenings.session import SessionState
from cardledger_web.languages import _, joined
from cardledger_web.views.form import Form
from cardledger_web.views.persons import called
from cardledger_web.views.result_sheet import ResultSheet, fields_of, sheet_of

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings.drive_sheet import DrivenHand
    from cardledger.rules.evenings.stream import EveningStream

_TRICKS = re.compile(r"[0-9]{1,3}")


@dataclass
class AtTable(Form):
    """A table and its round; `hand` in a drive, else `sheet` has the fields of the result.

    `sides` are those who have one number together, `recorded` and `said` what each of them has, if the table has a result.
    """

    round: int
    table: int
    name: str
    sides: list[tuple[str, ...]]
    sheet: ResultSheet
    hand: DrivenHand | None = None
    recorded: list[int] = field(default_factory=list)
    said: list[list[int]] = field(default_factory=list)

    @property
    def choices(self) -> range | None:
        """The tricks that a pair can have, to be tapped; None where each side has a number of its own."""
        return range(self.hand.tricks + 1) if self.hand is not None and self.hand.tricks is not None else None

    @property
    def number(self) -> int:
        """The number of the hand, or of the round."""
        return self.round if self.hand is None else self.hand.number

    def entered(self, given: MultiDict[str, str]) -> tuple[str, tuple[int, ...]] | None:
        """Return the form and the numbers that were sent, None after a mistake, which `wrong` then names."""
        if self.choices is not None:
            text = given.get("tricks", "").strip()
            if not _TRICKS.fullmatch(text) or int(text) not in self.choices:
                self.wrong[""] = _("Tap the tricks of the first pair.")
                return None
            return "tricks", (int(text),)
        result = self.sheet.result()
        self.wrong |= self.sheet.wrong
        numbers = None if result is None else Numbers.of(result)
        return None if numbers is None else (numbers.form, numbers.values)


def at_table(stream: EveningStream, table: int, given: MultiDict[str, str] | None = None) -> AtTable | None:
    """Return the page of a table in the round that it plays, or in the round of a form; None where it enters no result."""
    state = stream.state
    assert isinstance(state, SessionState)
    latest = round_at_table(state, table)
    if latest is None:
        return None
    said = "" if given is None else given.get("round", "")
    round = int(said) if said.isascii() and said.isdecimal() and 0 < int(said[:4]) <= latest else latest
    seated = state.tables(round).get(table)
    if seated is None or not seated.plays:
        return None
    fields = fields_of(state, seated)
    sheet = sheet_of(state, _form(round, table, given))
    page = AtTable(
        round, table, state.table_name(round, table), sheet.seats, sheet,
        driven_hand(state, round) if state.drive(round) is not None else None,
    )  # fmt: skip
    _, result = state.results.get((round, table, None), (0, None))
    if result is not None and (recorded := Numbers.of(result)):
        page.recorded = _by_side(recorded, fields)
        open_now = [each for each in differences(stream) if (each.round, each.table) == (round, table)]
        page.said = [_by_side(one, fields) for each in open_now for one in each.said]
    return page


def _form(round: int, table: int, given: MultiDict[str, str] | None) -> MultiDict[str, str]:
    texts: MultiDict[str, str] = MultiDict({} if given is None else given)
    texts["round"], texts["table"] = str(round), str(table)
    return texts


def _by_side(numbers: Numbers, fields: tuple[int, ...]) -> list[int]:
    """Return one number for each side of a table."""
    values = numbers.values
    return [
        values[fields.index(side)] if len(values) == len(fields) else values[side] for side in range(len({*fields}))
    ]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A table that said several results: its name, and each result with how it is said, the recorded one first.

    The third is why the game cannot give its points, None if it can.
    """

    round: int
    table: int
    name: str
    results: list[tuple[Numbers, str, str | None]]


def difference_rows(ledger: Ledger, stream: EveningStream) -> list[DifferenceRow]:
    """Return the tables of an evening whose results the director has to decide."""
    state = stream.state
    assert isinstance(state, SessionState)
    return [
        DifferenceRow(
            each.round, each.table, state.table_name(each.round, each.table),
            [
                (numbers, _in_words(ledger, state, each, numbers), _doubt(state, each, numbers))
                for numbers in (each.recorded, *each.said)
            ],
        )
        for each in differences(stream)
    ]  # fmt: skip


def _doubt(state: SessionState, at: Difference, numbers: Numbers) -> str | None:
    """Say why no number of hands can give a result; None if one can."""
    if numbers.form != "points":
        return None
    return doubt_about(state, ev.Result(round=at.round, table=at.table, points=numbers.values))


def _in_words(ledger: Ledger, state: SessionState, at: Difference, numbers: Numbers) -> str:
    """Return a result as `Ann and Bob 8, Cleo and Dev 5`."""
    seated = state.tables(at.round)[at.table]
    fields = fields_of(state, seated)
    person = ledger.people().person
    sides = [
        joined(
            called(
                ledger,
                tuple(
                    person(player)
                    for entry, own in zip(seated.seats, fields, strict=True)
                    if own == side
                    for player in state.players(entry, at.round)
                ),
            )
        )
        for side in range(len({*fields}))
    ]
    return ", ".join(f"{who} {number}" for who, number in zip(sides, _by_side(numbers, fields), strict=True))
