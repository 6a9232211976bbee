"""The packed form: what it weighs, how fast matches come out of it, and how an analysis of it grows with workers.

Run: python -m tests.bench.packed
"""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pyarrow as pa
from pyarrow import parquet

from cardledger.crew import Processes
from cardledger.record.matches.matchfile import MatchInFile
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import EventStore, Recording
from cardledger.record.store.chain import START, chain
from cardledger.record.store.codec import decode
from cardledger.rules.bots.simulation import league
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.analyse.analysis import analyse
from cardledger.study.analyse.share_results import find
from cardledger.study.analyse.sources import of_archives
from cardledger.study.analyse.tables import Tables
from cardledger.study.archive import files
from cardledger.study.archive.course import ArchivedMatch
from cardledger.study.archive.files import Archive
from tests.bench.timing import loop_speed, row, scaled, seconds

MATCHES = scaled(40, 1)
HANDS = scaled(20_000, 50)
"""Hands of the archive that workers share."""
ROUNDS = scaled(5, 1)
PAGE = scaled(files.PAGE, 1)


def main() -> None:
    """Measure and print."""
    gc.set_threshold(50_000, 20, 20)
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for game in games():
            with club(folder / f"{game}.db", [game]) as ledger:
                archive = folder / f"{game}.parquet"
                files.pack(copies(ledger.store, -(-PAGE // ledger.store.last_position())), archive, 1)
                speeds(game, ledger.store, archive)
        with club(folder / "club.db", list(games())) as ledger:
            archive = folder / "club.parquet"
            speed_of_packing(ledger.store, archive)
            weights(ledger.store, archive)
            speeds("all games", ledger.store, archive)
            hands = ledger.views.reader.execute("SELECT count(*) FROM hands").fetchone()[0]
            files.pack(copies(ledger.store, max(HANDS // hands, 1)), folder / "many.parquet", 1)
        longer(folder / "many.parquet", folder / "more.parquet", 10)
        workers(folder)
        memory(folder)


def club(path: Path, names: list[str]) -> Ledger:
    """Return a ledger with matches of some games."""
    ledger = Ledger(path)
    played = (match for game in names for match in league(game, 4, 1, MATCHES, ("random",), max_hands=6))
    for _ in ledger.import_matches(MatchInFile("bench", 1, Stream.of(events), events) for events in played):
        pass
    return ledger


def speed_of_packing(store: EventStore, archive: Path) -> None:
    """Measure how fast an archive is written, verified, and verified again."""
    events = store.last_position()
    row(
        "events packed, read again and verified",
        events / seconds(lambda: files.pack(files.with_names(store.recordings(), store.names), archive, events), 3),
        "events/s",
    )

    def verify() -> None:
        with Archive(archive) as packed:
            for _ in packed.recordings():
                pass

    row("lines written from the archive, verified", events / seconds(verify, 3), "events/s")


def weights(store: EventStore, archive: Path) -> None:
    """Print the bytes an event takes."""
    text = "".join(f"{line}\n" for recording in store.recordings() for line in recording.lines).encode()
    events = store.last_position()
    database = store.name
    for what, size in (
        ("packed", archive.stat().st_size),
        ("ndjson", len(text)),
        ("ndjson, zstd 3", len(pa.Codec("zstd", 3).compress(text))),
        ("ndjson, zstd 19", len(pa.Codec("zstd", 19).compress(text))),
        ("SQLite", Path(database).stat().st_size),
    ):
        print(f"{what:<44} {size / events:>12.1f} bytes an event")


def speeds(what: str, store: EventStore, archive: Path) -> None:
    """Measure folding from stored rows and from columns, which hold the same matches, maybe many times to fill a page."""
    events = store.last_position()
    with Archive(archive) as packed:
        columns = packed.manifest.events

    def rows() -> None:
        for recording in store.recordings():
            Stream.of(decode(recording.lines))

    def unpack(fold: Callable[[ArchivedMatch], object]) -> None:
        with Archive(archive) as packed:
            for page in range(len(packed)):
                for course in packed.courses(page):
                    fold(course)

    stored = events / seconds(rows)
    row(f"{what}: states rebuilt from stored rows", stored, "events/s")
    row(f"{what}: out of the archive, ready to fold", columns / seconds(lambda: unpack(len)), "events/s")
    folded = columns / seconds(lambda: unpack(ArchivedMatch.stream))
    row(f"{what}: states rebuilt from the archive", folded, "events/s", None, f"{folded / stored:.1f} × stored rows")


def copies(store: EventStore, times: int) -> Iterator[Recording]:
    """Yield the matches of a store many times, with other ids, in their order."""
    number = 0
    for _ in range(times):
        for match, position, lines, *_ in store.recordings():
            old, new = match[:9], f"{number:08x}-"
            linked = chain(START, [line.replace(f'"id":"{old}', f'"id":"{new}') for line in lines])
            yield Recording(new + match[9:], position + number, [line for line, _ in linked], linked[-1][1])
            number += 1


def longer(archive: Path, path: Path, times: int) -> None:
    """Write the pages of an archive many times over: folding them costs as much as folding others."""
    whole = parquet.ParquetFile(archive)
    with parquet.ParquetWriter(
        path, whole.schema_arrow, compression="zstd", write_statistics=list(files.SOUGHT)
    ) as writer:
        for _ in range(times):
            for page in range(whole.num_row_groups):
                writer.write_table(whole.read_row_group(page))
        said = msgspec.json.decode(whole.metadata.metadata[b"cardledger"])
        said["events"] *= times
        writer.add_key_value_metadata({"cardledger": msgspec.json.encode(said)})


def workers(folder: Path) -> None:
    """Compare two workers to one, taking turns; they are hired already, as an analysis of hours would have them."""
    source = of_archives([folder / "many.parquet"])
    best = dict.fromkeys((1, 2), 0.0)
    with closing(Processes(find, 1)) as one, closing(Processes(find, 2)) as two:
        for round_ in range(ROUNDS + 1):
            for count, crew in ((1, one), (2, two)):
                begun = time.perf_counter()
                with Tables(folder / "tables", audit=False, csv=False, position=None) as tables:
                    for _ in analyse(source, crew, tables, audit=False):
                        pass
                if round_:
                    best[count] = max(best[count], source.size / (time.perf_counter() - begun))
    with Archive(folder / "many.parquet") as archive:
        row("events of the archive that is analysed", archive.manifest.events, "")
    row("analysed by one worker, best of rounds", best[1], "events/s")
    row("analysed by two workers", best[2], "events/s", None, f"{best[2] / best[1]:.2f} × one (goal 1.80)")


_ANALYSE = """
import re, resource, sys
from click.testing import CliRunner
from cardledger.cli.main import main
if __name__ == "__main__":
    done = CliRunner().invoke(main, ["analyse", *sys.argv[1:]], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def memory(folder: Path) -> None:
    """Print the most memory an analysis takes, of archives of one and of ten times the length."""
    script = folder / "script.py"
    script.write_text(_ANALYSE)
    for name in ("many", "more"):
        words = [sys.executable, script, folder / f"{name}.parquet", "--out", folder / "tables", "--workers", "2"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        ours, theirs = (int(kilobytes) / 1024 for kilobytes in done.stdout.split())
        with Archive(folder / f"{name}.parquet") as archive:
            print(f"{archive.manifest.events:>12,} events: {ours:.0f} MB, and at most {theirs:.0f} MB for a worker")


if __name__ == "__main__":
    main()
