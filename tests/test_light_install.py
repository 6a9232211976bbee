"""`cardledger` alone, without the extra `club`: match files are judged and replayed, and the rest says what it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.waiting import LIMIT

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
DEPENDENCIES = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
NAMES = {re.match(r"[\w-]+", each)[0] for each in DEPENDENCIES}
ALONE = """
import sys
from importlib.abc import MetaPathFinder
from importlib.metadata import packages_distributions

needed = {"cardledger", *sys.argv.pop(1).split(",")}
left_out = {
    module for module, of in packages_distributions().items() if not needed & {name.replace("_", "-") for name in of}
}

class Light(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in left_out:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Light())
from cardledger.cli.main import main
main()
"""


def light(*words: str, at: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as where only the packages are installed that `cardledger` alone brings."""
    command = [sys.executable, "-c", ALONE, ",".join(NAMES), *words]
    return subprocess.run(command, cwd=at, capture_output=True, text=True, encoding="utf-8", timeout=LIMIT)


def test_it_has_at_most_five_packages_none_of_which_brings_another() -> None:
    assert {"click", "msgspec", "mypy-extensions", "portalocker"} == NAMES


@pytest.mark.parametrize(
    "words",
    [
        ("games",),
        ("rules", "ruff"),
        ("explain", "follow.suit"),
        ("replay", str(SAMPLES / "ruff-2-rounds.jsonl")),
        ("replay", "--audit", str(SAMPLES / "diversity-club-night.jsonl")),
        ("replay", "--json", str(SAMPLES / "diversity-club-night.jsonl")),
    ],
)
def test_it_judges_and_replays_as_the_whole_program_does(words: tuple[str, ...], tmp_path: Path) -> None:
    said = light(*words, at=tmp_path)
    assert (said.returncode, said.stderr) == (0, "")
    whole = [sys.executable, "-m", "cardledger", *words]
    assert said.stdout == subprocess.run(whole, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8").stdout


def test_it_keeps_matches_in_a_ledger(tmp_path: Path) -> None:
    stored = light("import", str(SAMPLES / "ruff-2-rounds.jsonl"), "--db", "club.db", at=tmp_path)
    assert stored.returncode == 0, stored.stderr
    assert "ruff-2" in light("matches", "--db", "club.db", at=tmp_path).stdout
    assert light("export", "--db", "club.db", at=tmp_path).stdout.startswith('{"type":"open"')


@pytest.mark.parametrize(
    "words", [("serve",), ("stats", "players", "ruff"), ("simulate", "ruff"), ("what-if", "--help")]
)
def test_what_it_leaves_out_is_said_in_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    said = light(*words, at=tmp_path)
    assert said.returncode == 2
    assert re.match(r"cardledger: store\.extra: this needs \w+: pip install 'cardledger\[club\]'\n", said.stderr)
    assert "Traceback" not in said.stderr and not [*tmp_path.iterdir()]
