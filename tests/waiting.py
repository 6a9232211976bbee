"""Waiting for what other threads, processes and browsers do: for a condition, never for a length of time."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

Value = TypeVar("Value")
LIMIT = 120
"""Seconds after which a test gives up. No machine is so busy, so whatever takes longer never comes."""


def wait_until(condition: Callable[[], Value], what: str = "") -> Value:
    """Return the first true value of a condition; the test fails if none comes."""
    end, pause = time.monotonic() + LIMIT, 0.001
    while not (value := condition()):
        assert time.monotonic() < end, f"{what or 'the condition'} did not come true: the last value was {value!r}"
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    return value


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Return the exit status, the output and the errors of a process that ends by itself, or was asked to end."""
    out, errors = process.communicate(timeout=LIMIT)
    return process.returncode, out or "", errors or ""


def together(*works: Callable[[], object]) -> None:
    """Do several things at once, each in a thread, until all are done; the first error of any fails the test."""
    errors: list[BaseException] = []

    def do(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 (the test's own thread raises it)
            errors.append(error)

    threads = [threading.Thread(target=do, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
        assert not thread.is_alive(), "a thread did not come to its end"
    if errors:
        raise errors[0]
