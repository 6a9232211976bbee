"""The engine for browsers: what its archive holds, how it is sent, and that it answers as the server does."""

from __future__ import annotations

import gettext
import json
import re
import runpy
import subprocess
import sys
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.matches.shape import event_of
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from cardledger_web.engine.archive import SCORING, STUDYING, TRYING, Start, archive, imports, modules, packed
from cardledger_web.engine.files import engine_files
from cardledger_web.engine.inside import Inside
from cardledger_web.language_choice import OfRequest
from cardledger_web.languages import catalogue, compiled_name, others, spoken_by
from cardledger_web.serving.headers import POLICY
from tests.api.recording import as_role
from tests.test_plugin import installed
from tests.web.engine_alone import answers_alone, inside_of, run_alone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

OURS = {"X-Requested-With": "cardledger"}
MOST = 5_000_000
"""Bytes that a phone loads for the engine, at most."""


def test_the_archive_is_the_same_bytes_each_time() -> None:
    first = archive()
    packed.cache_clear()
    assert archive() == first


def test_it_runs_with_msgspec_alone(tmp_path: Path) -> None:
    """No Flask, no store, no babel: the archive and msgspec are all that the browser has beside the standard library."""
    lines = [ev.encode(event).decode() for event in simulate("hearts", 4, Random(1), ["cautious"], max_hands=1)]
    asked = [opening([json.loads(line) for line in lines], "de"), {"ask": "table", "at": None}]
    _, table = answers_alone(archive(), tmp_path, "cardledger_web.engine.inside:Inside", asked)
    assert f"<b>{catalogue('de').gettext('Hand %(number)s') % {'number': 1}}</b>" in table["told"]["worth"]


def test_the_game_of_an_installed_package_comes_along(tmp_path: Path) -> None:
    (site := tmp_path / "site").mkdir()
    installed(site, "gone")
    (site / "gone.py").unlink()  # a broken package takes no other with it
    env = installed(site)
    program = "import sys; from cardledger_web.engine.archive import archive; sys.stdout.buffer.write(archive())"
    made = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True)
    program = """
from cardledger_web.engine.inside import Inside
Inside()
from cardledger.rules.games import games
print("high-card" in games())
"""
    assert run_alone(made.stdout, tmp_path / "browser", program) == ["True"]


@pytest.mark.parametrize("start", [SCORING, STUDYING, TRYING])
def test_the_standard_library_for_it_has_what_its_modules_import(start: Start) -> None:
    library = {
        name.partition("/")[0].removesuffix(".py")
        for name in inside_of(engine_files().files["python.zip.gz"]).namelist()
    }
    wanted = {name.partition(".")[0] for path in modules(start).values() for name in imports(path)}
    missing = {name for name in wanted & sys.stdlib_module_names if name not in library | set(sys.builtin_module_names)}
    # The interpreter for browsers has these in C.
    assert missing <= {"array", "itertools", "math", "pyexpat", "time", "unicodedata", "zlib", "_thread"}, missing


def test_the_interpreter_reads_every_encoding_of_a_sheet() -> None:
    kept = {
        name.partition("/")[2].removesuffix(".py")
        for name in inside_of(engine_files().files["python.zip.gz"]).namelist()
        if name.startswith("encodings/")
    }
    assert {"cp1252", "mac_roman", "utf_8", "utf_8_sig", "utf_16", "utf_16_le", "utf_16_be"} <= kept


def test_it_is_small_and_kept_for_good(client: FlaskClient) -> None:
    worker = client.get("/engine/worker.js")
    assert worker.headers["Cache-Control"] == "no-cache"
    version = engine_files().version
    assert version in worker.text
    total = 0
    for name in engine_files().files:
        sent = client.get(f"/engine/{version}/{name}", headers={"Accept-Encoding": "gzip"})
        assert sent.status_code == 200
        assert "immutable" in sent.headers["Cache-Control"]
        total += len(sent.data)
    assert total < MOST
    assert client.get(f"/engine/{'0' * 16}/lock.json").status_code == 404


