"""Writing matches of bridge in the formats of clubs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cardledger.errors import FormatError
from cardledger.formats.bridge_files.write_lin import lin_of
from cardledger.formats.bridge_files.write_pbn import HEAD, pbn_of
from cardledger.formats.bridge_files.write_usebio import usebio_of
from cardledger.sentence import advising

if TYPE_CHECKING:
    from cardledger.formats.bridge_files.reading import Format
    from cardledger.rules.stream import Stream


def written(streams: Iterable[Stream], format: Format) -> Iterator[str]:
    """Yield the boards of matches as text; raises FormatError `format.game` for another game than bridge."""
    if format == "lin":
        yield from lin_of(streams)
        return
    if format == "usebio":
        yield from usebio_of(streams)
        return
    yield HEAD
    for stream in streams:
        yield pbn_of(stream)


def encoded(text: str, latin_1: bool = False) -> bytes:
    """Return text as bytes; raises FormatError `pbn.encoding` for a letter that Latin-1 does not have."""
    try:
        return text.encode("latin-1" if latin_1 else "utf-8")
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise FormatError(
            "pbn.encoding", advising(f"Latin-1 has no {letter!r}: export as UTF-8, without --latin-1")
        ) from None
