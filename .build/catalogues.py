"""Bring web/cardledger_web/translations up to date: every sentence of the pages is in each catalogue; what has no translation is listed."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from cardledger.rules.engine.measures import COMMON
from cardledger.rules.games import games
from cardledger.study.stats.estimators import ESTIMATORS
from cardledger_web.languages import IN_SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2.nodes import Template

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web" / "cardledger_web"
TRANSLATIONS = WEB / "translations"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
OPTIONS = {"parse_template_string": True}
"""Scripts say sentences inside of template strings too."""
SCRIPTS = "static/[!p]*.js"
"""The scripts of the pages: all but Plotly, which speaks English."""
GENERATED_BY = re.compile(rb'"Generated-By: .*\n')
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
"""Catalogues have no date of their own: git knows it."""


@cache
def templates() -> dict[str, Template]:
    """Return every template, parsed."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.policies["ext.i18n.trimmed"] = True
    return {path.name: environment.parse(path.read_text("utf-8")) for path in sorted(WEB.glob("templates/*.html"))}


@cache
def sentences() -> tuple[tuple[str, str | tuple[str, ...], str | None], ...]:
    """Return for every sentence of the pages its file, its text (and its plural, if it has one), and what it is said of."""
    return (*_in_templates(), *_in_code("python", "**/*.py"), *_in_code("javascript", SCRIPTS), *_in_games())


def _in_templates() -> Iterator[tuple[str, str | tuple[str, ...], str | None]]:
    for name, parsed in templates().items():
        for _, function, text in extract_from_ast(parsed, ("_", "gettext", "ngettext", "pgettext")):
            match function, text:
                case "pgettext", (of, said, *_):
                    yield f"web/cardledger_web/templates/{name}", said, of
                case "ngettext", (one, many, *_):
                    yield f"web/cardledger_web/templates/{name}", (one, many), None
                case _, str():
                    yield f"web/cardledger_web/templates/{name}", text, None
                case _, (said, *_) if said:
                    yield f"web/cardledger_web/templates/{name}", said, None


def _in_code(method: str, pattern: str) -> Iterator[tuple[str, str | tuple[str, ...], None]]:
    for path in sorted(WEB.glob(pattern)):
        code = path.read_bytes()
        if b"languages import" in code or b"texts.js" in code:
            for _, text, _, _ in extract(method, BytesIO(code), KEYWORDS, options=OPTIONS):
                yield path.relative_to(ROOT).as_posix(), text, None


def _in_games() -> Iterator[tuple[str, str, None]]:
    """Yield the fixed words of the games that pages show in the reader's language; rulebooks stay English."""
    for game in games().values():
        seats = (name for seat in game.shown.seats for name in (seat.name, seat.short))
        values = (said for fact in game.shown.facts for _, said in fact.words)
        calls = (word.shown for word in game.shown.words if any(map(str.isalpha, word.shown)))
        for text in (game.title, game.summary, *(fact.title for fact in game.shown.facts), *seats, *calls, *values):
            yield "ledger/cardledger/rules/games", text, None
    for measure in (*COMMON, *(one for game in games().values() for one in game.study.measures)):
        yield "ledger/cardledger/rules/engine/measures.py", measure.title, None
    for estimator in ESTIMATORS:
        yield "ledger/cardledger/study/stats/estimators.py", estimator.title, None


def catalogue_of(language: str) -> Catalog:
    """Return the catalogue of a language as it should be: what is translated already, and the rest empty."""
    known = Catalog()
    path = TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"
    if path.exists():
        known = read_po(BytesIO(path.read_bytes()), language)
    made = Catalog(language, header_comment=f"# The pages of cardledger in {language}.", fuzzy=False)
    made.project = made.version = made.msgid_bugs_address = made.last_translator = made.language_team = ""
    made.creation_date = made.revision_date = LONG_AGO
    if path.exists():  # a newer Babel may know other plurals than those that are translated
        made.mime_headers = [("Plural-Forms", known.plural_forms)]
    for file, text, of in sentences():
        before = known.get(text, of)
        # Scripts get the sentences that they say, and no others.
        places = [(file, 0)] if file.startswith(IN_SCRIPTS) else []
        made.add(text, before.string if before else "", locations=places, context=of)
    return made


def missing(made: Catalog) -> list[str]:
    """Return the sentences of a catalogue that have no translation: pages show them in English."""
    empty = (message.id for message in made if message.id and not all(_forms(message.string)))
    return [text if isinstance(text, str) else text[0] for text in empty]


def main() -> int:
    """Write every catalogue, and say what is to be translated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="write nothing, only list what has no translation")
    only_list = parser.parse_args().list
    left = 0
    for path in sorted(TRANSLATIONS.glob("*/LC_MESSAGES/messages.po")):
        language = path.parts[-3]
        made = catalogue_of(language)
        if not only_list:
            written = BytesIO()
            write_po(written, made, width=0, sort_output=True, include_lineno=False)
            path.write_bytes(GENERATED_BY.sub(b"", written.getvalue()))
        left += len(missing(made))
        for text in missing(made):
            print(f"{language}: {text}")
        print(f"{language}: {len(made)} sentences, {len(missing(made))} to translate")
    return 1 if left and not only_list else 0


def _forms(string: str | tuple[str, ...]) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else string


if __name__ == "__main__":
    sys.exit(main())