def test_webassembly_runs_in_the_worker_alone(client: FlaskClient) -> None:
    assert "script-src 'self' 'wasm-unsafe-eval';" in client.get("/engine/worker.js").headers["Content-Security-Policy"]
    for address in ("/", "/matches", f"/engine/{engine_files().version}/pyodide.mjs"):
        assert client.get(address).headers["Content-Security-Policy"] == POLICY


def opening(events: list[Any], language: str) -> dict[str, Any]:
    """Return the question that opens a match, as the scoring page asks it."""
    own = {"boards": [], "decided": [], "table": "", "evening": "", "round": 0}
    return {
        "ask": "open", "match": "m", "events": events, "names": events[0]["players"], "own": own, "language": language,
        "opening": "/matches/m/opening",
    }  # fmt: skip


@pytest.fixture
def inside() -> Iterator[Inside]:
    yield Inside()
    spoken_by(OfRequest())


@pytest.mark.parametrize("game", list(games()))
def test_every_answer_is_that_of_the_server(empty: Flask, inside: Inside, game: str) -> None:
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    size = games()[game].sizes[0]
    events = simulate(game, size, Random(7), ["cautious"], max_hands=2)
    half = len(events) * 2 // 3
    match = ledger.record(None, events[:half], 0).match
    page = f"/matches/{match}/score"

    def ask(**asked: Any) -> Any:
        return json.loads(inside.answer(json.dumps(asked)))

    for language in ("de", "en"):
        scorer.set_cookie("lang", language)
        desk = scorer.get(f"{page}/desk").json
        assert ask(ask="open", **desk) == {"told": half}
        assert ask(ask="table", at=None)["told"] == scorer.get(f"{page}/table").json
        assert ask(ask="table", at=half // 2)["told"] == scorer.get(f"{page}/table?at={half // 2}").json
        assert ask(ask="log", whole=True)["told"] == scorer.get(f"{page}/log?all").text
        points = ["8", *[""] * (size - 1)]
        follows = scorer.get(f"{page}/follows", query_string={"points": points}).json["points"]
        assert ask(ask="follows", points=points)["told"] == follows
        face = next(iter(ledger.stream(match).table.pack.faces))
        for tried in (
            [json.loads(ev.encode(ev.bare(event))) for event in events[half : half + 3]],
            [{"type": "play", "seat": 0, "card": face}],
            [{"type": "play", "seat": 99, "card": face}],
            [{"type": "retract", "to": 1}],
            [{"type": "end"}, {"type": "note", "text": "x"}],
        ):
            theirs = scorer.post(f"{page}/what-if", json={"events": tried, "at": half}, headers=OURS).json
            ours = ask(ask="tried", events=tried, at=half)
            assert ours.get("told", theirs) == theirs
            assert ours.get("problem", {}).items() <= theirs.items()
    more = {"events": [json.loads(ev.encode(event)) for event in events[half:]], "own": desk["own"]}
    assert ask(ask="append", **more) == {"told": len(events)}
    ledger.record(match, events[half:], half)
    assert ask(ask="table", at=None)["told"]["totals"] == scorer.get(f"{page}/table").json["totals"]


@pytest.mark.long
@pytest.mark.parametrize("language", others())
def test_the_archive_says_every_game_in_the_words_of_the_server(empty: Flask, tmp_path: Path, language: str) -> None:
    """The archive itself is asked, with its own catalogues: code that runs beside the server would read those of the server."""
    inside_of(archive()).extractall(tmp_path)
    spec = find_spec("msgspec")
    assert spec is not None
    assert spec.origin is not None
    (tmp_path / "msgspec").symlink_to(Path(spec.origin).parent)
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    scorer.set_cookie("lang", language)
    asked: list[dict[str, Any]] = []
    expected: list[Any] = []
    for game in games().values():
        events = simulate(game.id, game.sizes[0], Random(7), ["cautious"], max_hands=2)
        half = len(events) * 2 // 3
        page = f"/matches/{ledger.record(None, events[:half], 0).match}/score"
        wrong = [{"type": "retract", "to": 1}, {"type": "end"}]
        asked += [
            {"ask": "open", **scorer.get(f"{page}/desk").json},
            {"ask": "table", "at": None},
            {"ask": "table", "at": half // 2},
            {"ask": "log", "whole": True},
            {"ask": "tried", "events": wrong, "at": half},
        ]
        expected += [
            half,
            scorer.get(f"{page}/table").json,
            scorer.get(f"{page}/table?at={half // 2}").json,
            scorer.get(f"{page}/log?all").text,
            scorer.post(f"{page}/what-if", json={"events": wrong, "at": half}, headers=OURS).json,
        ]
    program = f"""
import json, sys
sys.path.insert(0, {str(tmp_path)!r})
from cardledger_web.engine.inside import Inside
inside = Inside()
print(json.dumps([json.loads(inside.answer(json.dumps(asked))) for asked in json.loads(sys.stdin.read())]))
"""
    made = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    for question, ours, theirs in zip(asked, json.loads(made.stdout), expected, strict=True):
        assert ours.get("told", theirs) == theirs, question["ask"]
        assert ours.get("problem", {}).items() <= (theirs.items() if isinstance(theirs, dict) else set())


def test_many_who_come_first_get_the_same_archive() -> None:
    """In a process of its own, where nothing is packed yet, and threads give way to each other all the time."""
    program = """
import gc, sys, threading
sys.setswitchinterval(1e-5)
gc.callbacks.append(lambda phase, told: sum(range(2_000)))  # as servers have one: then threads change amid a syntax tree
from cardledger_web.engine.archive import archive
made = []
threads = [threading.Thread(target=lambda: made.append(archive())) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(made), len({*made}))
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert told.stdout == "6 1\n", told.stderr


@pytest.mark.parametrize("start", [SCORING, STUDYING, TRYING])
def test_each_sentence_that_an_archive_can_say_is_in_its_catalogues(start: Start) -> None:
    """What the catalogues' own tool finds in its modules, its templates and the games is there."""
    tool = runpy.run_path(str(Path(__file__).parents[2] / ".build" / "catalogues.py"))
    root, packed = tool["ROOT"], inside_of(archive(start))
    within = {path.relative_to(root).as_posix() for path in modules(start).values()}
    within |= {f"web/cardledger_web/templates/{name}" for name in start.templates}
    within.add("ledger/cardledger/rules/games")
    for language in others():
        ours = gettext.GNUTranslations(packed.open(f"cardledger_web/translations/{compiled_name(language)}"))
        whole = catalogue(language)
        missed = set()
        for file, text, of in tool["sentences"]():
            one = text if isinstance(text, str) else text[0]
            if file not in within:
                continue
            said = [book.pgettext(of, one) if of else book.ngettext(*text, 1) if text is not one else book.gettext(one)
                    for book in (ours, whole)]  # fmt: skip
            if said[0] != said[1]:
                missed.add(one)
        assert not missed


def test_a_match_opened_in_the_browser_looks_as_the_server_shows_it(empty: Flask, inside: Inside) -> None:
    """The scorer's page, its table and what the engine begins with; a form with mistakes is answered as the server does."""
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    scorer.set_cookie("lang", "de")
    page = scorer.get("/matches/new")
    assert "Kept-Until" in page.headers
    ways = json.loads(unescape(page.text.partition('data-ways="')[2].partition('"')[0]))
    until, id = page.headers["Kept-Until"], "00000000-0000-4000-8000-000000000001"
    asked: dict[str, Any] = {
        "ask": "opened", "id": id, "texts": {"game": "bridge", "place": "Ulm", "date": "2026-01-31"},
        "players": ["ana", "ben", "cleo", "dev"], "known": {"ana": "ana", "anna": "Anna Lund"}, "addresses": ways,
        "kept": {"until": until, "erasures": "0"}, "language": "de",
    }  # fmt: skip
    told = json.loads(inside.answer(json.dumps(asked)))["told"]
    ledger.record(None, [event_of(told["event"])], 0)
    spoken_by(OfRequest())
    theirs = scorer.get(f"/matches/{id}/score")
    main = theirs.text.partition("<main")[2].partition(">")[2].partition("</main>")[0]
    main = main.replace(theirs.headers["Kept-Until"], until)
    plain = [re.sub(r'<bdi class="player">([^<]*)</bdi>', r"\1", text).split() for text in (told["page"], main)]
    assert plain[0] == plain[1]
    assert told["table"] == scorer.get(f"/matches/{id}/score/table").json
    desk = scorer.get(f"/matches/{id}/score/desk").json
    recorded = {"seq", "at", "by", "rules"}
    desk["events"] = [{key: value for key, value in event.items() if key not in recorded} for event in desk["events"]]
    assert told["desk"] == desk
    empty_page = scorer.get("/matches/new/score")
    assert "Kept-Until" in empty_page.headers
    assert as_role(empty, "reader").get("/matches/new/score").status_code == 403

    def wrong(**given: Any) -> Any:
        return json.loads(inside.answer(json.dumps(asked | given)))["told"]

    assert wrong(players=["ana", "ben"])["wrong"].keys() == {"players"}
    assert wrong(texts={"game": "none"})["wrong"].keys() == {"game"}
    assert wrong(players=["Anna Lund", "ben", "cleo", "dev"])["meant"] == {"Anna Lund": ["anna"]}
    chosen = wrong(texts={"game": "bridge", "meant:Anna Lund": "anna"}, players=["Anna Lund", "ben", "cleo", "dev"])
    assert chosen["event"]["players"][0] == "anna"


@pytest.mark.parametrize("game", ["hearts", "bridge", "diversity"])
def test_what_waits_is_judged_as_it_will_be_when_it_is_sent(empty: Flask, inside: Inside, game: str) -> None:
    """Plays, an amendment and an undo of entries that wait themselves: each entry is asked about as the server asks."""
    ledger, scorer = ledger_of(empty), as_role(empty, "scorer")
    events = simulate(game, 4, Random(5), ["random"], max_hands=1)
    match = ledger.record(None, events[:3], 0).match
    page = f"/matches/{match}/score"
    waiting = [json.loads(ev.encode(ev.bare(event))) for event in events[3:-1]]
    waiting += [{"type": "amend", "about": 4, "event": waiting[0]}, {"type": "retract", "to": len(events) - 3}]

    def ask(**asked: Any) -> Any:
        answer = json.loads(inside.answer(json.dumps(asked)))
        return answer.get("told", answer)

    scorer.set_cookie("lang", "en")
    ask(ask="open", **scorer.get(f"{page}/desk").json)
    for number in range(1, len(waiting) + 1):
        found = ask(ask="look", waiting=waiting[:number])
    half = ask(ask="look", waiting=waiting[: len(waiting) // 2])["table"]
    log = ask(ask="log", whole=True, waiting=waiting)
    assert log.count("waits to be sent") == len(waiting)
    wrong = [{"type": "retract", "to": 1}, {"type": "play", "seat": 99, "card": "2C"}, *waiting]
    assert ask(ask="look", waiting=wrong)["problem"]["index"] == 1
    for number, (event, asked) in enumerate(zip(waiting, found["asked"], strict=True)):
        told = scorer.post(f"{page}/what-if", json={"events": [event], "at": 3 + number}, headers=OURS).json
        assert {key: told[key] for key in ("violations", "warnings")} == asked
        ledger.record(match, [event_of(event)], 3 + number)
        if number + 1 == len(waiting) // 2:
            assert scorer.get(f"{page}/table").json == half
    assert scorer.get(f"{page}/table").json == found["table"]
    recorded = scorer.get(f"{page}/log?all").text
    assert log.replace(' waits"', '"').replace(" <em>waits to be sent</em>", "") == recorded
