"""Installs the peers and our compiled build in a scratch environment, measures all in turn, and prints what compares.

Run: python -m tests.bench.peers [FOLDER]    (a folder that is kept makes the second run start at once)

A tiny run installs nothing: it measures ours, not compiled, and those of the peers that are there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from cardledger.record.matches.matchfile import read_file, write
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import league
from cardledger.rules.games import games
from tests.bench.timing import TINY, scaled
from tests.bench.tree import ROOT, ROOTS, copy_sources

HERE = Path(__file__).parent
ROUNDS, APPENDS = scaled(3, 1), scaled(9, 1)
"""How often all programs run in turn; appending more often, since disks have moods."""
PEERS = ("open_spiel>=2.0", "chess>=1.11", "pokerkit>=0.7", "eventsourcing>=9.5")
NEEDED = {"spiel": ("pyspiel",), "boards": ("chess", "pokerkit"), "sourced": ("eventsourcing",)}
"""What programs import of others."""
GOALS = (
    ("live fold, all checked, pure", "pure {game} table", "spiel {peer} checked", 0.6),
    ("live fold, all checked, compiled", "compiled {game} table", "spiel {peer} unchecked", 3.0),
    ("whole matches handed over at once, all checked, pure", "pure {game} stream", "spiel {peer} checked", None),
    ("whole matches handed over at once, compiled", "compiled {game} stream", "spiel {peer} unchecked", None),
    ("live fold, pure, beside their own check", "pure {game} table", "spiel {peer} checked in C++", None),
    ("live fold, compiled, beside their own check", "compiled {game} table", "spiel {peer} checked in C++", None),
)
PAIRS = (("diversity", "hearts"), ("poison-hearts", "hearts"), ("diamonds-bid", "spades"))
"""Games of ours with those of theirs that they are most like."""
STORED = (
    ("states rebuilt from rows, pure / msgspec and a reducer for one game", "pure rebuild", "reducer rebuild", 0.7),
    ("states rebuilt from rows, compiled / the same", "compiled rebuild", "reducer rebuild", None),
    ("states rebuilt from rows, pure / eventsourcing", "pure rebuild", "eventsourcing rebuild", 15),
    ("the same, compiled", "compiled rebuild", "eventsourcing rebuild", None),
    ("a hand of 56 events judged and appended, pure / bare sqlite3", "pure append", "sqlite3 append", 0.6),
    ("a hand of 56 events judged and appended, pure / eventsourcing", "pure append", "eventsourcing append", 2.8),
    ("the same, waiting for the disk left out", "pure append, work alone", "eventsourcing append, work alone", None),
)
MEANING = """
All are driven from Python, a decision (play, bid, pass, draw) a call; deals are in the time and not in the count.
Ours checks everything always: turn, holding, duties, ends; it keeps tricks, rulings to cite, and what to correct by.
"Whole matches handed over at once" is not a call a decision: one call takes all events of a match and folds its tricks whole, as
import and rebuild do. open_spiel has no such call.
open_spiel "unchecked" applies actions in trust; "checked" asks for its legal actions before each decision, as a program
has to that was handed a record; "in C++" has open_spiel look itself (apply_action_with_legality_check).
Rows are read from the same SQLite file, with who recorded them when; the reducer knows turn, holding and takers of one
game, and sits in the aggregate of eventsourcing too. Appending is judging (not so bare sqlite3), encoding, and one
transaction synced to disk.
"""


def main() -> None:
    """Install, prepare, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    given = parser.parse_args()
    if given.folder:
        measure(given.folder.resolve())
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))


def programs(what: str) -> list[tuple[str, bool]]:
    """Return what runs in a round, each in a process of its own; true: with the sources before the compiled build."""
    folding = [("spiel", False), ("boards", False)] if what == "fold" else []
    found = [*folding, ("sourced", True), ("bare", True), ("ours", True), ("ours", False)]
    if TINY:
        here = [name for name, modules in NEEDED.items() if all(map(find_spec, modules))]
        return [(name, pure) for name, pure in found if name in (*here, "bare") or (name, pure) == ("ours", True)]
    return found


def measure(folder: Path) -> None:
    """Measure in a folder."""
    python = Path(sys.executable) if TINY else environment(folder / "venv")
    prepare(folder)
    found: dict[str, list[float]] = defaultdict(list)
    for what, rounds in (("fold", ROUNDS), ("append", APPENDS)):
        for number in range(rounds):
            print(f"{what}, round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            for program, pure in programs(what):
                for name, value in run(python, program, pure, folder, what):
                    found[name].append(value)
    report(found)


def environment(venv: Path) -> Path:
    """Return the Python of an environment with the peers and our compiled build."""
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "-q", "install"]
        subprocess.run([*pip, *PEERS], check=True)
        subprocess.run([*pip, ROOT], check=True, env=os.environ | {"CARDLEDGER_COMPILE": "1"})
    return python


def prepare(folder: Path) -> None:
    """Write what is folded, read back and appended, and the sources that are not compiled."""
    if not (folder / "sources").exists():
        copy_sources(folder / "sources")
        (folder / "others").mkdir()
        (folder / "others" / "tests").symlink_to(ROOT / "tests")
    for game in games():
        (folder / f"{game}.jsonl").write_bytes(b"".join(map(write, league(game, 4, 1, scaled(12, 1), max_hands=6))))
    (folder / "appended.jsonl").write_bytes(
        b"".join(write(match[:56]) for match in league("diamonds-bid", 4, 2, scaled(40, 2)))
    )
    if not (folder / "ledger.db").exists():
        ledger = Ledger(folder / "ledger.db")
        for _ in ledger.import_matches(read_file(folder / "diversity.jsonl")):
            pass
        ledger.close()


def run(python: Path, program: str, pure: bool, folder: Path, what: str) -> list[tuple[str, float]]:
    """Return what a program measured."""
    paths = [*(folder / "sources" / root for root in ROOTS if pure), folder / "others"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    words = [python, HERE / f"{program}.py", folder, what, *(["--tiny"] if TINY else [])]
    done = subprocess.run(words, check=True, capture_output=True, text=True, env=env, cwd=folder)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def report(found: dict[str, list[float]]) -> None:
    """Print speeds, and ratios with their goals: medians, of ratios those of the rounds."""
    print(MEANING)
    for name, values in found.items():
        print(f"{name:<40} {median(values):>12,.0f} a second")
    print()
    for what, ours, theirs, goal in GOALS:
        for game, peer in PAIRS:
            names = ours.format(game=game), theirs.format(peer=peer)
            ratio(f"{what}: {game} / {peer} {names[1].split(' ', 2)[2]}", found[names[0]], found[names[1]], goal)
    for what, mine, other, goal in STORED:
        ratio(what, found[mine], found[other], goal)
    for game in games():
        ratio(f"compiled / pure: {game}", found[f"compiled {game} table"], found[f"pure {game} table"], None)


def ratio(what: str, ours: list[float], theirs: list[float], goal: float | None) -> None:
    """Print a ratio, and whether it reaches its goal."""
    if not (ours and theirs):
        return  # one of them was not there to be measured
    value = median(mine / other for mine, other in zip(ours, theirs, strict=True))
    verdict = "" if goal is None else f"  goal {goal}: {'reached' if value >= goal else 'missed'}"
    print(f"{value:6.2f}  {what}{verdict}")


if __name__ == "__main__":
    main()
