"""A killed process loses no acknowledged event and leaves no half match."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger.bots.simulation import league
from ledger.ledger import Ledger
from ledger.matchfile import Match, read_file, write

_IMPORT = """
import sys
from pathlib import Path
import ledger.ledger
from ledger.ledger import Ledger
from ledger.matchfile import read_file
ledger.ledger._BATCH = 200
for item in Ledger(Path(sys.argv[1])).import_matches(read_file(Path(sys.argv[2]))):
    print(item.match, item.events, flush=True)
"""
_RECORD = """
import sys
from pathlib import Path
from ledger.ledger import Ledger
from ledger.matchfile import read_file
ledger = Ledger(Path(sys.argv[1]))
for match in read_file(Path(sys.argv[2])):
    id, seq = None, 0
    for event in match.events:
        id, seq, *_ = ledger.record(id, [event], seq)
        print(id, seq, flush=True)
"""


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kill") / "matches.jsonl"
    path.write_bytes(b"".join(write(events) for events in league("diversity", 4, 11, 120)))
    return path


def kill_and_look(script: str, db: Path, matches: Path, rng: random.Random, whole: bool) -> int:
    """Start a writer, kill it at a random moment, and compare what it acknowledged with what is stored."""
    command = [sys.executable, "-c", script, db, matches]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline()]
        time.sleep(rng.random() * 0.25)
        writer.kill()
        acknowledged += writer.stdout.readlines()
    last = {}
    for line in acknowledged:
        if line.endswith("\n") and line.strip():
            match, seq = line.split()
            last[match] = int(seq)
    ledger = Ledger(db)
    assert [error for _, error in ledger.verify() if error] == []
    for match, seq in last.items():
        assert ledger.stream(match).seq >= seq, "an acknowledged event is lost"
    if whole:
        lengths = {len(match.events) for match in read_file(matches) if isinstance(match, Match)}
        for match in ledger.matches():
            assert ledger.stream(match).seq in lengths, "half a match is stored"
    ledger.close()
    return len(last)


def run(kills: int, tmp_path: Path, matches: Path, seed: int) -> None:
    rng = random.Random(seed)
    seen = 0
    for round_ in range(kills):
        script, whole = ((_IMPORT, True), (_RECORD, False))[round_ % 2]
        # The database of the round before the last is used again, so that a killed ledger is written to once more.
        db = tmp_path / f"{'import' if whole else 'record'}{round_ // 4}.db"
        seen += kill_and_look(script, db, matches, rng, whole)
    assert seen > kills, "the writers were killed before they did anything: the test shows nothing"


def test_a_killed_writer_loses_nothing(tmp_path: Path, matches: Path) -> None:
    run(12, tmp_path, matches, seed=1)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_writer_killed_many_times_loses_nothing(tmp_path: Path, matches: Path) -> None:
    run(300, tmp_path, matches, seed=2)
