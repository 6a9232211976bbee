"""Whether the pages, rows and index of a file fit together. What rows hold is not checked: their hashes do that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.record.store.same_file import FileMark, mark_of
from cardledger.record.store.sqlite_errors import UNREADABLE, refused
from cardledger.sentence import advising

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.record.store.readers import Reader

_AT_ONCE = 64 << 20
"""Greatest size of a file that is checked when it is opened, which takes a tenth of a second."""
_MOST = 4096
_sound: dict[Path, tuple[FileMark | None, FileMark | None]] = {}
"""Files that were found sound, as they and their logs were then: a house opens its clubs again and again."""


def expect_sound(path: Path, reader: Reader) -> None:
    """Refuse a file that is damaged; raises StoreError `store.damaged`."""
    try:
        report = reader.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except UNREADABLE as error:
        raise refused(path, error) from None
    if report != "ok":
        details = " ".join(report.split())
        raise StoreError("store.damaged", advising(f"{path} is damaged ({details}); run cardledger doctor for advice"))


def expect_opened_sound(path: Path, reader: Reader) -> None:
    """Refuse a file that is opened and is damaged, if it is small enough to be read for that.

    One that this process found sound, and that nobody has written to since, is not read again. Raises StoreError
    `store.damaged`.
    """
    now = mark_of(path)
    if now is None or now.size > _AT_ONCE:
        return
    log = mark_of(path.with_name(f"{path.name}-wal"))
    marks = now, log if log and log.size else None  # each opening begins an empty log
    if _sound.get(path) == marks:
        return
    expect_sound(path, reader)
    if len(_sound) >= _MOST:
        _sound.clear()
    _sound[path] = marks
