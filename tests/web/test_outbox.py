"""The outbox of a scorer's phone, without a browser: half an evening without a connection leaves the record of one with it."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import contextmanager
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.matches.shape import event_of
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from cardledger_web.engine.inside import Inside
from cardledger_web.language_choice import OfRequest
from cardledger_web.languages import spoken_by
from tests.api.recording import as_role
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node runs the scripts of the page")
STATIC = ROOT / "web/cardledger_web/static"


@contextmanager
def phone(app: Flask, match: str, folder: Any) -> Iterator[Callable[..., list[Any]]]:
    """Yield what makes a step on a phone: it returns what is asked about the entries that wait, None for nothing."""
    scorer, inside = as_role(app, "scorer"), Inside()
    (folder / "package.json").write_text('{"type": "module"}')
    for script in STATIC.glob("*.js"):
        shutil.copy(script, folder)
    words = [
        "node",
        str(ROOT / "tests/web/outbox.mjs"),
        str(folder),
        f"/api/v1/matches/{match}",
        f"/matches/{match}/score",
    ]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        to, back = node.stdin, node.stdout

        def answered(asked: Any) -> Any:
            if "two" in asked:
                step.two = asked["two"]  # type: ignore[attr-defined]
                return None
            if "engine" in asked:
                return json.loads(inside.answer(json.dumps(asked["engine"])))
            headers = {"X-Requested-With": "cardledger", **asked["headers"]}
            body = asked.get("body")
            got = scorer.open(asked["fetch"], method=asked["method"], data=body, headers=headers)
            return {"status": got.status_code, "text": got.text, "type": got.content_type}

        def step(name: str, **more: Any) -> list[Any]:
            said: Any = {"step": name, **more}
            while True:
                to.write(json.dumps(said) + "\n")
                to.flush()
                told = json.loads(back.readline())
                assert "failed" not in told, told["failed"]
                if "done" in told:
                    return list(told["done"])
                said = {"answer": answered(told)}

        try:
            yield step
        finally:
            node.kill()
    spoken_by(OfRequest())


def plain(events: Any) -> list[Any]:
    return [json.loads(ev.encode(ev.bare(event))) for event in events]


EVERYDAY = ("bridge", "hearts", "diversity")


@pytest.mark.parametrize(
    "game", [name if name in EVERYDAY else pytest.param(name, marks=pytest.mark.long) for name in games()]
)
def test_half_an_evening_without_a_connection_leaves_the_same_record(empty: Flask, tmp_path: Any, game: str) -> None:
    """Plays, an amendment and an undo of entries that wait, a redo, a reload in the middle; nothing is asked."""
    ledger = ledger_of(empty)
    size = games()[game].sizes[0]
    played = simulate(game, size, Random(11), ["cautious"], max_hands=2)[:90]
    opening, rest = played[0], plain(event for event in played[1:] if not isinstance(event, ev.End))
    half = len(rest) // 2
    match, other = (ledger.record(None, [opening], 0).match for _ in range(2))
    entered: list[Any] = []
    with phone(empty, match, tmp_path) as step:
        step("open")

        def enter(event: Any, left: int | None = None) -> None:
            entered.append(event)
            problems = step("enter", event=event, **({} if left is None else {"left": left}))
            assert problems == [None] * len(problems), event

        for event in rest[:half]:
            enter(event)
        assert len(ledger.events(match)) == half + 1, "with a connection each is recorded at once"
        step("away")
        for event in rest[half:]:
            enter(event)
        step("reload")
        last = len(entered) + 1
        enter({"type": "amend", "about": last, "event": rest[-1]})
        enter({"type": "retract", "to": last - 2}, last - 2)
        enter({"type": "retract", "to": last + 1}, last)  # the amendment counts again
        enter({"type": "note", "text": "rain"})
        assert len(ledger.events(match)) == half + 1
        assert step("back") == []
    for number, event in enumerate(entered, 1):
        ledger.record(other, [event_of(event)], number)
    assert plain(ledger.events(match)) == plain(ledger.events(other))


ID = "00000000-0000-4000-8000-000000000001"


def form_sent(empty: Flask, game: str, players: Any) -> dict[str, Any]:
    """Return a match that is opened without a connection, as the engine answers it to the form."""
    page = as_role(empty, "scorer").get("/matches/new").text
    ways = json.loads(unescape(page.partition('data-ways="')[2].partition('"')[0]))
    asked = {
        "ask": "opened", "id": ID, "texts": {"game": game, "date": "2026-01-31"}, "players": players, "known": {},
        "addresses": ways, "kept": {"until": "2026-01-31T12:00:00Z", "erasures": "0"}, "language": "en",
    }  # fmt: skip
    told: dict[str, Any] = json.loads(Inside().answer(json.dumps(asked)))["told"]
    return told


@pytest.mark.parametrize(
    "game", [name if name in EVERYDAY else pytest.param(name, marks=pytest.mark.long) for name in games()]
)
def test_a_match_opened_without_a_connection_is_recorded_once_before_its_entries(
    empty: Flask, tmp_path: Any, game: str
) -> None:
    ledger = ledger_of(empty)
    played = simulate(game, games()[game].sizes[0], Random(11), ["cautious"], max_hands=1)[:40]
    rest = plain(event for event in played[1:] if not isinstance(event, ev.End))
    told = form_sent(empty, game, played[0].players)  # type: ignore[attr-defined]
    with phone(empty, ID, tmp_path) as step:
        step("opened", event=told["event"], table=told["table"], desk=told["desk"])
        for event in rest:
            assert step("enter", event=event)[-1] is None
        assert ledger.store.lengths([ID]) == {}
        ledger.record(None, [event_of(told["event"])], 0)  # the answer to the first try was lost, say
        assert step("back") == []
    opened, *entered = plain(ledger.events(ID))
    assert (opened["game"], opened["players"], opened["date"]) == (game, [*played[0].players], "2026-01-31")  # type: ignore[attr-defined]
    assert entered == rest


def test_an_opening_that_the_server_refuses_is_said_and_its_entries_stay(empty: Flask, tmp_path: Any) -> None:
    ledger = ledger_of(empty)
    played = simulate("diversity", 4, Random(3), ["cautious"], max_hands=1)
    told = form_sent(empty, "diversity", ["ana", "ben", "chloe", "dev"])
    gone = told["event"] | {"game": "unknown"}
    with phone(empty, ID, tmp_path) as step:
        step("opened", event=gone, table=told["table"], desk=told["desk"])
        step("enter", event=plain(played)[1])
        assert step("back") == [None]
        step("refused")
        refused = step.two  # type: ignore[attr-defined]
    assert refused["code"] == "format.game"
    assert "unknown" in refused["detail"]
    assert ledger.store.lengths([ID]) == {}


def test_an_opening_that_was_refused_is_changed_and_recorded_with_its_entries(empty: Flask, tmp_path: Any) -> None:
    ledger = ledger_of(empty)
    deal = plain(simulate("diversity", 4, Random(3), ["cautious"], max_hands=1))[1]
    told = form_sent(empty, "diversity", ["ana", "ben", "chloe", "dev"])
    gone = told["event"] | {"options": {"hats": 3}}
    with phone(empty, ID, tmp_path) as step:
        step("opened", event=gone, table=told["table"], desk=told["desk"])
        step("enter", event=deal)
        assert step("back") == [None]
        step("refused")
        assert step.two["code"] == "format.option"  # type: ignore[attr-defined]
        step("changed", event=told["event"] | {"players": ["ana", "ben", "chloe", "dora"]})
        step("refused")
        assert step.two is None  # type: ignore[attr-defined]
        assert step("back") == []
    opened, entered = plain(ledger.events(ID))
    assert (opened["players"], entered) == (["ana", "ben", "chloe", "dora"], deal)


def test_what_waits_for_an_opening_whose_id_is_taken_waits_for_another_match(empty: Flask, tmp_path: Any) -> None:
    told = form_sent(empty, "diversity", ["ana", "ben", "chloe", "dev"])
    ledger_of(empty).record(None, [ev.Open(id=ID, game="hearts", players=("eva", "fay", "gus", "hal"))], 0)
    with phone(empty, ID, tmp_path) as step:
        step("opened", event=told["event"], table=told["table"], desk=told["desk"])
        step("enter", event=plain(simulate("diversity", 4, Random(3), ["cautious"], max_hands=1))[1])
        step("back")
        step("refused")
        assert step.two["code"] == "store.duplicate"  # type: ignore[attr-defined]
        step("moved")
        assert step.two == ["deal"]  # type: ignore[attr-defined]
    assert ledger_of(empty).store.lengths([ID]) == {ID: 1}, "nothing went to the match of others"


def test_a_correction_means_the_entry_wherever_that_is_recorded(empty: Flask, tmp_path: Any) -> None:
    """Another phone records a note meanwhile: the numbers move. What amends an entry that is given up goes with it."""
    ledger = ledger_of(empty)
    played = simulate("diversity", 4, Random(3), ["cautious"], max_hands=1)
    match = ledger.record(None, played[:2], 0).match
    plays = plain(played[2:5])
    with phone(empty, match, tmp_path) as step:
        step("open")
        step("away")
        for event in plays:
            step("enter", event=event)
        step("enter", event={"type": "amend", "about": 4, "event": plays[1]})
        step("enter", event={"type": "retract", "to": 4}, left=4)
        ledger.record(match, [ev.Note(text="rain")], 2)
        problems = step("back")
        assert problems == [], "a note is no reason to ask"
    recorded = plain(ledger.events(match))
    assert recorded[3:] == [*plays, {"type": "amend", "about": 5, "event": plays[1]}, {"type": "retract", "to": 5}]


def parted(empty: Flask, tmp_path: Any, mine: Any, theirs: Any, *decisions: bool) -> tuple[list[Any], list[Any], Any]:
    """Return what is recorded after two phones scored one hand: the questions, the events after the deal, the comparison."""
    ledger = ledger_of(empty)
    match = ledger.record(None, DEALT, 0).match
    with phone(empty, match, tmp_path) as step:
        step("open")
        step("away")
        for event in plain(mine):
            step("enter", event=event, **({"left": event["to"]} if event["type"] == "retract" else {}))
        ledger.record(match, list(theirs), 2)
        problems = [problem and problem["kind"] for problem in step("back")]
        step("two")
        for replace in decisions:
            assert step("decide", replace=replace) == []
    return problems, plain(ledger.events(match))[2:], step.two  # type: ignore[attr-defined]


SUITS = tuple(tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")
DEALT = [ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev")), ev.Deal(dealer=0, hands=SUITS)]
TRICK = [ev.Play(seat=seat, card=card) for card, seat in (("2D", 1), ("2H", 2), ("2S", 3), ("2C", 0))]
THEIRS = [TRICK[0], ev.Play(seat=2, card="5H"), TRICK[2]]


@pytest.mark.parametrize(
    ("mine", "theirs", "left"),
    [
        (TRICK, TRICK, []),
        (TRICK[:2], TRICK, []),
        (TRICK, TRICK[:2], TRICK[2:]),
        ([*THEIRS, ev.Retract(to=3), *TRICK[1:]], TRICK[:2], TRICK[2:]),
        ([TRICK[0], THEIRS[1], ev.Amend(about=4, event=TRICK[1])], TRICK[:3], []),
    ],
)
def test_records_that_say_the_same_are_settled_without_a_question(
    empty: Flask, tmp_path: Any, mine: Any, theirs: Any, left: Any
) -> None:
    problems, recorded, _ = parted(empty, tmp_path, mine, theirs)
    assert problems == []
    assert recorded == plain([*theirs, *left])


@pytest.mark.parametrize(
    ("replace", "left"),
    [(True, [ev.Retract(to=3), *TRICK[1:]]), (False, TRICK[3:])],
)
def test_records_that_differ_are_settled_by_one_decision(empty: Flask, tmp_path: Any, replace: bool, left: Any) -> None:
    """What is the same stays; what this phone has beyond the other record goes on from it."""
    problems, recorded, two = parted(empty, tmp_path, TRICK, THEIRS, replace)
    assert problems == ["two", None, None, None]
    assert recorded == plain([*THEIRS, *left])
    assert [row["first"] for row in two["rows"]] == [1]
    assert "chloe plays 5♥" in two["drawn"].replace("\u2068", "").replace("\u2069", "")
    assert two["keep"]["more"] == 1


@pytest.fixture
def table(empty: Flask, tmp_path: Any) -> Iterator[tuple[Callable[..., list[Any]], Callable[..., list[Any]]]]:
    """A phone at a match that is dealt; and what lets another phone record events, and returns all since the deal."""
    ledger = ledger_of(empty)
    match = ledger.record(None, DEALT, 0).match

    def recorded(*theirs: ev.Event) -> list[Any]:
        if theirs:
            ledger.record(match, list(theirs), len(ledger.events(match)))
        return plain(ledger.events(match))[2:]

    with phone(empty, match, tmp_path) as step:
        step("open")
        yield step, recorded


def test_entries_for_which_the_browser_has_no_room_are_sent_all_the_same(table: Any) -> None:
    """They are saved as soon as there is room: then a reload keeps them."""
    step, recorded = table
    step("away")
    step("enter", event=plain(TRICK)[0])
    step("room", full=True)
    assert not step.two
    for event in plain(TRICK)[1:3]:
        step("enter", event=event)
    step("room", full=False)
    assert step.two, "they are gone with the page"
    step("enter", event=plain(TRICK)[3])
    step("reload")
    step("room", full=True)
    assert not step.two
    assert step("back") == []
    assert recorded() == plain(TRICK)


def test_a_clock_that_is_set_back_does_not_change_the_order_of_entries(table: Any) -> None:
    step, recorded = table
    step("away")
    step("ahead", event=plain(TRICK)[0])
    for event in plain(TRICK)[1:]:
        assert set(step("enter", event=event)) == {None}
    step("back")
    assert recorded() == plain(TRICK)


def test_a_page_of_somebody_else_is_no_answer(table: Any) -> None:
    """A hotel's network, say, answers everything with its own page."""
    step, recorded = table
    step("trouble", what="hotel")
    step("enter", event=plain(TRICK)[0])
    assert recorded() == []
    step("trouble", what=None)
    assert step("back") == []
    assert recorded() == plain(TRICK[:1])


