"""The engine in the file of a match: that it answers as the server's pages do, and what its archive holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from babel.numbers import format_decimal

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.study.stats.review.gaps import gaps
from cardledger_web.app import ledger_of
from cardledger_web.engine.answering import OfPage
from cardledger_web.engine.archive import STUDYING, archive
from cardledger_web.engine.files import carried_files
from cardledger_web.engine.kept_quiz import KeptQuiz
from cardledger_web.engine.studying import Studying
from cardledger_web.language_choice import OfRequest
from cardledger_web.languages import others, spoken_by, thousands
from cardledger_web.standalone.gathering import as_any_reader
from cardledger_web.standalone.quizzes import Quizzes
from tests.api.recording import as_role
from tests.web.engine_alone import answers_alone
from tests.web.test_engine import MOST
from tests.web.test_receipts import over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask


@pytest.fixture
def studying() -> Iterator[Studying]:
    yield Studying()
    spoken_by(OfRequest())


def part(page: str) -> str:
    """Return of a page what a seat can know, without the addresses of its links."""
    found = re.search(r'<section id="known".*?</section>', page, re.DOTALL)
    assert found, page
    return re.sub(r'href="[^"]*"', "", found[0])


@pytest.mark.parametrize("game", list(games()))
def test_every_answer_is_that_of_the_pages(empty: Flask, studying: Studying, game: str) -> None:
    reader = as_role(empty, "reader")
    events = simulate(game, games()[game].sizes[0], Random(5), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events, 0).match
    text = reader.get(f"/matches/{match}.jsonl").text
    lines = [json.loads(line) for line in text.splitlines()]

    def ask(**asked: Any) -> Any:
        return json.loads(studying.answer(json.dumps(asked)))

    for language in ("de", "en"):
        reader.set_cookie("lang", language)
        ask(ask="open", match=match, lines=text, names=lines[0]["players"], language=language)
        for at in (2, len(lines) // 2, len(lines) - 2):
            theirs = reader.get(f"/matches/{match}/replay/{at}/knowledge?seat=1")
            ours = ask(ask="known", at=at, seat="1")
            assert ("told" in ours) == (theirs.status_code == 200), (ours, theirs.text)
            if "told" in ours:
                assert part(ours["told"]) == part(theirs.text)
            for view in ("all", "0"):
                for line in ("", "?", "play.0.2C", offered(reader.get(f"/matches/{match}/replay/{at}").text)):
                    query = {"line": line, "view": view}
                    tried = reader.get(f"/matches/{match}/replay/{at}/what-if", query_string=query)
                    answer = ask(ask="tried", seq=at, line=line, view=view)
                    assert ("told" in answer) == (tried.status_code == 200), (answer, tried.text)
                    assert answer.get("told", tried.json) == tried.json


VIEWED = ["hearts", "bridge", "diamonds-draw"]
"""Hands that are passed on, a dummy that is laid open, cards that are drawn."""


@pytest.mark.parametrize("game", VIEWED)
def test_a_hand_in_a_view_is_that_of_the_pages(empty: Flask, studying: Studying, game: str) -> None:
    reader = as_role(empty, "reader")
    events = simulate(game, games()[game].sizes[0], Random(5), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events, 0).match
    text = reader.get(f"/matches/{match}.jsonl").text
    names = json.loads(text.splitlines()[0])["players"]

    def ask(**asked: Any) -> Any:
        return json.loads(studying.answer(json.dumps(asked)))["told"]

    def unled(pieces: list[str]) -> list[str]:
        return [re.sub(r'href="[^"]*"', "", piece) for piece in pieces]

    ask(ask="open", match=match, lines=text, names=names, language="en")
    half = len(events) // 2
    for view in ("0", "1", "spectator"):
        query: dict[str, Any] = {"view": view, "until": half}
        theirs = reader.get(f"/matches/{match}/hands/1/positions", query_string=query).json
        ours = ask(ask="positions", hand=1, **query)
        assert unled(ours["pieces"]) == unled(theirs["pieces"])
        assert {key: ours[key] for key in theirs if key != "pieces"} == {
            key: theirs[key] for key in theirs if key != "pieces"
        }
        page = reader.get(f"/matches/{match}/replay/{half}", query_string={"view": view}).text
        log = page[page.index('id="log"') :].partition("<ol>")[2].partition("</ol>")[0]
        said = re.findall(r'<span class="seq">(\d+)</span> <bdi>(.*?)</bdi>', log)
        assert (
            re.findall(r'<span class="seq">(\d+)</span> <bdi>(.*?)</bdi>', "".join(ours["log"]))
            == said[: len(ours["log"])]
        )
        assert (ours["end"], ours["hidden"]) == (None, False)
        on = {"view": view, "until": half, "after": half, "on": "trick_after"}
        assert ask(ask="ahead", seq=half, view=view, way="trick_after")["seq"] > half
        theirs, ours = (
            reader.get(f"/matches/{match}/hands/1/positions", query_string=on).json,
            ask(ask="positions", hand=1, **on),
        )
        assert (theirs["line"], theirs["stops"], unled(theirs["pieces"])) == (
            ours["line"],
            ours["stops"],
            unled(ours["pieces"]),
        )


@pytest.mark.parametrize("view", ["0", "1", "spectator"])
def test_a_view_has_no_card_that_it_did_not_see(studying: Studying, view: str) -> None:
    events = simulate("hearts", 4, Random(5), ["cautious"], max_hands=1)
    (at, dealt), *_ = ((at, event) for at, event in enumerate(events, 1) if isinstance(event, ev.Deal))
    lines = "\n".join(ev.encode(event).decode() for event in events)
    asked = {"match": "m", "lines": lines, "names": ["a", "b", "c", "d"], "language": "en"}
    studying.answer(json.dumps({"ask": "open", **asked}))
    told = studying.answer(json.dumps({"ask": "positions", "hand": 1, "view": view, "until": at}))
    faces = set(re.findall(r'data-face="([^"]+)"', "".join(json.loads(told)["told"]["pieces"])))
    own = {face for seat, hand in enumerate(dealt.hands or ()) if str(seat) == view for face in hand}
    assert faces == own


@pytest.mark.parametrize("game", ["hearts", "euchre"])
def test_a_quiz_asks_and_answers_as_the_pages_do(empty: Flask, studying: Studying, game: str) -> None:
    reader, ledger = as_role(empty, "reader"), ledger_of(empty)
    match = ledger.record(None, simulate(game, 4, Random(5), ["random"], max_hands=1), 0).match
    text, names = reader.get(f"/matches/{match}.jsonl").text, ledger.stream(match).table.players
    made = Quizzes(ledger, match, names)
    with as_any_reader(empty, "/", "en"):
        made.find_out([1])
    asked = {"match": match, "lines": text, "names": names, "language": "en"}
    studying.answer(json.dumps({"ask": "open", **asked, "quizzes": {"1": made.by_hand[1]}}))
    questions = [answer["question"] for answer in made.by_hand[1]["answers"] if answer["question"][1] == 1]
    stops = ",".join(str(seq) for seq, *_ in questions)
    choices = [offered[-1] for *_, offered in questions]
    if game == "hearts":
        assert len(questions[0][-1]) == 286, "three cards to pass"

    def words(html: str) -> list[str]:
        return re.sub("<[^>]*>", " ", html).split()

    def expect_the_same(stops: str, said: list[str], see: bool, seat: int = 1) -> None:
        query = {"seat": seat, "stops": stops, "choice": said, **({"see": 1} if see else {})}
        page = reader.get(f"/matches/{match}/hands/1/quiz", query_string=query).text
        theirs = page.partition('<div id="quiz">')[2].partition("</main>")[0].replace("More puzzles", "")
        theirs = re.sub(r'<p class="hint"><a [^>]*record=1.*?</p>', "", theirs)  # a file records nothing
        told = studying.answer(
            json.dumps({"ask": "quiz", "hand": 1, "seat": seat, "stops": stops, "choices": said, "see": see})
        )
        assert words(json.loads(told)["told"]) == words(theirs)

    for said, see in (([], False), (choices[:1], True), (choices[:2], False), (choices, True), (choices, False)):
        expect_the_same(stops, said, see)
    passes = [answer for answer in made.by_hand[1]["answers"] if answer["question"][2] == "give"]
    for kind in (list, dict) if passes else ():  # a choice that costs something, and one that is better than the usual
        seq, seat, choice = next(
            (*answer["question"][:2], choice)
            for answer in passes
            for choice, changed in answer["others"].items()
            if isinstance(changed, kind)
        )
        expect_the_same(str(seq), [" ".join(reversed(choice.split()))], True, seat)
    told = studying.answer(
        json.dumps({"ask": "quiz", "hand": 1, "seat": 1, "stops": stops, "choices": ["?"], "see": True})
    )
    assert "could not be chosen" in json.loads(told)["told"]
    refused = studying.answer(
        json.dumps({"ask": "quiz", "hand": 2, "seat": 1, "stops": stops, "choices": [], "see": True})
    )
    assert json.loads(refused)["problem"]["code"] == "quiz.hand"
    found = {
        one.seq for seat in range(4) for one in KeptQuiz(ledger.stream(match), made.by_hand[1]).questions(seat, "gaps")
    }
    whole = {answer["question"][0] for answer in made.by_hand[1]["answers"]}
    assert found == gaps(ledger, match, 1) & whole


def offered(page: str) -> str:
    """Return a move that a page offers, empty if it offers none."""
    found = re.search(r'data-move="([^"]+)"', page)
    return found[1] if found else ""


def test_what_no_reader_can_ask_is_refused(studying: Studying) -> None:
    lines = [ev.encode(event).decode() for event in simulate("hearts", 4, Random(1), ["random"], max_hands=1)]

    def problem(**asked: Any) -> str:
        return str(json.loads(studying.answer(json.dumps(asked)))["problem"]["code"])

    studying.answer(
        json.dumps(
            {"ask": "open", "match": "m", "lines": "\n".join(lines), "names": ["a", "b", "c", "d"], "language": "en"}
        )
    )
    assert problem(ask="known", at=9, seat="spectator") == "store.unknown"
    assert problem(ask="known", at=9, seat="all") == "store.unknown"
    assert problem(ask="known", at=9, seat="x") == "format.value"
    assert problem(ask="known", at=9, seat="7") == "table.range"
    assert problem(ask="known", at=len(lines) + 1, seat="0") == "table.range"
    assert problem(ask="checked", keys=[]) == "store.unknown"
    assert problem(ask="tried", seq=0, line="", view="all") == "table.range"


def test_the_receipt_is_checked_against_the_events(empty: Flask, studying: Studying) -> None:
    reader = as_role(empty, "reader")
    match = over(ledger_of(empty))
    names = ledger_of(empty).stream(match).table.players
    text, receipt = (reader.get(f"/matches/{match}{kind}").text for kind in (".jsonl", "/receipt.json"))
    key = reader.get("/api/v1/checkpoint/keys").json["keys"][0]["key"]

    def checked(lines: str, keys: list[str]) -> Any:
        asked = {"match": match, "lines": lines, "names": names, "language": "en", "receipt": receipt}
        studying.answer(json.dumps({"ask": "open", **asked}))
        return json.loads(studying.answer(json.dumps({"ask": "checked", "keys": keys})))["told"]

    assert checked(text, [key])["status"] == 0
    assert checked(text, [])["status"] == 0
    assert checked(text.replace('"seat":1', '"seat":2', 1), [key])["status"] == 1


def test_it_runs_with_msgspec_alone_and_without_numpy(tmp_path: Path) -> None:
    lines = [ev.encode(event).decode() for event in simulate("euchre", 4, Random(1), ["cautious"], max_hands=1)]
    half = len(lines) // 2
    asked: list[dict[str, Any]] = [
        {"ask": "open", "match": "m", "lines": "\n".join(lines), "names": ["a", "b", "c", "d"], "language": "fr"},
        {"ask": "known", "at": half, "seat": "0"},
        {"ask": "tried", "seq": half, "line": "?", "view": "0"},
        {"ask": "positions", "hand": 1, "view": "0", "until": half},
    ]
    answers = answers_alone(archive(STUDYING), tmp_path, "cardledger_web.engine.studying:Studying", asked)
    assert [list(answer) for answer in answers] == [["told"]] * len(asked)


@pytest.mark.parametrize("language", ["en", *others()])
def test_numbers_are_written_as_the_library_of_languages_writes_them(language: str) -> None:
    spoken_by(OfPage(language, {}))
    try:
        for number in (0, 7, 999, 1_000, 12_345, 954_667_933_018_800, -1_234):
            assert thousands(number) == format_decimal(number, locale=language)
    finally:
        spoken_by(OfRequest())


def test_a_file_with_it_is_small_enough_to_be_sent() -> None:
    assert sum(map(len, carried_files().values())) < MOST
