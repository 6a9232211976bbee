"""Spelling: the rules for names, and names that may be two spellings of one."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from cardledger.errors import RuleError
from cardledger.pseudonyms import is_pseudonym
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST: Final = 64
"""Characters of a player id or a name, as in a match file."""
Difference = Literal["case", "accents", "looks", "one letter"]
"""The kinds of difference between similar names."""
_ORDER: Final[tuple[Difference, ...]] = ("case", "accents", "looks", "one letter")
_SHORTEST = 3
"""Length of the shortest name in which one letter may be a slip; `a` and `b` are different names."""
_FORMS = str.maketrans("øłđħıæœþð", "oldhiaotd")
"""Letters that people read as accented forms of others, though Unicode does not."""
_LOOKS = str.maketrans("авеікмнорстухѕјԁԛԝһαβγεικνορτυχωɑɡ", "abeikmhopctyxsjdqwhabyeikvoptuxwag")
"""Letters of other scripts that look like one of these."""
_DIGITS = re.compile(r"\d+")
# Python calls these printable, but they are invisible: joiners, fillers, variation selectors and the blank of Braille.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)


def tidy_name(text: str) -> str:
    """Return a name in Unicode's composed form (NFC), without blanks around it or two in a row.

    >>> tidy_name("  Jose\u0301   Lima ")
    'José Lima'
    """
    return unicodedata.normalize("NFC", " ".join(text.split()))


def typed_names(text: str) -> list[str]:
    """Return the names in a text, separated by commas or lines, as often as they are there.

    >>> typed_names("Ana  Lima, ben\\n\\nCem, ben")
    ['Ana Lima', 'ben', 'Cem', 'ben']
    """
    return [name for part in re.split(r"[,;\r\n]+", text) if (name := tidy_name(part))]


_ID = Sentence("a player id")
A_NAME: Final = Sentence("a name")


def expect_name(text: str, what: Sentence = _ID) -> None:
    """Refuse a name that is hard to read, to type or to distinguish; raises RuleError `people.name`."""
    if wrong := _wrong(text):
        raise RuleError(
            "people.name", Sentence("{what} cannot be {text!a}: {wrong}", what=what, text=text, wrong=wrong)
        )


def expect_title(text: str, what: Sentence) -> None:
    """Refuse what people call a thing if characters in it cannot be seen or turn the text around.

    Raises RuleError `people.name`.
    """
    if wrong := _unseen(text):
        raise RuleError(
            "people.name", Sentence("{what} cannot be {text!a}: {wrong}", what=what, text=text, wrong=wrong)
        )


def _wrong(text: str) -> Sentence | None:
    """Return the fault of a name, and what to do about it."""
    if not 1 <= len(text) <= LONGEST:
        return Sentence("it has {count} characters; write 1 to {most}", count=len(text), most=LONGEST)
    if text != text.strip():
        return Sentence("it begins or ends with a space: leave the space out")
    if text in (".", ".."):
        return Sentence("it would be lost in an address; add a letter")
    if unseen := _unseen(text):
        return unseen
    if is_pseudonym(text):
        return Sentence(
            "it has the form of a pseudonym, which stands for a person whose name is not shown; write a name"
        )
    if unicodedata.combining(text[0]):
        return Sentence("it begins with an accent that belongs to no letter; leave that out")
    if text != unicodedata.normalize("NFC", text):
        return Sentence("letters and accents stand apart in it; write it in Unicode's composed form (NFC)")
    return None


def _unseen(text: str) -> Sentence | None:
    """Return the first character of a text that cannot be seen, in words."""
    for place, char in enumerate(text, 1):
        if not char.isprintable() or _UNSEEN.match(char):
            called = unicodedata.name(char, "") or Sentence("a control character")
            return Sentence(
                "character {place} is {code} ({called}), which is invisible; leave it out",
                place=place,
                code=f"U+{ord(char):04X}",
                called=called,
            )
    return None


# --- names that are alike


def fold(text: str) -> str:
    """Return a text for comparison, without capitals, accents and letters that only look like others.

    Pages, the API and commands find names alike by this one.

    >>> fold("ZOË Straße"), fold("\u0430n\u0430")
    ('zoe strasse', 'ana')
    """
    return text.lower() if text.isascii() else _unaccented(text).translate(_LOOKS)


def _unaccented(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char)).casefold().translate(_FORMS)


def difference(one: str, other: str) -> Difference | None:
    """Return how two names differ if they may be one.

    In case, in accents, in letters that look alike, or by a slip of one letter.

    A slip is a letter more, less or another, or two that changed places, in names of three letters or more. Numbers
    are not typing errors: `bot 1` is not `bot 2`.

    >>> difference("ana", "Ana"), difference("José", "jose"), difference("ann", "ana"), difference("ana", "dev")
    ('case', 'accents', 'one letter', None)
    """
    if one == other:
        return None
    if _folded(one) == _folded(other):
        return "case"
    if _unaccented(one) == _unaccented(other):
        return "accents"
    one, other = fold(one), fold(other)
    if one == other:
        return "looks"
    if min(len(one), len(other)) < _SHORTEST or _DIGITS.findall(one) != _DIGITS.findall(other):
        return None
    return "one letter" if _one_slip(one, other) else None


def similar_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that may be a name written in another way, the most similar first; not the name itself."""
    similar = [(_ORDER.index(differs), other) for other in {*known} if (differs := difference(name, other))]
    return [other for _, other in sorted(similar)]


class Pair(NamedTuple):
    """Two names that may be one, in their order, and how they differ."""

    one: str
    other: str
    differs: Difference


def similar_pairs(names: Iterable[str]) -> list[Pair]:
    """Return every two of many names that may be one, in the order of their names."""
    # Names one slip apart share a text without one letter: only those pairs are compared, not all.
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        for text in _without_one_letter(fold(name)):
            alike[text].add(name)
    pairs = {
        tuple(sorted((one, other))) for group in alike.values() for one in group for other in group if one != other
    }
    return sorted(Pair(one, other, differs) for one, other in pairs if (differs := difference(one, other)))


def _without_one_letter(text: str) -> Iterator[str]:
    yield text
    for place in range(len(text)):
        yield text[:place] + text[place + 1 :]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _one_slip(one: str, other: str) -> bool:
    """Tell whether one letter was added, left out or mistyped, or two changed places."""
    one, other = sorted((one, other), key=len)
    begin = 0
    while begin < len(one) and one[begin] == other[begin]:
        begin += 1
    if len(one) < len(other):
        return one[begin:] == other[begin + 1 :]
    swapped = one[begin + 1 : begin + 2] + one[begin : begin + 1] + one[begin + 2 :]
    return one[begin + 1 :] == other[begin + 1 :] or swapped == other[begin:]
