"""Pages speak the reader's language: English, German or French, by the browser or by choice."""

from __future__ import annotations

import ast
import json
import re
import runpy
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from babel.messages.pofile import read_po
from jinja2 import nodes

from cardledger_web.figures import stats as figures
from cardledger_web.languages import LANGUAGES, catalogue, script_texts
from cardledger_web.views import stats
from cardledger_web.views.match import minus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from babel.messages.catalog import Message
    from flask.testing import FlaskClient

ROOT = Path(__file__).parents[2]
TRANSLATED = [each for each in LANGUAGES if each != "en"]
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+[^}]*\}")
TAG = re.compile(r"</?\w+[^>]*>")
IN_SCRIPT = re.compile(r'(?<![\w.])(?:_|ngettext)\("((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"[^\W\d_]{2,}")
SPOKEN = {"alt", "aria-label", "content", "label", "placeholder", "title"}
"""Attributes that are read or heard."""
THE_SAME = {"cardledger", "CSV", "Excel", "JSON"}
"""Names, which are the same in every language."""
NO_SENTENCES = {
    "check_receipt.py",  # a file
    "IMPs",  # the same in every language
    "swing",  # a key
    "target=200",  # what is typed
    'aria-invalid="true" aria-describedby=" wrong-"',  # attributes, written by a macro
}


@cache
def catalogues() -> dict[str, Any]:
    """The command that brings catalogues up to date, as a module."""
    return runpy.run_path(str(ROOT / ".build" / "catalogues.py"))


@cache
def messages(language: str) -> list[Message]:
    """What the catalogue of a language holds, without its head."""
    path = catalogues()["TRANSLATIONS"] / language / "LC_MESSAGES" / "messages.po"
    return [message for message in read_po(BytesIO(path.read_bytes()), language) if message.id]


def page(client: FlaskClient, path: str, language: str = "") -> str:
    answer = client.get(path, headers={"Accept-Language": language} if language else {})
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize(
    ("asked", "spoken", "word"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de", "Abende"),
        ("fr-CH", "fr", "Soirées"),
        ("en-GB", "en", "Evenings"),
        ("ja,pt;q=0.8", "en", "Evenings"),
        ("", "en", "Evenings"),
    ],
)
def test_a_page_speaks_the_language_of_the_browser(client: FlaskClient, asked: str, spoken: str, word: str) -> None:
    text = page(client, "/evenings", asked)
    assert f'<html lang="{spoken}">' in text and f"<h1>{word}</h1>" in text


def test_a_reader_chooses_a_language_and_keeps_it(client: FlaskClient) -> None:
    english = page(client, "/matches?game=ruff", "en")
    assert 'href="?game=ruff&amp;lang=de" lang="de"' in english and "Deutsch</a>" in english
    chosen = client.get("/matches?game=ruff&lang=de")
    assert (chosen.status_code, chosen.headers["Location"]) == (303, "/matches?game=ruff")
    assert '<html lang="de">' in page(client, "/matches?game=ruff", "fr")
    client.get("/?lang=en")
    assert page(client, "/matches?game=ruff", "fr") == english


def test_a_language_that_nobody_speaks_here_changes_nothing(client: FlaskClient) -> None:
    assert "lang=" not in client.get("/?lang=xx").headers.get("Set-Cookie", "")
    client.set_cookie("lang", "../de")
    assert '<html lang="en">' in page(client, "/")


def test_answers_vary_by_language_and_the_api_stays_english(client: FlaskClient) -> None:
    assert "Accept-Language" in client.get("/").headers["Vary"]
    refused = client.get("/api/v1/matches/none", headers={"Accept-Language": "de"})
    assert refused.json == client.get("/api/v1/matches/none").json


def test_an_error_page_speaks_the_language_too(client: FlaskClient) -> None:
    assert "<h1>Hier ist nichts</h1>" in client.get("/nowhere", headers={"Accept-Language": "de"}).text


@pytest.mark.parametrize(("language", "day"), [("en", "1 January"), ("de", "1. Januar"), ("fr", "1 janvier")])
def test_days_are_written_as_in_the_language(client: FlaskClient, language: str, day: str) -> None:
    assert f"{day} 2026</time>" in page(client, "/matches", language)


@pytest.mark.long
@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_of_the_pages_is_translated(language: str) -> None:
    """A release has every sentence; on the way there, one without a translation is shown in English (`.ci/run` lists it)."""
    made = catalogues()["catalogue_of"](language)
    assert catalogues()["missing"](made) == [], "run .build/catalogues.py and translate what it lists"
    assert {(one.context, one.id) for one in made} == {(one.context, one.id) for one in messages(language)} | {
        (None, "")
    }


def test_a_sentence_without_a_translation_is_shown_in_english() -> None:
    german = catalogue("de")
    assert german.gettext("a sentence of tomorrow") == "a sentence of tomorrow"
    assert german.gettext("One more player") == "Noch ein Spieler"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_keeps_what_stands_for_values(language: str) -> None:
    for message in messages(language):
        assert not message.fuzzy
        forms = [message.string] if isinstance(message.string, str) else [*message.string]
        if not all(forms):
            continue
        for english, form in zip([message.id] if isinstance(message.id, str) else message.id, forms, strict=True):
            for kept in (PLACEHOLDER, TAG):
                assert Counter(kept.findall(english)) == Counter(kept.findall(form)), form


def test_scripts_get_the_sentences_that_they_say(client: FlaskClient) -> None:
    (address,) = re.findall(
        r'<script defer src="(/static/texts\.de\.[0-9a-f]{16}\.js)"></script>', page(client, "/", "de")
    )
    assert "texts." not in page(client, "/", "en")
    told = client.get(address).text
    assert (
        '"One more player": "Noch ein Spieler"' in told
        and '"%(num)s event": ["%(num)s Ereignis", "%(num)s Ereignisse"]' in told
    )
    assert client.get(address.replace("texts.de", "texts.en")).status_code == 404
    worker = client.get("/worker.js").text
    assert address in worker
    texts = json.loads(worker.partition("const TEXTS = ")[2].partition(";\n")[0])
    assert texts["fr"]["No connection"] == "Pas de connexion", "the page without a connection speaks too"


def test_no_sentence_of_a_script_or_of_the_code_is_missed_by_the_catalogues() -> None:
    collected = {text if isinstance(text, str) else text[0] for _, text, _ in catalogues()["sentences"]()}
    said = {
        text.encode().decode("unicode_escape").encode("latin-1").decode() if "\\u" in text else text
        for path in (ROOT / "web/cardledger_web/static").glob("[!p]*.js")
        for text in IN_SCRIPT.findall(path.read_text("utf-8"))
    }
    in_code = {
        call.args[0].value
        for path in (ROOT / "web").glob("**/*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("_", "N_", "ngettext")
        if isinstance(call.args[0], ast.Constant)
    }
    assert len(said) > 100 and len(in_code) > 200
    assert said | in_code <= collected


def test_no_sentence_is_missed_by_the_catalogues_whichever_package_makes_it() -> None:
    collected = {
        one for _, text, _ in catalogues()["sentences"]() for one in ([text] if isinstance(text, str) else text)
    }
    made: Counter[str] = Counter()
    for package in ("ledger/cardledger", "api/cardledger_api", "web/cardledger_web"):
        for path in (ROOT / package).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(call, ast.Call) or ast.unparse(call.func) not in (
                    "Sentence", "Sentence.counted", "advising",
                ):  # fmt: skip
                    continue
                for one in call.args[: 2 if isinstance(call.func, ast.Attribute) else 1]:
                    if isinstance(one, ast.Constant) and WORD.search(PLACEHOLDER.sub("", one.value)):
                        assert one.value in collected, f"{path}:{call.lineno}"
                        made[package] += 1
                    elif package != "ledger/cardledger" and ast.unparse(call.func) == "Sentence":
                        # A template that stands in a variable would not be found; a file of a match was told its own.
                        known = isinstance(one, ast.Constant) or ast.unparse(one).endswith(".template")
                        assert known or path.name == "kept_quiz.py", f"{path}:{call.lineno}"
    assert made["ledger/cardledger"] > 500 and made["api/cardledger_api"] > 5 and made["web/cardledger_web"] > 10


@pytest.mark.parametrize(
    ("language", "sentence", "words"),
    [
        ("de", "Not entered: %(words)s.", "Nicht eingetragen: %(words)s."),
        ("fr", "%(name)s plays", "%(name)s joue"),
        ("de", "%(place)s of %(line)s", "%(place)s von %(line)s"),
        ("fr", "Undo to event %(seq)s", "Revenir à l’événement %(seq)s"),
    ],
)
def test_scoring_and_the_replay_speak_the_language(language: str, sentence: str, words: str) -> None:
    assert script_texts(language)[sentence] == words


@pytest.mark.parametrize(
    ("language", "place", "axis", "title"),
    [
        ("en", "2nd to 5th of 12", "points of a hand", "Evenings of the club"),
        ("de", "2. bis 5. von 12", "Punkte eines Blatts", "Abende des Klubs"),
        ("fr", "2e à 5e sur 12", "points d’une donne", "Soirées du club"),
    ],
)
def test_statistics_figures_and_feeds_speak_the_language(
    client: FlaskClient, language: str, place: str, axis: str, title: str
) -> None:
    with client.application.test_request_context(headers={"Accept-Language": language}):
        assert stats.place({"rank": 3, "rank_low": 2, "rank_high": 5, "ranked": 12}) == place
        assert figures.spread([0, 1], [2, 1]).layout.xaxis.title.text == axis
    assert f"<title>{title}</title>" in page(client, "/evenings.atom", language)


@pytest.mark.parametrize(
    ("language", "numbers"),
    [
        ("en", ("\u22121.50", "26%", "1.20")),
        ("de", ("\u22121,50", "26\u00a0%", "1,20")),
        ("fr", ("\u22121,50", "26\u00a0%", "1,20")),
    ],
)
def test_numbers_have_the_decimal_mark_of_the_language(
    client: FlaskClient, language: str, numbers: tuple[str, ...]
) -> None:
    with client.application.test_request_context(headers={"Accept-Language": language}):
        assert (stats.number(-1.5), stats.number(0.256, "share"), minus("1.20")) == numbers


def test_plurals_follow_the_rules_of_the_language() -> None:
    for language, texts in {"de": ("0 Abende", "1 Abend"), "fr": ("0 soirée", "1 soirée")}.items():
        said = [catalogue(language).ngettext("%(num)s evening", "%(num)s evenings", num) for num in (0, 1)]
        assert tuple(text % {"num": num} for num, text in enumerate(said)) == texts


class Spoken(HTMLParser):
    """Collects what a page says: its text and some attributes, without code and the head's own matters."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.code += tag in ("code", "pre", "kbd", "style")
        if tag != "meta":
            self.said += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self.code -= tag in ("code", "pre", "kbd", "style")

    def handle_data(self, data: str) -> None:
        if not self.code:
            self.said.append(data)


def written(node: nodes.Node) -> Iterator[str]:
    """What a part of a template writes as it stands there, without sentences that are looked up."""
    match node:
        case nodes.TemplateData(data=text) | nodes.Const(value=str() as text):
            yield text
        case nodes.CondExpr():
            yield from written(node.expr1)
            if node.expr2:
                yield from written(node.expr2)
        case nodes.Getitem(node=nodes.Dict(items=items)):
            for item in items:
                yield from written(item.value)
        case nodes.Concat() | nodes.Output():
            for part in node.nodes:
                yield from written(part)
        case nodes.Filter() if node.node:
            yield from written(node.node)
        case nodes.Expr():
            return
        case nodes.Block() | nodes.If() | nodes.For() | nodes.CallBlock() | nodes.Macro() | nodes.Template():
            for part in node.iter_child_nodes(exclude=("test", "iter", "target", "call", "args", "defaults")):
                yield from written(part)


def test_no_template_has_a_hard_coded_sentence() -> None:
    found = []
    for name, parsed in catalogues()["templates"]().items():
        page = Spoken()
        page.feed("".join(written(parsed)))
        found += [
            f"{name}: {text}"
            for text in map(str.strip, page.said)
            if {*WORD.findall(text)} - THE_SAME and text not in NO_SENTENCES
        ]
    assert not found, "\n".join(found)


COUNTED = re.compile(
    r"%\((\w+)\)s (?:\w+ )?(?:boards|cards|choices|days|decisions|events|games|hands|hours|matches|mistakes|minutes"
    r"|nights|people|players|points|results|rounds|rules|seconds|tables|times|tricks|violations)\b"
)
NEVER_ONE = {
    "%(game)s, %(seats)s players", "%(id)s, %(seats)s players", "%(players)s players",
    "%(words)s, with %(number)s cards that were entered.", "%(seats)s players", "Standings of %(id)s, %(seats)s players",
    "%(title)s is for %(players)s players; you have entered %(number)s.",
    "An evening of changing pairs is for %(numbers)s players; %(here)s are here.", "%(rules)s rules", "%(said)s times",
    "A round has 1 to %(most)s boards.",
    "The later checkpoints, up to %(events)s events, continue it.", "The latest %(found)s of %(matches)s matches.",
    "Better than the average of %(ranked)s players", "Worse than the average of %(ranked)s players",
    "Not different from the average of %(ranked)s players",
    "Section %(letter)s has %(tables)s tables: numbers %(first)s to ",
    "mean of the last %(number)s matches", "over all %(matches)s matches",
}  # fmt: skip
"""Sentences whose number is two or more: games have at least two players, and a choice has alternatives."""
OF_ANOTHER = {
    "%(won)s of %(complete)s complete matches won", ", in %(seconds)s seconds.", "cost %(points)s points", "%(points)s points",
    "Clear mistakes: %(bad)s of %(decisions)s choices (%(value)s).", "<b>%(habit)s</b>: %(cost)s points a decision,",
    "At tables of %(seats)s the deal explains %(explained)s of the points", "%(value)s points a hand, where the average",
    "The best card is %(best)s", "Most points are given up by this kind of decision: %(kind)s",
    "Deals brought %(luck)s points a hand", "%(points)s points a hand more than expected",
}  # fmt: skip
"""Sentences whose number has decimals or a sign, or stands for the number of something larger."""


def test_a_sentence_that_counts_has_a_form_for_one() -> None:
    whole = {text for _, text, _ in catalogues()["sentences"]() if isinstance(text, str) and COUNTED.search(text)}
    fine = NEVER_ONE | OF_ANOTHER
    assert {text for text in whole if not text.startswith(tuple(fine))} == set()
    assert {text for text in fine if not any(one.startswith(text) for one in whole)} == set(), "no longer said"


def test_the_api_refuses_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    match = client.get("/api/v1/matches").json["matches"][0]["id"]
    asked = {"events": [{"type": "retract", "to": 0}]}
    english, german = (
        client.post(f"/api/v1/matches/{match}/what-if", json=asked, headers=headers).json
        for headers in ({}, {"Accept-Language": "de"})
    )
    assert "events so far are" in english["detail"]
    assert "Ereignisse" in german["detail"]
    assert english["code"] == german["code"] == "table.range"
