"""The build backend: setuptools, with a whole source distribution, and compiled rules where CARDLEDGER_COMPILE=1 asks for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from setuptools import Distribution, build_meta
from setuptools.build_meta import (
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

__all__ = [
    "build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable", "get_requires_for_build_sdist",
    "get_requires_for_build_wheel", "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel",
]  # fmt: skip

COMPILED = (
    "bots/cautious.py",
    "bots/random_bot.py",
    "bots/rollouts.py",
    "engine/at_any_time.py",
    "engine/building_blocks.py",
    "engine/cards.py",
    "engine/due.py",
    "engine/faces.py",
    "engine/hidden.py",
    "engine/judging.py",
    "engine/match.py",
    "engine/phases/[a-z]*.py",
    "engine/seen.py",
    "engine/state.py",
    "engine/stream.py",
    "games/*/[a-z]*.py",
)
"""Modules of `ledger`: what a fold passes through, and what plays rollouts. Declarations (events, games, options) stay Python."""
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


BESIDE = (".build", ".ci", ".github", "tests", "samples", "api", "web", "ledger")
"""Folders that go whole into a source distribution; a file that lists them would be one more at the top of the tree."""


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Build a source distribution from which everything can be built and tested."""
    plain = sdist.add_defaults

    def add_all(self: sdist) -> None:
        plain(self)
        for folder in BESIDE:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    self.filelist.append(str(path))

    sdist.add_defaults = add_all
    return build_meta.build_sdist(sdist_directory, config_settings)


def wanted() -> bool:
    """Say whether the rules are to be compiled."""
    return os.environ.get("CARDLEDGER_COMPILE") == "1"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what a wheel needs to be built."""
    more = ["msgspec>=0.19", "mypy>=1.18", "mypy-extensions>=1.0"] if wanted() else []
    return [*build_meta.get_requires_for_build_wheel(config_settings), *more]


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Build a wheel; the compiled modules lie beside their source in it."""
    if not wanted():
        return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    folder = Path(mkdtemp(prefix="cardledger-"))
    copy_source = build_py.run

    def copy_source_and_compiled(self: build_py) -> None:
        copy_source(self)
        shutil.copytree(folder / "built", self.build_lib, dirs_exist_ok=True)

    try:
        compile_rules(folder)
        build_py.run = copy_source_and_compiled
        Distribution.has_ext_modules = lambda self: True  # so the wheel is named for this platform
        return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    finally:
        shutil.rmtree(folder)


def compile_rules(folder: Path) -> None:
    """Compile a copy of the source, named as it is imported, so that nothing is left behind in the tree."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree("ledger", folder / "cardledger", ignore=ignore)
    found = [path for pattern in COMPILED for path in sorted((folder / "cardledger").glob(pattern))]
    paths = [path.relative_to(folder).as_posix() for path in found if path.name not in DECLARATIONS]
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, *paths], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the rules could not be compiled:\n{done.stdout}{done.stderr}")
