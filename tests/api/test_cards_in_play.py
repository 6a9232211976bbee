"""Readers cannot learn cards in play from any question, whatever was corrected, and whatever keeps the tables from following the log.

Each story is told in two ledgers that are the same but for the cards in play: of the second, every suit is the next.
Then somebody without a token asks everything there is to ask. No answer may differ, in any byte.
"""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger.study.analyse.what_if_answers import WhatIfAnswers
from cardledger.study.stats import Statistics
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.reviews import compute
from cardledger_api.auth import visible
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.api.everywhere import Answer, everywhere, parts_of, told
from tests.api.recording import as_role
from tests.api.test_shared_deals import A, B, C, at, deal, dealt, other_suits
from tests.conftest import ROOT
from tests.evenings.bridge import open_round, pairs
from tests.evenings.night import record
from tests.store.test_busy import SQLITE_LOCK, holding, stopped
from tests.tables import step
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask

Change = Callable[[ev.Event], ev.Event] if TYPE_CHECKING else object
Answers = dict[tuple[str, str], Answer]
AT = "2026-03-07T20:00:00.000Z"
SALTS = [count()]
"""The salts to be drawn next."""


class Story(NamedTuple):
    """What happens at the tables: `common` in both ledgers, then `secret` in each with its own cards.

    `common` returns the evening and the match that are asked about. `secret` stops where a trouble may begin. `end`
    is what opens the cards.
    """

    common: Callable[[Ledger], tuple[str | None, str]]
    secret: Callable[[Ledger, str | None, str, Change], Iterator[None]]
    end: Callable[[Ledger, str | None, str], object]


def put(ledger: Ledger, match: str, events: list[ev.Event]) -> None:
    """Record events of a match, all at one moment."""
    known = match in ledger.matches()
    stamped = [msgspec.structs.replace(event, at=AT, by="sam") for event in events]
    ledger.record(match, stamped, ledger.stream(match).seq if known else 0)


# --- an evening of bridge


def evening(ledger: Ledger) -> tuple[str, str]:
    """Three tables are to play the same boards."""
    session = pairs(ledger, 3, 1)
    return session, open_round(ledger, session)[1]


def board_1(opening: ev.Event) -> list[ev.Event]:
    """Return board 1, played in three no trumps, so that it is the same game with any names of the suits."""
    random = Random(7)
    stream = Stream.of([opening])
    cards = random.sample(stream.table.pack.faces, 52)
    hands = tuple(tuple(cards[13 * seat : 13 * seat + 13]) for seat in range(4))
    calls = [ev.Call(seat=seat, call=call) for seat, call in enumerate(("3NT", "pass", "pass", "pass"))]
    for event in (ev.Deal(board=1, hands=hands), *calls):
        stream.append(event)
    while not stream.table.hand.over:
        stream.append(step(stream.table, random))
    return [*stream.events[1:]]


def at_the_first_table(ledger: Ledger, session: str | None, match: str, change: Change) -> Iterator[None]:
    """The board is dealt and played at the first table, and nowhere else yet."""
    events = [change(event) for event in board_1(ledger.events(match)[0])]
    yield
    put(ledger, match, events[:15])
    yield
    put(ledger, match, events[15:])


def opened_again(ledger: Ledger, session: str | None, match: str, change: Change) -> Iterator[None]:
    """The evening is closed by mistake: for a moment everybody sees the board."""
    assert session is not None
    put(ledger, match, [change(event) for event in board_1(ledger.events(match)[0])])
    record(ledger, session, {"type": "close", "at": AT})
    yield
    seq = ledger.evenings.stream(session).seq
    record(ledger, session, {"type": "retract", "to": seq - 1, "at": AT})


def at_a_table_moved(ledger: Ledger, session: str | None, match: str, change: Change) -> Iterator[None]:
    """The board is played a second time at its table, after the first play was taken back, and a card is amended."""
    events = [change(event) for event in board_1(ledger.events(match)[0])]
    put(ledger, match, events[:30])
    yield
    put(ledger, match, [ev.Retract(to=1, reason="the wrong side of the tray"), *events])
    yield
    put(ledger, match, [ev.Amend(about=33, event=events[0], reason="a card was misread")])


