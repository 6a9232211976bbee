"""Two records of one hand side by side, as the scoring page shows them before one of them is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from cardledger_web.languages import N_, _, joined, translated
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.matches.two_records import HandPart, TwoRecords
    from cardledger.rules.engine import events as ev
    from cardledger.rules.stream import Stream

SHOWN: Final = 16
"""How many rows are shown: from the one before the first difference on."""
PARTS: Final = {
    "deal": N_("Deal"),
    "bidding": N_("Bidding"),
    "trick": N_("Trick %(number)s"),
    "turn": N_("Turn %(number)s"),
    "result": N_("Result"),
    "end": N_("End"),
}
"""The parts of a hand by their kind."""


class DrawnEntry(NamedTuple):
    """An event in words, and whether it is where the records begin to differ."""

    words: str
    first: bool


class DrawnRow(NamedTuple):
    """A part of the match in both records; `hand` is its hand where one begins, else 0."""

    hand: int
    title: str
    differs: bool
    theirs: list[DrawnEntry]
    mine: list[DrawnEntry]


class DrawnRecords(NamedTuple):
    """The rows with who recorded, how many rows before are the same, and how many are left out after."""

    by: str
    before: int
    rows: list[DrawnRow]
    after: int


def drawn_rows(found: TwoRecords, stream: Stream, at: int, names: Sequence[str]) -> DrawnRecords:
    """Return a comparison of what was recorded after event `at`; `names` are by seat."""
    first = next((place for place, row in enumerate(found.rows) if row.first is not None), 0)
    begin = max(0, first - 1)
    rows, hand = [], 0
    for place, row in enumerate(found.rows[begin : begin + SHOWN], begin):
        mark = row.first if place == first else None
        sides = (_entries(side, mark, stream, names) for side in (row.theirs, row.mine))
        rows.append(
            DrawnRow(row.part.hand if row.part.hand != hand else 0, _title(row.part), row.first is not None, *sides)
        )
        hand = row.part.hand
    by = joined(sorted({event.by for event in stream.events[at:] if event.by and (event.counts or event.corrects)}))
    return DrawnRecords(by, begin, rows, len(found.rows) - begin - len(rows))


def _title(part: HandPart) -> str:
    return translated(PARTS[part.kind]) % {"number": part.number}


def _entries(events: Sequence[ev.Event], mark: int | None, stream: Stream, names: Sequence[str]) -> list[DrawnEntry]:
    entries = [
        DrawnEntry(event_as_shown(event, stream.table, names), place == mark) for place, event in enumerate(events)
    ]
    if mark == len(entries):
        entries.append(DrawnEntry(_("nothing"), True))
    return entries
