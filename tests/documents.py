"""The documents of the tree: every Markdown file by its path, and all of them in a row."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(
        [
            *ROOT.glob("*.md"),
            *(file for top in ("ledger", "api", "web", "tests", "samples") for file in (ROOT / top).rglob("*.md")),
        ]
    )
}
ALL = "\n".join(DOCUMENTS.values())
SAVED = re.compile(r"^Save this as `([\w.]+)`[^\n]*:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file that a reader is told to write: its name and its text."""
