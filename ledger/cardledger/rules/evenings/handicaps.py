"""Handicaps: what somebody gets on top of what they scored, and the ranking with them, beside the one without.

A note gives a number its handicap, `handicap: 3 +4.5`; the last one of a number counts, and `handicap: 3 0` takes it back. It is in
what the evening ranks by: points of a percentage where results are compared with the field, else points. It helps those
who have it: where the fewest win, it is taken off. The ranking that is published is the one without.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import FormatError
from cardledger.rules.engine.events import Note
from cardledger.rules.evenings.ranking import rank
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.score_cards import lowest_first
from cardledger.rules.evenings.scoring import COMPARED
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.standings import Standing
    from cardledger.rules.evenings.stream import EveningStream

MOST = 10_000
"""More than any club gives."""
DECIMALS = 2
_NOTE = re.compile(r"handicap: ([0-9]{1,6}) ([+-]?[0-9]{1,5}(?:\.[0-9]{1,2})?)")
_WRITTEN = re.compile(r"[+-]?[0-9]{1,5}([.,][0-9]{1,2})?")


class Handicapped(NamedTuple):
    """An entry in the ranking with handicaps: its place there, what it ranks by without, its handicap, and with it."""

    entry: int
    place: str
    players: tuple[str, ...]
    line: str | None
    section: str | None
    value: Fraction
    handicap: Fraction
    adjusted: Fraction


def handicaps(stream: EveningStream) -> dict[int, Fraction]:
    """Return the handicaps of an evening by number, without those that are 0."""
    found: dict[int, Fraction] = {}
    for text in stream.notes():
        if note := _NOTE.fullmatch(text):
            found.setdefault(int(note[1]), Fraction(note[2]))
    return {entry: handicap for entry, handicap in sorted(found.items()) if handicap}


def handicap_written(text: str) -> Fraction:
    """Return the handicap that a text says, with a point or a comma; raises FormatError `format.value`.

    >>> handicap_written("+4,5")
    Fraction(9, 2)
    """
    if not _WRITTEN.fullmatch(text.strip()):
        raise FormatError(
            "format.value", Sentence("{text} is no handicap: write a number such as 4 or 2.5", text=text.strip() or "–")
        )
    return Fraction(text.strip().replace(",", "."))


def handicaps_given(stream: EveningStream, given: Mapping[int, Fraction]) -> list[Event]:
    """Return the events that give handicaps by number, 0 for none; nothing for what is so already.

    Raises FormatError `format.value` for a number that nobody has, and for too great a handicap.
    """
    state, known = stream.state, handicaps(stream)
    assert isinstance(state, SessionState)
    events: list[Event] = []
    for entry, handicap in given.items():
        if entry not in state.entries:
            raise FormatError("format.value", Sentence("nobody has the number {entry} this evening", entry=entry))
        if not -MOST < handicap < MOST:
            raise FormatError("format.value", Sentence("a handicap is less than {most}", most=MOST))
        if handicap != known.get(entry, 0):
            sign = "+" if handicap > 0 else ""
            events.append(Note(text=f"handicap: {entry} {sign}{printed(handicap, DECIMALS)}"))
    return events


def with_handicaps(
    session: SessionState, ranking: Sequence[Standing], given: Mapping[int, Fraction]
) -> list[Handicapped]:
    """Return a ranking with handicaps, each line and section by itself; equal ones share a place."""
    low = lowest_first(session)
    adjusted = {each.entry: each.value + (-1 if low else 1) * given.get(each.entry, Fraction(0)) for each in ranking}
    by_entry = {each.entry: each for each in ranking}
    rows = []
    for group in dict.fromkeys(each.group for each in ranking):
        own = [each for each in ranking if each.group == group]
        order = {each.entry: (-1 if low else 1) * adjusted[each.entry] for each in own}
        for entry, place in rank(order, unplaced=[each.entry for each in own if not each.place]):
            one = by_entry[entry]
            handicap = given.get(entry, Fraction(0))
            rows.append(
                Handicapped(
                    entry, place, one.players, one.line, one.section, one.value, handicap, adjusted[entry]
                )
            )  # fmt: skip
    return rows


def unit_of(session: SessionState) -> str:
    """Return what handicaps of an evening are in: `percent` or `points`."""
    return "percent" if session.opening.scoring.kind in COMPARED else "points"


def as_printed(rows: Sequence[Handicapped], decimals: int) -> list[dict[str, Any]]:
    """Return a ranking with handicaps as JSON data, numbers as printed."""
    return [
        {
            "entry": each.entry,
            "place": each.place,
            "players": [*each.players],
            "line": each.line,
            "section": each.section,
            "value": printed(each.value, decimals),
            "handicap": printed(each.handicap, DECIMALS),
            "adjusted": printed(each.adjusted, max(decimals, DECIMALS if each.handicap.denominator > 1 else 0)),
        }
        for each in rows
    ]
