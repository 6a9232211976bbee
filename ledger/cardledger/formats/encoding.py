"""The encoding of a text: UTF-8, UTF-16 with a mark or without, or one byte for each letter."""

from __future__ import annotations

import codecs
from typing import BinaryIO, Final

from cardledger.errors import FormatError
from cardledger.sentence import Sentence

_IN_WORDS: Final = frozenset("’‘“”„«»‹›–—…·°ªº\u00a0")
"""Signs that are right beside letters."""
_WIDE: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
HALF_A_LETTER: Final = Sentence(
    "half a letter is missing here: the file was cut or changed on its way; save it again in UTF-8"
)


def wide_encoding(content: bytes) -> str | None:
    """Return which UTF-16 a text is in; None for another encoding.

    UTF-16 begins with its mark, or every second byte of its beginning is zero.
    """
    encoding = _WIDE.get(content[:2])
    if encoding is None and len(content) > 3 and content[:4].count(0) == 2:
        encoding = "utf-16-le" if content[1:4:2] == b"\0\0" else "utf-16-be" if content[0:3:2] == b"\0\0" else None
    return encoding


def in_utf_8(content: bytes) -> bytes:
    """Return a text in UTF-8 that is in UTF-16; any other as it is.

    Raises FormatError `format.json` for one with half a letter, whose line is its `index`: what is missing there
    nobody knows.
    """
    encoding = wide_encoding(content)
    if encoding is None:
        return content
    try:
        return content.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeDecodeError as error:
        line = content[: error.start].decode(encoding).count("\n")
        raise FormatError("format.json", HALF_A_LETTER, line) from None


def beginning_in_utf_8(head: bytes) -> bytes:
    """Return the beginning of a text in UTF-8, as `in_utf_8` does, to look at: it may end within a letter."""
    encoding = wide_encoding(head)
    return head if encoding is None else head.decode(encoding, "ignore").removeprefix("\ufeff").encode()


def has_right_letters(text: str) -> bool:
    """Tell whether a text that was decoded by a guess may be right: within words there are letters, of the right size.

    >>> has_right_letters("René d’Arcy"), has_right_letters("RenŽ"), has_right_letters("No‘l"), has_right_letters("£ukasz")
    (True, False, False, False)
    """
    for before, char, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if char.isascii():
            continue
        if char.isalpha():
            if before.isalpha() and before.islower() and char.isupper():
                return False
            if before.isupper() and after.isupper() and char.islower():
                return False
        elif char not in _IN_WORDS and (before.isalpha() or after.isalpha()) or char == "‘" and before.isalpha():
            return False
    return True


def encoding_of(file: BinaryIO) -> str:
    """Return the encoding of a file that can be read twice: UTF-8 if its bytes are that, otherwise Latin-1."""
    start = file.tell()
    head = file.read(4)
    if head.startswith((*_WIDE,)):
        file.seek(start)
        return "utf-16"
    decoder = codecs.getincrementaldecoder("utf-8")()
    block = head
    try:
        while block:
            decoder.decode(block)
            block = file.read(1 << 20)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "latin-1"
    finally:
        file.seek(start)
    return "utf-8"
