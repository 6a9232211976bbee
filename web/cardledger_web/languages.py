"""The language of a page: the reader's choice (a cookie), or else the browser's; English is what the code says.

The catalogues are `web/cardledger_web/translations/LANGUAGE/LC_MESSAGES/messages.po`. They are compiled when first
needed, so nothing has to be built after a change. Outside a request everything is English. So is the API, but for
what it refuses: scripts of pages show that to people.
"""

from __future__ import annotations

import re
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flask import g, has_request_context, redirect, request, url_for

from cardledger.pseudonyms import left
from cardledger.rules.engine.rule_names import named
from cardledger.rules.evenings.unnamed import evening_name
from cardledger.sentence import Sentence, Who, in_words
from cardledger_api.current import current_ledger, people_of
from cardledger_api.http import problems
from cardledger_api.http.passage import passage_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask, Request
    from werkzeug.wrappers import Response

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""The languages of the pages, each by its own name; the first is that of the code."""
SOURCE = "en"
COOKIE = "lang"
_YEAR = 365 * 24 * 3600
_FOLDER = Path(__file__).parent / "translations"
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
IN_SCRIPTS = ("web/cardledger_web/static/",)
"""Where the sentences come from that scripts say."""


def language() -> str:
    """Return the language of the page that is being made."""
    if not has_request_context():
        return SOURCE
    known: str | None = g.get("language")  # a page asks thousands of times
    if known is None:
        chosen = request.cookies.get(COOKIE)
        known = chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, SOURCE)
        g.language = known
    return known


def others() -> list[str]:
    """Return the languages that are translated to."""
    return [each for each in LANGUAGES if each != SOURCE]


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the sentences of a language."""
    if language == SOURCE:
        return NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with _file(language).open("rb") as file:
        write_mo(compiled, read_po(file, language))
    compiled.seek(0)
    return GNUTranslations(compiled)


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
    return people_of(current_ledger()).name(player) if has_request_context() else str(player)


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


def thousands(number: int) -> str:
    """Return a number with a mark after every three digits, as the language has it."""
    if language() == SOURCE:
        return f"{number:,}"
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language())


def decimal(number: str) -> str:
    """Return a number with the decimal mark of the language.

    A blank stands before its per cent sign, but in English.
    """
    return number if language() == SOURCE else _POINT.sub(",", number).replace("%", "\u00a0%")


def N_(text: str) -> str:  # noqa: N802 - the name that gettext's tools know
    """Mark a sentence that is translated where it is shown."""
    return text


def add_languages(app: Flask) -> None:
    """Let templates speak the reader's language, and keep a choice made with `?lang=`."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.policies["ext.i18n.trimmed"] = True  # line breaks in a template are not in its sentences
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        translated,
        lambda one, many, num: here().ngettext(one, many, num),
        newstyle=True,
        pgettext=lambda of, text: here().pgettext(of, text),
    )
    app.jinja_env.globals |= {"language": language, "languages": LANGUAGES, "in_language": _address}
    app.jinja_env.filters |= {
        "translated": translated,
        "evening_name": evening_called,
        "thousands": thousands,
        "either": either,
        "option_word": option_word,
        "initial": initial,
        "split_name": split_name,
        "joined": joined,
        "rule_name": rule_name,
    }

    def choose(asked: Request) -> Response | None:
        if "lang=" not in asked.environ.get("QUERY_STRING", ""):
            return None  # the usual case
        chosen = asked.args.get(COOKIE)
        if chosen not in LANGUAGES or asked.method != "GET" or (asked.endpoint or "api.").startswith("api."):
            return None
        answer = redirect(quote(asked.path) + query_without(COOKIE), 303)
        answer.set_cookie(COOKIE, chosen, max_age=_YEAR, secure=asked.is_secure, httponly=True, samesite="Lax")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    app.extensions[problems.SAID] = translated
    passage_of(app).checks.append(choose)


def query_without(dropped: str, **more: str) -> str:
    """Return the query of this request with its question mark, without one name and with others.

    Empty if nothing is left.
    """
    query = urlencode([each for each in request.args.items(multi=True) if each[0] != dropped] + [*more.items()])
    return f"?{query}" if query else ""


def _address(language: str) -> str:
    """Return the address that shows this page in another language.

    After a form, or where no page is, that of the first page.
    """
    if request.endpoint is None or request.method != "GET":
        return url_for("pages.home", lang=language)
    return query_without(COOKIE, lang=language)
