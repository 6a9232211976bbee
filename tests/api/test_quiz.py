"""The quiz over HTTP: one question after the other, with nothing of what came later, and only of hands that may be seen."""

from __future__ import annotations

import threading
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.record.people.people import Sat
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.bots.trials import Trials
from cardledger.rules.stream import Stream
from cardledger_api.auth.limits import Limits, Rate
from cardledger_api.http.gate import gate_of
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.api.test_limits import NEVER, limited

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from flask import Flask

    from cardledger.rules.engine import events as ev


def two_ends(game: str) -> tuple[list[ev.Event], list[ev.Event], int]:
    """Return two matches of one hand that are the same up to an event, and its number."""
    events = [*simulate(game, 4, Random(2), ["cautious"], max_hands=1)]
    same = 2 * len(events) // 3
    stream, chance = Stream.of(events[:same]), Random(9)
    while not stream.table.hand.over:
        choices = [one for choice in stream.table.choices() if choice.seat is not None for one in events_of(choice)]
        stream.append(chance.choice(choices))
    return events, [*stream.events], same


def test_a_question_tells_nothing_of_what_came_later(empty: Flask) -> None:
    one, other, same = two_ends("whist")
    assert one[same:] != other[same:]
    ledger, client = ledger_of(empty), empty.test_client()
    told = []
    for events in (one, other):
        match = ledger.record(None, events, 0).match
        after, found = 0, []
        while after < same:
            answer = client.get(f"/api/v1/matches/{match}/hands/1/quiz?seat=1&after={after}").json
            page = client.get(f"/matches/{match}/hands/1/quiz?seat=1&stops={answer['seq']}").text
            if answer["seq"] > same:
                break
            weighed = client.get(f"/api/v1/matches/{match}/hands/1/quiz/{answer['seq']}").json
            after = answer["seq"]
            texts = [text.replace(match, "") for text in (str(answer), str(weighed), page.partition("<main")[2])]
            found.append([*texts[:2], texts[2].partition("<footer")[0]])
        told.append(found)
    assert told[0] == told[1] and told[0]


def test_who_truly_sat_at_a_seat_is_named(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    match = ledger.record(None, two_ends("whist")[0], 0).match
    ledger.record_people([Sat(match=match, seat=1, player="zoe")], 0, "ana")
    seq = client.get(f"/api/v1/matches/{match}/hands/1/quiz?seat=1").json["seq"]
    told = client.get(f"/api/v1/matches/{match}/hands/1/quiz/{seq}").json
    assert told["sentence"].startswith("zoe")


def test_the_next_question_is_after_the_last_and_none_follows_the_end(empty: Flask) -> None:
    events = simulate("ruff", 3, Random(1), ["cautious"], max_hands=1)
    match, client = ledger_of(empty).record(None, events, 0).match, empty.test_client()
    after, asked = 0, 0
    while True:
        answer = client.get(f"/api/v1/matches/{match}/hands/1/quiz?seat=0&after={after}").json
        if answer["seq"] is None:
            break
        assert answer["seq"] > after and len(answer["choices"]) > 1
        assert answer["table"]["seq"] == answer["seq"] - 1
        assert [hand for seat, hand in enumerate(answer["table"]["hands"]) if hand and seat] == []
        after, asked = answer["seq"], asked + 1
    assert asked
    chosen = client.get(f"/api/v1/matches/{match}/hands/1/quiz?seat=0&stops={after}").json
    assert chosen["seq"] == after, "a teacher may choose where it stops"


def test_only_what_the_review_finds_is_asked(empty: Flask) -> None:
    events = simulate("diversity", 4, Random(3), ["random"], max_hands=1)
    match, client = ledger_of(empty).record(None, events, 0).match, empty.test_client()
    address = f"/api/v1/matches/{match}/hands/1/quiz?seat=2&stops=gaps"
    answer = client.get(address)
    while answer.status_code == 503:
        assert answer.json["code"] == "store.computing"
        answer = client.get(address)
    bad = [one["seq"] for one in client.get(f"/api/v1/matches/{match}/review").json["hands"][0]["decisions"]
           if one["bad"] and one["seat"] == 2]  # fmt: skip
    assert answer.json["seq"] == (bad[0] if bad else None)


def test_a_hand_whose_cards_are_in_play_is_asked_of_nobody(empty: Flask) -> None:
    events = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events[:20], 0).match
    for path in ("quiz?seat=0", "quiz/12", "quiz/9999"):
        address = f"/api/v1/matches/{match}/hands/1/{path}"
        assert as_role(empty, "reader").get(address).status_code == 403
        told = as_role(empty, "scorer").get(address)
        assert (told.status_code, told.json["code"]) == (409, "quiz.hand")


