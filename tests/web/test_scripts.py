"""The scripts of the pages: each is JavaScript that a browser can read."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.conftest import ROOT

SCRIPTS = sorted(
    path for path in (ROOT / "web/cardledger_web/static").glob("*.js") if not path.name.startswith("plotly-")
)
MODULE = re.compile(r"^(import|export)\b", re.MULTILINE)


@pytest.mark.skipif(shutil.which("node") is None, reason="node checks scripts; browsers do in the long tests")
def test_every_script_can_be_read() -> None:
    """A script that cannot is left out without a word: a service worker that nobody misses until the network is gone."""
    assert len(SCRIPTS) > 30
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        kind = "module" if MODULE.search(text) else "commonjs"
        words = ["node", f"--input-type={kind}", "--check"]
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False, encoding="utf-8")
        assert done.returncode == 0, f"{path.name}: {done.stderr}"
