"""The form that corrects the result of a hand: the numbers as they stand, and what other numbers would change."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.matches.matchfile import expect_room
from cardledger.record.matches.results_only import sides_of
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger.record.recording.correcting import correction, recorded_result
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.score_sheet import doubts_about
from cardledger_api.auth.visible import rankings_shown
from cardledger_web.languages import _, translated
from cardledger_web.views.changed_results import changed_places, changed_results
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream

_PLAYED, _POINTS, _TRICKS, _CONTRACT = "played", "points", "tricks", "contract"


class CorrectedNumber(NamedTuple):
    """A number of the form: the name of its field, the seats it is of, its text, and how it stands in the record.

    A field that is left empty says the same as the record.
    """

    name: str
    seats: tuple[int, ...]
    text: str
    now: str

    @property
    def differs(self) -> bool:
        """Whether the number differs from the record."""
        return self.text != self.now


@dataclass
class ScoreCorrection:
    """The form as filled in; `hand` is 0 until a number is chosen.

    `kind` says how the result of the hand is recorded: card by card (`played`), as `points`, as `tricks`, or as a
    `contract` with the declarer's tricks; `was` is the contract with its declarer in the record. `changes` is what it would change in words, `places` in the ranking of the
    evening, and `events` are what records it; none before something is changed. `below` tells whether numbers can be
    below 0, for which number pads of phones have no sign.
    """

    seq: int
    hand: int = 0
    kind: str = ""
    numbers: list[CorrectedNumber] = field(default_factory=list)
    contract: str = ""
    declarer: int = 0
    was: tuple[str, int] = ("", 0)
    reason: str = ""
    events: list[ev.Event] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    wrong: str = ""
    below: bool = False


def correction_of(
    ledger: Ledger, match: str, stream: Stream, names: Sequence[str], given: MultiDict[str, str], longest: int
) -> ScoreCorrection:
    """Return the form for a hand, judged if numbers are given; `names` are the players' by seat.

    `longest` is the greatest length of a reason.
    """
    table = stream.table
    form = ScoreCorrection(stream.seq, reason=given.get("reason", "").strip()[:longest])
    text = given.get("hand", "")
    if not text:
        return form
    try:
        result = recorded_result(stream, int(text) if text.isdecimal() and len(text) < 6 else 0)
    except LedgerError as error:
        form.wrong = sentence(error)
        return form
    form.hand = result.hand
    if result.ending is None:
        form.kind = _PLAYED
        return form
    _, ending = result.ending
    _, deal = result.deal
    sides = [tuple(side) for side in sides_of(table)]
    seats: list[tuple[int, ...]] = [(seat,) for seat in range(table.n)]
    groups: list[tuple[int, ...]]
    if isinstance(ending, ev.Score):
        form.kind, groups = _POINTS, sides
        span = table.game.scoring.span
        form.below = span is None or span(table.n, table.options)[0] < 0
    elif deal.contract is not None and deal.declarer is not None:
        form.kind, groups = _CONTRACT, [()]
        form.was = deal.contract, deal.declarer
        form.contract = given.get("contract", deal.contract).strip()
        declarer = given.get("declarer", "")
        form.declarer = int(declarer) if declarer.isdecimal() and int(declarer[:3]) < table.n else deal.declarer
    else:
        form.kind, groups = _TRICKS, seats
    own = next((side for side in sides if deal.declarer in side), ())
    for place, group in enumerate(groups):
        now = sum(result.numbers[seat] for seat in own) if form.kind == _CONTRACT else result.numbers[group[0]]
        name = f"number-{place}"
        text = given.get(name, "").strip().replace("−", "-") or str(now)
        form.numbers.append(CorrectedNumber(name, group, text, str(now)))
    if any(name.startswith("number-") for name in given):
        _judge(form, ledger, match, stream, names, sides)
    return form


def _judge(
    form: ScoreCorrection,
    ledger: Ledger,
    match: str,
    stream: Stream,
    names: Sequence[str],
    sides: list[tuple[int, ...]],
) -> None:
    typed = [one.text.removeprefix("-") for one in form.numbers]
    if not all(text.isascii() and text.isdigit() and len(text) < 7 for text in typed):
        form.wrong = _("Write a whole number in each field.")
        return
    given = [int(one.text) for one in form.numbers]
    table = stream.table
    if form.kind == _CONTRACT:
        each = sum(recorded_result(stream, form.hand).numbers)
        own = next(side for side in sides if form.declarer in side)
        other = next(side for side in sides if side != own)
        numbers = [
            given[0] if seat == own[0] else each - given[0] if seat == other[0] else 0 for seat in range(table.n)
        ]
    else:
        of = {seat: number for one, number in zip(form.numbers, given, strict=True) for seat in one.seats}
        numbers = [of[seat] for seat in range(table.n)]
    try:
        bid, by = (form.contract, form.declarer) if form.kind == _CONTRACT else (None, None)
        form.events = [*correction(recorded_result(stream, form.hand), numbers, bid, by, form.reason or None)]
        tried = stream.copy()
        for event in form.events:
            expect_room(tried, event)
            tried.append(event)
    except LedgerError as error:
        form.events, form.wrong = [], sentence(error)
        return
    if not form.events:
        form.wrong = _("Nothing is changed yet.")
        return
    form.changes = [*changed_results(table, tried.table, names)]
    form.doubts = [translated(doubt.why) for doubt in doubts_about(tried.table, enumerate(form.events, stream.seq + 1))]
    place = table_of(ledger, match)
    if place is not None:
        form.places = [*_places(ledger, place.evening, match, tried.table)]


def _places(ledger: Ledger, evening: str, match: str, after: Match[Any]) -> Iterator[str]:
    """Yield what changes in the ranking of an evening, in the order of the places then."""
    with suppress(LedgerError):  # an evening that cannot be ranked yet has no places
        yield from changed_places(ledger, rankings_shown(ledger).supposing(evening, match, after))
