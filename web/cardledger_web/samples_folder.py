"""Where the samples are: in the package when installed, beside it in a source tree."""

from __future__ import annotations

from pathlib import Path

_PLACES = (Path(__file__).parent / "samples", Path(__file__).parents[2] / "samples")
"""Places of the samples: in the package when installed, beside it in a source tree."""


def sample_folder() -> Path | None:
    """Return the folder of the samples, None if the installation has none."""
    return next((place for place in _PLACES if place.is_dir()), None)


def sample_files() -> list[Path]:
    """Return the sample match files in the order of their names; an empty list without a folder."""
    folder = sample_folder()
    return sorted(folder.glob("*.jsonl")) if folder else []
