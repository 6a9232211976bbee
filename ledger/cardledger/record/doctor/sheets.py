"""Score sheets of a ledger: hands with impossible points. They are facts all the same and lead to no ruling."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress

from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.record.doctor.finding import CheckResult
from cardledger.record.store import EventStore
from cardledger.record.store.codec import decode
from cardledger.record.store.paths import Family
from cardledger.record.store.readers import read_only, resting
from cardledger.rules.engine.score_sheet import DOUBTFUL, doubts
from cardledger.rules.stream import Stream

Lines = Callable[[str], Sequence[str]]
"""Returns the lines of a match as stored."""
_SHEET = '"type":"score"'
_NAMED = 5
_ADVICE = "compare them with the paper: amend typing errors; points that are written so can stay"


def has_sheet(line: str) -> bool:
    """Tell whether a stored line holds a score sheet, perhaps as an amendment."""
    return _SHEET in line


def doubtful(matches: Collection[str], lines: Lines) -> Iterator[CheckResult]:
    """Report the hands of matches with impossible points; matches that do not fold are for `verify`."""
    places = []
    for match in matches:
        with suppress(LedgerError):
            table = Stream.of(decode(lines(match))).table
            places += [f"match {match} hand {doubt.hand} ({doubt.why})" for doubt in doubts(table)]
    if places:
        more = f", and {len(places) - _NAMED:,} more" if len(places) > _NAMED else ""
        text = f"{DOUBTFUL}: impossible points in {len(places):,} hand{'s' if len(places) > 1 else ''}: "
        yield CheckResult("sheets", "warning", f"{text}{'; '.join(places[:_NAMED])}{more}", _ADVICE)
    elif matches:
        yield CheckResult(
            "sheets", "ok", f"score sheets in {count_of(len(matches), 'match')}, all with possible points"
        )


@contextmanager
def reading(family: Family, store: EventStore | None) -> Iterator[Lines]:
    """Yield what reads matches, from an opened ledger or from its file."""
    if store is not None:
        yield lambda match: [row.line for row in store.read(match)]
        return
    with closing(read_only(family.ledger, still=resting(family.ledger))) as db:
        rows = "SELECT line FROM events WHERE match = ? ORDER BY seq"
        yield lambda match: [line for (line,) in db.execute(rows, (match,))]
