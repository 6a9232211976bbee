"""An analysis gives the same as the read models, byte for byte, for any source and any number of workers."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from pyarrow import csv, parquet

from cardledger.crew import Alone, Processes, done
from cardledger.errors import LedgerError, StoreError
from cardledger.record.matches.matchfile import Problem, read_file, read_matches
from cardledger.record.matches.replay import audit
from cardledger.record.people.people import STREAM
from cardledger.record.readmodels import EVENING_MODELS, LESSON_MODELS, MODELS, TABLES, VIEWS
from cardledger.record.readmodels.arrow_tables import table_of
from cardledger.record.readmodels.tables.people import PEOPLE
from cardledger.record.readmodels.tables.ratings import RATINGS
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import Append
from cardledger.record.store.chain import START, chain
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.study.analyse import sources
from cardledger.study.analyse.share_results import TRAIL, WRITTEN, find
from cardledger.study.analyse.sources import of_archives, of_files, of_ledger
from cardledger.study.archive import files
from cardledger.study.archive.files import Archive
from tests.analyse.conftest import contents, run
from tests.conftest import SAMPLES
from tests.documents import ALL, DOCUMENTS
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.study.analyse.shares import Share


def rows(folder: Path, name: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in parquet.read_table(folder / f"{name}.parquet").to_pylist()]


def typed(table: Any, stored: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows of SQLite with real days, times and truth values."""
    return [tuple(row.values()) for row in table_of(table, stored).to_pylist()]


def path_of(ledger: Ledger) -> Path:
    return ledger.store.file.path  # type: ignore[attr-defined,no-any-return]


def test_every_read_model_that_follows_from_single_matches_is_written() -> None:
    """Others need all matches in their order, or the streams of evenings and people: a new table is one or the other."""
    others = {PEOPLE.name, RATINGS.name, *(model.name for model in (*EVENING_MODELS, *LESSON_MODELS))}
    assert {*TABLES} == {table.name for table in WRITTEN} | others
    assert not {table.name for table in WRITTEN} & others


def test_the_readme_names_the_tables_that_an_analysis_leaves_out() -> None:
    shown = DOCUMENTS["ledger/cardledger/study/analyse/README.md"].partition("<!-- others -->")[2].partition("<!--")[0]
    written = {table.name for table in WRITTEN}
    assert re.findall(r"`(\w+)`", shown) == [name for name in TABLES if name not in written]


@pytest.mark.long
@pytest.mark.parametrize("table", WRITTEN, ids=lambda table: table.name)
def test_tables_are_the_read_models(table: Any, season: Ledger, tables: Path) -> None:
    key = ", ".join(table.key)
    season.views.catch_up()
    found = season.views.reader.execute(f"SELECT * FROM {table.name} ORDER BY {key}").fetchall()
    assert rows(tables, table.name) == typed(table, found)
    schema = parquet.read_schema(tables / f"{table.name}.parquet")
    assert schema.names == list(table.columns)
    about = json.loads(schema.metadata[b"cardledger"])
    assert (about["table"], about["position"]) == (table.name, season.store.last_position())
    assert found or table.name in ("company", "named_tables", "named_venues")


@pytest.mark.long
def test_the_summary_states_its_basis(season: Ledger, archive: Path, tables: Path) -> None:
    said = json.loads((tables / "summary.json").read_bytes())
    with Archive(archive) as packed:
        manifest = packed.manifest
    assert (said["matches"], said["position"]) == (manifest.matches, season.store.last_position())
    assert (said["heads"], said["people"]) == (manifest.heads, [manifest.people])
    assert said["events"] == manifest.events - len(season.store.read(STREAM))
    assert said["tables"] == {file.stem: len(parquet.read_table(file)) for file in tables.glob("*.parquet")}
    editions: dict[str, int] = {}
    for game in said["games"].values():
        assert sum(game["status"].values()) == game["matches"]
        editions |= game["rules"]
    assert editions == manifest.rules
    assert sum(game["hands"] for game in said["games"].values()) == said["hands"] == said["tables"]["hands"]


