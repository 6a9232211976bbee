"""One input, the same digests everywhere: hash seeds, versions of Python, SQLite and PostgreSQL, compiled rules or not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tests.bench.tree import ROOT, ROOTS
from tests.store.conftest import cluster, fresh, url  # noqa: F401 - a PostgreSQL for the long tier
from tests.test_compiled import compiled  # noqa: F401 - the Python of the compiled build

PROGRAM = Path(__file__).with_name("everywhere.py")


def digests(
    python: Path | str, folder: Path, at: str | None = None, *, seed: str = "0", source: bool = True
) -> list[str]:
    """Return the digests from a Python; `source`: import from the source tree, not from the installed package."""
    folder.mkdir()
    env = os.environ | {
        "PYTHONHASHSEED": seed,
        "XDG_CACHE_HOME": str(folder),
        "PYTHONPATH": os.pathsep.join(str(ROOT / root) for root in ROOTS) if source else "",
    }
    command = [python, PROGRAM, ROOT, folder, at or folder / "club.db"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) > 20
    assert "verified: []" in lines
    return lines


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What this Python says, with hash seed 0 and a file."""
    return digests(sys.executable, tmp_path_factory.mktemp("here") / "0")


@pytest.mark.long
def test_another_hash_seed_says_the_same(here: list[str], tmp_path: Path) -> None:
    assert digests(sys.executable, tmp_path / "1", seed="1") == here


@pytest.mark.long
def test_any_hash_seed_says_the_same(here: list[str], tmp_path: Path) -> None:
    for number in range(3):
        assert digests(sys.executable, tmp_path / str(number), seed="random") == here


@pytest.mark.long
def test_postgresql_says_the_same(here: list[str], url: str, tmp_path: Path) -> None:  # noqa: F811
    assert digests(sys.executable, tmp_path / "pg", url, seed="1") == here


@pytest.mark.long
@pytest.mark.timeout(900)
def test_compiled_rules_say_the_same(here: list[str], compiled: Path, tmp_path: Path) -> None:  # noqa: F811
    said = subprocess.run(
        [compiled, "-m", "cardledger", "--version"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "rules compiled" in said.stdout
    assert digests(compiled, tmp_path / "compiled", seed="1", source=False) == here


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_other_versions_of_python_say_the_same(here: list[str], version: str, tmp_path: Path) -> None:
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        pytest.skip("that is the Python of all other tests")
    python = found(version)
    if python is None:
        pytest.skip(f"there is no Python {version} that runs, on the path or of pyenv")
    home = tmp_path / "venv"
    subprocess.run([python, "-m", "venv", home], check=True, capture_output=True)
    # The same versions of libraries, as far as they are there for that Python: it is Python that is compared.
    constraints = tmp_path / "constraints.txt"
    constraints.write_text(
        "".join(f"{one.name}=={one.version}\n" for one in distributions() if one.name != "cardledger")
    )
    pip = [home / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", constraints, ROOT]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"cardledger cannot be installed for Python {version} here: {done.stderr[-300:]}")
    assert digests(home / "bin/python", tmp_path / "other", seed="1", source=False) == here


def found(version: str) -> Path | None:
    """Return a Python of a version that runs: a shim on the path may lead nowhere."""
    on_path = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for python in [*([Path(on_path)] if on_path else []), *sorted(pyenv.glob(f"{version}.*/bin/python{version}"))]:
        if not subprocess.run([python, "-c", "import ssl, sqlite3, venv"], capture_output=True, check=False).returncode:
            return python
    return None
