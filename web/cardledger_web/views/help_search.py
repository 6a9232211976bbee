"""A search in the help: the sections of its documents that say every word."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.people.spelling import fold
from cardledger_web.views.documents import DOCUMENTS, anchor, source

if TYPE_CHECKING:
    from collections.abc import Sequence

_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "at",
        "can",
        "do",
        "does",
        "for",
        "from",
        "how",
        "i",
        "in",
        "is",
        "it",
        "my",
        "of",
        "on",
        "or",
        "the",
        "to",
        "what",
        "when",
        "where",
        "who",
        "with",
    ]
)
"""Words that tell nothing of what somebody looks for."""
_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.M)
_FENCE = "```"
_LINK = re.compile(r"\]\([^()\]]*\)")


class HelpSection(NamedTuple):
    """A part of a document: the document and its purpose, the heading with its anchor, and the words below it."""

    document: str
    purpose: str
    title: str
    anchor: str
    words: str


def telling(words: Sequence[str]) -> list[str]:
    """Return the words that tell what somebody looks for; all of them if none does.

    >>> telling(["how", "to", "print"]), telling(["the", "who"])
    (['print'], ['the', 'who'])
    """
    return [word for word in words if word not in _SMALL] or [*words]


def sections_with(text: str, limit: int) -> list[HelpSection]:
    """Return the sections in which every word of a text begins a word.

    Those that have it in their heading come first, then those that say it most often.
    """
    words = [f" {word}" for word in telling(_words(text).split())]
    found = []
    for section in _sections() if words else ():
        title = _words(section.title)
        if all(word in title or word in section.words for word in words):
            in_title = sum(word in title for word in words)
            found.append((-in_title, -sum(section.words.count(word) for word in words), section))
    return [section for *_, section in sorted(found, key=lambda each: each[:2])[:limit]]


def _words(text: str) -> str:
    """Return the words of a text for a comparison, each behind a blank."""
    return "".join(f" {word}" for word in re.findall(r"\w+", fold(_LINK.sub(" ", text))))


def _without_code(text: str) -> str:
    """Return a document without its blocks of code: every second part between fences."""
    return "".join(text.split(_FENCE)[::2])


@cache
def _sections() -> tuple[HelpSection, ...]:
    """Return the sections of all documents, in their order; examples of code are not searched."""
    sections = []
    for document in DOCUMENTS:
        text = _without_code(source(document) or "")
        headings = [*_HEADING.finditer(text)]
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        for heading, end in zip(headings, ends, strict=True):
            title = " ".join(re.sub("[`*]", "", _LINK.sub("", heading[2].replace("[", ""))).split())
            sections.append(
                HelpSection(
                    document.name, document.purpose, title, anchor(heading[2]), _words(text[heading.end() : end])
                )
            )
    return tuple(sections)
