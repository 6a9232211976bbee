"""The samples that come with the program, and their way into a ledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.matchfile import Problem, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.ledger import Ledger
    from ledger.outcomes import Imported

_PLACES = (Path(__file__).parent / "samples", Path(__file__).parent.parent / "samples")
"""Where samples are: within the package when installed, beside it in a source tree."""


def sample_files() -> list[Path]:
    """Return the sample match files in the order of their names; none if there is no folder of them."""
    folder = next((place for place in _PLACES if place.is_dir()), None)
    return sorted(folder.glob("*.jsonl")) if folder else []


def import_samples(ledger: Ledger, files: list[Path]) -> Iterator[tuple[Path, list[Imported | Problem]]]:
    """Import files one by one, yielding each with what became of its matches."""
    for file in files:
        yield file, [*ledger.import_matches(read_file(file, keep_going=True), by="demo")]
