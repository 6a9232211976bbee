"""Signs for outputs that have only ASCII: a heart is H there, a dash is a hyphen; letters of names are escaped."""

from __future__ import annotations

import codecs
import json
import os
import sys
from io import TextIOWrapper

_IN_ASCII = str.maketrans({
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "–": "-", "—": "-", "−": "-", "…": "...", "±": "+/-", "×": "x", "·": "-",
    "†": "+", "→": "->", "≤": "<=", "≥": ">=", "“": '"', "”": '"', "‘": "'", "’": "'", "½": "1/2", "█": "#", "░": ".",
})  # fmt: skip
_ENDING = "-signs"
"""Encodings with this ending write signs in ASCII. Click takes an output in plain ASCII for a mistake, and writes UTF-8."""


def _missing(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding does not have: signs by ASCII, other characters by escapes that JSON reads too."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(
        each if each.isascii() else json.dumps(each)[1:-1] for each in missing.translate(_IN_ASCII)
    ), error.end


def _with_signs(name: str) -> codecs.CodecInfo | None:
    """Return the encoding of a name with our ending."""
    base = name.replace("_", "-").removesuffix(_ENDING)
    if base not in ("ascii", "utf-8"):
        return None
    known = codecs.lookup(base)

    class Encoder(codecs.IncrementalEncoder):
        def encode(self, input: str, final: bool = False) -> bytes:
            return known.encode(input.translate(_IN_ASCII), self.errors)[0]

    return codecs.CodecInfo(
        lambda text, errors="strict": (known.encode(text.translate(_IN_ASCII), errors)[0], len(text)),
        known.decode, known.streamreader, known.streamwriter, Encoder, known.incrementaldecoder, base + _ENDING,
    )  # fmt: skip


codecs.register_error("signs", _missing)
codecs.register(lambda name: _with_signs(name) if name.replace("_", "-").endswith(_ENDING) else None)


def show_signs() -> None:
    """Let the output show each sign in its encoding.

    `LC_ALL=C` asks for ASCII too. Python writes UTF-8 there all the same, so that no name is lost: names stay as they are.
    """
    plain = os.environ.get("LC_ALL") in ("C", "POSIX") and not {"PYTHONUTF8", "PYTHONIOENCODING"} & {*os.environ}
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = codecs.lookup(stream.encoding).name
            ascii_only = encoding == "ascii" or plain and encoding == "utf-8"
            stream.reconfigure(encoding=encoding + _ENDING if ascii_only else None, errors="signs")


def shows(text: str) -> bool:
    """Tell whether the output writes a text as it stands."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        return text.encode(encoding).decode(encoding) == text
    except UnicodeEncodeError:
        return False
