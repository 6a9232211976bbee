"""A copy of the sources, for programs that are to run with just these."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOTS = ("ledger", "api", "web")
"""Folders that are on Python's path, each with one package."""
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.so")


def copy_sources(tree: Path) -> list[Path]:
    """Copy the packages and the samples into a folder; return what is to be first on Python's path."""
    for folder in (*ROOTS, "samples"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=_LEFT_OUT)
    return [tree / root for root in ROOTS]
