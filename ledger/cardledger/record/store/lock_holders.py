"""Who holds a lock of a file, where the system knows (Linux does), whatever program it is."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LOCKS = Path("/proc/locks")
_LINE = re.compile(
    r"\d+: +(FLOCK|POSIX|OFDLCK) +\w+ +WRITE +(\d+) +([0-9a-f]+):([0-9a-f]+):(\d+) +(\d+) +(\d+|EOF)", re.A
)
SQLITE_WRITER = 120
"""The byte of SQLite's `-shm` file that is locked by the connection that writes."""


class Holder(NamedTuple):
    """A process that holds a lock, and the name of its program."""

    pid: int
    program: str

    @property
    def stopped(self) -> bool:
        """Whether the process is stopped (Ctrl-Z), as far as the system shows."""
        with suppress(OSError):
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] in ("T", "t")
        return False

    @property
    def advice(self) -> str:
        """What to do about it."""
        wake = f"let it go on (kill -CONT {self.pid}) or " if self.stopped else ""
        return f"{wake}end it (kill {self.pid}), and try again"

    def __str__(self) -> str:
        return f"process {self.pid} ({self.program}){', which is stopped' if self.stopped else ''}"


def holder_of(path: Path, byte: int | None = None) -> Holder | None:
    """Return the process that has locked a file, or a byte of it, for writing; None if the system does not tell."""
    with suppress(OSError):
        status = path.stat()
        file = os.major(status.st_dev), os.minor(status.st_dev), status.st_ino
        for line in LOCKS.read_text().splitlines():
            if found := _LINE.match(line):
                _, pid, major, minor, inode, start, end = found.groups()
                there = (int(major, 16), int(minor, 16), int(inode)) == file
                if there and int(pid) and (byte is None or int(start) <= byte and (end == "EOF" or byte <= int(end))):
                    return Holder(int(pid), program_of(int(pid)))
    return None


def program_of(pid: int) -> str:
    """Return the name of a process's program, without arguments."""
    with suppress(OSError):
        return re.sub(r"[^\w. -]", "", Path(f"/proc/{pid}/comm").read_text(errors="replace").strip(), flags=re.A)[:80]
    return "unknown"
