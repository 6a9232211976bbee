"""The commands of a LIN file, each with its line."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import IO, BinaryIO, cast
from urllib.parse import unquote_plus

from cardledger.formats.bridge_files.text import MAX_LINE, OpenFile
from cardledger.formats.encoding import encoding_of

_ADDRESS = re.compile(r"https?://\S*?[?&]lin=([^&\s]+)")


def commands_of(file: BinaryIO) -> Iterator[tuple[int, str, str]]:
    """Yield the commands of a file with their lines; a nameless one says that a text is too long."""
    text: IO[str] = io.TextIOWrapper(
        cast("IO[bytes]", OpenFile(file)), encoding_of(file), errors="replace", newline=None
    )
    waiting = text.read(MAX_LINE).removeprefix("\ufeff")
    if match := _ADDRESS.match(waiting.lstrip()):
        text, waiting = io.StringIO(), unquote_plus(match[1])
    line, lost = 1, False
    while True:
        parts = waiting.split("|")
        if lost:
            line += parts[0].count("\n")
            lost = len(parts) == 1
            parts = parts[1:] or [""]
        place = 0
        while place < len(parts) - 1:
            name, value = parts[place], parts[place + 1]
            if not name.strip():  # a bar too many
                line += name.count("\n")
                place += 1
                continue
            if place == len(parts) - 2:
                break
            place += 2
            at = line + name[: len(name) - len(name.lstrip())].count("\n")
            line += name.count("\n") + value.count("\n")
            yield at, name.strip().lower(), value.replace("\n", "").replace("\0", "")
        waiting = "|".join(parts[place:])
        if len(waiting) > MAX_LINE:
            yield line, "", f"a text has at most {MAX_LINE:,} characters: is this a LIN file?"
            line += waiting.count("\n")
            waiting, lost = "", True
        chunk = text.read(1 << 16)
        if not chunk:
            if waiting.count("|") == 1:  # the last bar is missing
                name, value = waiting.split("|")
                yield line, name.strip().lower(), value.strip()
            return
        waiting += chunk