@pytest.mark.long
def test_an_archive_gives_the_same_result(archive: Path, tables: Path, tmp_path: Path) -> None:
    run(of_archives([archive]), tmp_path)
    assert contents(tmp_path) == contents(tables)


class Whimsical(Alone):
    """Does a piece of work some time after it was given."""

    ahead = 7

    def __init__(self) -> None:
        super().__init__(find)
        self.rng = random.Random(1)
        self.given: list[tuple[Any, ...]] = []
        self.results: dict[int, Any] = {}

    def give(self, *task: Any) -> int:
        self.given.append(task)
        return len(self.given) - 1

    def wait(self, given: int) -> Any:
        while given not in self.results:
            number = self.rng.choice(sorted({*range(len(self.given))} - self.results.keys()))
            self.results[number] = find(*self.given[number])
        return self.results[given]


@pytest.mark.long
def test_the_order_of_workers_changes_nothing(season: Ledger, tables: Path, tmp_path: Path) -> None:
    run(of_ledger(path_of(season)), tmp_path, Whimsical())
    assert contents(tmp_path) == contents(tables)


@pytest.mark.long
def test_a_killed_process_changes_nothing(season: Ledger, tables: Path, tmp_path: Path) -> None:
    crew = Processes(find, 2)
    whole = of_ledger(path_of(season))
    killed: list[int] = []

    def shares() -> Iterator[Share]:
        for number, share in enumerate(whole.shares()):
            if number == 9:
                killed.append(next(filter(alive, crew.pool._processes)))
                os.kill(killed[-1], signal.SIGKILL)
            yield share

    run(replace(whole, shares=shares), tmp_path, crew)
    assert len(killed) == 1
    assert contents(tmp_path) == contents(tables)


def test_work_that_kills_its_worker_is_given_up() -> None:
    with closing(Processes(os._exit, 1)) as crew, pytest.raises(LedgerError) as lost:
        list(done(crew, iter([(1,)])))
    assert lost.value.code == "workers.lost"


_HIRER = """
import os, time
from cardledger.crew import Processes
def work(seconds):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(seconds)
if __name__ == "__main__":
    crew = Processes(work, 2)
    tasks = [crew.give(3600) for _ in range(2)]
    crew.wait(tasks[0])
"""


def test_workers_end_with_their_parent_process(tmp_path: Path) -> None:
    script = tmp_path / "hirer.py"
    script.write_text(_HIRER)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as hirer:
        assert hirer.stdout is not None
        workers = {int(hirer.stdout.readline()) for _ in range(2)}  # as soon as they are at work
        hirer.kill()
    assert len(workers) == 2
    wait_until(lambda: not any(alive(worker) for worker in workers), "the end of the workers")


