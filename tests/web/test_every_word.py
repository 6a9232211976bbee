"""Every word of a page can be said in another language: in a made-up one, written in Greek, nothing English is left."""

from __future__ import annotations

import re
from functools import cache
from gettext import NullTranslations
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import pytest
from babel.messages.pofile import read_po

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings.drawing import drive_round
from cardledger.rules.evenings.drive_sheet import drive_begun, tricks_entered
from cardledger.rules.evenings.shape import event_of
from cardledger.rules.evenings.unnamed import unnamed
from cardledger.rules.games import games
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web import languages
from cardledger_web.app import ledger_of
from cardledger_web.pages import offline
from cardledger_web.serving import assets
from tests.evenings import bridge
from tests.evenings.night import opening
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.event import Event

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
    "tests",
}
"""Names that are the same in every language, or that nobody translates."""
SPOKEN = {"alt", "aria-label", "label", "placeholder", "title"}
NOT_SAID = {"code", "kbd", "pre", "script", "style", "time"}
IDS = re.compile(r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)+|[a-z0-9-]+/\d+|\b[0-9a-f]{8}\b|\b[a-z]+=\d+|http\S+")
"""Ids of rules, games, editions and matches, options as they are written, and addresses."""


def in_greek(text: str) -> str:
    """Write a sentence in Greek letters, but for what stands for values."""
    kept = KEPT.findall(text)
    parts = [part.translate(GREEK) for part in KEPT.split(text)]
    return "".join(part + mark for part, mark in zip(parts, [*kept, ""], strict=True))


@cache
def sentences() -> set[str]:
    """Return the sentences that translators are given: those of every catalogue."""
    file = BytesIO((Path(languages.__file__).parent / "translations/de/LC_MESSAGES/messages.po").read_bytes())
    messages = [message for message in read_po(file) if message.id]
    given = (message.id if isinstance(message.id, str) else message.id[0] for message in messages)
    return {
        each if message.context is None else f"{message.context}\4{each}"
        for message, each in zip(messages, given, strict=True)
    }


class Greek(NullTranslations):
    """A catalogue that has every sentence that translators are given, in the same words, and no other."""

    def gettext(self, message: str) -> str:
        return in_greek(message) if message in sentences() else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        message = msgid1 if n == 1 else msgid2
        return in_greek(message) if msgid1 in sentences() else message

    def pgettext(self, context: str, message: str) -> str:
        return in_greek(message) if f"{context}\4{message}" in sentences() else message


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


Evenings = dict[str, str]
"""The id of each evening by what is played."""
OF_ALL = ("", ".txt", "/screen", "/players", "/handicaps")
OF_PAIRS = (
    "?as_of={published}", "/boards/9", "/boards/2", "/cards/1", "/cards/2", "/round", "/entries", "/movement", "/guide-cards",
    "/director", "/director?board=9", "/director?board=9&table=2&round=1",
)  # fmt: skip
OF_A_DRIVE = ("/drive", "/drive?hand=1", "/cards/1")
OF_A_MATCH = ("", "/score", "/sheet", "/opening", "/correct?hand=1")
OF_A_LEDGER = (
    "/", "/evenings", "/matches", "/season", "/people", "/invitations", "/acts", "/worth-seeing", "/evenings/import", "/boards/import",
    "/games/hearts/leaders", "/integrity", "/definitions", "/stats/hearts", f"/players/{quote(NAMES[1])}", "/help",
)  # fmt: skip
PAGES = [
    *((of, "/evenings/{id}" + page) for of in ("pairs", "drive", "tables") for page in OF_ALL),
    *(("pairs", "/evenings/{id}" + page) for page in OF_PAIRS),
    *(("drive", "/evenings/{id}" + page) for page in OF_A_DRIVE),
    *((of, "/matches/{match}" + page) for of in ("pairs", "tables") for page in OF_A_MATCH),
    *(("tables", page) for page in ("/matches/{match}/swap?hand=1", *OF_A_LEDGER)),
]
"""Pages by the evening they are about."""


def add(ledger: Ledger, id: str | None, *events: dict[str, Any] | Event) -> str:
    """Record events of an evening; return its id."""
    expected = ledger.evenings.stream(id).seq if id else 0
    given = [event_of(event) if isinstance(event, dict) else event for event in events]
    return ledger.evenings.record(id, given, expected, NAMES[0], as_written=False).match


def pairs(ledger: Ledger) -> str:
    """Return an evening of pairs with rounds played and one under way, rulings, a ranking and what was corrected."""
    id = bridge.begun(ledger, 5, {"kind": "howell", "entries": 6, "boards": 2}, name="Μπριτζ")
    bridge.play(ledger, id, Random(5), 3)
    bridge.open_round(ledger, id)
    add(
        ledger, id,
        {"type": "adjust", "round": 1, "table": 2, "board": 9, "ns": 40, "ew": 60, "law": "C2", "reason": "αργά"},
        {"type": "adjust", "entry": 1, "penalty": 10},
        {"type": "absent", "round": 4, "table": 2, "why": "not-played"},
    )  # fmt: skip
    add(ledger, id, {"type": "publish"})
    add(ledger, id, {"type": "adjust", "round": 1, "table": 2, "board": 10, "ns": 50, "ew": 50})
    add(ledger, id, {"type": "retract", "to": ledger.evenings.stream(id).seq - 1, "reason": "όχι"})
    add(ledger, id, {"type": "adjust", "round": 1, "table": 3, "board": 10, "ns": 60, "ew": 60})
    return id


