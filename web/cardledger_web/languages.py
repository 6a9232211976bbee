"""Sentences in the language of a page, and the numbers and lists in them; English is what the code says.

The catalogues are `web/cardledger_web/translations/LANGUAGE/LC_MESSAGES/messages.po`. They are compiled when first
needed, so nothing has to be built after a change. A module of its own says which language is spoken (`spoken_by`): on
a server that of the request (language_choice.py), in a browser that of the page. Until one does, it is English.
This module needs no Flask, so that views that need none run in a browser too.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from pkgutil import get_data
from typing import TYPE_CHECKING

from cardledger.pseudonyms import left
from cardledger.rules.engine.rule_names import named
from cardledger.rules.evenings.unnamed import evening_name
from cardledger.sentence import Sentence, Who, in_words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jinja2 import Environment

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""The languages of the pages, each by its own name; the first is that of the code."""
SOURCE = "en"
_FOLDER = Path(__file__).parent / "translations"
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
IN_SCRIPTS = ("web/cardledger_web/static/",)
"""Where the sentences come from that scripts say."""


class Speaker:
    """Who speaks to a reader: in English, of players as they are recorded."""

    def language(self) -> str:
        """Return the language, one of LANGUAGES."""
        return SOURCE

    def name(self, player: str) -> str:
        """Return the name of the person whom a record calls by an id."""
        return player


_speaker = Speaker()


def spoken_by(speaker: Speaker) -> None:
    """Let another one speak to all readers of this program."""
    global _speaker
    _speaker = speaker


def language() -> str:
    """Return the language of the page that is being made."""
    return _speaker.language()


def others() -> list[str]:
    """Return the languages that are translated to."""
    return [each for each in LANGUAGES if each != SOURCE]


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the sentences of a language."""
    if language == SOURCE:
        return NullTranslations()
    return GNUTranslations(BytesIO(_ready(language) or compiled(language)))


def _ready(language: str) -> bytes | None:
    """Return a catalogue that is compiled already, as the archive for browsers has it (engine/archive.py)."""
    with suppress(OSError):
        return get_data(__package__, f"{_FOLDER.name}/{compiled_name(language)}")
    return None


def compiled_name(language: str) -> str:
    """Return the place of a compiled catalogue among the translations."""
    return f"{language}/LC_MESSAGES/messages.mo"


def compiled(language: str, said: Collection[str] | None = None) -> bytes:
    """Return the catalogue of a language as gettext reads it, or the part of it that some texts ask for."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with _file(language).open("rb") as file:
        whole = read_po(file, language)
    for message in [*whole]:
        one = message.id if isinstance(message.id, str) else message.id[0]
        if one and said is not None and one not in said:
            whole.delete(message.id, message.context)
    made = BytesIO()
    write_mo(made, whole)
    return made.getvalue()


@cache
def script_texts(language: str, scripts: tuple[str, ...] = IN_SCRIPTS) -> dict[str, str | list[str]]:
    """Return what scripts say in a language, by the English sentence: one text, or its forms for one and many."""
    from babel.messages.pofile import read_po

    with _file(language).open("rb") as file:
        messages = [message for message in read_po(file, language) if message.id]
    texts: dict[str, str | list[str]] = {}
    for message in messages:
        if any(path.startswith(scripts) for path, _ in message.locations):
            english, said = message.id, message.string or ""
            one = english if isinstance(english, str) else english[0]
            if all([said] if isinstance(said, str) else said):  # else the script says it in English
                texts[one] = said if isinstance(said, str) else [*said]
    return texts


def _file(language: str) -> Path:
    return _FOLDER / language / "LC_MESSAGES" / "messages.po"


def here() -> NullTranslations:
    """Return the sentences in the language of the page that is being made."""
    return catalogue(language())


def translated(text: str) -> str:
    """Return a sentence in the language of the page, or as it is if the catalogue has none."""
    if isinstance(text, Sentence):
        return text.in_language(here(), _value)
    # The message without a text is the head of the catalogue.
    return here().gettext(text) if text else text


def evening_called(name: str) -> str:
    """Return the name of an evening in the language of the page: one that nobody gave is said, of an erased one a word."""
    return translated(evening_name(left(name)))


def _value(value: object) -> str:
    """Return a value of a sentence as a page says it: a player by the name of the person."""
    return recorded_name(value) if isinstance(value, Who) else str(value)


def recorded_name(player: str) -> str:
    """Return the name of the person whom a record calls by an id."""
    return _speaker.name(str(player))


def option_word(text: str) -> str:
    """Return the name of an option of a game, or a word that may be its value, in the language of the page."""
    text = text.replace("_", " ")
    return here().pgettext("option", text) if text else text


def split_name(text: str) -> str:
    """Return by what statistics are split, in the language of the page."""
    return here().pgettext("split", text.replace("_", " "))


def minus(number: float | str) -> str:
    r"""Return a number as the language writes it, with a minus sign that is one, as long as a plus sign.

    >>> ascii(minus(-20)), minus(20)
    ("'\\u221220'", '20')
    """
    return decimal(str(number).replace("-", "\u2212"))


def initial(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def as_sentence(text: str) -> str:
    """Return a text with a capital at its beginning and a full stop at its end; some have one, and nothing stays nothing."""
    return f"{initial(text).removesuffix('.')}." if text else ""


def _(text: str, /, **values: object) -> str:
    """Return a sentence in the language of the page, with values put in."""
    return translated(text) % values if values else translated(text)


def ngettext(one: str, many: str, num: int, /, **values: object) -> str:
    """Return a sentence about a number of things; `%(num)s` stands for the number."""
    return here().ngettext(one, many, num) % {"num": num, **values}


def joined(parts: Sequence[str]) -> str:
    """Return a list in words: "ana, ben and cai"."""
    return in_words([*parts], here())


def rule_name(id: str) -> str:
    """Return the name of a rule by its id, where rules of several games stand together."""
    return translated(named(id))


def either(parts: Sequence[str]) -> str:
    """Return a choice in words: "2, 4 or 6"."""
    return _(" or ").join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


_OF_THOUSANDS = {"de": ".", "fr": "\u202f"}
"""The mark after every three digits, by language; a browser has no library that knows it."""


def thousands(number: int) -> str:
    """Return a number with a mark after every three digits, as the language has it."""
    return f"{number:,}".replace(",", _OF_THOUSANDS.get(language(), ","))


def decimal(number: str) -> str:
    """Return a number with the decimal mark of the language.

    A blank stands before its per cent sign, but in English.
    """
    return number if language() == SOURCE else _POINT.sub(",", number).replace("%", "\u00a0%")


def N_(text: str) -> str:  # noqa: N802 - the name that gettext's tools know
    """Mark a sentence that is translated where it is shown."""
    return text


def add_words(templates: Environment) -> None:
    """Let templates speak the language of the page."""
    templates.add_extension("jinja2.ext.i18n")
    templates.policies["ext.i18n.trimmed"] = True  # line breaks in a template are not in its sentences
    templates.install_gettext_callables(  # type: ignore[attr-defined]
        translated,
        lambda one, many, num: here().ngettext(one, many, num),
        newstyle=True,
        pgettext=lambda of, text: here().pgettext(of, text),
    )
    templates.globals |= {"language": language, "languages": LANGUAGES}
    templates.filters |= {
        "translated": translated,
        "evening_name": evening_called,
        "thousands": thousands,
        "either": either,
        "option_word": option_word,
        "initial": initial,
        "minus": minus,
        "split_name": split_name,
        "joined": joined,
        "rule_name": rule_name,
    }
