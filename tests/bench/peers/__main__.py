"""Installs the peers and our compiled build in a scratch environment, measures all in turn, and prints what compares.

Run: python -m tests.bench.peers [FOLDER]    (a folder that is kept makes the second run start at once)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

from ledger.bots.simulation import league
from ledger.games import games
from ledger.ledger import Ledger
from ledger.matchfile import read_file, write

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
ROUNDS, APPENDS = 3, 9
"""How often all programs run in turn; appending more often, since disks have moods."""
PEERS = ("open_spiel>=2.0", "chess>=1.11", "pokerkit>=0.7", "eventsourcing>=9.5")
PROGRAMS = (("spiel", False), ("boards", False), ("sourced", True), ("bare", True), ("ours", True), ("ours", False))
"""What runs in a round, each in a process of its own; true: with the source tree before the compiled build."""
APPENDING = PROGRAMS[2:]
GOALS = (
    ("live fold, all checked, pure", "pure {game} table", "spiel {peer} checked", 0.6),
    ("live fold, all checked, compiled", "compiled {game} table", "spiel {peer} unchecked", 3.0),
    ("the same from columns, plays in a row at once", "compiled {game} ints", "spiel {peer} unchecked", 3.0),
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
All are driven from Python, a decision (play, bid, pass, draw) a call; deals are in the time and not in the count. "From
columns" folds plays as the packed form keeps them: seats and cards as ints, all plays in a row in one call.
Ours checks everything always: turn, holding, duties, ends; it keeps tricks, rulings to cite, and what to correct by.
open_spiel "unchecked" applies actions in trust; "checked" asks for its legal actions before each decision, as a program
has to that was handed a record; "in C++" has open_spiel look itself (apply_action_with_legality_check).
Rows are read from the same SQLite file, with who recorded them when; the reducer knows turn, holding and takers of one
game, and sits in the aggregate of eventsourcing too. Appending is judging (not so bare sqlite3), encoding, and one
transaction synced to disk.
"""


def main() -> None:
    """Install, prepare, measure, print."""
    if len(sys.argv) > 1:
        measure(Path(sys.argv[1]).resolve())
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))


def measure(folder: Path) -> None:
    """Measure in a folder."""
    python = environment(folder / "venv")
    prepare(folder)
    found: dict[str, list[float]] = defaultdict(list)
    for what, rounds, programs in (("fold", ROUNDS, PROGRAMS), ("append", APPENDS, APPENDING)):
        for number in range(rounds):
            print(f"{what}, round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            for program, pure in programs:
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
        subprocess.run([*pip, ROOT], check=True, env=os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"})
    return python


def prepare(folder: Path) -> None:
    """Write what is folded, read back and appended."""
    for game in games():
        (folder / f"{game}.jsonl").write_bytes(b"".join(map(write, league(game, 4, 1, 12, max_hands=6))))
    (folder / "appended.jsonl").write_bytes(b"".join(write(match[:56]) for match in league("diamonds-bid", 4, 2, 40)))
    if not (folder / "ledger.db").exists():
        ledger = Ledger(folder / "ledger.db")
        for _ in ledger.import_matches(read_file(folder / "diversity.jsonl")):
            pass
        ledger.close()


def run(python: Path, program: str, pure: bool, folder: Path, what: str) -> list[tuple[str, float]]:
    """Return what a program measured."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if pure:
        env["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [python, HERE / f"{program}.py", folder, what], check=True, capture_output=True, text=True, env=env, cwd=folder
    )
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
    value = median(mine / other for mine, other in zip(ours, theirs, strict=True))
    verdict = "" if goal is None else f"  goal {goal}: {'reached' if value >= goal else 'missed'}"
    print(f"{value:6.2f}  {what}{verdict}")


if __name__ == "__main__":
    main()
