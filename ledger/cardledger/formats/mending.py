"""Match files that another program has changed on their way: what is certain is put right, and said."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from cardledger.errors import FormatError
from cardledger.formats.encoding import beginning_in_utf_8, encoding_of, has_right_letters, in_utf_8, wide_encoding
from cardledger.formats.recognition import CURLY_AT_FIRST, LOOKED_AT, ONE_LIST
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from typing import BinaryIO

MOST_BYTES: Final = 64 << 20
"""The greatest size of a file that is mended: it is held in memory."""
IN_UTF_16: Final = Sentence("it was in UTF-16, and is read as UTF-8")
_ONE_WORD_A_LINE = re.compile(rb"\{[ \t]*\r?\n")
_CURLY = re.compile("[\u201c\u201d\u201e\u201f\u2033]")
_LETTERS = re.compile(rb"[A-Za-z\x80-\xff]+")
_HALF_A_LETTER = re.compile(rb"[a-z][\xc2\xc3]")


class MendedFile(NamedTuple):
    """A match file with an event on each line in UTF-8, and what was put right; the same file if nothing was."""

    file: BinaryIO
    put_right: tuple[Sentence, ...] = ()


class _Page(msgspec.Struct):
    """Events as the API lists them."""

    events: list[msgspec.Raw]


def mended(file: BinaryIO) -> MendedFile:
    """Return a match file, which can be read twice, as match files are written.

    UTF-16 and the encoding of Windows become UTF-8; a list of events, alone or as the API answers with it, and events
    over several lines become lines; curly quotes become straight where they stand in place of all straight ones.
    Raises FormatError `format.size` for one that is too large for this, `format.json` for what breaks off or lacks half a letter.
    """
    start = file.tell()
    head = file.read(LOOKED_AT)
    file.seek(start)
    straight = beginning_in_utf_8(head).removeprefix(b"\xef\xbb\xbf").lstrip()
    wide, one_byte = wide_encoding(head) is not None, encoding_of(file) == "latin-1"
    spread = _ONE_WORD_A_LINE.match(straight) is not None
    curly, listed = CURLY_AT_FIRST.match(straight) is not None, ONE_LIST.match(straight) is not None
    if not (wide or one_byte or curly or listed or spread):
        return MendedFile(file)
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        if one_byte and not (wide or curly or listed or spread):  # the reader says which line it is
            file.seek(start)
            return MendedFile(file)
        raise FormatError(
            "format.size",
            f"a file that is put right has at most {MOST_BYTES:,} bytes: save it in UTF-8, with an event on each line",
        )
    put_right = []
    if wide:
        content = in_utf_8(content)
        put_right.append(IN_UTF_16)
    elif one_byte and (text := _of_windows(content)) is not None:
        content = text.encode()
        put_right.append(
            Sentence("it was in the encoding of Windows (cp1252), and is read as UTF-8: look at the accents of names")
        )
    if curly:
        content = _with_straight_quotes(content)
        put_right.append(Sentence("its quotes were curly, and are read as straight ones"))
    if listed or spread:
        content = (_lines if listed else _one_a_line)(content.removeprefix(b"\xef\xbb\xbf"))
        put_right.append(
            Sentence("it was one list of JSON, and each event of it is read as a line")
            if listed
            else Sentence("its events went over several lines, and each is read as one")
        )
    return MendedFile(io.BytesIO(content), tuple(put_right))


def _of_windows(content: bytes) -> str | None:
    """Return a text that is in the encoding of Windows; None if it may as well be UTF-8 that was damaged.

    No letter of it is one in UTF-8, each is a letter in that encoding, and stands beside others.
    """
    as_utf_8 = content.decode("utf-8", "surrogateescape")
    if any("\x7f" < sign < "\ud800" or sign > "\udfff" for sign in as_utf_8) or _is_damaged(content):
        return None
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        return None
    known = all(sign < "\x80" or sign.isalpha() or sign == "\u2019" for sign in text)
    return text if known and has_right_letters(text) else None


def _is_damaged(content: bytes) -> bool:
    """Whether bytes above ASCII have no letter beside them, or are half of one: no name in a one-byte encoding does."""
    return _HALF_A_LETTER.search(content) is not None or any(min(word) >= 0x80 for word in _LETTERS.findall(content))


def _with_straight_quotes(content: bytes) -> bytes:
    """Return lines with straight quotes; a line that has them, or is none with them, stays as it is."""
    return b"".join(map(_straight, content.splitlines(keepends=True)))


def _straight(line: bytes) -> bytes:
    if b'"' in line:
        return line
    straight = _CURLY.sub('"', line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    try:
        msgspec.json.decode(straight)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise FormatError(
            "format.json",
            'its quotes are curly: a program for letters changed them, and some may belong to the text; write straight ones (")',
        ) from None
    return straight


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


def _one_a_line(content: bytes) -> bytes:
    """Return events that follow each other over several lines as lines, each as it is written."""
    lines, decode = [], json.JSONDecoder().raw_decode
    try:
        text = content.decode().strip()
        while text:
            _, end = decode(text)
            lines.append(msgspec.json.format(text[:end], indent=-1))
            text = text[end:].lstrip()
    except (ValueError, RecursionError, msgspec.DecodeError):
        raise FormatError(
            "format.json",
            f"its events go over several lines, and event {len(lines) + 1} breaks off or has a mistake: write each on one line",
        ) from None
    return "\n".join(lines).encode()
