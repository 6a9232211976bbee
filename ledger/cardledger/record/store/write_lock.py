"""The write lock of a file. Threads and processes take turns, and none waits for ever."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import uniform
from typing import Final

from cardledger.errors import BusyError
from cardledger.record.store.lock_holders import Holder, holder_of

if sys.platform == "win32":
    import portalocker

    def lock_file(file: int) -> bool:
        """Lock a file unless another has; tell whether it is locked now."""
        try:
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        except portalocker.LockException:
            return False
        return True

    def unlock_file(file: int) -> None:
        """Give the lock of a file back."""
        portalocker.unlock(file)

else:
    # Use the system's lock directly: a wrapper's checks took longer than the lock, at every event.
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

    def lock_file(file: int) -> bool:
        """Lock a file unless another has; tell whether it is locked now."""
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock_file(file: int) -> None:
        """Give the lock of a file back."""
        flock(file, LOCK_UN)


PATIENCE: Final = 20.0
"""Seconds that a command waits for the lock."""
_PAUSE = 0.0005
_LONGEST_PAUSE = 0.01
_MOMENT = 0.05
"""Seconds that a further writer waits after another has waited in vain."""
_NOTE = re.compile(rb"(\d{1,10}) ([^\n]{0,80})\n")
_LENGTH = 250
_UNSIGNED = b"-"
"""What stands in the place of the holder while nobody holds the lock."""


def lock_of(path: Path) -> Path:
    """Return the lock file of a file."""
    return path.with_name(f"{path.name}.lock")


class WriteLock:
    """The write lock of a file: a lock file beside it names the holder.

    Safe to share between threads. `patience` is the number of seconds to wait. After one writer has waited in vain,
    later ones fail at once until the lock is free: otherwise all threads of a server would wait.
    """

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        """Open the lock file of `path`; raises OSError."""
        self.path = path
        self.patience = patience
        # Anybody who may write to the file may take its lock.
        mode = path.stat().st_mode & 0o666 if path.exists() else 0o600
        self._file = os.open(lock_of(path), os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), mode)
        self._program = _program()
        self._left = b""
        self._turn = threading.Lock()
        self._taken_since: float | None = None  # others hold it, at every attempt
        self._in_vain = False
        self.closed = False

    @contextmanager
    def held(self, patience: float | None = None) -> Iterator[bytes]:
        """Hold the lock, yielding what its last holder left (`leave`).

        Raises BusyError if others do not release it within the usual or another number of seconds.
        """
        whole = patience is None or patience >= self.patience
        patience = min(_MOMENT if self._in_vain else self.patience, self.patience if patience is None else patience)
        until = time.monotonic() + patience
        if not self._turn.acquire(timeout=patience):
            raise self._busy("another thread of this program")
        try:
            try:
                self._take(until)
            except BusyError:
                self._in_vain = self._in_vain or whole
                raise
            try:
                yield self._sign()
            finally:
                self._unsign()
                unlock_file(self._file)
        finally:
            self._turn.release()

    @property
    def stalled(self) -> bool:
        """Whether a writer has waited in vain and no one has got the lock since."""
        return self._in_vain

    def stuck(self) -> object:
        """Return the holder if it has held the lock too long, else None."""
        if not self._turn.acquire(timeout=_MOMENT):
            return None  # a thread here writes, or waits and will find out
        try:
            self._take(time.monotonic() + _MOMENT)
            unlock_file(self._file)
        except BusyError as busy:
            long = self._taken_since is not None and time.monotonic() - self._taken_since > self.patience
            return busy.holder if self._in_vain or long else None
        finally:
            self._turn.release()
        return None

    def close(self) -> None:
        """Release the file; calling it twice does no harm."""
        if not self.closed:
            self.closed = True
            os.close(self._file)

    def _take(self, until: float) -> None:
        pause = _PAUSE
        while not lock_file(self._file):
            now = time.monotonic()
            if self._taken_since is None:
                self._taken_since = now
            if now >= until:
                raise self._busy(self._holder() or "another program")
            time.sleep(uniform(pause / 2, pause))
            pause = min(2 * pause, _LONGEST_PAUSE)
        self._taken_since = None
        self._in_vain = False

    def leave(self, what: bytes) -> None:
        """Leave a word without line breaks for the next holder, while holding the lock."""
        self._left = what

    def _sign(self) -> bytes:
        """Write the holder into the lock file; return what the one before left."""
        with suppress(OSError):  # a full disk, say: then the holder is unknown, with no further harm
            unsigned, _, left = _read(self._file, _LENGTH).partition(b"\n")
            _write(self._file, b"%d %s\n" % (os.getpid(), self._program))
            if unsigned == _UNSIGNED:
                return left.partition(b"\n")[0]
        return b""

    def _unsign(self) -> None:
        """Take the holder out again, and leave the word: programs that do not sign may take the lock next."""
        with suppress(OSError):
            _write(self._file, b"%s\n%s\n" % (_UNSIGNED, self._left))
        self._left = b""

    def _holder(self) -> Holder | None:
        """Return who holds the lock: as the system says, with the name that it signed by; None if nobody knows."""
        known, signed = holder_of(lock_of(self.path)), None
        with suppress(OSError):
            if note := _NOTE.match(_read(self._file, _LENGTH)):
                signed = Holder(int(note[1]), note[2].decode(errors="replace"))
        return known if known is not None and (signed is None or known.pid != signed.pid) else signed

    def _busy(self, holder: Holder | str) -> BusyError:
        advice = holder.advice if isinstance(holder, Holder) else "try again later"
        return BusyError(f"{self.path} is being written by {holder}: {advice}", holder)


def _read(file: int, length: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, length)


def _write(file: int, content: bytes) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, content)


def _program() -> bytes:
    """Return the name of this program and its command, without arguments."""
    given = Path(sys.argv[0] if sys.argv else "")
    name = given.parent.name if given.name == "__main__.py" else given.name
    command = next((word for word in sys.argv[1:2] if re.fullmatch("[a-z]{1,20}", word)), "")
    return " ".join(re.sub(r"[^\w. -]", "", f"{name or 'python'} {command}", flags=re.ASCII).split())[:80].encode()
