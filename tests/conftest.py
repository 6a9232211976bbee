"""Fixtures that many tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.ledger import Ledger

SAMPLES = Path(__file__).parent.parent / "samples"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger."""
    opened = Ledger(tmp_path / "club.db")
    yield opened
    opened.close()
