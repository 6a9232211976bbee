"""The log on standard error: one line for each event, as text or JSON, without tokens, queries or cards."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from cardledger.record.matches.matchfile import printable

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = logging.getLogger("cardledger")
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
    root, before = logging.getLogger(), LOG.level
    root.addHandler(handler)
    # Do not build messages that will not be written.
    LOG.setLevel(handler.level)

    def end() -> None:
        root.removeHandler(handler)
        LOG.setLevel(before)

    return end


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