def close(ledger: Ledger, session: str | None, match: str) -> None:
    assert session is not None
    record(ledger, session, {"type": "close"})


# --- a match, and two matches of an event


def an_event(ledger: Ledger) -> tuple[None, str]:
    """All players are known, so that their pseudonyms are the same in both ledgers."""
    put(ledger, C, [*at(dealt(hands=1)[:1], C, event="of before", date="2020-01-01"), ev.End()])
    return None, A


def dealt_again(ledger: Ledger, session: str | None, match: str, change: Change) -> Iterator[None]:
    """The second deal is dealt first, taken back, and dealt again after a whole hand."""
    one = dealt()
    second = deal(one, 2)
    wrong = change(msgspec.structs.replace(one[second], dealer=one[deal(one, 1)].dealer))
    yield
    put(ledger, match, [*at(one[:1], match), wrong, ev.Note(text="that was board 2"), ev.Retract(to=1), *one[1:second]])
    yield
    put(ledger, match, [change(one[second])])


def amended(ledger: Ledger, session: str | None, match: str, change: Change) -> Iterator[None]:
    """The deal is entered with wrong cards, and amended."""
    one, other = dealt(hands=1), dealt(hands=1, seed=3)
    put(ledger, match, [*at(one[:1], match), change(msgspec.structs.replace(other[1], dealer=one[1].dealer))])
    yield
    put(ledger, match, [ev.Amend(about=2, event=change(one[1]), reason="the board of before")])


def dealt_elsewhere(ledger: Ledger, session: str | None, match: str, change: Change) -> Iterator[None]:
    """A hand is over and everybody sees it; then another table is dealt the same cards."""
    one, other = dealt(hands=1), dealt(bot="cautious", hands=1)
    put(ledger, match, [*at(one[:1], match), *map(change, one[1:])])
    yield
    put(ledger, B, [*at(other[:1], B, players=one[0].players), change(other[1])])


def to_come_elsewhere(ledger: Ledger, session: str | None, match: str, change: Change) -> Iterator[None]:
    """A table deals the second board first and takes it back; another table is still to play that."""
    one, other = dealt(), dealt(bot="cautious")
    wrong = change(msgspec.structs.replace(one[deal(one, 2)], dealer=one[deal(one, 1)].dealer))
    put(ledger, match, [*at(one[:1], match), wrong, ev.Retract(to=1), *one[1 : deal(one, 2)], ev.End()])
    yield
    put(ledger, B, at(other[: deal(other, 2)], B, players=one[0].players))


def end(*matches: str) -> Callable[[Ledger, str | None, str], None]:
    def end_all(ledger: Ledger, session: str | None, match: str) -> None:
        for one in matches:
            put(ledger, one, [ev.End()])

    return end_all


STORIES = {
    "a board in play": Story(evening, at_the_first_table, close),
    "an evening opened again": Story(evening, opened_again, close),
    "a board played again": Story(evening, at_a_table_moved, close),
    "dealt again": Story(an_event, dealt_again, end(A)),
    "amended": Story(an_event, amended, end(A)),
    "dealt elsewhere": Story(an_event, dealt_elsewhere, end(B)),
    "to come elsewhere": Story(an_event, to_come_elsewhere, end(B)),
}

EVERYDAY = [
    ("a board in play", "written"), ("a board played again", "none"), ("an evening opened again", "behind"),
    ("dealt again", "none"), ("amended", "two_servers"), ("to come elsewhere", "none"), ("dealt elsewhere", "full"),
]  # fmt: skip
_SALTED = re.compile("checkpoint|integrity")
"""Addresses that show a hash of all events, which is salted."""
SEEN = ("a board in play", "dealt again")
_COMPUTED = re.compile("luck|review|worth-seeing|stats|players|tables|^/$|season|games/|double-dummy|/hands")
"""Addresses whose answers come of work beside them; long tests wait for it."""

# --- troubles: each yields the application to ask


@contextmanager
def none(path: Path, app: Flask) -> Iterator[Flask]:
    yield app


