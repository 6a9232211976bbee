"""Replays through the API: every position of a hand at once, following corrections, and nobody's secrets."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from tests.api.recording import GAMES, as_role, match_of, opened
from tests.api.test_table import folded, moment, under_way
from tests.api.worlds import world_like

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

ONCE = ("match", "view", "seq", "counted", "game", "players", "violations")


def replay(client: FlaskClient, match: str, hand: int, query: str = "") -> dict[str, Any]:
    answer = client.get(f"/api/v1/matches/{match}/hands/{hand}/replay{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def unfolded(answer: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each step with its whole table."""
    state: dict[str, Any] = {}
    for step in answer["steps"]:
        state = state | step["table"]
        yield step, state


def table(client: FlaskClient, match: str, at: int, view: str = "all") -> dict[str, Any]:
    answer = client.get(f"/api/v1/matches/{match}/table?at={at}&view={view}").json
    return {key: value for key, value in answer.items() if key not in ONCE}


def club(client: FlaskClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/v1/matches?limit=200").json["matches"]
    return found


@pytest.mark.long
@pytest.mark.parametrize("view", ["all", "spectator", "1"])
@pytest.mark.parametrize("game", GAMES)
def test_each_step_has_the_table_after_its_event(game: str, view: str, empty: Flask) -> None:
    client, compared = empty.test_client(), 0
    match = opened(client, match_of(game, hands=2, policy="record"))
    for hand in range(1, client.get(f"/api/v1/matches/{match}").json["hands"] + 1):
        answer = replay(client, match, hand, f"?view={view}")
        # Of a very long hand some positions will do.
        for step, state in islice(unfolded(answer), 0, None, 1 + len(answer["steps"]) // 50):
            if answer["end"] is None or step["seq"] < answer["end"]:
                expected = table(client, match, step["seq"], view)
                for choice in expected["choices"]:
                    choice.pop("dealing", None)  # only who is to deal needs to know
                assert {key: state[key] for key in expected} == expected
                compared += 1
    assert compared > 20


@pytest.mark.parametrize("game", GAMES)
def test_the_hands_of_a_match_share_out_its_events(game: str, empty: Flask) -> None:
    client = empty.test_client()
    events = match_of(game, hands=3)
    match = opened(client, events)
    answers = [
        replay(client, match, hand) for hand in range(1, client.get(f"/api/v1/matches/{match}").json["hands"] + 1)
    ]
    assert [step["seq"] for answer in answers for step in answer["steps"]] == list(range(1, len(events) + 1))
    assert [(answer["first"], answer["last"]) for answer in answers] == [
        (answer["steps"][0]["seq"], answer["steps"][-1]["seq"]) for answer in answers
    ]


@pytest.mark.long
def test_the_rulings_are_those_of_the_audit(client: FlaskClient) -> None:
    for row in club(client):
        trail = {item["seq"]: item for item in client.get(f"/api/v1/matches/{row['id']}/audit").json["events"]}
        for hand in range(1, max(1, min(row["hands"], 4)) + 1):
            for step in replay(client, row["id"], hand)["steps"]:
                assert step["rulings"] == trail[step["seq"]]["rulings"]
                assert step["counts"] == trail[step["seq"]]["counts"]


@pytest.mark.long
def test_tricks_know_where_they_end(client: FlaskClient) -> None:
    seen = 0
    for row in club(client):
        for hand in range(1, min(row["hands"], 4) + 1):
            answer = replay(client, row["id"], hand)
            steps = {step["seq"]: step for step in answer["steps"]}
            shown = client.get(f"/api/v1/matches/{row['id']}").json["result"]["hands"][hand - 1]
            assert [
                {key: trick[key] for key in ("leader", "cards", "taker", "rule")} for trick in answer["tricks"]
            ] == shown["tricks"]
            for number, trick in enumerate(answer["tricks"], 1):
                assert steps[trick["seq"]]["tricks"] == number
                assert steps[trick["seq"]]["counts"]["card"] == trick["cards"][-1]
                assert not trick["back"] or trick["taker"] is None
                seen += trick["back"]
    assert seen, "no tie went back in hand"


def test_a_replay_follows_the_counting_events_and_shows_corrections(empty: Flask) -> None:
    client = empty.test_client()
    events = match_of("diversity", hands=1)
    play = events[3]
    assert isinstance(play, ev.Play)
    other = next(face for face in events[1].hands[play.seat] if face != play.card)  # type: ignore[union-attr]
    # The third play is taken back and made again, the second turns out to have been another card.
    match = opened(
        client,
        [*events[:5], ev.Retract(to=4), events[4], ev.Amend(about=4, event=ev.Play(seat=play.seat, card=other)), ev.Note(text="so it was")],
    )  # fmt: skip
    steps = {step["seq"]: (step, state) for step, state in unfolded(replay(client, match, 1))}
    assert [seq for seq, (step, _) in steps.items() if step["counts"]] == [1, 2, 3, 4, 7]
    amended, state = steps[4]
    assert (amended["by"], amended["counts"]["card"], amended["event"]["card"]) == (8, other, play.card)
    assert (other in amended["words"], play.card in amended["recorded"]) == (True, True)
    assert state["trick"]["cards"][-1] == other
    gone, state = steps[5]
    assert (gone["by"], gone["counts"], gone["rulings"], state) == (6, None, [], steps[4][1])
    assert steps[7][1]["trick"]["cards"] == [events[2].card, other, events[4].card]  # type: ignore[union-attr]
    assert [step["by"] for step, _ in steps.values() if step["event"]["type"] in ("note", "retract", "amend")] == [
        None
    ] * 3
    assert [event["about"] for event in replay(client, match, 1)["amendments"]] == [4]


def test_restored_events_count_again(empty: Flask) -> None:
    client = empty.test_client()
    events = match_of("diversity", hands=1)
    match = opened(client, [*events[:6], ev.Retract(to=4), ev.Retract(to=6)])
    steps = replay(client, match, 1)["steps"]
    assert [step["by"] for step in steps] == [None] * 8
    assert [step["seq"] for step in steps if step["counts"]] == [1, 2, 3, 4, 5, 6]


def test_an_amendment_brought_back_is_named_again(empty: Flask) -> None:
    client = empty.test_client()
    events = match_of("diversity", hands=1)
    play = events[2]
    assert isinstance(play, ev.Play)
    other = next(face for face in events[1].hands[play.seat] if face != play.card)  # type: ignore[union-attr]
    amend = ev.Amend(about=3, event=ev.Play(seat=play.seat, card=other))
    match = opened(client, [*events[:3], amend, ev.Retract(to=2), ev.Retract(to=4)])
    (step,) = [step for step in replay(client, match, 1)["steps"] if step["seq"] == 3]
    assert (step["by"], step["counts"]["card"]) == (4, other)


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_hand_stays_on_the_table(game: str, empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client, match_of(game, hands=1))
    answer = replay(client, match, 1)
    _, state = [*unfolded(answer)][-1]
    assert answer["end"] is not None
    assert state["totals"] == answer["scores"]
    if game == "hecto-diversity":
        assert [len(cards) for cards in state["hands"]].count(7) >= 2
    elif game == "diamonds-draw":
        points = [sum(2 if face.endswith("D") else 1 for face in cards) for cards in state["hands"]]
        assert points == answer["scores"]
    else:
        assert state["hands"] == [[] for _ in answer["players"]]
        assert sum(state["tricks_taken"]) == sum(trick["taker"] is not None for trick in answer["tricks"])


@pytest.mark.long
def test_unrecorded_facts_are_not_made_up(client: FlaskClient) -> None:
    kinds = set()
    for row in club(client):
        for hand in range(1, min(row["hands"], 4) + 1):
            answer = replay(client, row["id"], hand)
            _, state = [*unfolded(answer)][-1]
            kinds.add((answer["hidden"], answer["ended_by"]))
            if answer["hidden"] and answer["ended_by"] in ("claim", "score"):
                assert state["hands"] is None
            elif answer["ended_by"] == "play":
                assert state["hands"] is not None
    assert {(True, "play"), (True, "claim"), (False, "claim"), (False, "score")} & kinds
    assert (True, "play") in kinds


@pytest.mark.parametrize("game", GAMES)
def test_a_view_shows_nothing_that_was_not_seen(game: str, empty: Flask) -> None:
    client, rng, compared = empty.test_client(), Random(game), 0
    for events, stream in under_way(game, 2, 9):
        for seat, view in ((-1, "spectator"), (0, "0")):
            other = world_like(events, stream.table, seat, rng)
            again = folded(other)
            if again is None or moment(again.table) != moment(stream.table) or compared > 6:
                continue
            number = len(stream.table.hands)
            shown = []
            for world in (events, other):
                match = opened(client, [*world, ev.End()])
                answer = replay(client, match, number, f"?view={view}")
                # Violations are public once the match is over.
                shown.append(
                    [
                        step
                        | {"rulings": []}
                        | {"event": _plain(step["event"]), "counts": step["counts"] and _plain(step["counts"])}
                        for step in answer["steps"]
                    ]
                )
            compared += 1
            assert shown[0] == shown[1]
    assert compared > 2


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in ("id", "at", "by")}


def test_readers_see_a_hand_under_way_as_spectators(empty: Flask) -> None:
    client, reader = empty.test_client(), as_role(empty, "reader")
    match = opened(client, match_of("ruff", hands=1)[:8])
    path = f"/api/v1/matches/{match}/hands/1/replay"
    answer = replay(reader, match, 1)
    assert answer["view"] == "spectator"
    assert [step["rulings"] for step in answer["steps"] if step["seq"] > 1] == [[]] * 7
    assert all(step["withheld"] for step in answer["steps"] if step["seq"] > 1)
    assert "not recorded" not in answer["steps"][1]["words"]
    assert reader.get(f"{path}?view=all").status_code == reader.get(f"{path}?view=0").status_code == 403
    assert replay(client, match, 1)["view"] == "all"


def test_missing_hands_and_impossible_views_give_different_errors(client: FlaskClient) -> None:
    match = club(client)[0]["id"]
    path = f"/api/v1/matches/{match}/hands"
    assert client.get(f"{path}/9/replay").status_code == 404
    assert client.get(f"{path}/0/replay").status_code == 404
    assert client.get(f"{path}/x/replay").status_code == 404
    assert client.get(f"{path}/1/replay?view=7").status_code == 422
    assert client.get(f"{path}/1/replay?view=me").status_code == 400


def test_a_match_before_its_first_deal_has_a_replay(empty: Flask) -> None:
    client = empty.test_client()
    answer = replay(client, opened(client), 1)
    assert (answer["hand"], answer["end"], len(answer["steps"])) == (0, None, 1)
    assert answer["steps"][0]["table"]["phase"] == "deal"


def test_one_fold_makes_all_positions(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many events a hand has, each is applied once (a hidden hand's once more, to judge it)."""
    row = next(
        row
        for row in club(client)
        if row["game"] == "diversity" and row["status"] == "complete" and not row["violations"]
    )
    applied = []
    kind = type(Stream.of(match_of("diversity", hands=1)[:1]).table)
    apply = kind.apply
    monkeypatch.setattr(kind, "apply", lambda table, event, seq: (applied.append(seq), apply(table, event, seq))[1])
    answer = replay(client, row["id"], 1)
    assert len(applied) <= 2 * len(answer["steps"])
