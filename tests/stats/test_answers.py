"""Answers are events beside the matches: judged, the first of a person counts, and progress follows from them."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import LedgerError, RuleError
from cardledger.record.people.people import Merge, Posed
from cardledger.record.readmodels.questions.left_out_of_puzzles import left_out_of_puzzles
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.luck.luck_store import LuckStore, beside
from cardledger.study.stats.review import answers
from cardledger.study.stats.review.answers import answers_of, question_id, record_answer, weigh
from cardledger.study.stats.review.progress import progress
from cardledger.study.stats.review.puzzles import find_puzzles
from cardledger.study.stats.review.quiz import Quiz
from cardledger.study.stats.review.reviews import compute
from tests.evenings.night import opening, record

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.rules.questions import Question

DAY = date(2026, 1, 31)


@pytest.fixture
def played(ledger: Ledger) -> str:
    """A match of ruff with two hands."""
    return ledger.record(None, simulate("ruff", 3, Random(1), ["cautious", "random", "random"], max_hands=2), 0).match


def first(ledger: Ledger, match: str, place: int = 0) -> Question:
    return Quiz(ledger.stream(match), 1).questions(0)[place]


def say(ledger: Ledger, match: str, player: str, place: int = 0, choice: str | None = None, day: date = DAY) -> str:
    asked = first(ledger, match, place)
    return record_answer(ledger, match, 1, asked.seq, choice or asked.choices[0], player, "tests", day)


def refused(ledger: Ledger, match: str, player: str, **more: object) -> str:
    with pytest.raises(LedgerError) as error:
        say(ledger, match, player, **more)  # type: ignore[arg-type]
    return error.value.code


def test_an_answer_is_an_event_of_its_question_and_no_other_counts(ledger: Ledger, played: str) -> None:
    said = say(ledger, played, "ana")
    question = question_id(played, first(ledger, played).seq)
    assert refused(ledger, played, "ana") == "lesson.twice"
    say(ledger, played, "ben")
    assert ledger.store.lengths([question]) == {question: 3}
    assert [(one.choice, one.day) for one in answers_of(ledger, "ana")] == [(said, "2026-01-31")]
    assert [error for _, error in ledger.verify() if error] == []
    assert ledger.matches() == [played], "a question is no match"
    lines = [row.line for row in ledger.store.read(question)]
    assert not any("ana" in line or "ben" in line for line in lines), "names are pseudonyms"


def test_a_choice_is_judged_by_the_rules_of_the_moment(ledger: Ledger, played: str) -> None:
    asked = first(ledger, played)
    table = Quiz(ledger.stream(played), 1).position(asked.seq).table
    foreign = next(face for face in table.pack.faces if face not in asked.choices)
    with pytest.raises(RuleError) as error:
        say(ledger, played, "ana", choice=foreign)
    assert error.value.code in table.game.book.rules or "." in error.value.code
    assert refused(ledger, played, "ana", choice="the moon") == "quiz.choice"
    with pytest.raises(LedgerError, match="nothing was to be decided"):
        record_answer(ledger, played, 1, 2, "2C", "ana", "tests", DAY)
    assert answers_of(ledger, "ana") == []


def test_an_answer_of_another_id_of_the_person_is_the_second(ledger: Ledger, played: str) -> None:
    players = ledger.stream(played).table.players
    say(ledger, played, players[1])
    other = ledger.record(None, simulate("ruff", 3, Random(2), ["random"], players=("x", "y", "z"), max_hands=1), 0)
    assert other.match
    ledger.record_people([Merge(player="x", into=players[1])], 0, "tests")
    assert refused(ledger, played, "x") == "lesson.twice"


def test_a_day_has_a_limit_and_the_next_has_its_own(
    ledger: Ledger, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MOST_A_DAY", 2)
    for place in range(2):
        say(ledger, played, "ana", place)
    assert refused(ledger, played, "ana", place=2) == "lesson.many"
    say(ledger, played, "ben", 2)
    say(ledger, played, "ana", 2, day=date(2026, 2, 1))
    assert [one.day for one in answers_of(ledger, "ana")] == ["2026-01-31"] * 2 + ["2026-02-01"]


@pytest.mark.long
def test_progress_follows_from_events_to_the_byte(ledger: Ledger, played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in range(3):
        say(ledger, played, "ana", place, day=date(2026, 1 + place, 1))
    waiting = progress(ledger, "ana")["games"][0]
    assert (waiting["answers"], waiting["pending"], waiting["best"]) == (3, 3, None)
    found = progress(ledger, "ana", at_once=True)
    (game,) = found["games"]
    assert [month["month"] for month in game["months"]] == ["2026-03", "2026-02", "2026-01"]
    assert game["best"]["low"] <= game["best"]["value"] <= game["best"]["high"]
    assert game["cost"]["low"] <= game["cost"]["value"] <= game["cost"]["high"]
    assert progress(ledger, "ana", "whist")["games"] == progress(ledger, "zoe")["games"] == []
    [*ledger.rebuild()]
    for path in beside(ledger.views).parent.glob(f"{beside(ledger.views).name}*"):
        path.unlink()
    # Another process remembers nothing of what was weighed here.
    told = subprocess.run(
        [sys.executable, "-m", "cardledger", "stats", "progress", "ana", "--json", "--db", str(ledger.at)],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert json.dumps(json.loads(told)) == json.dumps(found)


def test_what_is_asked_no_more_counts_in_no_figure(ledger: Ledger, played: str) -> None:
    say(ledger, played, "ana")
    assert progress(ledger, "ana", at_once=True)["games"][0]["left_out"] == 0
    hand = ledger.stream(played).table.hands[0]
    ledger.record(played, [ev.Retract(to=hand.first)], ledger.stream(played).seq)
    (game,) = progress(ledger, "ana", at_once=True)["games"]
    assert (game["answers"], game["left_out"], game["best"]) == (1, 1, None)
    ledger.record(played, [ev.Retract(to=hand.first - 1)], ledger.stream(played).seq)
    assert progress(ledger, "ana")["games"] == [], "no hand of the match is left"
    ledger.record(played, [ev.Void(reason="two packs")], ledger.stream(played).seq)
    with LuckStore(ledger) as store:
        store.catch_up()
        assert [*weigh(store)] == [], "nothing is weighed again and again"
    assert progress(ledger, "ana", at_once=True)["games"] == []


def test_an_erased_person_is_in_no_answer(ledger: Ledger, played: str, tmp_path: Path) -> None:
    say(ledger, played, "Zebedee")
    erase(ledger, examine(ledger, "Zebedee"), "tests")
    assert answers_of(ledger, "Zebedee") == []
    assert [error for _, error in ledger.verify() if error] == []
    ledger.views.catch_up()
    rows = ledger.views.reader.execute("SELECT recorded_as FROM answers").fetchall()
    assert len(rows) == 1 and "Zebedee" not in str(rows)


def puzzles(ledger: Ledger) -> list[tuple[str, int, int, int]]:
    account = accountant.puzzles(ledger, "ruff", DAY, 50, patience=None)
    assert account is not None
    return [(one.match, one.seq, one.tries, one.missed) for one in account["puzzles"]]


@pytest.fixture
def posed(ledger: Ledger) -> list[tuple[str, int, int, int]]:
    """The puzzles of two matches, found."""
    for seed, players in ((1, ("ana", "ben", "cem")), (4, ("ana", "dev", "eva"))):
        ledger.record(None, simulate("ruff", 3, Random(seed), ["random"], players=players, max_hands=1), 0)
    search(ledger)
    found = puzzles(ledger)
    assert len({match for match, *_ in found}) == 2
    return found


def search(ledger: Ledger) -> int:
    with LuckStore(ledger) as store:
        store.catch_up()
        for _ in compute(store.hands(), store):
            pass
        return sum(1 for _ in find_puzzles(store.hands("why IS NULL"), store))


@pytest.mark.long
def test_what_people_miss_comes_first(ledger: Ledger, posed: list[tuple[str, int, int, int]]) -> None:
    assert {one[2:] for one in posed} == {(1, 1)}
    match, seq, *_ = posed[-1]
    (hand,) = {one.number for one in ledger.stream(match).table.hands if one.first <= seq <= (one.last or seq)}
    quiz = Quiz(ledger.stream(match), hand)
    answer = quiz.answer(seq)
    wrong = next(one.choice for one in answer.costs if one.clear)
    for player in ("zoe", "yan", "xia"):
        record_answer(ledger, match, hand, seq, wrong, player, "tests", DAY)
    assert puzzles(ledger)[0] == (match, seq, 4, 4)
    first_match, first_seq, *_ = posed[0]
    (hand,) = {
        one.number
        for one in ledger.stream(first_match).table.hands
        if one.first <= first_seq <= (one.last or first_seq)
    }
    best = Quiz(ledger.stream(first_match), hand).answer(first_seq).best
    record_answer(ledger, first_match, hand, first_seq, best, "zoe", "tests", DAY)
    assert puzzles(ledger)[-1] == (first_match, first_seq, 2, 1)


def test_players_leave_their_hands_out(ledger: Ledger, posed: list[tuple[str, int, int, int]]) -> None:
    theirs = [one for one in posed if "ben" in ledger.stream(one[0]).table.players]
    assert theirs
    ledger.record_people([Posed(player="ben", posed=False)], 0, "tests")
    assert puzzles(ledger) == [one for one in posed if one not in theirs]
    ledger.record_people([Posed(player="ana", posed=False)], 1, "tests")
    assert puzzles(ledger) == []
    account = accountant.puzzles(ledger, "ruff", DAY, 50, patience=None)
    assert account is not None and account["today"] is None
    ledger.record_people([Posed(player="ben", posed=True), Posed(player="ana", posed=True)], 2, "tests")
    assert puzzles(ledger) == posed
    ledger.record_people([Posed(player="dev", posed=False), Merge(player="dev", into="ben")], 4, "tests")
    assert puzzles(ledger) == [], "who left their hands out under one id did so under all"


@pytest.mark.long
def test_no_account_is_so_old_that_it_shows_what_was_left_out(
    ledger: Ledger, posed: list[tuple[str, int, int, int]]
) -> None:
    old = accountant.accounts.puzzles(LuckStore(ledger), ["ruff"])
    ledger.record_people([Posed(player="ana", posed=False)], 0, "tests")
    assert posed and accountant.accounts.posable(old, ledger, 50, DAY)["puzzles"] == []


def test_boards_of_an_evening_that_is_not_over_pose_nothing(ledger: Ledger) -> None:
    match = ledger.record(
        None,
        simulate("bridge", 4, Random(3), ["cautious"], {"scoring": "duplicate"}, players=("a", "b", "c", "d"), max_hands=1), 0,
    ).match  # fmt: skip
    evening = record(
        ledger, None, opening(game="bridge", unit="pair", scoring={"kind": "matchpoints"}),
        {"type": "entry", "number": 1, "players": ["a", "c"]}, {"type": "entry", "number": 2, "players": ["b", "d"]},
        {"type": "table", "round": 1, "table": 1, "seats": [1, 2], "boards": [1]},
        {"type": "result", "round": 1, "table": 1, "board": 1, "match": match},
    )  # fmt: skip
    assert left_out_of_puzzles(ledger.views, ledger.people()) == {match}
    record(ledger, evening, {"type": "close"})
    assert left_out_of_puzzles(ledger.views, ledger.people()) == frozenset()


def test_a_hand_that_was_corrected_since_the_last_look_is_searched_once(ledger: Ledger, played: str) -> None:
    with LuckStore(ledger) as store:
        store.catch_up()
        for _ in compute(store.hands(), store):
            pass
        stream = ledger.stream(played)
        hand = stream.table.hands[0]
        (seq, act), *_ = (
            (seq, event)
            for seq, event in enumerate(stream.events, 1)
            if isinstance(event, ev.Play) and seq > hand.first
        )
        ledger.record(played, [ev.Amend(about=seq, event=act)], stream.seq)
        ledger.record(played, [ev.Retract(to=hand.first)], stream.seq + 1)
        old = store.hands("hand = 1")
        assert len([*find_puzzles(old, store)]) == 1
        assert [*find_puzzles(old, store)] == [], "it is known that nothing is there at this version"
        assert store.puzzles(played, 1, answers.FOR_PUZZLES.edition) == []
        store.catch_up()
        assert store.puzzles(played, 1, answers.FOR_PUZZLES.edition) is None, "the next version is searched again"


@pytest.mark.long
def test_other_tables_that_came_to_the_position_had_a_try(ledger: Ledger) -> None:
    events = [*simulate("ruff", 3, Random(1), ["random"], players=("ana", "ben", "cem"), max_hands=1)]
    ledger.record(None, events, 0)
    search(ledger)
    alone = puzzles(ledger)
    assert {one[2:] for one in alone} == {(1, 1)}
    opening_of = ev.Open(**{key: getattr(events[0], key) for key in ("game", "options")}, players=("x", "y", "z"))
    ledger.record(None, [opening_of, *events[1:]], 0)
    search(ledger)
    both = puzzles(ledger)
    assert len(both) == 2 * len(alone) and {one[2:] for one in both} == {(2, 2)}


def test_answers_are_weighed_while_nothing_is_recorded(ledger: Ledger, played: str) -> None:
    say(ledger, played, "ana")
    with LuckStore(ledger) as store:
        store.catch_up()
        assert len([*weigh(store)]) == 1
        assert [*weigh(store)] == []
    assert progress(ledger, "ana")["games"][0]["pending"] == 0
