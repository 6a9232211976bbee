"""Evenings from files of USEBIO and to them.

The session with its pairs, around the matches that the importer stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from cardledger.count_of import count_of
from cardledger.errors import RuleError
from cardledger.formats.bridge_files.usebio_evening import UsebioEvening
from cardledger.formats.bridge_files.write_usebio_evening import WrittenEvening
from cardledger.record.matches.matchfile import Problem, Warned
from cardledger.record.readmodels.questions.evening_list import clubs
from cardledger.record.recording.evening_files import EveningInFile, StoredEvening, take_in
from cardledger.record.recording.masterpoints import awarded
from cardledger.record.recording.results import Imported
from cardledger.rules.engine.events import Event, Note
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.conventions import PrintedPoints, explained
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.session import SessionState

if TYPE_CHECKING:
    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger

_POINTS = re.compile(r"[+-]?\d{1,6}(?:\.\d{1,9})?", re.ASCII)
_MOST_DECIMALS = 3
"""Points with more decimals are compared to the thousandth: they come from sums of floats."""


def noted(answers: Iterable[Imported | Problem], ids: dict[int, str]) -> Iterator[Imported | Problem]:
    """Yield what came of the matches of a file, and note the ids of those stored by their numbers in the file."""
    for answer in answers:
        if isinstance(answer, Imported) and answer.source is not None:
            ids[answer.source.game] = answer.match
        yield answer


def take_in_usebio(
    ledger: Ledger, evenings: Iterable[UsebioEvening], name: str, matches: Mapping[int, str], by: Recorder | str
) -> Iterator[StoredEvening | Problem | Warned]:
    """Store the evenings of a file (see `evenings_in`) whose lines are stored as `matches` (ids by the number of the line), and yield the result of each.

    The club is the one of that name, or a new one. Printed points that do not follow from the results are reported
    (`usebio.points`).
    """
    for evening in evenings:
        if any(line.game not in matches for line in evening.lines):
            continue  # a line was refused, so the evening is not whole
        club = next((id for id, known in clubs(ledger).items() if known == evening.club), None)
        if club is None and evening.club:
            opening: list[Event] = [ev.Club(name=evening.club)]
            for item in take_in(ledger, [EveningInFile(name, opening, [evening.line])], by):
                if isinstance(item, Problem):
                    yield item
                else:
                    club = item.evening
        events = evening.events(club, matches)
        for stored in take_in(ledger, [EveningInFile(name, events, [evening.line] * len(events))], by):
            yield stored
            if isinstance(stored, StoredEvening):
                yield from _compared(ledger, stored.evening, name, evening)


def _compared(ledger: Ledger, session: str, name: str, evening: UsebioEvening) -> Iterator[Warned]:
    """Compare the points that a file prints with those that follow, by the convention that explains most of them."""
    try:
        rows = ledger.evenings.rankings.boards(session)
    except RuleError:
        return  # a match was declared void since, so no points follow
    of_line = {(board, *line.ns, *line.ew): line for board, lines in rows.items() for line in lines}
    told = {
        PrintedPoints(line.board, seated, (_number(line.points[0]), _number(line.points[1]))): line
        for line in evening.lines
        if (seated := of_line.get((line.board, line.ns, line.ew))) is not None
    }
    if not told:
        return
    decimals = min(max(_decimals(text) for line in told.values() for text in line.points), _MOST_DECIMALS)
    found = explained([*told], evening.opening.scoring, decimals)
    if found.words:
        agree = "they agree" if not found.differing else f"all but {count_of(len(found.differing), 'line')} agree"
        yield Warned(name, evening.line, "usebio.convention", f"the points are those of {found.words}: {agree}")
    for differing, follow in found.differing:
        line = told[differing]
        text = (
            f"board {line.board}, {line.ns} against {line.ew}: the file has {' and '.join(filter(None, line.points))},"
            f" but {' and '.join(printed(points, max(decimals, 2)) for points in follow)} follow from the results"
        )
        yield Warned(name, line.line, "usebio.points", text)


def _number(text: str) -> Fraction | None:
    """Return printed points; None for none, or what is no number."""
    return Fraction(text) if _POINTS.fullmatch(text) else None


def _decimals(text: str) -> int:
    """Return with how many decimals points are printed."""
    return len(text.partition(".")[2]) if _POINTS.fullmatch(text) else 0


def written_evening(ledger: Ledger, session: str) -> WrittenEvening:
    """Return an evening as it stands, ready to be written.

    Raises StoreError `store.unknown`, and what ranking it raises.
    """
    stream = ledger.evenings.stream(session)
    state = stream.state
    assert isinstance(state, SessionState)
    rankings = ledger.evenings.rankings
    club = ledger.evenings.stream(state.opening.club).state.opening.name if state.opening.club else ""
    extras = [extra for event in stream.events if isinstance(event, Note) for extra in event.extras or ()]
    published = rankings.published(session)[-1:] if state.published else []
    rows = {row["entry"]: row for each in published for row in each.ranking.rows}
    return WrittenEvening(
        club, state, rankings.travellers(session), rankings.standings(session), extras, ledger.stream, ledger.people().name,
        rows, awarded(ledger, session).points,
    )  # fmt: skip
