"""The log on standard error: one line an event, for people or as JSON for programs; it holds no token, no query and no card."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from ledger.matchfile import printable

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = logging.getLogger("cardledger")
KINDS = ("errors", "text", "json")
"""What is logged, and how: only what goes wrong, or every request too, as text or as JSON."""


def told(level: int, event: str, *, exc_info: Any = None, **what: object) -> None:
    """Log an event; `event` is a stable text, what else is known of it goes into fields."""
    LOG.log(level, event, exc_info=exc_info, extra={"told": what})


def begin(kind: str, stream: TextIO | None = None) -> Callable[[], None]:
    """Log what this program and its libraries have to tell; return what ends that."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else TextLines())
    handler.setLevel(logging.WARNING if kind == "errors" else logging.INFO)
    root, before = logging.getLogger(), LOG.level
    root.addHandler(handler)
    # Nothing is put together that nobody wants to read.
    LOG.setLevel(handler.level)

    def end() -> None:
        root.removeHandler(handler)
        LOG.setLevel(before)

    return end


class Lines(logging.Formatter):
    """One line for each event, whatever is in it."""

    def known(self, record: logging.LogRecord) -> dict[str, Any]:
        """Return the fields of an event: when, how grave, what, and what else is known."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        known = {"time": time, "level": record.levelname.lower(), "event": record.getMessage()}
        if record.name != LOG.name:
            known["logger"] = record.name
        known |= getattr(record, "told", {})
        if record.exc_info:
            known["traceback"] = self.formatException(record.exc_info)
        return known


class JsonLines(Lines):
    """Each event as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event."""
        return json.dumps(self.known(record), default=str)


class TextLines(Lines):
    """Each event as words and `name=value`; only a traceback has lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of an event."""
        known = self.known(record)
        time, level, event = (known.pop(name) for name in ("time", "level", "event"))
        traceback = known.pop("traceback", None)
        # A value with a blank is quoted, so that nobody can make one look like two.
        more = [f"{name}={_plain(str(value))}" for name, value in known.items() if value is not None]
        line = " ".join([time, level.upper(), printable(event), *more])
        return f"{line}\n{traceback}" if traceback else line


def _plain(text: str) -> str:
    return text if text.isprintable() and text and not set(' "=') & set(text) else json.dumps(text)
