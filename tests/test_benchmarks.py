"""Every benchmark runs, however little it does: so that its figures can be had of any version."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from cardledger import __file__ as package
from tests.store.cluster import programs

HERE = Path(__file__).parent
ROOT = HERE.parent
BENCHMARKS = sorted(
    str(path.relative_to(ROOT).with_suffix("")).replace(os.sep, ".").removesuffix(".__main__")
    for path in (HERE / "bench").rglob("*.py")
    if 'if __name__ == "__main__"' in path.read_text()
    and (path.parent.name == "bench" or path.stem == "__main__")
    and path != HERE / "bench" / "__main__.py"
)
"""What can be run; the programs that the peers' benchmark starts are run by that."""
TELLS = {
    "tests.bench.store": "PostgreSQL: one event through record" if programs() else "one event through record",
    "tests.bench.peers": "states rebuilt from rows, pure",
    "tests.bench.mutation": "noticed:",
    "tests.bench.replayer": "phone",
    "tests.bench.api": "the same from 4 connections",
}
"""What some of them say last of all."""
OF_KERNELS = ("tests.bench.columns", "tests.bench.compared")
"""Those that measure nothing without kernels, which other tests do without."""


def test_all_benchmarks_are_known() -> None:
    assert {"api", "columns", "compared", "expected", "fold", "large", "luck", "mutation", "packed", "pages", "peers", "proofs", "replayer", "stats", "store"} <= {
        name.rpartition(".")[2] for name in BENCHMARKS
    }  # fmt: skip


def test_every_benchmark_is_in_the_document_about_speed() -> None:
    told = "".join(path.read_text() for path in ROOT.rglob("README.md") if not {".venv", "build"} & {*path.parts})
    assert [name for name in BENCHMARKS if f"python -m {name}" not in told] == []


def test_figures_are_labelled_as_medians_of_this_version() -> None:
    said = " ".join((HERE / "bench" / "README.md").read_text().split())
    assert f"medians, measured with cardledger {version('cardledger')}" in said


@pytest.mark.long
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_runs_and_prints_figures(name: str) -> None:
    if name == "tests.bench.mutation" and find_spec("cosmic_ray") is None:
        pytest.skip("Cosmic Ray is in the extra dev")
    if name in OF_KERNELS and find_spec("numba") is None:
        pytest.skip("numba is in the extra fast")
    before = {path: path.stat().st_mtime_ns for path in Path(package).parent.rglob("*.py")}
    words = [sys.executable, "-m", name, "--tiny"]
    environment = os.environ | ({"CARDLEDGER_FAST": "1"} if name in OF_KERNELS else {})
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert len(re.findall(r"\d", done.stdout)) > 5, done.stdout
    assert TELLS.get(name, "") in done.stdout
    assert {path: path.stat().st_mtime_ns for path in Path(package).parent.rglob("*.py")} == before
