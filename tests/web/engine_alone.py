"""An archive of the engine alone, as a browser has it: beside it msgspec and the standard library, and nothing else."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

BESIDE = ("flask", "babel", "numpy", "sqlite3", "marshmallow")
"""What a server has, and a browser has not."""


def inside_of(packed: bytes) -> zipfile.ZipFile:
    """Return the zip file of an archive."""
    return zipfile.ZipFile(io.BytesIO(gzip.decompress(packed)))


def run_alone(packed: bytes, folder: Path, program: str, given: object = None) -> list[str]:
    """Run a program with an archive that is unpacked to a folder, and return the lines that it writes.

    `given` is what it finds as JSON on its standard input.
    """
    inside_of(packed).extractall(folder)
    spec = find_spec("msgspec")
    assert spec is not None and spec.origin is not None
    (folder / "msgspec").symlink_to(Path(spec.origin).parent)
    said = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{program}"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (said.returncode, said.stderr) == (0, "")
    return said.stdout.splitlines()


def answers_alone(packed: bytes, folder: Path, answering: str, asked: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what a class of the engine (`module:Class`) answers alone; expects that it reaches nothing of a server."""
    module, _, name = answering.partition(":")
    program = f"""
import json
from {module} import {name}
engine = {name}()
print(json.dumps([json.loads(engine.answer(json.dumps(asked))) for asked in json.loads(sys.stdin.read())]))
print(sorted(name for name in sys.modules if name in {BESIDE!r}))
"""
    answers, reached = run_alone(packed, folder, program, asked)
    assert reached == "[]"
    found: list[dict[str, Any]] = json.loads(answers)
    return found