@contextmanager
def two_servers(path: Path, app: Flask) -> Iterator[Flask]:
    """Ask another server, which was there before and is told of nothing."""
    with serving(path) as other:
        ledger_of(other).views.catch_up()
        yield other


@contextmanager
def written(path: Path, app: Flask) -> Iterator[Flask]:
    """Let another program write to the tables, and stall."""
    with stopped(path.with_name("club.views.db")):
        yield app


@contextmanager
def locked(path: Path, app: Flask) -> Iterator[Flask]:
    """Let a program that does not know of the write lock hold SQLite's."""
    with holding(SQLITE_LOCK, path.with_name("club.views.db")):
        yield app


@contextmanager
def full(path: Path, app: Flask) -> Iterator[Flask]:
    """Leave no room for the tables."""
    with ledger_of(app).views.file.writing() as db:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")  # for SQLite, that is a full disk
        # Rows find no room in the pages there are either.
        db.execute("CREATE TRIGGER full BEFORE UPDATE ON checkpoint BEGIN SELECT raise(ABORT, 'disk is full'); END")
    yield app


@contextmanager
def behind(path: Path, app: Flask) -> Iterator[Flask]:
    """Let this program write to the tables, and never be done."""
    with ledger_of(app).views.file.writing():
        yield app


TROUBLES = {trouble.__name__: trouble for trouble in (none, two_servers, written, locked, full, behind)}
STALE = {"written", "locked", "full", "behind"}


# --- the test


@contextmanager
def serving(path: Path) -> Iterator[Flask]:
    app = create_app(path, limits=Limits.of(0))
    try:
        yield app
    finally:
        access_of(app).close()
        ledger_of(app).close()


def asked(app: Flask, session: str | None, match: str, whole: bool) -> Answers:
    """Return every answer to somebody without a token; `whole` asks with all queries, also what is computed beside the answers."""
    parts = parts_of(app, match, evening=session or "x", session=session or "x")
    questions = [one for one in everywhere(app, parts, whole) if not _SALTED.search(one[1])]
    if not whole:
        return told(app.test_client(), [one for one in questions if not _COMPUTED.search(one[1])], parts["deal"])
    ledger = ledger_of(app)
    Statistics.of(ledger.views).sheets.patience = WhatIfAnswers.of(ledger).patience = None
    with LuckStore(ledger) as store:
        store.catch_up()
        for _ in compute(store.hands(), store):
            pass
    told(app.test_client(), everywhere(app, parts, queries=False), ())
    wait_until(lambda: not ledger.views.background.busy)
    return told(app.test_client(), questions, parts["deal"])


def differing(answers: list[Answers]) -> list[tuple[str, str]]:
    """Return the questions with other answers in the second ledger."""
    one, other = answers
    return [question for question in {**one, **other} if one.get(question) != other.get(question)]


def tell(tmp_path: Path, story: Story, trouble: str, *, whole: bool = False, opened: bool = False) -> list[Answers]:
    """Tell a story in two ledgers, with a trouble from the first moment on; return what a reader learns in each.

    They ask when the story is over, or when the cards are `opened`.
    """
    with Ledger(tmp_path / "common" / "club.db") as ledger:
        session, match = story.common(ledger)
    answers = []
    for number, change in enumerate((lambda event: event, other_suits)):
        shutil.copytree(tmp_path / "common", tmp_path / f"{number}")
        path = tmp_path / f"{number}" / "club.db"
        SALTS[:] = [count()]
        with serving(path) as app:
            ledger = ledger_of(app)
            happens = story.secret(ledger, session, match, change)
            next(happens)
            ledger.views.catch_up()
            with TROUBLES[trouble](path, app) as there:
                for _ in happens:
                    pass
                if opened:
                    story.end(ledger, session, match)
                answers.append(asked(there, session, match, whole))
    return answers


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger_web.app.PATIENCE", 0.05)
    monkeypatch.setattr("cardledger.record.readmodels.READING", 0.0)


