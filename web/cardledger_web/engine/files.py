"""The files of the engine, as a browser loads them: all at addresses with one version, which changes with any of them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from cardledger_web.engine.archive import START, TEMPLATES, archive

_FOLDER = Path(__file__).parent
WORKER = "worker.js"
RULES = "rules.zip.gz"
MEDIA = {
    ".mjs": "text/javascript; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".gz": "application/gzip",
    ".zip": "application/zip",
}


class EngineFiles(NamedTuple):
    """The files by name, and their version."""

    files: dict[str, bytes]
    version: str
    start: str

    def worker(self) -> str:
        """Return the script of the worker, which knows the version of the files that it loads."""
        return (
            f'const VERSION = "{self.version}";\nconst START = "{self.start}";\n{(_FOLDER / WORKER).read_text("utf-8")}'
        )


@cache
def engine_files(start: str = START, templates: tuple[str, ...] = TEMPLATES) -> EngineFiles:
    """Return the files of a module that runs in the browser; the first call packs the rules, which takes a second."""
    files = {path.name: path.read_bytes() for path in sorted((_FOLDER / "python").iterdir()) if path.suffix in MEDIA}
    files[RULES] = archive(start, templates)
    digest = sha256((_FOLDER / WORKER).read_bytes())
    for name, body in files.items():
        digest.update(name.encode() + sha256(body).digest())
    return EngineFiles(files, digest.hexdigest()[:16], start)
