"""Speed of PBN files: read, judged, imported and written, beside endplay's reader where that is installed; and the memory.

Run: python -m tests.bench.pbn    (for the comparison: pip install endplay)
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from cardledger.formats.bridge_files.board_events import events_of
from cardledger.formats.bridge_files.boards import Board
from cardledger.formats.bridge_files.pbn import PbnReader
from cardledger.formats.bridge_files.reading import read_file_of_matches
from cardledger.formats.bridge_files.writing import written
from cardledger.record.matches.matchfile import MatchInFile
from cardledger.record.recording.ledger import Ledger
from tests.bench.timing import loop_speed, row, scaled, seconds
from tests.bridge_files.made import random_games

BOARDS = scaled(1_000, 10)
MANY = scaled(50_000, 100)


def main() -> None:
    """Measure and print."""
    gc.set_threshold(50_000, 20, 20)
    row("empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.pbn"
        path.write_text("".join(random_games(BOARDS)))
        number = count()

        def read() -> None:
            with path.open("rb") as file:
                for board in PbnReader().read(file):
                    assert isinstance(board, Board)

        def told() -> None:
            with path.open("rb") as file:
                for board in PbnReader().read(file):
                    assert isinstance(board, Board)
                    events_of(board)

        def judged() -> None:
            with path.open("rb") as file:
                for item in read_file_of_matches(file, "boards.pbn"):
                    assert isinstance(item, MatchInFile)

        def imported() -> None:
            with Ledger(Path(folder) / f"{next(number)}.db") as ledger, path.open("rb") as file:
                items = (item for item in read_file_of_matches(file, "boards.pbn") if isinstance(item, MatchInFile))
                for _ in ledger.import_matches(items):
                    pass

        theirs = endplays(path)
        for what, work in (
            ("read", read), ("read, as events", told), ("read and judged", judged), ("imported", imported),
        ):  # fmt: skip
            speed = BOARDS / seconds(work, 5, time.process_time)
            row(what, speed, "boards/s", ratio=f"{speed / theirs:.1f} times endplay's reader" if theirs else "")
        with path.open("rb") as file:
            items = [*read_file_of_matches(file, "boards.pbn")]
        streams = [item.stream for item in items if isinstance(item, MatchInFile)]
        row("written", BOARDS / seconds(lambda: [*written(streams, "pbn")], 3, time.process_time), "boards/s")
        memory(Path(folder))


def endplays(path: Path) -> float:
    """Return the boards a second that endplay reads, 0 if it is not installed."""
    try:
        from endplay.parsers import pbn
    except ImportError:
        row("endplay is not installed", 0, "")
        return 0
    speed = BOARDS / seconds(lambda: pbn.loads(path.read_text()), 5, time.process_time)
    row("endplay reads", speed, "boards/s")
    return speed


def memory(folder: Path) -> None:
    """Print the memory that a process needs for few boards and for many."""
    for boards in (MANY // 50, MANY):
        path = folder / "many.pbn"
        with path.open("w") as file:
            file.writelines(random_games(boards))
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.pbn", str(path)], capture_output=True, text=True, check=True
        )
        row(f"memory for {boards:,} boards, read and judged", float(done.stdout), "MB")


def most_memory(path: str) -> float:
    """Return the megabytes that this process needed to read a file."""
    with Path(path).open("rb") as file:
        for _ in read_file_of_matches(file, path):
            pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(most_memory(sys.argv[1]))
    else:
        main()
