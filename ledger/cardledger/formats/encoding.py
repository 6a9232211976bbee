"""The encoding of a text: UTF-8, UTF-16 with a mark or without, or one byte for each letter."""

from __future__ import annotations

import codecs
from typing import BinaryIO, Final

_IN_WORDS: Final = frozenset("’‘“”„«»‹›–—…·°ªº\u00a0")
"""Signs that are right beside letters."""
_WIDE: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def in_utf_8(content: bytes) -> bytes:
    """Return a text in UTF-8 that is in UTF-16; any other as it is.

    UTF-16 begins with its mark, or every second byte of its beginning is zero.
    """
    encoding = _WIDE.get(content[:2])
    if encoding is None and len(content) > 3 and content[:4].count(0) == 2:
        encoding = "utf-16-le" if content[1:4:2] == b"\0\0" else "utf-16-be" if content[0:3:2] == b"\0\0" else None
    if encoding is None:
        return content
    return content.decode(encoding, "ignore").removeprefix("\ufeff").encode("utf-8", "ignore")


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
