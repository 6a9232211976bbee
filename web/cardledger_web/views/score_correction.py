"""The form that corrects the result of a hand: the numbers as they stand, and what other numbers would change."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.errors import LedgerError
from cardledger.record.matches.match_size import expect_room
from cardledger.record.matches.results_only import sides_of
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger.record.recording.correcting import correction, line_correction, recorded_result, written_on_line
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.hand_line import LineWords
from cardledger.rules.engine.score_sheet import doubts_about
from cardledger_api.auth.visible import rankings_shown
from cardledger_web.languages import _, as_sentence, language, minus, translated
from cardledger_web.views.changed_results import changed_places, changed_results
from cardledger_web.views.form import sentence
from cardledger_web.views.wording import wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream

_PLAYED, _POINTS, _TRICKS, _LINE = "played", "points", "tricks", "line"


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

    `kind` says how the result of the hand is recorded: card by card (`played`), as `points`, as `tricks`, or on one
    `line`, in a game where players write it so: `was` is the line in the record, and `help` says how to write it. Points
    may become such a line, too. `changes` is what it would change in words, `places` in the ranking of the evening, and
    `events` are what records it; none before something is changed. `below` tells whether numbers can be below 0, for
    which number pads of phones have no sign.
    """

    seq: int
    hand: int = 0
    kind: str = ""
    numbers: list[CorrectedNumber] = field(default_factory=list)
    line: str = ""
    was: str | None = None
    help: str = ""
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
    form.hand, form.was = result.hand, written_lines(stream).get(result.hand)
    if form.was is not None and table.game.sheet.line is not None:
        form.help = as_sentence(translated(table.game.sheet.line.help))
        form.line = given.get("line", form.was).strip()
    if form.was:
        form.kind = _LINE
    elif result.ending is None:
        form.kind = _PLAYED
    else:
        _, ending = result.ending
        sides = [tuple(side) for side in sides_of(table)]
        form.kind = _POINTS if isinstance(ending, ev.Score) else _TRICKS
        span = table.game.scoring.span
        form.below = form.kind == _POINTS and (span is None or span(table.n, table.options)[0] < 0)
        groups: list[tuple[int, ...]] = sides if form.kind == _POINTS else [(seat,) for seat in range(table.n)]
        for place, group in enumerate(groups):
            now, name = result.numbers[group[0]], f"number-{place}"
            text = given.get(name, "").strip().replace("−", "-") or str(now)
            form.numbers.append(CorrectedNumber(name, group, text, str(now)))
    if form.kind != _PLAYED and any(name.startswith(("number-", "line")) for name in given):
        _judge(form, ledger, match, stream, names)
    return form


def written_lines(stream: Stream) -> dict[int, str]:
    """Return the hands of a match that are written on one line, by number; "" for points without more.

    A suit has its sign: its letter may mean another suit in another language.
    """
    words = wording(stream.table.game)
    found = {hand.number: written_on_line(stream, hand.number) for hand in stream.table.hands}
    return {number: words.call(line) for number, line in found.items() if line is not None}


def _judge(form: ScoreCorrection, ledger: Ledger, match: str, stream: Stream, names: Sequence[str]) -> None:
    typed = [one.text.removeprefix("-") for one in form.numbers]
    if not all(text.isascii() and text.isdigit() and len(text) < 7 for text in typed):
        form.wrong = _("Write a whole number in each field.")
        return
    table, reason = stream.table, form.reason or None
    of = {seat: int(one.text) for one in form.numbers for seat in one.seats}
    try:
        if form.line and form.line != form.was:
            form.events = line_correction(stream, form.hand, form.line, LineWords(names, language()), reason)
        elif form.numbers:
            numbers = [of[seat] for seat in range(table.n)]
            form.events = [*correction(recorded_result(stream, form.hand), numbers, reason)]
        tried = stream.copy()
        for event in form.events:
            expect_room(tried, event)
            tried.append(event)
    except LedgerError as error:
        form.events, form.wrong = [], sentence(error)
        return
    scores = tried.table.hands[form.hand - 1].scores
    other = next((one for one in form.numbers if one.differs and scores[one.seats[0]] != int(one.text)), None)
    if form.kind == _POINTS and form.line and other:
        form.events, form.wrong = (
            [],
            _(
                "“%(line)s” gives %(given)s, but %(number)s is written. Correct one of them.",
                line=form.line, given=minus(scores[other.seats[0]]), number=minus(int(other.text)),
            ),
        )  # fmt: skip
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
