"""Reading apart: what others send is read by a process of its own, which has a limit and can be ended.

Whatever a file does to its reader, the program goes on: nothing in this process waits for more than an answer. On
systems with `fork` the processes come from a server that has all readers loaded, so one takes some milliseconds.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Final, TypeVar, cast

from cardledger.errors import FormatError, UnusableError

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

Item = TypeVar("Item")
Gone = Callable[[], bool]
"""Tells whether the client has left."""
SECONDS: Final = 10.0
A_MEGABYTE: Final = 10.0
"""The processor time for a file, and for each million bytes more: all readers need less than half of it."""
MEMORY: Final = 1_000_000_000
"""The bytes of memory that reading a file may take."""
_TIMES = 5
"""How many times the processor time a process may take on the clock, on a busy machine or where no limit can be set."""
_TOGETHER = 50
_BLOCK = 1 << 16
_IN_MEMORY = 4 << 20
_LOOK = 0.2
_LOADED = ["cardledger.cli.loaded"]
_FORKS = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT: Any = multiprocessing.get_context("forkserver" if _FORKS else "spawn")
if _FORKS:
    _CONTEXT.set_forkserver_preload(_LOADED)


def apart(
    read: Callable[..., Iterable[Item]], file: BinaryIO, *given: Any, gone: Gone, seconds: float, **more: Any
) -> Iterator[Item]:
    """Yield what `read(file, ...)` yields in a process of its own; items and arguments are pickled.

    The file is read from where it stands. Where `read` is defined is loaded there too: it should be among what reads
    files. What the reader raises is raised here. Raises FormatError `format.effort` if the file takes more processor
    time than `seconds` and `A_MEGABYTE` for each megabyte, or more than `MEMORY`, and UnusableError `store.open` if no
    process can be started. The process ends with this iterator, and when `gone` says so (`format.left`).
    """
    start = file.tell()
    seconds += A_MEGABYTE * (file.seek(0, os.SEEK_END) - start) / 1_000_000
    file.seek(start)
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_read, args=(there, read, given, more, seconds), daemon=True)
    try:
        process.start()
        there.close()
        with suppress(BrokenPipeError):  # it has ended: what it said follows
            while block := file.read(_BLOCK):
                here.send_bytes(block)
            here.send_bytes(b"")
        yield from _items(here, seconds, gone)
    except OSError as error:
        raise UnusableError("store.open", f"the file cannot be read in a process of its own: {error}") from error
    finally:
        here.close()
        if process.pid is not None:
            process.kill()
            process.join()
            process.close()


def answer_apart(
    read: Callable[..., Item], file: BinaryIO, *given: Any, gone: Gone, seconds: float, **more: Any
) -> Item:
    """Return what `read(file, ...)` returns in a process of its own; raises like `apart`."""
    (answer,) = apart(_one, file, read, *given, gone=gone, seconds=seconds, **more)
    return cast("Item", answer)


def _one(file: BinaryIO, read: Callable[..., Item], *given: Any, **more: Any) -> Iterator[Item]:
    yield read(file, *given, **more)


def prepare() -> None:
    """Start what processes come from, so that the first file need not wait for it."""
    if _FORKS:
        from multiprocessing.forkserver import ensure_running

        ensure_running()


def _items(here: Connection, seconds: float, gone: Gone) -> Iterator[Any]:
    """Yield what a process sends until it is done; raises what it raised."""
    left = _TIMES * seconds
    while True:
        waited = time.monotonic()
        while not here.poll(_LOOK):
            if gone():
                raise FormatError("format.left", "the client left before its file was read: send it again")
            if time.monotonic() - waited > left:
                raise _too_much("time")
        left -= time.monotonic() - waited
        try:
            done, items, error = here.recv()
        except EOFError:  # the system has ended it
            raise _too_much("time or memory") from None
        yield from items
        if error is not None:
            raise error
        if done:
            return


def _too_much(what: str) -> FormatError:
    return FormatError(
        "format.effort",
        f"the file takes more {what} to read than a file of its size may: "
        "save it again from your program, or import it in parts",
    )


def _read(there: Connection, read: Callable[..., Iterable[Any]], given: Any, more: Any, seconds: float) -> None:
    """Read a file that comes in blocks, and send what is read, some items at a time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the main process
    with SpooledTemporaryFile(_IN_MEMORY) as spool, suppress(BrokenPipeError):
        while block := there.recv_bytes():
            spool.write(block)
        spool.seek(0)
        items: list[Any] = []
        error: Exception | None = None
        try:
            _limit(seconds)
            for item in read(cast("BinaryIO", spool), *given, **more):
                items.append(item)
                if len(items) == _TOGETHER:
                    there.send((False, items, None))
                    items = []
        except MemoryError:
            items, error = [], _too_much("memory")
        except BrokenPipeError:
            return
        except Exception as raised:  # noqa: BLE001 - whatever it is, it is raised where the file was asked for
            error = raised
        there.send((True, items, _sendable(error)))


def _sendable(error: Exception | None) -> Exception | None:
    """Return an error as it can be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    except Exception as why:  # noqa: BLE001 - an error may hold anything
        return RuntimeError(f"{error!r} ({why!r})")
    return error


def _limit(seconds: float) -> None:
    """Limit what this process may take from now on, where the system can."""
    if resource is None:
        return
    used = time.process_time()
    most = int(used + seconds) + 1
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    if sys.platform == "linux":
        with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as sizes:
            there = int(sizes.read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (there + MEMORY, there + MEMORY))
