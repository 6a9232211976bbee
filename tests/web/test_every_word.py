"""Every word of a page can be said in another language: in a made-up one, written in Greek, nothing English is left."""

from __future__ import annotations

import re
from gettext import NullTranslations
from html.parser import HTMLParser
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web import languages
from cardledger_web.app import ledger_of
from cardledger_web.pages import offline
from cardledger_web.serving import assets
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

NAMES = ("Ζωή", "Νίκος", "Ελένη", "Ωρίων", "Φοίβη", "Λητώ", "Άρης")
GREEK = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "αβψδεφγηιξκλμνοπθρστυωςχψζΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠΘΡΣΤΥΩΣΧΨΖ"
)
KEPT = re.compile(r"%\(\w+\)s|\{\w+(?:![rs])?(?::,)?\}|</?\w+[^>]*>|&\w+;")
"""What a translation keeps: values, and marks of pages."""
WORD = re.compile(r"[A-Za-z]{3,}")
SAME = {
    "cardledger",
    "CSV",
    "English",
    "Deutsch",
    "Français",
    "Fran",
    "ais",
    "JSON",
    "Law",
    "PBN",
    "UTC",
    "admin",
    "Markdown",
    "quota",
}
"""Names that are the same in every language, or that nobody translates."""
SPOKEN = {"alt", "aria-label", "label", "placeholder", "title"}
NOT_SAID = {"code", "kbd", "pre", "script", "style", "time"}
IDS = re.compile(r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)+|[a-z0-9-]+/\d+")
"""Ids of rules, games and editions."""


def in_greek(text: str) -> str:
    """Write a sentence in Greek letters, but for what stands for values."""
    kept = KEPT.findall(text)
    parts = [part.translate(GREEK) for part in KEPT.split(text)]
    return "".join(part + mark for part, mark in zip(parts, [*kept, ""], strict=True))


class Greek(NullTranslations):
    """A catalogue that has every sentence, in the same words."""

    def gettext(self, message: str) -> str:
        return in_greek(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return in_greek(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return in_greek(message)


class Said(HTMLParser):
    """Collects what a page says or shows."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in NOT_SAID
        self.said += [value for name, value in attrs if name in SPOKEN and value and tag not in NOT_SAID]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in NOT_SAID

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


def english(page: str) -> set[str]:
    """Return what a page says with a word in Latin letters."""
    parser = Said()
    parser.feed(page)
    source = in_greek("Source:")
    said = (text.strip() for text in parser.said if not text.startswith(source))  # the title of a publication
    return {text for text in said if {*WORD.findall(IDS.sub("", text))} - SAME}


def match_of(game: str) -> str:
    """Return the id of the match of a game."""
    return str(uuid5(NAMESPACE_URL, game))


@pytest.fixture(scope="module")
def greek(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application that speaks Greek letters, with a match of two hands of every game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(languages.LANGUAGES, "el", "Ελληνικά")
        patch.setattr(languages, "catalogue", lambda _language: Greek())
        for module in (assets, offline):
            patch.setattr(module, "script_texts", lambda *_: {})
        for app in opened(tmp_path_factory.mktemp("greek") / "club.db"):
            for game in games().values():
                n = max(game.sizes)
                opening, *rest = simulate(game.id, n, Random(7), ["random"], {}, players=NAMES[:n], max_hands=2)
                played = [event for event in rest if not isinstance(event, ev.End)]
                ledger_of(app).record(match_of(game.id), [opening, *played], 0, by=NAMES[0])
            yield app


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize(
    "address", ["/games/{game}", "/matches/{match}", "/matches/{match}/audit", "/matches/{match}/hands/1", "/matches/{match}/replay/{seq}",
                "/matches/{match}/score", "/matches/{match}/hands/1/positions", "/matches/{match}/hands/1/quiz", "/matches/{match}/hands/1/quiz?seat=1",
                "/matches/{match}/hands/1/quiz?seat=0&choice={choice}&see=1"],
)  # fmt: skip
def test_nothing_english_is_left(greek: Flask, game: str, address: str) -> None:
    match = match_of(game)
    stream = ledger_of(greek).stream(match)
    choice = quote(Quiz(stream, 1).questions(0)[0].choices[0]) if "{choice}" in address else ""
    answer = greek.test_client().get(
        address.format(game=game, match=match, seq=stream.seq - 3, choice=choice), headers={"Accept-Language": "el"}
    )
    assert answer.status_code == 200
    page = "".join(answer.json["pieces"]) if answer.is_json else answer.text
    assert english(page) == set()


@pytest.mark.parametrize("address", ["/games", "/matches/new", "/evenings/new", "/players", "/violations", "/hands"])
def test_nothing_english_is_left_on_pages_of_all(greek: Flask, address: str) -> None:
    answer = greek.test_client().get(address, headers={"Accept-Language": "el"})
    assert answer.status_code == 200
    assert english(answer.text) == set()
