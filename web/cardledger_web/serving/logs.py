"""The log on standard error: one line for each event, as text or JSON, without tokens, queries or cards."""

from __future__ import annotations

import json
import logging
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from cardledger.record.matches.matchfile import printable

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = logging.getLogger("cardledger")
MINUTE = 60.0
MOST_A_MINUTE = 10
"""Equal warnings that are written in a minute, at most."""
_KINDS_SEEN = 1_000
KINDS = ("errors", "text", "json")
"""The kind of log: only errors, or every request too, as text or JSON."""


def log_event(level: int, event: str, *, exc_info: Any = None, **what: object) -> None:
    """Log an event; `event` is a stable text, details go into fields."""
    LOG.log(level, event, exc_info=exc_info, extra={"fields": what})


def begin(kind: str, stream: TextIO | None = None) -> Callable[[], None]:
    """Start the log for this program and its libraries; return a function that ends it."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else TextLines())
    handler.setLevel(logging.WARNING if kind == "errors" else logging.INFO)
    handler.addFilter(Repeats())
    root, before = logging.getLogger(), LOG.level
    root.addHandler(handler)
    # Do not build messages that will not be written.
    LOG.setLevel(handler.level)

    def end() -> None:
        root.removeHandler(handler)
        LOG.setLevel(before)

    return end


class Repeats(logging.Filter):
    """Drops what a library or the server warns of again and again: so many a minute, then the number of the rest.

    Requests are no warnings: each is one short line.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[tuple[str, str, int], tuple[float, int]] = {}
        """By logger, place and level: the beginning of the minute and the number of messages in it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a message is written."""
        if record.levelno < logging.WARNING or record.getMessage() == "request":
            return True
        now, key = self._clock(), (record.name, str(record.msg), record.levelno)
        since, number = self._seen.get(key, (now, 0))
        if now - since >= MINUTE:
            left, since, number = number - MOST_A_MINUTE, now, 0
            if left > 0:
                record.msg = f"{record.getMessage()} (and {left} times more, not written here)"
                record.args = None
        if len(self._seen) >= _KINDS_SEEN:
            self._seen.clear()
        self._seen[key] = since, number + 1
        return number < MOST_A_MINUTE


class Lines(logging.Formatter):
    """One line for each event, whatever its content."""

    def known(self, record: logging.LogRecord) -> dict[str, Any]:
        """Return the fields of an event: time, level, text, details."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        fields = {"time": time, "level": record.levelname.lower(), "event": record.getMessage()}
        if record.name != LOG.name:
            fields["logger"] = record.name
        fields |= getattr(record, "fields", {})
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return fields


class JsonLines(Lines):
    """Each event as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event."""
        return json.dumps(self.known(record), default=str)


class TextLines(Lines):
    """Each event as words and `name=value`; only a traceback has lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of an event."""
        fields = self.known(record)
        time, level, event = (fields.pop(name) for name in ("time", "level", "event"))
        traceback = fields.pop("traceback", None)
        # A value with a blank is quoted, so that it cannot look like two fields.
        more = [f"{name}={_plain(str(value))}" for name, value in fields.items() if value is not None]
        line = " ".join([time, level.upper(), printable(event), *more])
        return f"{line}\n{traceback}" if traceback else line


def _plain(text: str) -> str:
    return text if text.isprintable() and text and not set(' "=') & set(text) else json.dumps(text)
