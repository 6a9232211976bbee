"""Kept sheets: a process begins where another one stopped, with the same figures as if it had read every hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from cardledger.record.people.people import Merge, Split
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.sqlite_file import SqliteFile
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.measures import kept_sheet, sheets
from cardledger.study.stats.measures.sheet import CODED, Sheet
from cardledger.study.stats.measures.sheets import Sheets
from tests.waiting import LIMIT

GAME = "diversity"
Content = dict[tuple[Any, ...], list[tuple[Any, ...]]]


@pytest.fixture(autouse=True)
def every_sheet_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "WORTH_KEEPING", 1)


def played(ledger: Ledger, seed: int, players: Sequence[str] = tuple("abcd")) -> str:
    """Record a match of two hands, played card by card; return its id."""
    events = simulate(GAME, 4, Random(seed), ["random"], {"hands": 2}, players=players)
    return ledger.record(None, events, 0).match


def content(sheet: Sheet) -> Content:
    """Return what a sheet says of each match, whatever the order of its rows and codes."""

    def said(table: str) -> list[tuple[Any, ...]]:
        columns = getattr(sheet, table)
        values = []
        for name, column in sorted(columns.items()):
            texts = [*(sheet.text(name) if name in CODED else ()), None]
            values.append([texts[code] for code in column] if name in CODED else column.tolist())
        return [*zip(*values, strict=True)]

    matches, seats, hands = map(said, ("matches", "seats", "hands"))
    whole: Content = {match: [] for match in matches}
    for row, seat in zip(sheet.seats["row"].tolist(), range(len(seats)), strict=True):
        own = [hands[hand] for hand in np.flatnonzero(sheet.hands["row"] == seat)]
        names = sorted(sheet.seats), sorted(sheet.hands)
        without = [dict(zip(names[0], seats[seat], strict=True)) | {"row": None}]
        without += [dict(zip(names[1], hand, strict=True)) | {"row": None} for hand in own]
        whole[matches[row]].append(tuple(tuple(some.items()) for some in without))
    return whole


def read_slowly(ledger: Ledger) -> Content:
    """Return the content of a sheet read from all hands."""
    sheet = Sheet(GAME)
    sheet.read(ledger.views.reader)
    return content(sheet)


def parts(ledger: Ledger) -> list[str]:
    return [part for (part,) in ledger.views.reader.execute("SELECT part FROM kept_sheets ORDER BY part")]


def kept(ledger: Ledger) -> Sheet | None:
    return kept_sheet.find(ledger.views.reader, GAME)


def kept_by(own: Sheets) -> Sheet:
    """Return the current sheet, once it is kept if it will be: of two that are being kept at once, the later one is."""
    sheet = own.sheet(GAME)
    if own.keeping:
        own.keeping.done.wait(LIMIT)
    return sheet


def keep(ledger: Ledger) -> None:
    """Read a sheet, and wait until it is kept."""
    kept_by(Sheets(ledger.views))
    assert kept(ledger) is not None


@pytest.fixture
def club(ledger: Ledger) -> Ledger:
    """A club with a kept sheet of twelve matches; `a` and `h` never met."""
    for seed in range(12):
        played(ledger, seed, ["ah"[seed % 2], *Random(seed).sample("bcdefg", 3)])
    keep(ledger)
    return ledger


def reading(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str] | None]:
    """Note which matches are read from the tables; None stands for all."""
    read, noted = Sheet.read, list[Sequence[str] | None]()

    def noting(self: Sheet, reader: Any, matches: Sequence[str] | None = None) -> None:
        noted.append(matches)
        read(self, reader, matches)

    monkeypatch.setattr(Sheet, "read", noting)
    return noted


def test_a_new_process_reads_only_matches_with_later_events(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = reading(monkeypatch)
    assert content(Sheets(club.views).sheet(GAME)) == read_slowly(club)
    assert noted == [None], "only this test reads all"
    match = played(club, 99)
    assert content(Sheets(club.views).sheet(GAME)) == read_slowly(club)
    assert noted == [None, [match], None]


def corrected(ledger: Ledger) -> None:
    match = ledger.matches()[0]
    ledger.record(match, [ev.Retract(to=ledger.stream(match).seq - 3)], ledger.stream(match).seq)


def void(ledger: Ledger) -> None:
    match = ledger.matches()[0]
    ledger.record(match, [ev.Void(reason="played twice")], ledger.stream(match).seq)


def replaced(ledger: Ledger) -> None:
    match = ledger.matches()[0]
    ledger.replace(
        match, simulate(GAME, 4, Random(77), ["random"], {"hands": 2}, players=ledger.stream(match).table.players)
    )


def merged(ledger: Ledger) -> None:
    ledger.record_people([Merge(player="h", into="a")], ledger.people().seq, "tests")


def merged_and_split(ledger: Ledger) -> None:
    merged(ledger)
    ledger.record_people([Split(player="h", reason="two people")], ledger.people().seq, "tests")


def under_way(ledger: Ledger) -> None:
    events = simulate(GAME, 4, Random(78), ["random"], {"hands": 2}, players=tuple("wxyz"))
    ledger.record(None, events[: len(events) // 2 + 9], 0)


def rebuilt(ledger: Ledger) -> None:
    assert [*ledger.rebuild()]


@pytest.mark.parametrize(
    "change",
    [corrected, void, replaced, merged, merged_and_split, under_way, rebuilt],
    ids=lambda change: change.__name__,
)
def test_figures_are_those_of_all_hands_after(change: Callable[[Ledger], None], club: Ledger) -> None:
    grown = Statistics(club.views)
    grown.players(GAME, Query())
    change(club)
    fresh = Statistics(club.views)
    begun = content(fresh.sheets.sheet(GAME))
    assert begun == read_slowly(club)
    assert content(grown.sheets.sheet(GAME)) == begun
    answers = [stats.player("a", Query(by="month"), GAME).rows for stats in (fresh, grown)]
    assert answers[0] == answers[1]


def test_what_was_kept_has_the_same_figures_to_the_last_digit(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = (Query(), Query(by="turn"), Query(seat=1), Query(by="opponent"))
    begun = [Statistics(club.views).players(GAME, query).rows for query in questions]
    monkeypatch.setattr(kept_sheet, "find", lambda reader, game: None)
    assert [Statistics(club.views).players(GAME, query).rows for query in questions] == begun


def test_people_who_merge_and_a_rebuild_drop_kept_sheets(club: Ledger) -> None:
    merged(club)
    club.views.catch_up()
    assert parts(club) == []
    keep(club)
    rebuilt(club)
    assert parts(club) == []


def test_a_sheet_is_read_again_after_the_tables_were_rebuilt(club: Ledger) -> None:
    """As the doctor advises when rows are wrong; the position stays the same."""
    with club.views.file.writing() as db:
        db.execute("""UPDATE counts SET counts = '{"points":[90,90,90,90]}'""")
    grown = Sheets(club.views)
    with club.views.file.writing() as db:
        db.execute("DELETE FROM kept_sheets")
    assert grown.sheet(GAME).hands["points"].tolist() == [90] * len(grown.sheet(GAME).hands["row"])
    rebuilt(club)
    assert content(grown.sheet(GAME)) == read_slowly(club)
    assert grown.sheet(GAME).hands["points"].max() < 90


def test_a_damaged_kept_sheet_is_noticed_and_replaced(club: Ledger) -> None:
    correct = read_slowly(club)
    for part in parts(club):
        with club.views.file.writing() as db:
            (was,) = db.execute("SELECT content FROM kept_sheets WHERE part = ?", (part,)).fetchone()
            at = len(was) // 2
            db.execute(
                "UPDATE kept_sheets SET content = ? WHERE part = ?",
                (was[:at] + bytes([was[at] ^ 1]) + was[at + 1 :], part),
            )
        assert kept(club) is None, part
        assert content(kept_by(Sheets(club.views))) == correct, part
        assert kept(club) is not None, part


def test_a_kept_sheet_of_another_edition_or_without_a_part_is_replaced(
    club: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in parts(club):
        with club.views.file.writing() as db:
            db.execute("DELETE FROM kept_sheets WHERE part = ?", (part,))
        assert kept(club) is None, part
        keep(club)
    with monkeypatch.context() as patch:
        patch.setattr(kept_sheet, "EDITION", kept_sheet.EDITION + 1)
        assert kept(club) is None
    with monkeypatch.context() as patch:
        patch.setattr(kept_sheet, "names_of", lambda game: ("hands", "played", "a measure of tomorrow"))
        assert kept(club) is None
    assert kept(club) is not None


def interrupting(monkeypatch: pytest.MonkeyPatch, file: SqliteFile, number: int, work: Callable[[], object]) -> None:
    """Do some work, and perhaps fail, before a sheet's transaction of that number."""
    writing, transactions = file.writing, iter(range(1_000))

    def interrupted(patience: float | None = None) -> AbstractContextManager[sqlite3.Connection]:
        if next(transactions) == number:
            work()
        return writing(patience)

    monkeypatch.setattr(file, "writing", interrupted)


