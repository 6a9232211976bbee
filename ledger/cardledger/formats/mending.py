"""Match files that another program has changed on their way: what is certain is put right, and said."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from cardledger.errors import FormatError
from cardledger.formats.recognition import LOOKED_AT, in_utf_8, is_list_of_events

if TYPE_CHECKING:
    from typing import BinaryIO

MOST_BYTES: Final = 64 << 20
"""The greatest size of a file that is mended: it is held in memory."""


class MendedFile(NamedTuple):
    """A match file with an event on each line in UTF-8, and what was put right; the same file if nothing was."""

    file: BinaryIO
    put_right: tuple[str, ...] = ()


class _Page(msgspec.Struct):
    """Events as the API lists them."""

    events: list[msgspec.Raw]


def mended(file: BinaryIO) -> MendedFile:
    """Return a match file as match files are written.

    UTF-16 becomes UTF-8, and a list of events, alone or as the API answers with it, becomes lines. Raises FormatError
    `format.size` for one that is too large for this, `format.json` for a list that breaks off.
    """
    start = file.tell()
    head = file.read(LOOKED_AT)
    file.seek(start)
    wide, listed = in_utf_8(head) != head, is_list_of_events(head)
    if not (wide or listed):
        return MendedFile(file)
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FormatError(
            "format.size",
            f"a file that is put right has at most {MOST_BYTES:,} bytes: save it in UTF-8, with an event on each line",
        )
    put_right = []
    if wide:
        content = in_utf_8(content)
        put_right.append("it was in UTF-16, and is read as UTF-8")
    if listed:
        content = _lines(content.removeprefix(b"\xef\xbb\xbf"))
        put_right.append("it was one list of JSON, and each event of it is read as a line")
    return MendedFile(io.BytesIO(content), tuple(put_right))


def _lines(content: bytes) -> bytes:
    """Return the events of a list as lines, each as it is written."""
    try:
        if content.lstrip().startswith(b"["):
            events = msgspec.json.decode(content, type=list[msgspec.Raw])
        else:
            events = msgspec.json.decode(content, type=_Page).events
        return b"\n".join(msgspec.json.format(bytes(event), indent=-1) for event in events)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise FormatError(
            "format.json", "this is one list of JSON, and it breaks off or has a mistake: export it again"
        ) from None
