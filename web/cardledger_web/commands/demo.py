"""What the demo serves: the samples that come with the program, and a club with a season of evenings."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from cardledger.record.matches.matchfile import MatchInFile, Problem, read_file
from cardledger.record.recording.evening_files import EveningInFile, take_in
from cardledger.rules.bots.club_season import season
from cardledger.rules.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.recording.evening_files import StoredEvening
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.results import Imported

RECORDER = "demo"
SEASON = "the club's season"
"""What stands for a file name in problems with the season."""


def import_samples(ledger: Ledger, files: list[Path]) -> Iterator[tuple[Path, list[Imported | Problem]]]:
    """Import files one by one, yielding each with the results for its matches."""
    for file in files:
        yield file, [*ledger.import_matches(read_file(file, keep_going=True), by=RECORDER)]


def import_season(ledger: Ledger) -> Iterator[Imported | StoredEvening | Problem]:
    """Store the season of the club as it went, yielding the result for each match, club, session and league.

    The same bytes are stored every time: the salts of pseudonyms are the same too, as nobody there is a real person.
    """
    names = ledger.store.names
    names.salt, secret = Random(SEASON).randbytes, names.salt
    try:
        for part in season():
            yield from ledger.import_matches(
                (MatchInFile(SEASON, 1, Stream.of(events), events) for events in part.matches), by=RECORDER
            )
            evenings = (EveningInFile(SEASON, events, [1] * len(events)) for events in part.evenings)
            yield from take_in(ledger, evenings, RECORDER)
    finally:
        names.salt = secret
