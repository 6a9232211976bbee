"""Pseudonyms as texts: what one looks like, and what people read in place of a text that was erased."""

from __future__ import annotations

import re
from typing import Final

from cardledger.sentence import Sentence

LENGTH: Final = 26
"""The number of characters of a pseudonym after its `~`."""
ERASED: Final = Sentence("erased")
_SHAPE: Final = re.compile(rf"~[A-Z2-7]{{{LENGTH}}}", re.ASCII)


def is_pseudonym(text: str) -> bool:
    """Tell whether a text looks like a pseudonym."""
    return _SHAPE.fullmatch(text) is not None


def left(text: str) -> str:
    """Return what is left of a text that somebody wrote: the text, or a remark that it was erased.

    Whatever shows a free text of an event, in a sentence, a file or on a page, asks here.

    >>> left("misread"), left("~ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    ('misread', 'erased')
    """
    return ERASED if is_pseudonym(text) else text


def kept(text: str | None) -> str | None:
    """Return a text to fill a form with; None if there is none, or it was erased."""
    return None if text is None or is_pseudonym(text) else text
