"""The files of the engine, as a browser loads them: all at addresses with one version, which changes with any of them."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardledger_web.engine.archive import SCORING, STUDYING, Start, archive

if TYPE_CHECKING:
    from collections.abc import Sequence

_FOLDER = Path(__file__).parent
SERVED = ("from-server.js", "worker.js")
"""What the worker of a page is made of."""
CARRIED = ("from-file.js", "worker.js")
"""What the worker in a file is made of, after the interpreter."""
WORKER = "worker.js"
RULES = "rules.zip.gz"
_EXPORTS = {
    "python.mjs": (" default ", ";", "createPyodideModule"),
    "pyodide.mjs": ("{", " as loadPyodide,", "loadPyodide"),
}
"""What stands before and behind the name that a script of the interpreter exports last, and what it is called elsewhere."""
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
    start: Start

    def worker(self) -> str:
        """Return the script of the worker, which knows the version of the files that it loads."""
        return f'const VERSION = "{self.version}";\n{_script(self.start, SERVED)}'


def _script(start: Start, names: Sequence[str]) -> str:
    """Return the script of a worker that answers as an archive does."""
    script = "".join((_FOLDER / name).read_text("utf-8") for name in names)
    return script.replace("${MODULE}", start.module).replace("${ANSWERS}", start.answers)


@cache
def engine_files(start: Start = SCORING) -> EngineFiles:
    """Return the files of a start; the first call packs the rules, which takes a second."""
    files = _of_interpreter()
    files[RULES] = archive(start)
    digest = sha256(_script(start, SERVED).encode())
    for name, body in files.items():
        digest.update(name.encode() + sha256(body).digest())
    return EngineFiles(files, digest.hexdigest()[:16], start)


@cache
def carried_files() -> dict[str, bytes]:
    """Return the files of an engine that lies in a file: its worker, which holds the interpreter's scripts, and what this unpacks."""
    files = _of_interpreter()
    scripts = [_as_statements(name, files.pop(name)) for name in _EXPORTS]
    worker = "\n".join([*scripts, _script(STUDYING, CARRIED)])
    return files | {RULES: archive(STUDYING), f"{WORKER}.gz": gzip.compress(worker.encode(), mtime=0)}


def _of_interpreter() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((_FOLDER / "python").iterdir()) if path.suffix in MEDIA}


def _as_statements(name: str, module: bytes) -> str:
    """Return a script of the interpreter as it can stand in a worker that lies at no address: without exports and its own address."""
    before, behind, called = _EXPORTS[name]
    text, _, last = module.decode().rpartition("export")
    exported, found, _ = last.removeprefix(before).partition(behind)
    if not found or not exported.replace("$", "_").isidentifier():
        raise ValueError(f"{name} is not the script that was chosen: it has no export where that was")
    text += f"\nconst {called} = {exported};\n"
    return text.replace("import.meta.url", "PLACE")