def drive(ledger: Ledger) -> str:
    """Return a drive with two of its three hands played, and its ranking."""
    first = opening(game="whist", name="Ουίστ", scoring={"kind": "total", "decimals": 0})
    id = add(ledger, None, first, *({"type": "arrive", "player": f"π{number}"} for number in range(1, 10)))
    add(ledger, id, *drive_begun(ledger.evenings.stream(id).state, 3))
    for hand in (1, 2):
        add(ledger, id, *drive_round(ledger.evenings.stream(id).state, [], hand))
        add(ledger, id, *tricks_entered(ledger.evenings.stream(id).state, hand, {1: [7], 2: [9]}))
    add(ledger, id, {"type": "publish"})
    return id


def tables(ledger: Ledger) -> str:
    """Return an evening of hearts with a round played and one under way, and its ranking."""
    id = add(
        ledger,
        None,
        opening(game="hearts", name=str(unnamed("2026-01-06"))),
        *({"type": "arrive", "player": one} for one in NAMES),
    )
    for round, events in ((1, None), (2, 30)):
        for each in ledger.evenings.rounds.open(id, NAMES[0]):
            players = ledger.stream(each.match).table.players
            _, *played = simulate("hearts", 4, Random(round), ["random"], {}, players=players, max_hands=2)
            going = [event for event in played if not isinstance(event, ev.End)]
            ledger.record(each.match, going[:events], 1, NAMES[0])
    add(ledger, id, {"type": "leave", "player": NAMES[0]})
    add(ledger, id, {"type": "publish"})
    return id


@pytest.fixture(scope="module")
def evenings(greek: Flask) -> Evenings:
    """Evenings of each kind in the application that speaks Greek letters."""
    return {kind.__name__: kind(ledger_of(greek)) for kind in (pairs, drive, tables)}


@pytest.mark.parametrize(("of", "address"), PAGES)
def test_nothing_english_is_left_on_pages_of_evenings(greek: Flask, evenings: Evenings, of: str, address: str) -> None:
    id = evenings[of]
    stream = ledger_of(greek).evenings.stream(id)
    match = next((found for _, one in stream.state.results.values() if (found := one.match)), "")
    path = address.format(id=id, match=match, published=stream.state.published[-1][1].at_position)
    answer = greek.test_client().get(path, headers={"Accept-Language": "el"})
    assert answer.status_code == 200
    assert english(answer.text) == set()


SHEETS = {
    "points that the game cannot give": "game,date,,,,\nhearts,2026-01-06,,,,\n\nΖωή,Νίκος,Ελένη,Ωρίων\n1,2,3,4\n5,6,7,8\n",
    "sums that fail": "player,1,2,total\nΖωή,13,0,12\nΝίκος,5,26,31\nΕλένη,8,0,8\nΩρίων,0,0,0\n",
    "no headings": "Ζωή\nΝίκος\n",
    "nothing": "",
    "a column too many": "player,total,σημείωση,7\nΖωή,13,3,4\nΝίκος,13,5,6\nΕλένη,0,1,2\nΩρίων,0,8,9\n",
    "a column twice": "player,total,total\nΖωή,13,3\nΝίκος,13,5\n",
    "places that do not follow": "table,player,place\n1,Ζωή,1\n1,Νίκος,3\n1,Ελένη,4\n1,Ωρίων,4\n",
    "two days": "date,player,total\n2026-01-06,Ζωή,13\n2026-01-06,Νίκος,13\n,Ελένη,3\n2026-01-13,Ζωή,9\n2026-01-13,Νίκος,4\n",
    "a day without a year": "date,20 Nov\nplayer,1,2\nΖωή,13,0\nΝίκος,5,26\nΕλένη,8,0\nΩρίων,0,0\n",
    "what nobody can read": "player,1\nΖωή,πολλά\nΝίκος,\nΕλένη,3\nΩρίων,1e99\n",
    "what is right": "game,hearts\ndate,2026-01-06\nplayer,1,2,total\nΖωή,13,0,13\nΝίκος,5,26,31\nΕλένη,8,0,8\nΩρίων,0,0,0\n",
}


@pytest.mark.parametrize("game", ["hearts", "Κανάστα"])
@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_nothing_english_is_left_of_what_a_sheet_lacks(greek: Flask, sheet: str, game: str) -> None:
    form = {"file": (BytesIO(sheet.encode()), "χαρτί"), "game": game, "name": "Βραδιά"}
    answer = greek.test_client().post("/evenings/import", data=form, headers={"Accept-Language": "el"})
    assert answer.status_code in (200, 400, 422)
    written = re.compile(
        "|".join(sorted({*re.findall(r"[^\W\d]{3,}", sheet), *games(), "player"}, key=len, reverse=True))
    )
    assert english(written.sub("", answer.text)) == set()


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
