"""Which share of the lines and branches of `ledger/` tests run: every day, and with each file of long tests beside.

Run: python -m tests.bench.covered [--minutes 4] [--goal 95] [--add] [--only tests/store]...    (needs `pip install pytest-cov`)

Every file is measured on its own, and ended after so many minutes: tests that prove by simulation run the same lines a
thousand times over. What was run until then counts. The share so far is printed after each, so there always is one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from coverage import CoverageData
from coverage.exceptions import CoverageException

from tests.bench.timing import TINY
from tests.bench.tree import ROOT

OF_DOMAIN = (
    "tests/store", "tests/model", "tests/proofs", "tests/backup", "tests/archive", "tests/analyse", "tests/stats", "tests/bots",
    "tests/kernel", "tests/games", "ledger/cardledger/testing", "tests/trouble/test_faults.py", "tests/growth",
)  # fmt: skip
"""Where the long tests of the domain are."""
EVERYDAY = "everyday"
EVERYDAY_MINUTES = 40
FOLDER = ROOT / ".coverage"
"""Where `data_file` of the settings is."""
_ENDING = 30
"""Seconds that a run gets to write down what it ran, when its time is over."""


def main() -> int:
    """Measure and print; 1 if the share is below the goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--goal", type=float, default=0 if TINY else 95)
    parser.add_argument(
        "--only", action="append", default=["tests/test_spelling.py"] if TINY else [], help="these instead of all"
    )
    parser.add_argument("--add", action="store_true", help="to what was measured before")
    given = parser.parse_args()
    if not given.add and not TINY:
        shutil.rmtree(FOLDER, ignore_errors=True)
    chosen = given.only or [EVERYDAY, *(str(path.relative_to(ROOT)) for path in long_files())]
    share = 0.0
    for name in chosen:
        minutes = EVERYDAY_MINUTES if name == EVERYDAY else given.minutes
        begun = time.monotonic()
        whole = measured(name, 60 * minutes)
        share = combined()
        spent = (time.monotonic() - begun) / 60
        print(f"{share:6.2f}%  {spent:5.1f} min  {name}{'' if whole else ' (ended early)'}", flush=True)
    print(f"lines and branches of ledger/ that tests run: {share:.2f}% (goal {given.goal:g}%)")
    return int(share < given.goal)


def long_files() -> list[Path]:
    """Return the files of the domain with tests that are long."""
    found = [
        path
        for place in OF_DOMAIN
        for path in ([ROOT / place] if place.endswith(".py") else sorted((ROOT / place).glob("test_*.py")))
    ]
    return [path for path in found if "mark.long" in path.read_text(encoding="utf-8")]


def measured(name: str, seconds: float) -> bool:
    """Run tests; tell whether they came to their end."""
    chosen = [] if name == EVERYDAY else [name] if TINY else ["-m", "long", name]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0" if TINY else "2",
        "--cov",
        "--cov-append",
        "--cov-report=",
        *chosen,
    ]
    environment = os.environ | {"PYTEST_ADDOPTS": "-p no:cacheprovider"}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # coverage writes down what was run (`sigterm` of its settings)
        try:
            process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return False
    return True


def combined() -> float:
    """Return the share of all that was measured so far, with what runs wrote down that were ended early."""
    for path in FOLDER.glob("data.*"):
        try:
            CoverageData(str(path)).read()
        except CoverageException:  # a process was killed while it wrote it
            path.unlink()
    if any(FOLDER.glob("data.*")):
        subprocess.run([sys.executable, "-m", "coverage", "combine", "-q", "--append"], cwd=ROOT, check=False)
    # Tests compile texts under names that are no files: they are left out.
    command = [sys.executable, "-m", "coverage", "report", "-i", "--format=total", "--precision=2"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return float(said.stdout or 0)


if __name__ == "__main__":
    sys.exit(main())