def alive(pid: int) -> bool:
    """Tell whether a process is alive, not just a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# --- problems


def crafted(lines: list[str], match: str) -> Append:
    return Append(match, 0, chain(START, lines))


@pytest.fixture
def faulty(ledger: Ledger) -> Ledger:
    """A ledger with a match that can be folded, one with a play too many, and one that is not JSON."""
    for sample in ("diversity-score-sheet", "ruff-wrong-card-given"):
        for _ in ledger.import_matches(read_file(SAMPLES / f"{sample}.jsonl")):
            pass
    whole = [row.line for row in ledger.store.read(ledger.matches()[0])]
    play = ev.encode(ev.Play(seat=0, card="9S", seq=len(whole) + 1)).decode()
    ledger.store.append([crafted([*whole, play], "a" * 36), crafted([whole[0], "{"], "b" * 36)])
    return ledger


@pytest.mark.parametrize("audited", [False, True])
def test_a_match_that_does_not_fold_is_reported_and_the_others_count(
    faulty: Ledger, tmp_path: Path, audited: bool
) -> None:
    steps = run(of_ledger(path_of(faulty)), tmp_path, audit=audited)
    assert [(each.match[0], each.code) for step in steps for each in step.problems] == [
        ("a", "store.hash" if audited else "table.phase"), ("b", "store.hash" if audited else "store.line"),
    ]  # fmt: skip
    assert len(rows(tmp_path, "matches")) == 2
    assert [row[:3:2] for row in rows(tmp_path, "problems")] == [
        (each.match, each.code) for step in steps for each in step.problems
    ]
    assert json.loads((tmp_path / "summary.json").read_bytes())["problems"] == 2


def test_a_game_that_fails_does_not_stop_the_rest(
    season: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Fails(Stream):
        @classmethod
        def of(cls, events: Sequence[ev.Event], audit: bool = False) -> Stream:  # type: ignore[override]
            if events[0].game == "diamonds-draw":  # type: ignore[attr-defined]
                raise ZeroDivisionError("no such luck")
            return Stream.of(events, audit)

    monkeypatch.setattr("cardledger.study.analyse.shares.Stream", Fails)
    steps = run(of_ledger(path_of(season)), tmp_path)
    problems = [each for step in steps for each in step.problems]
    assert {each.code for each in problems} == {"store.fold"}
    assert "no such luck" in problems[0].message
    assert len(rows(tmp_path, "matches")) == len(season.matches()) - len(problems)


def test_events_recorded_in_the_meantime_are_left_out(faulty: Ledger, tmp_path: Path) -> None:
    source = of_ledger(path_of(faulty))
    before = len(faulty.matches())
    faulty.record(None, [ev.Open(game="diversity", players=("a", "b", "c", "d"))], 0)
    match = faulty.matches()[0]
    seq = len(faulty.store.read(match))
    faulty.record(match, [ev.Note(text="late")], seq)
    run(source, tmp_path)
    found = {row[0]: row[15] for row in rows(tmp_path, "matches")}
    assert len(found) == before - 2
    assert found[match] == seq


@pytest.mark.long
def test_a_match_in_two_archives_is_counted_once(season: Ledger, archive: Path, tables: Path, tmp_path: Path) -> None:
    recordings = list(season.store.recordings())
    files.pack(recordings[5:20], tmp_path / "some.parquet", 1)
    folder = tmp_path / "tables"
    steps = run(of_archives([tmp_path / "some.parquet", archive]), folder)
    problems = [each for step in steps for each in step.problems]
    assert [each.match for each in problems] == [each.match for each in recordings[5:20]]
    assert {each.code for each in problems} == {"store.duplicate"}
    assert sorted(row[0] for row in rows(folder, "matches")) == sorted(season.matches())


def test_another_archive_under_the_name_is_noticed(season: Ledger, archive: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_bytes(archive.read_bytes())
    source = of_archives([file])
    files.pack([next(season.store.recordings())], file, 1)
    with pytest.raises(StoreError) as refused:
        run(source, tmp_path / "tables")
    assert refused.value.code == "store.hash"
    assert list((tmp_path / "tables").iterdir()) == []


# --- match files


@pytest.fixture(scope="module")
def exported(season: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("exported") / "season.jsonl"
    file.write_text("".join(season.export(season.matches())))
    return file


@pytest.mark.long
def test_analysing_a_match_file_gives_the_same_as_importing_it(exported: Path, ledger: Ledger, tmp_path: Path) -> None:
    for _ in ledger.import_matches(read_file(exported)):
        pass
    run(of_files([exported]), tmp_path)
    for table in (*MODELS, *VIEWS):
        found = ledger.views.reader.execute(f"SELECT * FROM {table.name}").fetchall()
        # Hashes are of pseudonyms, in a ledger: they are its own.
        kept = [place for place, name in enumerate(table.columns) if name != "hash"]
        said = {tuple(row[place] for place in kept) for row in rows(tmp_path, table.name)}
        assert said == {tuple(row[place] for place in kept) for row in typed(table, found)}


@pytest.mark.long
def test_how_a_match_file_is_cut_changes_nothing(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither do lines that are wrong, blank, or begin a match that is none."""
    lines = exported.read_bytes().splitlines(keepends=True)
    rng = random.Random(3)
    for wrong in (b"\n", b"{\n", b'{"type":"open"}\n', b'{"type":"dance"}\n', lines[3]):
        lines.insert(rng.randrange(len(lines)), wrong)
    bare = [b'{"type":"open","game":"diversity","players":["a","b","c","d"]}\n'] * 3
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_bytes(b"\xef\xbb\xbf" + b"".join(lines))
    other.write_bytes(b"".join(bare) + b"x" * 1_000_001 + b"\n" + bare[0])
    whole = run(of_files([one, other]), tmp_path / "whole")
    assert len(whole) == 2
    monkeypatch.setattr(sources, "BYTES", 2_000)
    parts = run(of_files([one, other]), tmp_path / "parts")
    assert len(parts) > 20
    assert contents(tmp_path / "whole") == contents(tmp_path / "parts")
    problems = rows(tmp_path / "parts", "problems")
    assert [code for _, _, code, _ in problems].count("format.size") == 1
    assert len(problems) >= 4
    with one.open("rb") as file:
        expected = [
            f"{one}:{item.line}" for item in read_matches(file, "", keep_going=True) if isinstance(item, Problem)
        ]
    assert [match for match, _, _, _ in problems if str(one) in match] == expected


