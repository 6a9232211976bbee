"""What a wheel has beside the three packages: the samples, and compiled rules where CARDLEDGER_COMPILE=1 asks for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "engine/at_any_time.py",
    "engine/building_blocks.py",
    "engine/cards.py",
    "engine/due.py",
    "engine/faces.py",
    "engine/hidden.py",
    "engine/judging.py",
    "engine/match.py",
    "engine/match_state.py",
    "engine/phases/[a-z]*.py",
    "engine/seen.py",
    "engine/state.py",
    "stream.py",
    "games/*/[a-z]*.py",
    "bots/cautious.py",
    "bots/random_bot.py",
    "bots/rollouts.py",
)
"""Modules of `cardledger/rules`: what a fold passes through, and what plays rollouts. Declarations (events, games, options) stay Python."""
DECLARATIONS = ("measured.py", "measures.py", "sheet.py")
"""Of a game, what nobody waits for."""

COMPILE = """
import os
import sys
from mypyc.build import mypycify
from setuptools import setup

# What is not compiled is read for its types only, whatever it imports.
options = ["--follow-imports=silent", "--ignore-missing-imports"]
extensions = mypycify([*options, *sys.argv[1:]], opt_level=os.environ.get("CARDLEDGER_OPTIMIZE", "3"), group_name="cardledger")
setup(name="cardledger", ext_modules=extensions, script_args=["build_ext", "--build-lib", "built"])
"""


class Wheel(BuildHookInterface[Any]):
    """Adds to a wheel what lies elsewhere in the tree; an editable install finds it there."""

    def dependencies(self) -> list[str]:
        """Return what the compiler needs, if it is wanted."""
        return ["msgspec>=0.19", "mypy>=1.18", "mypy-extensions>=1.0", "setuptools>=77"] if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to add. Compiled modules lie beside their source, and the wheel is named for this platform."""
        self.folder = Path(mkdtemp(prefix="cardledger-"))
        if version == "editable":
            return
        build_data["force_include"][str(Path(self.root) / "samples")] = "cardledger_web/samples"
        if wanted():
            compile_rules(Path(self.root), self.folder)
            build_data["force_include"][str(self.folder / "built")] = "."
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled: it is in the wheel."""
        shutil.rmtree(self.folder)


def wanted() -> bool:
    """Say whether the rules are to be compiled."""
    return os.environ.get("CARDLEDGER_COMPILE") == "1"


def compile_rules(root: Path, folder: Path) -> None:
    """Compile a copy of the source, so that nothing is left behind in the tree."""
    shutil.copytree(root / "ledger" / "cardledger", folder / "cardledger", ignore=shutil.ignore_patterns("__pycache__"))
    rules = folder / "cardledger" / "rules"
    found = [path for pattern in COMPILED for path in sorted(rules.glob(pattern))]
    paths = [path.relative_to(folder).as_posix() for path in found if path.name not in DECLARATIONS]
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, *paths], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the rules could not be compiled:\n{done.stdout}{done.stderr}")
