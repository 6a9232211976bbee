"""Sentences that know how they were made: English for programs and the command line, any language on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from cardledger.listed import closest, listed

if TYPE_CHECKING:
    from gettext import NullTranslations

_AND = " and "


class Face(str):
    """The face of a card, in a sentence."""

    __slots__ = ()


class Called(str):
    """A call or a contract, in a sentence."""

    __slots__ = ()


class Who(str):
    """The player of a seat, in a sentence: the recorded id, and the seat whose person a reader may know by a name."""

    __slots__ = ("seat",)

    seat: int

    def __new__(cls, player: str, seat: int) -> Who:  # noqa: D102 - the class says it
        self = super().__new__(cls, player)
        self.seat = seat
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Who, (str(self), self.seat)


class Sentence(str):
    """A sentence in English, made of a template and its values.

    A value may be a sentence itself, or several in a tuple: a list in words. Without values it is a fixed sentence,
    or a template for others. `.build/catalogues.py` finds templates by the name of this class.

    >>> Sentence("{who} leads", who="ana")
    'ana leads'
    >>> Sentence("{winners} win", winners=("ana", "cai"))
    'ana and cai win'
    """

    __slots__ = ("advises", "forms", "template", "values")

    advises: bool
    template: str
    values: dict[str, Any]
    forms: tuple[str, str, int] | None

    def __new__(cls, template: str, /, **values: Any) -> Sentence:  # noqa: D102 - the class says it
        text = template.format(**{key: _english(value) for key, value in values.items()}) if values else template
        self = super().__new__(cls, text)
        self.template, self.values, self.forms, self.advises = template, values, None, False
        return self

    @classmethod
    def counted(cls, one: str, many: str, num: int, /, **values: Any) -> Sentence:
        """Return a sentence about a number of things; `{num}` stands for the number.

        >>> Sentence.counted("{num} card is left", "{num} cards are left", 1)
        '1 card is left'
        """
        self = cls(one if num == 1 else many, num=num, **values)
        self.forms = (one, many, num)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.forms:
            values = {key: value for key, value in self.values.items() if key != "num"}
            return _counted, (*self.forms, values, self.advises)
        return _restored, (self.template, self.values, self.advises)

    def in_language(self, catalogue: NullTranslations, said: Callable[[Any], str] = str) -> str:
        """Return the sentence in the language of a catalogue; `said` says a value that is no sentence."""
        template = catalogue.ngettext(*self.forms) if self.forms else catalogue.gettext(self.template)

        def value(one: Any) -> str:
            if isinstance(one, Sentence):
                return one.in_language(catalogue, said)
            return in_words([*map(value, one)], catalogue) if isinstance(one, tuple) else said(one)

        return template.format(**{key: value(one) for key, one in self.values.items()}) if self.values else template


def advising(message: str) -> Sentence:
    """Return the message of an error that says itself what to do: what its code advises may not fit the case.

    >>> advising("there is no folder x: make it first").advises
    True
    """
    said = message if isinstance(message, Sentence) else Sentence(message)
    said.advises = True
    return said


def as_sentence(text: str) -> Sentence:
    """Return a text as a sentence, which every language says as it is unless it is one already."""
    return text if isinstance(text, Sentence) else Sentence("{text}", text=text)


def in_one(first: Sentence, *more: Sentence) -> Sentence:
    """Return several short sentences in one.

    >>> in_one(Sentence("an empty cell is 0"), Sentence("marks are left out"))
    'an empty cell is 0; marks are left out'
    """
    return reduce(lambda before, then: Sentence("{before}; {then}", before=before, then=then), more, first)


def either(choices: Sequence[object]) -> Sentence:
    """Return what there is to choose from, one or more, in words.

    >>> either([1, 2, 3])
    '1 or 2 or 3'
    """
    said = [Sentence("{choice}", choice=choice) for choice in choices]
    return reduce(lambda before, then: Sentence("{before} or {then}", before=before, then=then), said)


def in_a_row(said: Sequence[Sentence]) -> Sentence:
    """Return several parts of one sentence, such as the points of each player.

    >>> in_a_row([Sentence("ana 5"), Sentence("ben 0")])
    'ana 5, ben 0'
    """
    return reduce(lambda before, then: Sentence("{before}, {then}", before=before, then=then), said)


def choosing(said: Sentence, word: object, known: Iterable[str]) -> Sentence:
    """Return a sentence about a word that is not known, with what was meant, and what there is to choose.

    >>> choosing(Sentence("there is no game {id!r}", id="harts"), "harts", ["hearts", "whist"])
    "there is no game 'harts' (did you mean 'hearts'?): choose one of hearts, whist"
    """
    known = [*known]
    likely, choice = closest(word, known), ", ".join(known)
    if likely:
        return Sentence(
            "{said} (did you mean {likely!r}?): choose one of {choice}", said=said, likely=likely, choice=choice
        )
    return Sentence("{said}: choose one of {choice}", said=said, choice=choice)


def with_names(value: Any, names: Sequence[str]) -> Any:
    """Return a sentence, or a value of one, that calls the players of seats by their names; other texts stay.

    >>> with_names(Sentence("{who} leads", who=Who("p7", 1)), ["Ann", "Ben"])
    'Ben leads'
    """
    if isinstance(value, Who):
        return names[value.seat]
    if isinstance(value, tuple):
        return tuple(with_names(each, names) for each in value)
    if not isinstance(value, Sentence):
        return value
    named = Sentence(value.template, **{key: with_names(each, names) for key, each in value.values.items()})
    named.forms, named.advises = value.forms, value.advises
    return named


def in_words(parts: list[str], catalogue: NullTranslations) -> str:
    """Return a list in the words of a language: "ana, ben und cai"."""
    return catalogue.gettext(_AND).join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def as_data(value: Any) -> Any:
    """Return a sentence as JSON can keep it, or a value of one; `from_data` returns it.

    >>> from_data(as_data(Sentence("{who} leads", who="ana"))).values
    {'who': 'ana'}
    """
    if isinstance(value, tuple):
        return [as_data(each) for each in value]
    if not isinstance(value, Sentence):
        return value
    values = {key: as_data(each) for key, each in value.values.items()}
    return {"template": value.template, "values": values} | ({"forms": value.forms} if value.forms else {})


def from_data(data: Any) -> Any:
    """Return what `as_data` was given."""
    if isinstance(data, list):
        return tuple(map(from_data, data))
    if not isinstance(data, dict):
        return data
    said = Sentence(data["template"], **{key: from_data(each) for key, each in data["values"].items()})
    if "forms" in data:
        one, many, num = data["forms"]
        said.forms = (one, many, num)
    return said


def as_text(value: object) -> str:
    """Return a sentence as JSON has it, for msgspec, which knows no kinds of texts but str; raises TypeError for others."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no part of an answer")


def _english(value: Any) -> Any:
    return listed([*map(str, value)]) if isinstance(value, tuple) else value


def _restored(template: str, values: dict[str, Any], advises: bool) -> Sentence:
    said = Sentence(template, **values)
    said.advises = advises
    return said


def _counted(one: str, many: str, num: int, values: dict[str, Any], advises: bool) -> Sentence:
    said = Sentence.counted(one, many, num, **values)
    said.advises = advises
    return said
