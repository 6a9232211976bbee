"""The engine in the file of a match: that it answers as the server's pages do, and what its archive holds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from babel.numbers import format_decimal

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from cardledger_web.engine.answering import OfPage
from cardledger_web.engine.archive import STUDYING, archive
from cardledger_web.engine.files import carried_files
from cardledger_web.engine.studying import Studying
from cardledger_web.language_choice import OfRequest
from cardledger_web.languages import others, spoken_by, thousands
from tests.api.recording import as_role
from tests.web.test_engine import MOST, inside_of
from tests.web.test_receipts import over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

BESIDE = ("flask", "babel", "numpy", "sqlite3", "marshmallow")


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
    inside_of(archive(STUDYING)).extractall(tmp_path)
    spec = find_spec("msgspec")
    assert spec is not None
    assert spec.origin is not None
    (tmp_path / "msgspec").symlink_to(Path(spec.origin).parent)
    lines = [ev.encode(event).decode() for event in simulate("euchre", 4, Random(1), ["cautious"], max_hands=1)]
    asked: list[dict[str, Any]] = [
        {"ask": "open", "match": "m", "lines": "\n".join(lines), "names": ["a", "b", "c", "d"], "language": "fr"},
        {"ask": "known", "at": len(lines) // 2, "seat": "0"},
        {"ask": "tried", "seq": len(lines) // 2, "line": "?", "view": "0"},
    ]
    program = f"""
import json, sys
sys.path.insert(0, {str(tmp_path)!r})
from cardledger_web.engine.studying import Studying
studying = Studying()
print(json.dumps([json.loads(studying.answer(json.dumps(asked))) for asked in json.loads(sys.stdin.read())]))
print(sorted(name for name in sys.modules if name in {BESIDE!r}))
"""
    said = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    answers, reached = said.stdout.splitlines()
    assert reached == "[]"
    assert [list(answer) for answer in json.loads(answers)] == [["told"]] * 3


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
