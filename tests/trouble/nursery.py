"""The nursery: a process that has imported everything and forks others on demand; a thousand starts of Python take too long."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.waiting import LIMIT

ROOT = Path(__file__).parent.parent.parent
_DIES_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


class Child:
    """A process at work; what it says is in the file `said`, what it complains of in `wrong`."""

    def __init__(self, nursery: Nursery, pid: int, said: Path, wrong: Path) -> None:
        self._nursery = nursery
        self.pid = pid
        self.said = said
        self.wrong = wrong

    def kill(self) -> int:
        """End it at once, wherever it is, and return its status; it has another one if it had ended by itself."""
        os.kill(self.pid, signal.SIGKILL)
        return self.ended()

    def ended(self, seconds: float = LIMIT) -> int:
        """Wait for its end and return its status, negative for a signal; a process that takes longer is killed, and the test fails."""
        status = self._nursery.ask(wait=self.pid, seconds=seconds)
        assert status is not None, f"still at it after {seconds} s: {self.wrong.read_text()}"
        return int(status)

    def lines(self) -> list[str]:
        """Return the whole lines it has said so far."""
        return self.said.read_text().split("\n")[:-1]

    def wait_for_line(self, number: int = 1, seconds: float = LIMIT) -> str:
        """Wait until it has printed this many lines, and return the last one."""
        until = time.monotonic() + seconds
        while len(lines := self.lines()) < number:
            assert time.monotonic() < until, f"nothing said in {seconds} s: {self.wrong.read_text()}"
            time.sleep(0.002)
        return lines[number - 1]


class Nursery:
    """The process as seen by the tests; `library` is preloaded into all that come from it."""

    def __init__(self, folder: Path, library: Path | None = None) -> None:
        self._folder = folder
        self._born = 0
        # Threads do not survive a fork: nobody is to start some for the sake of a sum.
        env = os.environ | {"OPENBLAS_NUM_THREADS": "1"} | ({"LD_PRELOAD": str(library)} if library else {})
        command = [sys.executable, "-m", "tests.trouble.nursery"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=env
        )

    def ask(self, **order: Any) -> Any:
        """Give an order and return the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the nursery is gone; what it has to say of that is on standard error"
        return json.loads(answer)

    def born(self, work: str, *given: Any) -> Child:
        """Start a process that does a piece of work of tests/trouble/works.py."""
        self._born += 1
        said, wrong = (self._folder / f"{self._born}.{kind}" for kind in ("said", "wrong"))
        said.touch()
        wrong.touch()
        words = [str(word) if isinstance(word, Path) else word for word in given]
        return Child(self, self.ask(work=work, given=words, said=str(said), wrong=str(wrong)), said, wrong)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()  # it ends, with all its remaining children
        self._process.stdout.close()
        self._process.wait(LIMIT)


# --- within the nursery


def _serve() -> None:
    from tests.trouble import works

    works.warm()
    print_answer, children = os.dup(1), set[int]()
    for line in sys.stdin.buffer:
        order = json.loads(line)
        if "wait" in order:
            answer = _awaited(order["wait"], order["seconds"])
            children.discard(order["wait"])
        else:
            answer = _forked(getattr(works, order["work"]), order)
            children.add(answer)
        os.write(print_answer, f"{json.dumps(answer)}\n".encode())
    for pid in children:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _forked(work: Any, order: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        with suppress(AttributeError):  # elsewhere than on Linux
            ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, path in ((1, order["said"]), (2, order["wrong"])):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), number)
        work(*order["given"])
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - any error is reported, and the process is no second nursery
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _awaited(pid: int, seconds: float) -> int | None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        gone, status = os.waitpid(pid, os.WNOHANG)
        if gone:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


if __name__ == "__main__":
    _serve()
