"""The name of an evening that nobody named: its day. It is stored in English and said in the language of the reader."""

from __future__ import annotations

import re

from cardledger.sentence import Sentence

_STORED = re.compile(r"Evening of (\d{4}-\d{2}-\d{2})")


def unnamed(day: str) -> Sentence:
    """Return the name of an evening of a day (ISO) that nobody named."""
    return Sentence("Evening of {day}", day=day)


def evening_name(name: str) -> str:
    """Return the name of an evening to be said: a sentence if nobody gave it.

    >>> evening_name("Evening of 2026-01-06").values
    {'day': '2026-01-06'}
    """
    stored = _STORED.fullmatch(name)
    return unnamed(stored[1]) if stored else name
