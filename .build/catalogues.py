"""Bring web/cardledger_web/translations up to date: every sentence of the pages is in each catalogue; what has no translation is listed."""

from __future__ import annotations

import argparse
import ast
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
from cardledger.rules.engine.rulebook import COMMON as RULES_OF_ALL
from cardledger.rules.games import games
from cardledger.study.stats import DIMENSIONS
from cardledger.study.stats.estimators import ESTIMATORS
from cardledger.study.stats.measures.hand_counts import hand_counts
from cardledger.study.stats.measures.sheet import names_of, splits_of
from cardledger_web.languages import IN_SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2.nodes import Template

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web" / "cardledger_web"
PACKAGES = (ROOT / "ledger" / "cardledger", ROOT / "api" / "cardledger_api", WEB)
"""What makes sentences: the domain first, as most are its own."""
TRANSLATIONS = WEB / "translations"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
OPTIONS = {"parse_template_string": True}
"""Scripts say sentences inside of template strings too."""
SCRIPTS = "static/[!p]*.js"
"""The scripts of the pages: all but Plotly, which speaks English."""
GENERATED_BY = re.compile(rb'"Generated-By: .*\n')
WORD = re.compile(r"[^\W\d_]{2,}")
KEY = re.compile(r"\{[^}]*\}")
_ID = re.compile(r"[a-z.-]+")
"""The id of a rule, as a source of a measure."""
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
    return (
        *_in_templates(),
        *_in_code("python", "**/*.py"),
        *_in_code("javascript", SCRIPTS),
        *_in_games(),
        *_in_packages(),
    )


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


def _in_packages() -> Iterator[tuple[str, str | tuple[str, ...], None]]:
    """Yield the sentences that the packages make, wherever they make them, and the phrases of events."""
    for path in (path for package in PACKAGES for path in sorted(package.rglob("*.py"))):
        code = path.read_bytes()
        if (
            b"Sentence" in code
            or b"advising(" in code
            or b"refusal(" in code
            or b"def phrases" in code
            or b"Event, tag=" in code
        ):
            for text in _of_module(ast.parse(code)):
                yield path.relative_to(ROOT).as_posix(), text, None


def _of_module(module: ast.Module) -> Iterator[str | tuple[str, ...]]:
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Name("Sentence" | "advising" | "refusal"), args=[ast.Constant(str() as text), *_]):
                found = [text]
            case ast.Call(
                func=ast.Attribute(ast.Name("Sentence"), "counted"),
                args=[ast.Constant(str() as one), ast.Constant(str() as many), *_],
            ):
                yield one, many
                continue
            case ast.FunctionDef(name="phrases"):
                yielded = (each.value for each in ast.walk(node) if isinstance(each, ast.Yield) and each.value)
                found = [text for value in yielded for text in _texts(value)]
            case ast.Assign(targets=[ast.Name("words")], value=ast.Constant(str() as text)):
                found = [text]
            case _:
                continue
        yield from (text for text in found if WORD.search(KEY.sub("", text)))


def _texts(value: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may be."""
    match value:
        case ast.Constant(str() as text):
            yield text
        case ast.IfExp():
            yield from _texts(value.body)
            yield from _texts(value.orelse)


def _in_games() -> Iterator[tuple[str, str, str | None]]:
    """Yield the fixed words of the games, and the texts of their rules and options."""
    yield from (
        ("ledger/cardledger/rules/games", said, None) for rule in RULES_OF_ALL for said in (rule.text, rule.title)
    )
    for game in games().values():
        for rule in game.book.rules:
            yield "ledger/cardledger/rules/games", rule.text, None
            yield "ledger/cardledger/rules/games", rule.title, None
        for option in game.options:
            yield "ledger/cardledger/rules/games", option.text, None
            for text in (option.name.replace("_", " "), *option.choices, option.default_text, "yes", "no", "none"):
                if WORD.search(text):
                    yield "ledger/cardledger/rules/games", text, "option"
        seats = (name for seat in game.shown.seats for name in (seat.name, seat.short))
        values = (said for fact in game.shown.facts for _, said in fact.words)
        calls = (said for word in game.shown.words if WORD.search(said := word.shown or word.call))
        course = () if game.shown.course is None else (game.shown.course[0],)
        facts = (fact.title for fact in game.shown.facts)
        for text in (game.title, game.summary, game.deal.first, *course, *facts, *seats, *calls, *values):
            yield "ledger/cardledger/rules/games", text, None
    for measure in (*COMMON, *(one for game in games().values() for one in game.study.measures)):
        changed = (edition.changed for edition in measure.history)
        for text in (
            measure.title,
            measure.formula,
            *changed,
            *(() if _ID.fullmatch(measure.source) else (measure.source,)),
        ):
            yield "ledger/cardledger/rules/engine/measures.py", text, None
    for name in sorted({*DIMENSIONS, *(name for id in games() for name in splits_of(names_of(id)))}):
        yield "ledger/cardledger/study/stats/query.py", name.replace("_", " "), "split"
    for text in (word for id in games() for word in hand_counts(id).values()):
        yield "ledger/cardledger/study/stats/measures/hand_counts.py", text, None
    for text in DIMENSIONS.values():
        yield "ledger/cardledger/study/stats/query.py", text, None
    for estimator in ESTIMATORS:
        for text in (estimator.title, estimator.formula, *(edition.changed for edition in estimator.history)):
            yield "ledger/cardledger/study/stats/estimators.py", text, None


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
