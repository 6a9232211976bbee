"""Every address that can be read, about a hand whose cards another table has yet to play: none tells what was dealt."""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
import pytest

from cardledger.record.people.people import Posed
from cardledger.record.recording.discussions import comment, keep_line
from cardledger.rules.engine import events as ev
from cardledger.rules.lessons.lesson_events import LessonMoment
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review import lessons
from cardledger.study.stats.review.answers import record_answer
from cardledger.study.stats.review.puzzles import find_puzzles
from cardledger.study.stats.review.quiz import Quiz
from cardledger.study.stats.review.reviews import compute
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.api.test_scopes import operations, pages
from tests.api.test_shared_deals import A, B, at, corrected, dealt, other_suits
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from cardledger.record.recording.ledger import Ledger

DAY = date(2026, 3, 8)
ENDLESS = re.compile("/live|/events/stream")
OF_THE_RUN = re.compile("/api/v1/checkpoint|/integrity|/metrics")
"""What differs between any two ledgers or runs: seals, whose leaves are salted, and the load of the computer."""
NEW = re.compile(
    r'"request_id":"[^"]*"|(?<=request )[\w-]+|\d\d:\d\d(:\d\d[.\d]*)?|lesson-[0-9a-f-]{36}|question-[0-9a-f-]{36}|"id":"[0-9a-f-]{36}"'
)
"""What is new in every answer, and ids that are made up."""
QUERIES = ("", "?view=0", "?view=all", "?embed=1", "?until={seq}", "?seat=0", "?seat=0&choice=2C&see=1", "?at={seq}", "?game=diversity")  # fmt: skip


def addresses(app: Flask, match: str, lesson: str, seq: int) -> Iterator[str]:
    """Yield every address that is read, about a hand of a match, with queries that choose what is shown."""
    routes = {path for method, path, _ in operations(app) if method == "GET"}
    routes |= {path for _, path in pages(app, "GET")}
    parts = {"match": match, "lesson": lesson, "game": "diversity", "player": "random-a", "other": "random-b", "seq": str(seq),
             "hand": "1", "seat": "0", "round": "1", "table": "1", "deal": "0" * 32}  # fmt: skip
    for route in sorted(path for path in routes if not ENDLESS.search(path)):
        for number in {"1", str(seq)} if "number" in route else {"1"}:
            path = re.sub(r"[{<](?:\w+:)?(\w+)[>}]", lambda part: (parts | {"number": number}).get(part[1], "x"), route)  # noqa: B023
            yield from (path + query.format(seq=seq) for query in QUERIES)
    for of in (f"replay/{seq}", "hands/1", f"replay/{seq}/trick.svg", "hands/1/quiz?seat=0", "discussion?said=2"):
        yield f"/oembed?url={quote(f'http://localhost/matches/{match}/{of}', safe='')}"


def told(client: FlaskClient, address: str) -> str:
    with client.get(address) as answer:
        assert answer.status_code < 500, (address, answer.text[:300])
        return f"{answer.status_code} {NEW.sub('', answer.get_data().decode(errors='replace'))}"


def around(ledger: Ledger, seat: int) -> str:
    """Record what people do with the hand of the first match: a lesson, votes, a discussion, an answer, puzzles."""
    quiz = Quiz(ledger.stream(A), 1)
    asked = next(one for one in quiz.questions(seat) if one.type == "play")
    lesson = lessons.open_lesson(ledger, "Monday", [LessonMoment(A, 1, asked.seq, seat)], "teacher")
    lessons.lead(ledger, lesson, "on", "teacher")
    lessons.vote(ledger, lesson, "eva", asked.choices[0], None, "class")
    lessons.lead(ledger, lesson, "votes", "teacher")
    lessons.lead(ledger, lesson, "costs", "teacher")
    comment(ledger, A, asked.seq, "ana", f"why not {asked.choices[0]}?", "test")
    keep_line(ledger, A, asked.seq - 1, "ben", [f"play.{seat}.{asked.choices[-1]}"], "test", text="better")
    record_answer(ledger, A, 1, asked.seq, asked.choices[0], "eva", "test", DAY)
    with LuckStore(ledger) as store:
        store.catch_up()
        for _ in compute(store.hands(), store):
            pass
        for _ in find_puzzles(store.hands(), store):
            pass
    return lesson


def answers(folder: Path, change: Callable[[ev.Event], ev.Event], seed: int, left_out: bool) -> dict[str, str]:
    """Return what a reader is told everywhere, of a ledger in which another table was dealt the same board."""
    one, other = (
        corrected(dealt(seed=seed, hands=1, policy="record"), Random(seed)),
        dealt(bot="cautious", seed=seed, hands=1),
    )
    stamp = {"at": "2026-03-07T20:00:00.000Z", "by": "sam"}
    found = {}
    folder.mkdir()
    for app in opened(folder / "club.db"):
        ledger = ledger_of(app)
        for id, events in ((A, one), (B, other[:2])):
            ledger.record(id, [msgspec.structs.replace(change(event), **stamp) for event in at(events, id)], 0)
        lesson = around(ledger, 0)
        if left_out:
            ledger.record_people([Posed(player="random-a", posed=False)], ledger.people().seq, "test")
        reader = as_role(app, "reader")
        for match in (A, B):
            for address in addresses(app, match, lesson, 9):
                found[address.replace(lesson, "LESSON")] = told(reader, address)
    return found


@pytest.mark.long
@pytest.mark.parametrize("left_out", [False, True])
def test_no_address_tells_what_was_dealt_where_another_table_has_yet_to_play_it(tmp_path: Path, left_out: bool) -> None:
    one = answers(tmp_path / "one", lambda event: event, 1, left_out)
    other = answers(tmp_path / "other", other_suits, 1, left_out)
    assert one.keys() == other.keys()
    assert len(one) > 500
    assert [address for address in one if one[address] != other[address] and not OF_THE_RUN.match(address)] == []
    assert sum(text.startswith("200") for text in one.values()) > 300, "most are read"