# --- output


@pytest.mark.long
def test_an_audit_has_every_ruling(season: Ledger, archive: Path, tables: Path, tmp_path: Path) -> None:
    run(of_ledger(path_of(season)), tmp_path / "ledger", audit=True)
    run(of_archives([archive]), tmp_path / "archive", audit=True)
    assert contents(tmp_path / "ledger") == contents(tmp_path / "archive")
    found = rows(tmp_path / "ledger", TRAIL.name)
    for match in season.matches()[:5]:
        events = season.events(match)
        trail = [(each.seq, each.rule, each.verdict, each.text) for one in audit(events) for each in one.rulings]
        assert sorted(row[2:] for row in found if row[0] == match) == sorted(trail)
    others = contents(tmp_path / "ledger")
    assert {name: others[name] for name in contents(tables) if name != "summary.json"} == {
        name: text for name, text in contents(tables).items() if name != "summary.json"
    }


def test_csv_has_the_same_values_and_holds_no_formula(ledger: Ledger, tmp_path: Path) -> None:
    events = [ev.Open(game="diversity", players=("=SUM(A1)", "b,c", 'd"e', "f")), ev.End()]
    ledger.record(None, events, 0)
    run(of_ledger(path_of(ledger)), tmp_path, csv=True)
    assert {file.stem for file in tmp_path.glob("*.csv")} == {file.stem for file in tmp_path.glob("*.parquet")}
    table = csv.read_csv(tmp_path / "players.csv")
    assert table["player"].to_pylist() == ["'=SUM(A1)", "b,c", 'd"e', "f"]
    run(of_ledger(path_of(ledger)), tmp_path)
    assert list(tmp_path.glob("*.csv")) == [], "a table of another analysis is left over"


@pytest.mark.long
def test_existing_files_stay_until_the_end(season: Ledger, tmp_path: Path) -> None:
    (tmp_path / "matches.parquet").write_text("before")
    (tmp_path / "notes.txt").write_text("mine")
    whole = of_ledger(path_of(season))

    def breaks() -> Iterator[Share]:
        yield next(whole.shares())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(replace(whole, shares=breaks), tmp_path)
    assert contents(tmp_path) == {"matches.parquet": b"before", "notes.txt": b"mine"}
    run(whole, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert len(rows(tmp_path, "matches")) == len(season.matches())


def test_tables_have_their_full_length(
    season: Ledger, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups of rows follow from the rows alone, not from the shares they came in."""
    monkeypatch.setattr("cardledger.study.analyse.tables.ROWS", 100)
    run(of_ledger(path_of(season)), tmp_path)
    file = parquet.ParquetFile(tmp_path / "tricks.parquet")
    sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    assert set(sizes[:-1]) == {100}
    assert rows(tmp_path, "tricks") == rows(tables, "tricks")


def test_the_query_of_the_readme_runs(tables: Path) -> None:
    (query,) = re.findall(r"duckdb -c \"([^\"]*'tables/[^\"]*)\"", ALL)
    assert duckdb.sql(query.replace("'tables/", f"'{tables}/").replace(">= 100", ">= 10")).fetchall()


def test_an_empty_ledger_gives_empty_tables(ledger: Ledger, tmp_path: Path) -> None:
    run(of_ledger(path_of(ledger)), tmp_path)
    assert {len(parquet.read_table(file)) for file in tmp_path.glob("*.parquet")} == {0}
