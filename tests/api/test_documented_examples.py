"""The documented examples of the REST API, as they stand there, against a real server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cardledger.record.recording.ledger import Ledger
from tests.documents import DOCUMENTS
from tests.waiting import LIMIT
from tests.web.club import fill
from tests.web.server import program, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECTION = DOCUMENTS["api/cardledger_api/README.md"].partition("\n## Roles")[0]
SERVER = """
import sys
from cardledger.study.analyse.what_if_answers import WhatIfAnswers
from cardledger_api.http.streams import streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.server import listen, run, stopping_on_signals
app = create_app(sys.argv[1])
WhatIfAnswers.of(ledger_of(app)).patience = None  # a slow machine answers too
streams_of(app).heartbeat = 0.5
with stopping_on_signals():
    server = listen(app, 0)
    print(access_of(app).lend("ana", "scorer"), flush=True)
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    run(server)
"""


def block(language: str) -> str:
    """Return all examples in a language."""
    return "".join(re.findall(rf"^```{language}\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server with the samples, and an environment with a scorer's token."""
    with Ledger(tmp_path / "club.db") as ledger:
        fill(ledger)
    with running(program("-c", SERVER, str(tmp_path / "club.db"))) as (address, said):
        yield address, os.environ | {"TOKEN": said[-2].strip(), "API": f"{address}/api/v1"}


@pytest.mark.long
def test_the_python_client_works(server: tuple[str, dict[str, str]], tmp_path: Path) -> None:
    script = tmp_path / "client.py"
    script.write_text(block("python"))
    run = subprocess.run(
        [sys.executable, script], env=server[1], capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert run.returncode == 0, run.stderr
    first, *events = run.stdout.splitlines()
    assert first.endswith(" is at 2")
    assert events == ["1 open", "2 note"]


@pytest.mark.long
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_examples_work(server: tuple[str, dict[str, str]]) -> None:
    address, env = server
    # A stream is read for so many lines, not for so many seconds, and not without any.
    lines = iter(("4000", "2", "2"))
    commands = re.sub(
        r"curl -sfN -m 1 (.*) \|\| test \$\? = 28.*",
        lambda found: f"curl -sfN -m {LIMIT} {found[1]} | head -n {next(lines)} | grep .",
        block("sh").replace("http://127.0.0.1:8000", address),
    )
    assert not [*lines]
    run = subprocess.run(
        ["sh", "-e", "-c", commands], env=env, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert run.returncode == 0, run.stderr
    answers = [line for line in run.stdout.splitlines() if line.startswith("{") and "position" not in line[:12]]
    assert len(answers) == 9
    assert [next(iter(words)) for words in (re.findall(r'"(\w+)"', answer) for answer in answers)] == [
        "matches", "id", "id", "hands", "hands", "game", "match", "sessions", "evening",
    ]  # fmt: skip
    assert run.stdout.count("\ndata: ") > 1000