@pytest.mark.parametrize("number", [1, 2, 20, 40])
def test_a_process_that_ends_while_keeping_leaves_nothing_that_counts(
    number: int, club: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = Sheets(club.views).sheet(GAME)
    played(club, 50)

    def ends() -> None:
        raise OSError

    with monkeypatch.context() as patch, suppress(OSError):
        interrupting(patch, club.views.file, number, ends)
        kept_sheet.keep(club.views, sheet)
        pytest.fail("there are more parts")
    assert kept(club) is None
    assert content(kept_by(Sheets(club.views))) == read_slowly(club)
    assert kept(club) is not None


@pytest.mark.parametrize("number", [1, 20, 40])
def test_of_two_processes_that_keep_a_sheet_at_once_the_later_one_does(
    number: int, club: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = Sheets(club.views).sheet(GAME)
    with Ledger(tmp_path / "club.db") as other, monkeypatch.context() as patch:
        match = played(other, 51)
        with monkeypatch.context() as unkept:
            unkept.setattr(kept_sheet, "find", lambda reader, game: None)
            later = kept_by(Sheets(other.views))
        interrupting(patch, club.views.file, number, lambda: kept_sheet.keep(other.views, later))
        kept_sheet.keep(club.views, sheet)
    found = kept(club)
    assert found is not None
    assert match in found.text("match")
    assert content(found) == read_slowly(club)


@pytest.mark.parametrize("number", [1, 20, 40])
def test_people_who_merge_while_a_sheet_is_being_kept_stop_it(
    number: int, club: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = Sheets(club.views).sheet(GAME)

    def merge() -> None:
        merged(club)
        club.views.catch_up()

    with monkeypatch.context() as patch:
        interrupting(patch, club.views.file, number, merge)
        kept_sheet.keep(club.views, sheet)
    assert parts(club) == []
    kept_sheet.keep(club.views, sheet)
    assert parts(club) == [], "it is of before the merge"


def test_a_sheet_is_kept_again_once_many_matches_have_changed(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MANY", 2)
    own = Sheets(club.views)
    before = own.sheet(GAME).position
    for seed in range(60, 64):
        played(club, seed)
        kept_by(own)
    found = kept(club)
    assert found is not None
    assert before < found.position < club.views.position


def test_tables_that_cannot_be_written_keep_nothing_and_answer(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Sheets(club.views)
    own.sheet(GAME)
    with club.views.file.writing() as db:
        db.execute("DELETE FROM kept_sheets")
    monkeypatch.setattr(club.views.file, "writable", False)
    kept_sheet.keep(club.views, own.sheet(GAME))
    assert parts(club) == []
    assert content(Sheets(club.views).sheet(GAME)) == read_slowly(club)


def test_a_small_sheet_is_not_kept(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "WORTH_KEEPING", 100)
    played(ledger, 1)
    own = Sheets(ledger.views)
    own.sheet(GAME)
    assert own.keeping is None
    assert parts(ledger) == []


def test_columns_have_the_narrowest_type_that_holds_their_numbers(club: Ledger) -> None:
    sheet = Sheets(club.views).sheet(GAME)
    assert {sheet.hands[name].dtype.itemsize for name in sheet.names} == {1}