def test_what_cannot_be_asked_is_said(empty: Flask) -> None:
    events = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
    match, client = ledger_of(empty).record(None, events, 0).match, empty.test_client()
    for path, status, code in (
        ("hands/1/quiz", 400, "format.value"),
        ("hands/1/quiz?seat=4", 422, "table.range"),
        ("hands/1/quiz?seat=0&stops=some", 400, "format.value"),
        ("hands/1/quiz?seat=0&stops=" + ",".join("1" * 70), 400, "format.value"),
        ("hands/2/quiz?seat=0", 404, "store.unknown"),
        ("hands/1/quiz/2", 404, "quiz.question"),
        ("hands/1/quiz/5?choice=ZZ", 422, "quiz.choice"),
        ("hands/1/quiz/99999999", 404, "quiz.question"),
    ):
        told = client.get(f"/api/v1/matches/{match}/{path}")
        assert (told.status_code, code in told.text) == (status, True), (path, told.text)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the options that are played out, each time."""
    found: list[int] = []
    points = Trials.points

    def count(trials: Trials, options: Sequence[ev.Event], numbers: Sequence[int]) -> list[list[int]]:
        found.append(len(options))
        return points(trials, options, numbers)

    monkeypatch.setattr(Trials, "points", count)
    return found


def test_a_class_that_asks_the_same_at_once_is_answered_by_one_computation(
    empty: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = simulate("hearts", 4, Random(11), ["cautious"], max_hands=1)
    match = ledger_of(empty).record(None, events, 0).match
    asked = empty.test_client().get(f"/api/v1/matches/{match}/hands/1/quiz?seat=0").json
    computed, begin, told = counted(monkeypatch), threading.Barrier(20), []

    def ask() -> None:
        client = as_role(empty, "reader")
        begin.wait()
        told.append(client.get(f"/api/v1/matches/{match}/hands/1/quiz/{asked['seq']}"))

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in told] == [200] * 20
    assert len({answer.text for answer in told}) == 1
    assert len(computed) == 3, "the promising ones are found, chosen and judged once"


def test_an_answer_that_must_be_computed_passes_the_gate_and_one_that_is_kept_does_not(
    empty: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = simulate("ruff", 3, Random(12), ["cautious"], max_hands=1)
    match, client = ledger_of(empty).record(None, events, 0).match, as_role(empty, "reader")
    address = f"/api/v1/matches/{match}/hands/1/quiz"
    page = f"/matches/{match}/hands/1/quiz?seat=0&stops="
    first = client.get(f"{address}?seat=0").json
    second = client.get(f"{address}?seat=0&after={first['seq']}").json
    assert client.get(f"{address}/{first['seq']}").status_code == 200
    gate, computed = gate_of(empty), counted(monkeypatch)
    monkeypatch.setattr(gate, "patience", 0)
    leaves = [gate.enter(name, 0) for name in "abc"]
    for one, kept in ((first, True), (second, False)):
        choice = one["choices"][0]
        for asked in (f"{address}/{one['seq']}", f"{page}{one['seq']}&choice={choice}&see=1"):
            answer = client.get(asked)
            assert (answer.status_code == 200) == kept and (kept or answer.status_code == 503), asked
    assert client.get(f"{address}?seat=0&stops=gaps").status_code == 503, "a review that is missing passes it too"
    assert computed == []
    for leave in leaves:
        leave()
    assert client.get(f"{address}/{second['seq']}").status_code == 200
    assert gate.inside == 0


def test_answers_that_must_be_computed_are_charged_as_expensive(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(heavy=Rate(NEVER / 1000, 0.0001))) as app:
        events = simulate("ruff", 3, Random(13), ["cautious"], max_hands=1)
        match, client = ledger_of(app).record(None, events, 0).match, app.test_client()
        address = f"/api/v1/matches/{match}/hands/1/quiz"
        seqs = [client.get(f"{address}?seat={seat}").json["seq"] for seat in (0, 1)]
        statuses = [client.get(f"{address}/{seq}").status_code for seq in (*seqs, seqs[0])]
        assert statuses == [200, 429, 200], "what is kept costs next to nothing"
