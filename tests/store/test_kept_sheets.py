"""Kept sheets of a ledger on PostgreSQL: each server keeps its own, and follows what the others record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.study.stats.measures import sheets
from cardledger.study.stats.measures.sheets import Sheets
from tests.stats.test_kept_sheets import (
    GAME,
    content,
    corrected,
    keep,
    kept,
    merged,
    parts,
    played,
    read_slowly,
    reading,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def servers(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Ledger, Ledger]]:
    """Two servers of one ledger with a few matches; the first has kept its sheet."""
    monkeypatch.setattr(sheets, "WORTH_KEEPING", 1)
    with Ledger(url, views=tmp_path / "one.views.db") as one, Ledger(url, views=tmp_path / "two.views.db") as two:
        for seed in range(4):
            played(one, seed, ["ah"[seed % 2], "b", "c", "d"])
        keep(one)
        yield one, two


def test_a_server_keeps_its_own_sheet_and_reads_only_what_others_recorded_since(
    servers: tuple[Ledger, Ledger], url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = servers
    assert kept(two) is None
    one.close()
    match = played(two, 99)
    noted = reading(monkeypatch)
    with Ledger(url, views=tmp_path / "one.views.db") as again:
        assert kept(again) is not None
        assert content(Sheets(again.views).sheet(GAME)) == read_slowly(again) == read_slowly(two)
    assert noted == [[match], None, None], "only the comparisons read all"


def test_what_another_server_corrects_is_in_the_figures(servers: tuple[Ledger, Ledger]) -> None:
    one, two = servers
    before = content(Sheets(one.views).sheet(GAME))
    corrected(two)
    after = content(Sheets(one.views).sheet(GAME))
    assert after == read_slowly(two)
    assert after != before


def test_people_whom_another_server_merges_drop_the_kept_sheet(servers: tuple[Ledger, Ledger]) -> None:
    one, two = servers
    merged(two)
    one.views.catch_up()
    assert parts(one) == []
    assert content(Sheets(one.views).sheet(GAME)) == read_slowly(two)