@pytest.mark.parametrize("many", [1, 3])
def test_a_phone_that_was_signed_out_asks_nothing_about_the_same_record(table: Any, many: int) -> None:
    step, recorded = table
    step("trouble", what="signed out")
    for event in plain(TRICK[:many]):
        step("enter", event=event)
    recorded(*TRICK[:2])
    step("trouble", what=None)
    assert step("back") == []
    assert recorded() == plain(TRICK[: max(many, 2)])


def test_a_page_that_was_closed_before_it_sent_asks_nothing_about_the_same_record(table: Any) -> None:
    step, recorded = table
    for event in plain(TRICK[:3]):
        step("enter", event=event, closed=True)
    recorded(*TRICK[:2])
    assert step("anew") == []
    assert recorded() == plain(TRICK[:3])


def test_a_page_whose_answer_was_lost_and_that_was_closed_records_nothing_twice(table: Any) -> None:
    step, recorded = table
    step("trouble", what="answers are lost")
    step("enter", event=plain(TRICK)[0])
    for event in plain(TRICK[1:3]):
        step("enter", event=event, closed=True)
    assert recorded(TRICK[1]) == plain(TRICK[:2])
    step("trouble", what=None)
    assert step("anew") == []
    assert recorded() == plain(TRICK[:3])
