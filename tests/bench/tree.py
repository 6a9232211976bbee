"""A copy of the sources under the name they are imported by, for programs that are to run with just these."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.so")


def copy_sources(tree: Path) -> None:
    """Put the package into a folder, which is to be first where Python looks; its parts are there by their own names too."""
    package = tree / "cardledger"
    shutil.copytree(ROOT / "ledger", package, ignore=_LEFT_OUT)
    for part in ("api", "web"):
        shutil.copytree(ROOT / part, package / part, ignore=_LEFT_OUT)
        (tree / part).symlink_to(Path("cardledger") / part)
    shutil.copytree(ROOT / "tests" / "kit", package / "testing", ignore=_LEFT_OUT)
    (tree / "ledger").symlink_to("cardledger")
    shutil.copytree(ROOT / "samples", package / "web" / "samples", ignore=_LEFT_OUT)
    (tree / "samples").symlink_to(Path("cardledger") / "web" / "samples")