@pytest.fixture(autouse=True)
def _salted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ledgers draw the same salts, so that the same texts have the same pseudonyms."""
    drawn = SimpleNamespace(urandom=lambda size: next(SALTS[0]).to_bytes(size, "big"))
    monkeypatch.setattr("cardledger.record.people.names.os", drawn)


def tells_nothing(answers: list[Answers], trouble: str) -> None:
    assert [*map(" ".join, differing(answers))] == []
    statuses = {status for status, _ in answers[0].values()}
    assert statuses <= {200, 302, 400, 401, 403, 404, 405, 409, 422, 503}
    assert (503 in statuses) == (trouble in STALE)


@pytest.mark.parametrize(("name", "trouble"), EVERYDAY)
def test_readers_cannot_learn_cards_in_play(tmp_path: Path, name: str, trouble: str) -> None:
    tells_nothing(tell(tmp_path, STORIES[name], trouble), trouble)


@pytest.mark.long
@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("name", STORIES)
def test_readers_cannot_learn_cards_in_play_from_any_question(tmp_path: Path, name: str, trouble: str) -> None:
    tells_nothing(tell(tmp_path, STORIES[name], trouble, whole=trouble not in STALE), trouble)


@pytest.mark.parametrize(
    "name", [name if name in SEEN else pytest.param(name, marks=pytest.mark.long) for name in STORIES]
)
def test_once_nobody_plays_them_any_longer_the_same_questions_tell_the_cards(tmp_path: Path, name: str) -> None:
    told = {question for _, question in differing(tell(tmp_path, STORIES[name], "none", opened=True))}
    assert {question for question in told if question.endswith(("/events", "/jsonl", ".jsonl"))}


def test_a_reader_is_told_to_ask_again(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        session, match = evening(ledger)
    with serving(tmp_path / "club.db") as app:
        ledger_of(app).views.catch_up()
        with behind(tmp_path / "club.db", app):
            close(ledger_of(app), session, match)
            answer, page = (app.test_client().get(f"{api}/matches/{match}") for api in ("/api/v1", ""))
            assert (answer.status_code, answer.json["code"], answer.headers["Retry-After"]) == (
                503,
                "store.behind",
                "2",
            )
            assert (page.status_code, page.headers["Retry-After"]) == (503, "2")
            assert '<meta http-equiv="refresh" content="2">' in page.text
            assert as_role(app, "scorer").get(f"/api/v1/matches/{match}/events").status_code == 200, "scorers go on"
        assert app.test_client().get(f"/matches/{match}").status_code == 200


def test_what_is_secret_is_asked_of_current_tables_only() -> None:
    """The tables of what is secret are named where they are made, and nowhere else; types see to the rest."""
    named, made = set(), set()
    for root in ("ledger", "api", "web"):
        for file in (ROOT / root).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if re.search(r"\b(FROM|JOIN|INTO) (secret_matches|boards_in_play)\b", text):
                named.add(file.name)
            if re.search(r"\bCurrent\(", text):
                made.add(file.parent.name)
    assert named == {"boards.py", "shared_deals.py", "rows.py", "__init__.py"}
    assert made == {"readmodels"}


# --- a table elsewhere begins the same board while the answer is made


def test_a_match_that_becomes_secret_while_an_answer_is_made_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    events = [*simulate("diversity", 4, Random(2), ["random"], {"hands": 1})]
    match = ledger_of(app).record(None, events, 0).match
    asked = [
        one for one in everywhere(app, parts_of(app, match), queries=False) if match in one[1] and "/live" not in one[1]
    ]
    client = app.test_client()
    before = told(client, asked, ())
    secret: list[str] = []
    for name, view in [*app.view_functions.items()]:

        def made(*given: object, view: Callable[..., Any] = view, **named: object) -> object:
            secret.clear()
            answer = view(*given, **named)
            secret.append(match)  # another table opens the board of this match just now
            return answer

        app.view_functions[name] = made
    monkeypatch.setattr(visible.boards, "secret_matches", lambda _tables: frozenset(secret))
    for one in asked:
        secret.clear()
        ((status, text),) = told(client, [one], ()).values()
        assert status != 200 and (before[one][0] != 200 or text != before[one][1]), one
    assert sum(status == 200 for status, _ in before.values()) > 25
    access_of(app).close()
    ledger_of(app).close()
