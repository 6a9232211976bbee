"""A quiz asks for the decisions of a hand as its players met them, and answers with the costs of the review."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from click.testing import CliRunner

from cardledger.cli import main as cli
from cardledger.errors import StoreError
from cardledger.record.matches.matchfile import MatchInFile, read_file
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.bots.trials import Trials
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.kernel.kernels import SWITCH
from cardledger.rules.stream import Stream
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.quiz import Quiz
from cardledger.study.stats.review.review import review, words
from tests.conftest import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

SIZES = {game.id: 4 if 4 in game.sizes else max(game.sizes) for game in games().values()}


def played(id: str, seed: int = 3, hands: int = 1) -> Stream:
    return Stream.of(simulate(id, SIZES[id], Random(seed), ["random"], max_hands=hands))


@pytest.mark.parametrize("id", SIZES)
def test_questions_are_the_choices_that_the_table_offered_and_tell_nothing_of_what_came(id: str) -> None:
    stream = played(id)
    quiz = Quiz(stream, 1)
    asked = [one for seat in range(stream.table.n) for one in quiz.questions(seat)]
    assert asked
    made = {seq: event for (hand,) in [[*hands_of(stream)]] for seq, event in hand.events}
    for one in asked:
        table = quiz.position(one.seq).table
        offered = [words(event) for choice in table.choices() if choice.seat == one.seat for event in events_of(choice)]
        assert [*one.choices] == offered, "in the order of the game, whatever was chosen"
        assert len({*one.choices}) == len(one.choices) > 1, "a word says which"
        assert one.choice(words(made[one.seq])) in one.choices


@pytest.mark.parametrize("id", ["euchre", "diamonds-draw", "poison-hearts"])
def test_what_was_chosen_costs_what_the_review_says(id: str) -> None:
    stream = played(id)
    quiz, (hand,) = Quiz(stream, 1), [*hands_of(stream)]
    assert hand.dealt is not None
    told = 0
    for decision in review(hand.dealt, hand.hand.dealer, hand.events):
        if decision.cost:
            answer = quiz.answer(decision.seq)
            cost = answer.cost_of(answer.made)
            assert (answer.best, cost.cost, cost.error) == (decision.best, decision.cost, decision.error)
            assert {one.choice for one in answer.costs} == {*answer.question.choices}
            assert [one.cost for one in answer.costs] == sorted(one.cost for one in answer.costs)
            assert answer.cost_of(answer.best).cost == 0
            told += 1
    assert told


def test_several_cards_may_be_said_in_any_order() -> None:
    quiz = Quiz(played("hearts"), 1)
    (first, *_) = quiz.questions(2)
    assert len(first.choices) == 286
    last = first.choices[-1]
    answer = quiz.answer(first.seq, " ".join(reversed(last.split())))
    assert answer.cost_of(last).choice == last, "also if it is none of the most promising"
    assert len(answer.costs) < 30


def test_another_choice_is_tried_alone_in_the_same_worlds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = Quiz(played("hearts", 8), 1), Quiz(played("hearts", 8), 1)
    first, *_ = one.questions(2)
    last = first.choices[-1]
    usual = one.answer(first.seq)
    counted: list[int] = []
    points = Trials.points
    monkeypatch.setattr(Trials, "points", lambda self, options, numbers: counted.append(len(options)) or points(self, options, numbers))  # fmt: skip
    assert not other.knows(first.seq, last)
    later = other.answer(first.seq, last)
    assert counted == [1, 1], "nothing that was tried before is tried again"
    assert other.knows(first.seq, last) and one.answer(first.seq) == usual, "what others chose changes nothing"
    assert {each.choice for each in later.costs} == {*(each.choice for each in usual.costs), last}


def test_what_was_not_offered_is_refused() -> None:
    quiz = Quiz(played("ruff"), 1)
    (first, *_) = quiz.questions(0)
    for ask, code in (
        (lambda: quiz.answer(first.seq, "ZZ"), "quiz.choice"),
        (lambda: quiz.answer(2), "quiz.question"),
        (lambda: Quiz(played("ruff"), 7), "store.unknown"),
    ):
        with pytest.raises(StoreError) as refused:
            ask()
        assert refused.value.code == code


def test_a_hand_that_nobody_can_judge_is_refused() -> None:
    events = simulate("diversity", 4, Random(1), ["cautious"], max_hands=1)
    opening, deal, *_ = events
    for some in (
        events[:20],
        [opening, ev.Deal(dealer=0, hands=None), ev.Claim(tricks=(4, 3, 3, 3))],
        [opening, deal, ev.Claim(tricks=(4, 3, 3, 3))],
    ):
        with pytest.raises(StoreError, match="hand") as refused:
            Quiz(Stream.of(some), 1)
        assert refused.value.code == "quiz.hand"


def test_a_deal_that_was_not_recorded_is_known_from_the_plays() -> None:
    opening, deal, *plays = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    hidden = msgspec.structs.replace(deal, hands=None)
    open_, blind = Quiz(Stream.of([opening, deal, *plays]), 1), Quiz(Stream.of([opening, hidden, *plays]), 1)
    assert open_.questions(1) == blind.questions(1)
    seq = blind.questions(1)[0].seq
    assert blind.position(seq).table.hand.held == open_.position(seq).table.hand.held
    assert blind.answer(seq) == open_.answer(seq)


def test_a_corrected_bid_counts_as_corrected_and_was_so_all_along() -> None:
    opening, *events = simulate("spades", 4, Random(4), ["cautious"], max_hands=1)
    about, bid = next((seq, one) for seq, one in enumerate(events, 2) if isinstance(one, ev.Bid))
    right = msgspec.structs.replace(bid, amount=(bid.amount or 0) + 1)
    amend = ev.Amend(about=about, event=right)
    quiz = Quiz(Stream.of([opening, *events, amend]), 1)
    assert quiz.answer(about).made == str(right.amount)
    later = quiz.questions(bid.seat)[1]
    assert quiz.position(later.seq).table.hand.bids[bid.seat] == right.amount


def test_the_command_asks_and_tells(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        match = ledger.record(None, simulate("ruff", 3, Random(3), ["random"], max_hands=1), 0).match
        questions = Quiz(ledger.stream(match), 1).questions(0)
    told = CliRunner().invoke(
        cli.main,
        ["quiz", match, "1", "--seat", "0", "--at", str(questions[1].seq), "--db", str(path)],
        input=f"ZZ\n{questions[1].choices[0]}\n",
    )
    assert told.exit_code == 0, told.output
    assert "“ZZ” could not be chosen there" in told.output
    assert "costs" in told.output and "you" in told.output
    asked = CliRunner().invoke(cli.main, ["quiz", match, "1", "--seat", "0", "--json", "--db", str(path)])
    lines = [msgspec.json.decode(line) for line in asked.output.splitlines()]
    assert [line["seq"] for line in lines] == [one.seq for one in questions]
    assert all(
        {*line} == {"seq", "seat", "type", "choices", "made", "best", "worlds", "costs", "sentence"} for line in lines
    )
    reviewed = CliRunner().invoke(cli.main, ["review", match, "--json", "--db", str(path)])
    bad = [
        one["seq"]
        for one in msgspec.json.decode(reviewed.output)["hands"][0]["decisions"]
        if one["bad"] and one["seat"] == 0
    ]
    gaps = CliRunner().invoke(cli.main, ["quiz", match, "1", "--seat", "0", "--gaps", "--json", "--db", str(path)])
    assert [msgspec.json.decode(line)["seq"] for line in gaps.output.splitlines()] == bad
    refused = CliRunner().invoke(cli.main, ["quiz", match, "1", "--seat", "5", "--db", str(path)])
    assert (refused.exit_code, "there is no seat 5" in refused.output) == (2, True)


@pytest.mark.parametrize("id", ["hearts", "bridge", "euchre"])
def test_every_choice_is_answered_at_once_as_if_it_was_asked_alone(id: str) -> None:
    quiz, alone = Quiz(played(id, 4), 1), Quiz(played(id, 4), 1)
    asked, *_ = quiz.questions(1)
    every = quiz.every(asked.seq)
    assert [*every] == [*asked.choices]
    some = {*asked.choices[:: max(1, len(asked.choices) // 9)], alone.answer(asked.seq).made}
    assert {choice: alone.answer(asked.seq, choice) for choice in some} == {choice: every[choice] for choice in some}


def test_a_choice_that_broke_a_rule_has_an_answer_beside_those_that_were_offered() -> None:
    (slips,) = (match for match in read_file(SAMPLES / "hearts-slips.jsonl") if isinstance(match, MatchInFile))
    quiz = Quiz(slips.stream, 1)
    asked = [(one, quiz.every(one.seq)) for seat in range(4) for one in quiz.questions(seat)]
    broken = [(one, every) for one, every in asked if [*every] != [*one.choices]]
    assert broken
    for one, every in broken:
        made = every[one.choices[0]].made
        assert made not in one.choices and [*every] == [*one.choices, made]


def test_work_is_the_cards_of_every_choice_in_every_world_with_or_without_kernels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = played("oh-hell")
    quiz, counted = Quiz(stream, 1), 0
    points = Trials.points

    def count(self: Trials, options: list[ev.Event], numbers: range) -> list[list[int]]:
        nonlocal counted
        counted += len(options) * len(numbers) * sum(hand.bit_count() for hand in self.table.hand.held)
        return points(self, options, numbers)

    monkeypatch.setattr(Trials, "points", count)
    for seat in range(stream.table.n):
        for asked in quiz.questions(seat):
            quiz.every(asked.seq)
    assert quiz.work() == counted
    monkeypatch.setenv(SWITCH, "0")
    assert quiz.work() == counted
