"""What if in the API: the numbers and hands of the command, as the newest matches come first; nothing of cards that are still secret."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import cardledger
from cardledger.cli.main import main
from cardledger.rules.games import games
from cardledger.study.analyse import what_if_answers
from cardledger.study.analyse.what_if import WhatIf
from cardledger.study.analyse.what_if_answers import WhatIfAnswers, choices, comparable
from cardledger.study.stats.cache import Shelf
from cardledger_api.http import problems
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.api.test_shared_deals import A, B, at, deal, dealt
from tests.stats.night import evening
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

ASKED = "/api/v1/stats/what-if?game=ruff&rules=ruff-2/2"


@pytest.fixture
def club(empty: Flask) -> Flask:
    """An application on six matches of ruff, and one of another game; it waits for answers."""
    ledger = ledger_of(empty)
    for events in [*evening("ruff", matches=6, hands=2), *evening("hearts", hands=1)]:
        ledger.record(None, events, 0)
    WhatIfAnswers.of(ledger).patience = None
    return empty


def command(app: Flask) -> dict[str, Any]:
    """Return what the command finds."""
    words = ["what-if", "--workers", "1", "--game", "ruff", "--rules", "ruff-2/2", "--json"]
    answer = CliRunner().invoke(main, [*words, "--db", str(ledger_of(app).at)])
    told: dict[str, Any] = json.loads(answer.output)
    return told


def pages(client: FlaskClient, address: str) -> Iterator[dict[str, Any]]:
    """Yield the hands of all pages."""
    after = ""
    while after is not None:
        told = client.get(f"{address}{after and f'&after={after}'}").json
        yield from told["otherwise"]
        after = told["next"]


def test_the_numbers_and_hands_are_those_of_the_command(club: Flask) -> None:
    told, found = club.test_client().get(f"{ASKED}&limit=200&total=true").json, command(club)
    for name in ("game", "rules", "hands", "same", "stops", "points", "left_out", "unfit", "problems"):
        assert told[name] == found[name], name
    assert told["rulings"] == told["hands"] - told["same"] - told["stops"] - told["points"]
    assert told["position"] == ledger_of(club).store.last_position()
    kept = ("match", "hand", "seq", "trick", "scores", "other")
    hands = {tuple(map(str, (one[name] for name in kept))) for one in told["otherwise"]}
    assert hands == {tuple(map(str, (one[name] for name in kept))) for one in found["otherwise"]}
    assert told["total"] == len(hands) > 0


def test_the_newest_match_comes_first_and_pages_neither_repeat_nor_skip(club: Flask) -> None:
    client = club.test_client()
    whole = client.get(f"{ASKED}&limit=200").json["otherwise"]
    order = ledger_of(club).matches()
    places = [(-order.index(one["match"]), one["hand"]) for one in whole]
    assert places == sorted(places)
    assert [*pages(client, f"{ASKED}&limit=2")] == whole
    for outcome in ("points", "stops", "rulings"):
        some = [*pages(client, f"{ASKED}&limit=3&outcome={outcome}")]
        assert some == [one for one in whole if one["outcome"] == outcome]
        assert all((one["other"] is None) == (outcome == "stops") for one in some)
    assert {one["outcome"] for one in whole} >= {"stops"}


def test_a_match_changes_its_winner_if_the_points_of_its_hands_add_up_to_somebody_else(club: Flask) -> None:
    ledger, told = ledger_of(club), command(club)
    complete = [match for match in ledger.matches() if ledger.stream(match).table.game.id == "ruff"
                and ledger.stream(match).table.status == "complete"]  # fmt: skip
    stops = points = winner = 0
    for match in complete:
        table = ledger.stream(match).table
        changed = [one for one in told["otherwise"] if one["match"] == match]
        if any(one["stops"] for one in changed):
            stops += 1
            continue
        other = [
            total + sum(one["other"][seat] - one["scores"][seat] for one in changed)
            for seat, total in enumerate(table.totals)
        ]
        points += other != table.totals
        winner += [total == max(other) for total in other] != [total == max(table.totals) for total in table.totals]
    assert club.test_client().get(ASKED).json["matches"] == {
        "complete": len(complete), "stops": stops, "points": points, "winner": winner,
    }  # fmt: skip


def test_editions_of_the_game_and_of_its_variants_can_judge_and_no_others(club: Flask) -> None:
    assert comparable("ruff") == ("ruff-2/2", "ruff/2", "ruff/1")
    assert choices(ledger_of(club), "ruff") == ["ruff-2/2", "ruff/1"]
    assert choices(ledger_of(club), "whist") == choices(ledger_of(club), "hearts") == []
    for id, one in games().items():
        assert one.book.edition in comparable(id)
    client = club.test_client()
    own = client.get("/api/v1/stats/what-if?game=ruff&rules=ruff/2").json
    assert own["same"] == own["hands"] == 12
    for wrong in ("rules=hearts/1&game=ruff", "rules=ruff/9&game=ruff"):
        answer = client.get(f"/api/v1/stats/what-if?{wrong}")
        assert (answer.status_code, answer.json["code"]) == (404, "store.unknown")
        assert "choose one of ruff-2/2, ruff/2, ruff/1" in answer.json["detail"]
    for wrong in (
        "game=ruff",
        "game=skat&rules=ruff/2",
        "game=ruff&rules=ruff/2&after=x",
        "game=ruff&rules=ruff/2&outcome=x",
    ):
        assert client.get(f"/api/v1/stats/what-if?{wrong}").status_code == 400


def test_an_answer_that_takes_long_is_asked_for_again_and_never_computed_twice(
    club: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = [], threading.Event()

    def slow(*_: object) -> WhatIf:
        begun.append(1)
        go.wait(LIMIT)
        return WhatIf(hands=7)

    monkeypatch.setattr(what_if_answers, "what_if", slow)
    monkeypatch.setattr(what_if_answers, "LARGE", 0)
    WhatIfAnswers.of(ledger_of(club)).patience = 0.01
    client = club.test_client()
    for _ in range(3):
        answer = client.get(ASKED)
        assert (answer.status_code, answer.json["code"]) == (503, "store.computing")
        assert answer.headers["Retry-After"] == str(problems.SECONDS)
    go.set()
    WhatIfAnswers.of(ledger_of(club)).patience = LIMIT
    assert [client.get(ASKED).json["hands"] for _ in range(2)] == [7, 7]
    assert begun == [1]


def test_after_an_event_the_last_answer_is_given_until_a_newer_one_is_there(
    club: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, ledger = club.test_client(), ledger_of(club)
    before = client.get(ASKED).json
    WhatIfAnswers.of(ledger).patience = LIMIT
    go, judge = threading.Event(), what_if_answers.what_if
    monkeypatch.setattr(what_if_answers, "what_if", lambda *asked: go.wait(LIMIT) and judge(*asked))
    ledger.record(None, evening("ruff", hands=1)[0], 0)
    assert client.get(ASKED).json == before
    go.set()
    wait_until(lambda: client.get(ASKED).json["position"] > before["position"], "a newer answer")
    assert client.get(ASKED).json["hands"] == before["hands"] + 1


@pytest.mark.long
def test_a_large_ledger_is_judged_in_a_process_with_the_same_answer(
    club: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = WhatIfAnswers.of(ledger_of(club)).get("ruff", "ruff-2/2")
    monkeypatch.setattr(what_if_answers, "LARGE", 0)
    Shelf.of(ledger_of(club).views).clear()
    assert WhatIfAnswers.of(ledger_of(club)).get("ruff", "ruff-2/2") == here


def test_only_the_newest_hands_are_listed_and_all_are_counted(club: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [*pages(club.test_client(), f"{ASKED}&limit=200")]
    monkeypatch.setattr(what_if_answers, "MOST", 2)
    Shelf.of(ledger_of(club).views).clear()
    told = club.test_client().get(ASKED).json
    assert told["otherwise"] == whole[:2]
    assert told["hands"] - told["same"] == len(whole)


def test_a_match_whose_cards_another_table_has_yet_to_play_is_left_out_until_then(empty: Flask) -> None:
    ledger, events = ledger_of(empty), dealt("ruff", "cautious", 3)
    WhatIfAnswers.of(ledger).patience = None
    other = dealt("ruff", "random", 3)
    ledger.record(None, at(events, A), 0)
    ledger.record(None, at(other, B)[: deal(other, 1) + 1], 0)
    reader = as_role(empty, "reader")
    told = reader.get(ASKED).json
    assert (told["hands"], told["otherwise"], told["matches"]["complete"]) == (0, [], 0)
    assert (told["waiting"], told["left_out"]) == (1, {"under way": 1})
    ledger.record(B, at(other, B)[deal(other, 1) + 1 :], deal(other, 1) + 1)
    told = reader.get(ASKED).json
    assert (told["hands"], told["waiting"]) == (4, 0)


def test_a_hand_that_became_secret_since_is_not_in_the_last_answer(
    empty: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, events = ledger_of(empty), dealt("ruff", "cautious", 3, 4)
    answers = WhatIfAnswers.of(ledger)
    answers.patience = None
    ledger.record(None, at(events, A), 0)
    listed = as_role(empty, "reader").get(ASKED).json["otherwise"]
    assert {one["match"] for one in listed} == {A}
    answers.patience = LIMIT
    go, judge = threading.Event(), what_if_answers.what_if
    monkeypatch.setattr(what_if_answers, "what_if", lambda *asked: go.wait(LIMIT) and judge(*asked))
    ledger.record(None, at(events, B)[: deal(events, 1) + 1], 0)
    assert as_role(empty, "reader").get(ASKED).json["otherwise"] == []
    go.set()


def test_python_has_the_same_hands(club: Flask) -> None:
    pytest.importorskip("pyarrow")
    found = command(club)
    with cardledger.open(str(ledger_of(club).at)) as opened:
        table = opened.what_if("ruff-2/2", "ruff")
        assert opened.what_if("ruff/2").num_rows == 0
    facts = json.loads(table.schema.metadata[b"cardledger"])
    assert {name: facts[name] for name in ("hands", "same", "stops", "points", "left_out", "unfit")} == {
        name: found[name] for name in ("hands", "same", "stops", "points", "left_out", "unfit")
    }
    assert facts["position"] == ledger_of(club).store.last_position()
    told = [
        (
            one["match"],
            one["hand"],
            one["seq"],
            one["stops"],
            json.loads(one["scores"]),
            one["other"] and json.loads(one["other"]),
        )
        for one in table.to_pylist()
    ]
    assert told == [
        (one["match"], one["hand"], one["seq"], one["stops"], one["scores"], one["other"]) for one in found["otherwise"]
    ]
