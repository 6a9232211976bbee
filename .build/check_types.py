"""Run mypy over the source by its import names: the tree's folders are linked together as the package `cardledger` is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent

with TemporaryDirectory() as folder:
    package = Path(folder) / "cardledger"
    package.mkdir()
    for part in [*(ROOT / "ledger").iterdir(), ROOT / "api", ROOT / "web"]:
        if part.name != "__pycache__":
            (package / part.name).symlink_to(part, target_is_directory=part.is_dir())
    env = os.environ | {"MYPYPATH": folder}
    sys.exit(subprocess.run([sys.executable, "-m", "mypy", *sys.argv[1:]], cwd=ROOT, env=env, check=False).returncode)
