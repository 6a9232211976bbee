"""Builds a wheel whose rules are compiled: the same source through mypyc, next to it. Off unless asked for (README)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "cards",
    "corrections",
    "hand",
    "parts",
    "plays",
    "table",
    "tricks",
    "unseen",
    "games/diamonds_bid",
    "games/diamonds_draw",
    "games/diversity",
    "games/hecto_diversity",
    "games/poison_hearts",
    "games/ruff",
    "bots/cautious",
    "bots/diamonds_bid",
    "bots/diamonds_draw",
    "bots/diversity",
    "bots/hecto_diversity",
    "bots/poison_hearts",
    "bots/random_bot",
    "bots/ruff",
    "bots/seen",
    "stats/rollouts",
)
"""Modules of `ledger`: what a fold passes through, and what plays rollouts. Declarations (events, games, rules) stay Python."""

COMPILE = """
import sys
from mypyc.build import mypycify
from setuptools import setup

# What is not compiled is read for its types only, whatever it imports.
options = ["--follow-imports=silent", "--ignore-missing-imports"]
extensions = mypycify([*options, *sys.argv[1:]], opt_level="3", group_name="cardledger")
setup(name="cardledger", ext_modules=extensions, script_args=["build_ext", "--build-lib", "built"])
"""


class CompiledRules(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel; an editable install stays as it is, since its source is to be changed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile a copy of the source in a folder of its own, so that nothing is left behind in the tree."""
        if version == "editable":
            return
        self.folder = Path(mkdtemp(prefix="cardledger-"))
        shutil.copytree(
            Path(self.root) / "ledger", self.folder / "ledger", ignore=shutil.ignore_patterns("__pycache__")
        )
        paths = [f"ledger/{module}.py" for module in COMPILED]
        done = subprocess.run(  # noqa: S603 # our own command
            [sys.executable, "-c", COMPILE, *paths], cwd=self.folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the rules could not be compiled:\n{done.stdout}{done.stderr}")
        built = self.folder / "built"
        build_data["force_include"].update(
            {str(path): str(path.relative_to(built)) for path in built.rglob("*") if path.is_file()}
        )
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        if version != "editable":
            shutil.rmtree(self.folder)
