"""Runs every benchmark in turn: python -m tests.bench [--tiny]; they take an hour on an idle machine."""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = (
    "fold", "store", "api", "pages", "replayer", "followers", "lessons", "stats", "luck", "strength", "separation", "packed", "columns", "pbn", "proofs", "browser_engine", "browser_knowledge", "publishing", "neighbours", "peers",
)  # fmt: skip
"""The benchmarks with figures in tests/bench/README.md and beside the modules."""


def main() -> None:
    """Run them, each in a process of its own."""
    for name in BENCHMARKS:
        print(f"\n== {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"tests.bench.{name}", *sys.argv[1:]], check=True)


if __name__ == "__main__":
    main()
