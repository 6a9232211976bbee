"""A server as a process of its own, for tests."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent
ENV = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
COMMAND = "import sys; from cardledger_web.commands import serve; getattr(serve, sys.argv[1])(sys.argv[2:])"


def command(*words: str, **env: str) -> subprocess.Popen[str]:
    """Start a command of `cardledger_web.commands.serve`: serve or demo."""
    return program("-c", COMMAND, *words, **env)


def program(*words: str, **env: str) -> subprocess.Popen[str]:
    """Start Python, with the source tree on its path."""
    return subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENV | env
    )


@contextmanager
def kept_port() -> Iterator[int]:
    """Yield a port that nobody else gets, also while our server is not running: a socket has it, and never listens."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


@contextmanager
def running(process: subprocess.Popen[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the address a server announces and the lines before it; afterwards the server must not be left."""
    lines: list[str] = []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if found := re.search(r"http://[\d.]+:\d+", line):
                yield found[0], lines
                break
        else:
            pytest.fail(f"no server: {lines} {process.stderr and process.stderr.read()}")
    finally:
        process.kill()
        process.communicate()
