"""A match as one file of HTML: what it holds, what it leaves out, and that it leads nowhere outside."""

from __future__ import annotations

import ast
import json
import re
import time
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import cardledger
from cardledger.cli.main import main
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger.study.stats.review.quiz import Quiz
from cardledger_web import standalone
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.standalone.gathering import as_any_reader
from cardledger_web.standalone.match_file import match_file
from cardledger_web.standalone.quizzes import Quizzes
from tests.api.recording import as_role
from tests.api.test_shared_deals import A, B, at, deal, dealt

if TYPE_CHECKING:
    from flask import Flask

LEADS = {"href", "src", "action", "formaction", "xlink:href", "srcset", "poster", "ping", "background"}


OWN = r'<details class="knowledge".*?</details>|<section aria-labelledby="check">.*?</section>|<p class="hint" id="by-steps".*?</p>'
"""What a page has in a file alone: it asks the engine there."""


class Looked(HTMLParser):
    """Notes where a document leads, and what it says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.leads += [value or "" for name, value in attrs if name in LEADS]

    def handle_data(self, data: str) -> None:
        self.words += filter(None, (word.strip(".;,") for word in data.split()))


def carried(text: str) -> dict[str, Any]:
    found = re.search(r'id="carried">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def opened(text: str) -> dict[str, Any] | None:
    """Return what the engine of a file opens; None for a file without it."""
    found = re.search(r'id="engine">(.*?)</script>', text, re.DOTALL)
    return found and json.loads(found[1])["opening"]


def short(app: Flask, game: str) -> str:
    """Record a match of two hands, and return its id."""
    played = simulate(game, min(games()[game].players), Random(3), ["random"], max_hands=2)
    return ledger_of(app).record(None, played, 0).match


@pytest.mark.parametrize("game", games())
def test_a_file_of_any_game_has_the_words_of_the_pages_and_leads_nowhere_outside(empty: Flask, game: str) -> None:
    expect_a_file(empty, short(empty, game), small=True)


def test_a_file_has_the_words_of_the_pages_and_leads_nowhere_outside(empty: Flask) -> None:
    expect_a_file(empty, short(empty, "hearts"))


def expect_a_file(app: Flask, match: str, *, small: bool = False) -> None:
    """Expect of a file the words of the pages, each time the same bytes, and links that lead to what is in it."""
    text = match_file(app, match, "en", small=small, quiz_cards=0)
    assert match_file(app, match, "en", small=small, quiz_cards=0) == text
    data = carried(text)
    every = [
        text,
        *(page["main"] for page in data["pages"].values()),
        *(piece for answer in data["answers"].values() for piece in json.loads(answer)["pieces"]),
    ]
    leads = {lead for each in every for lead in Looked(each).leads}
    shown = {lead for lead in leads if lead.startswith("#/")}
    assert all(lead.startswith(("#", "data:image/svg+xml;base64,")) for lead in leads), sorted(leads)
    hands = {page["page"] for page in data["hands"]}
    for lead in shown:
        address = lead[1:].partition("#")[0]
        assert address in data["pages"] or "/replay/" in address, lead
    assert len(hands) == len(ledger_of(app).stream(match).table.hands)
    assert hands <= data["pages"].keys()
    reader = as_role(app, "reader")
    for address, page in data["pages"].items():
        words, theirs = (
            Looked(re.sub(OWN, "", page["main"], flags=re.DOTALL)).words,
            iter(Looked(reader.get(address).text).words),
        )
        assert len(words) > 20
        assert [word for word in words if word not in theirs] == [], address
    for address, answer in data["answers"].items():
        drawn, now = json.loads(answer), reader.get(address).json
        assert drawn["line"] == now["line"]
        assert [
            Looked("".join(drawn["pieces"][place] for place in table)).words for table, _, _ in drawn["positions"]
        ] == [Looked("".join(now["pieces"][place] for place in table)).words for table, _, _ in now["positions"]]


@pytest.mark.parametrize("small", [True, False])
def test_what_is_not_of_the_file_is_not_allowed_to_run_or_to_be_asked_for(empty: Flask, small: bool) -> None:
    text = match_file(empty, short(empty, "whist"), "de", small=small, quiz_cards=0)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert 'lang="de"' in text
    rules = {name: rest for name, _, rest in (part.partition(" ") for part in unescape(policy[1]).split("; "))}
    scripts = [each for each in rules["script-src"].split() if not each.startswith("'sha256-")]
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    assert (scripts, rules.get("worker-src")) == (([], None) if small else (["'wasm-unsafe-eval'"], "blob:"))
    assert "http://" not in re.sub(r"http://www\.w3\.org/\S+", "", text)


def test_the_engine_has_the_events_that_every_reader_gets_and_a_small_file_has_none(empty: Flask) -> None:
    match = short(empty, "hearts")
    opening = opened(match_file(empty, match, "fr", quiz_cards=0))
    assert opening
    lines = as_role(empty, "reader").get(f"/matches/{match}.jsonl").text.splitlines()
    assert opening["lines"].splitlines() == lines
    assert (opening["match"], opening["language"]) == (match, "fr")
    small = match_file(empty, match, "fr", small=True)
    assert opened(small) is None
    assert len(small) < 2_000_000
    assert 'data-tried=""' in small.replace("\\", "")
    assert 'id=\\"knowledge' not in small


def test_a_file_has_the_quiz_of_a_hand_with_the_costs_of_all_choices_and_a_small_one_has_none(empty: Flask) -> None:
    match = short(empty, "euchre")
    text = match_file(empty, match, "en")
    quizzes = (opened(text) or {})["quizzes"]
    assert [*quizzes] == ["1", "2"]
    for one in quizzes["1"]["answers"]:
        assert {choice for choice, _, _ in one["costs"]} == {*one["question"][3]}
    pages = carried(text)["pages"]
    asked = f"/matches/{match}/hands/1/quiz"
    assert f'href="#{asked}"' in pages[f"/matches/{match}/replay/2"]["main"]
    assert pages[asked]["scripts"] == ["roving.js", "file-quiz.js"]
    shown = " ".join(page["main"] for page in pages.values())
    assert not any(one["told"] in shown for one in quizzes["1"]["answers"]), "an answer is not shown before the choice"
    assert len(json.dumps(quizzes)) < 40_000
    for without in (match_file(empty, match, "en", small=True), match_file(empty, match, "en", quiz_cards=0)):
        assert not any(address.endswith("/quiz") for address in carried(without)["pages"])
        assert "Play it yourself" not in without


def test_a_hand_has_its_whole_quiz_or_none_when_it_is_beyond_the_limit(empty: Flask) -> None:
    match, ledger = short(empty, "euchre"), ledger_of(empty)
    names, stream = ledger.stream(match).table.players, ledger.stream(match)
    first, second = (Quiz(stream, hand).work() for hand in (1, 2))

    def found(cards: int | None) -> Quizzes:
        made = Quizzes(ledger, match, names, cards)
        with as_any_reader(empty, "/", "en"):
            made.find_out([1, 2])
        return made

    whole = found(first + second)
    assert (whole.said(), [*whole.by_hand]) == (None, [1, 2])
    assert found(None).by_hand == whole.by_hand
    some = found(first + second - 1)
    assert some.by_hand == {1: whole.by_hand[1]}
    assert some.said() == (
        "hands with a quiz in the file: 1, without: 1, as more than "
        f"{first + second - 1} cards had to be played for them"
    )
    assert found(first - 1).left_out == 2, "none of those after it either"
    assert (found(0).by_hand, found(0).said()) == ({}, None)


def test_the_same_match_is_the_same_file_whatever_the_clock_says(empty: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    match = short(empty, "euchre")

    def no_clock() -> float:
        raise AssertionError("what a file holds is not up to the time")

    made = []
    for faster in (0.0, 1e9):
        clocks = iter(range(10**6))
        with monkeypatch.context() as patch:
            patch.setattr(time, "monotonic", lambda faster=faster, clocks=clocks: faster * next(clocks))
            patch.setattr(time, "perf_counter", no_clock)
            patch.setattr(time, "process_time", no_clock)
            made.append(match_file(empty, match, "en"))
    assert made[0] == made[1] and (opened(made[0]) or {})["quizzes"].keys() == {"1", "2"}
    clocked = {"time", "datetime", "random", "timeit"}
    for path in Path(standalone.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            imported = {one.name for one in node.names} if isinstance(node, ast.Import) else set()
            imported |= {str(node.module)} if isinstance(node, ast.ImportFrom) else set()
            assert not imported & clocked, f"{path.name} asks the clock"


def test_a_hand_in_play_and_a_hand_that_others_play_stay_out(empty: Flask) -> None:
    events = dealt()
    ledger = ledger_of(empty)
    ledger.record(None, at(events, A), 0)
    whole = carried(match_file(empty, A, "en", quiz_cards=0))
    ledger.record(None, at(events, B)[: deal(events, 2) + 3], 0)
    now = carried(text := match_file(empty, A, "en", quiz_cards=0))
    assert opened(text) is None, "its record would have the hand that others play"
    number = len(ledger.stream(A).table.hands)
    assert [hand["page"] for hand in whole["hands"]][:1] == [hand["page"] for hand in now["hands"]][:1]
    assert len(now["hands"]) < len(whole["hands"]) == number
    theirs = carried(text := match_file(empty, B, "en", quiz_cards=0))
    assert opened(text) is None
    over = sum(hand.scores is not None for hand in ledger.stream(B).table.hands)
    assert len(theirs["hands"]) <= over < len(ledger.stream(B).table.hands)
    scorer = as_role(empty, "scorer")
    assert carried(scorer.get(f"/matches/{B}.html").text) == theirs


def test_page_api_command_and_python_give_the_same_file(tmp_path: Path) -> None:
    db = tmp_path / "club.db"
    app = create_app(db)
    match = short(app, "euchre")
    client = app.test_client()
    page = client.get(f"/matches/{match}.html")
    assert page.status_code == 200 and page.headers["Content-Disposition"].endswith(f'{match}.html"')
    assert client.get(f"/api/v1/matches/{match}/page").text == page.text
    assert client.get("/api/v1/matches/nothing/page").status_code == 404
    small = client.get(f"/matches/{match}.html?small=1").text
    assert client.get(f"/api/v1/matches/{match}/page?small=true").text == small
    assert opened(small) is None
    assert opened(page.text)
    access_of(app).close()
    ledger_of(app).close()
    told = CliRunner().invoke(main, ["export", "--html", match, "--db", str(db)])
    assert told.exit_code == 0 and told.output == page.text
    with cardledger.open(db) as club:
        assert club.page(match) == page.text
        assert club.page(match, small=True) == small
    told = CliRunner().invoke(main, ["export", "--html", "--small", match, "--db", str(db)])
    assert (told.exit_code, told.output) == (0, small)
    told = CliRunner().invoke(main, ["export", "--html", "--quiz-cards", "0", match, "--db", str(db)])
    with cardledger.open(db) as club:
        assert (told.exit_code, told.output) == (0, club.page(match, quiz_cards=0))
    assert (opened(told.output) or {})["quizzes"] == {}
    for without in (["--small", "--html"], ["--as-stored"]):
        refused = CliRunner().invoke(main, ["export", *without, "--quiz-cards", "5", match, "--db", str(db)])
        assert refused.exit_code == 2 and "--quiz-cards is for --html without --small" in refused.output
    assert CliRunner().invoke(main, ["export", "--small", match, "--db", str(db)]).exit_code == 2
    assert CliRunner().invoke(main, ["export", "--html", "--db", str(db)]).exit_code == 2
