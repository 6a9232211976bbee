"""The table through the API: any moment, as one may see it; questions that store nothing; the audit trail."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cardledger.errors import LedgerError
from cardledger.record.matches.seat_view import SPECTATOR, full_view, seat_view
from cardledger.record.matches.shape import event_of
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import event_in
from cardledger.rules.stream import Stream
from cardledger_web.app import create_app, ledger_of
from tests.api.recording import GAMES, NOTE, append, as_role, match_of, opened, plain
from tests.api.worlds import world_like

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

STOCK_GAMES = ("diamonds-draw", "hecto-diversity")


def under_way(game: str, seed: int, every: int) -> Iterator[tuple[list[ev.Event], Stream]]:
    """Yield beginnings of a match that end within a hand, with the stream of each."""
    first, *rest = match_of(game, seed, hands=2, policy="record")
    stream = Stream(first)
    for place, event in enumerate(rest, 2):
        stream.append(event)
        if place % every == 0 and not stream.table.hand.over:
            yield [first, *rest[: place - 1]], stream


def folded(events: list[ev.Event]) -> Stream | None:
    """Return the stream of a match, None for one that cannot be."""
    try:
        return Stream.of(events)
    except LedgerError:
        return None


def moment(table: Any) -> tuple[object, ...]:
    """What everybody can see of a moment; in `diamonds-draw` also whether diamonds may be led, which reveals no revoke."""
    return table.hand.moment, table.hand.turn, table.hand and table.hand.number, getattr(table.hand, "ruffed", None)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_cards_not_seen_change_nothing_in_the_view_of_a_seat(game: str) -> None:
    rng, compared, different = Random(game), 0, 0
    for seed in range(6):
        for events, stream in under_way(game, seed, 5):
            table = stream.table
            for seat in (SPECTATOR, *range(table.n)):
                other = folded(world_like(events, table, seat, rng))
                if other is None or moment(other.table) != moment(table):
                    continue
                compared += 1
                different += full_view(table) != full_view(other.table)
                assert seat_view(table, seat) == seat_view(other.table, seat)
    assert compared > 50
    assert different > compared / 2


def test_a_view_that_peeks_is_found_out() -> None:
    rng = Random(1)
    found = False
    for events, stream in under_way("ruff", 1, 5):
        other = folded(world_like(events, stream.table, 0, rng))
        found = found or (other is not None and full_view(stream.table) != full_view(other.table))
    assert found


def fixed(events: list[ev.Event]) -> list[ev.Event]:
    """Return events with ids and times that do not depend on when they are recorded."""
    return [
        msgspec.structs.replace(event, id=f"00000000-0000-4000-8000-{place:012x}", at="2026-01-02T03:04:05Z")
        for place, event in enumerate(events, 1)
    ]


@pytest.mark.parametrize(
    "game", [game if game == "diamonds-draw" else pytest.param(game, marks=pytest.mark.long) for game in GAMES]
)
def test_readers_cannot_learn_cards_in_play_from_any_question(game: str, tmp_path: Path) -> None:
    rng, compared = Random(game), 0
    # A hand that is over, then corrections and one under way that was begun twice.
    for number, (events, stream) in enumerate(under_way(game, 3, 16)):
        table = stream.table
        other = folded(world_like(events, table, SPECTATOR, rng))
        if other is None or moment(other.table) != moment(table) or compared > 4:
            continue
        compared += 1
        answers = []
        for name, world in (("a", events), ("b", world_like(events, table, SPECTATOR, Random(number)))):
            if name == "b" and ((again := folded(world)) is None or moment(again.table) != moment(table)):
                break
            deal = next(event for event in reversed(world) if isinstance(event, ev.Deal))
            place = world.index(deal)
            amends = [ev.Amend(about=place + 1, event=deal), ev.Retract(to=place), *world[place:]]
            app = create_app(tmp_path / f"{number}{name}.db")
            try:
                ledger_of(app).record(None, fixed([*world, *amends]), 0, "test")
                answers.append(asked(as_role(app, "reader")))
            finally:
                ledger_of(app).close()
        if len(answers) == 2:
            assert answers[0] == answers[1]
    assert compared > 1


def asked(client: FlaskClient) -> list[object]:
    """Return everything a reader can learn of a match."""
    id = client.get("/api/v1/matches").json["matches"][0]["id"]
    seq = client.get(f"/api/v1/matches/{id}").json["seq"]
    paths = [
        "",
        "/events",
        "/table",
        "/table?view=spectator",
        "/audit",
        "/hands/1/replay",
        "/hands/2/replay",
        *(f"/table?at={at}" for at in range(1, seq)),
    ]
    answers = [client.get(f"/api/v1/matches/{id}{path}") for path in paths]
    answers += [
        client.get(f"/api/v1/{path}") for path in ("matches", "violations", "export", "matches?violations=true")
    ]
    answers += [client.get(f"/api/v1/matches/{id}/table?view={view}") for view in ("all", "0", "1")]
    answers += [client.post(f"/api/v1/matches/{id}/what-if", json={"events": [NOTE]})]
    assert {answer.status_code for answer in answers[-4:]} == {403}
    return [answer.text for answer in answers]


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_match_can_be_read(game: str, empty: Flask) -> None:
    client, events = empty.test_client(), match_of(game, hands=1)
    match, stream = opened(client, events), Stream(events[0])
    for at, event in enumerate(events[1:60], 2):
        stream.append(event)
        answer = client.get(f"/api/v1/matches/{match}/table?at={at}&view=all").json
        expected = json.loads(json.dumps(full_view(stream.table))) | {"seq": at}
        for choice in answer["choices"]:
            assert ("dealing" in choice) == (choice["type"] == "deal")
            for key in ("dealing", "event", "fill"):
                choice.pop(key, None)
        assert {key: answer[key] for key in expected} == expected


def test_the_table_gives_the_number_of_counting_events_so_that_an_entry_meets_its_turn(empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client, match_of("diversity", hands=1)[:5])
    path = f"/api/v1/matches/{match}"
    counted = [client.get(f"{path}/table?at={at}").json["counted"] for at in range(1, 6)]
    assert counted == [1, 2, 3, 4, 5]
    append(client, match, [NOTE, {"type": "retract", "to": 3}, NOTE], "*")
    assert [client.get(f"{path}/table?at={at}").json["counted"] for at in (6, 7, 8)] == [5, 3, 3]
    tried = {"events": [{"type": "note", "text": "nothing"}, {"type": "retract", "to": 2}]}
    assert client.post(f"{path}/what-if", json=tried).json["counted"] == 2
    assert client.get(f"{path}/table").json["counted"] == 3


def test_a_time_that_never_was_is_refused(client: FlaskClient) -> None:
    match = client.get("/api/v1/matches").json["matches"][0]["id"]
    for path in ("table?at=0", "table?at=9999", "audit?at=9999", "table?view=7"):
        answer = client.get(f"/api/v1/matches/{match}/{path}")
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "table.range")
    assert client.get(f"/api/v1/matches/{match}/table?view=me").status_code == 400
    assert client.get("/api/v1/matches/nonsense/table").status_code == 404


def test_readers_see_a_hand_when_it_is_over_or_the_match_is(empty: Flask) -> None:
    client, reader = empty.test_client(), as_role(empty, "reader")
    match = opened(client, match_of("ruff", hands=1)[:8])
    path = f"/api/v1/matches/{match}/table"
    assert reader.get(f"{path}?at=5").json["view"] == "spectator"
    assert client.get(f"{path}?at=5").json["view"] == "all"
    append(client, match, [{"type": "score", "scores": [1, 2, 3]}], "*")
    assert reader.get(f"{path}?at=5").json == client.get(f"{path}?at=5").json
    append(client, match, [{"type": "retract", "to": 8}], "*")
    assert reader.get(f"{path}?at=5&view=0").status_code == 403
    append(client, match, [{"type": "end"}], "*")
    assert reader.get(f"{path}?at=5&view=0").json["hands"][0]
    assert reader.get(f"/api/v1/matches/{match}/events").json == client.get(f"/api/v1/matches/{match}/events").json


@pytest.mark.parametrize("game", STOCK_GAMES)
def test_the_next_player_does_not_learn_the_drawn_card(game: str, empty: Flask) -> None:
    client = empty.test_client()
    for events, stream in under_way(game, 1, 1):
        if stream.table.hand.moment == "draw":
            match = opened(client, events)
            answer = client.get(f"/api/v1/matches/{match}/table?view={stream.table.hand.turn}").json
            stock = next(choice for choice in answer["choices"] if choice.get("from") == ["stock"])
            assert "cards" not in stock
            assert sum(cards is not None for cards in answer["hands"]) == 1
            return
    pytest.fail("nobody drew")


def test_a_question_is_judged_and_never_stored(empty: Flask) -> None:
    client = empty.test_client()
    events = match_of("ruff", hands=1, policy="record")
    match = opened(client, events[:2])
    path = f"/api/v1/matches/{match}/what-if"
    answer = client.post(path, json={"events": plain(events[2:10])})
    table = Stream.of(events[:10]).table
    assert answer.json["hands"] == full_view(table)["hands"]
    assert (answer.json["seq"], answer.json["violations"]) == (10, [])
    assert client.get(f"/api/v1/matches/{match}").json["seq"] == 2
    earlier = client.post(path, json={"at": 1, "events": [NOTE]}).json
    assert (earlier["seq"], earlier["phase"]) == (2, "deal")
    wrong = client.post(path, json={"events": [NOTE, {"type": "play", "seat": 0, "card": "XX"}]})
    assert (wrong.status_code, wrong.get_json(force=True)["index"]) == (422, 1)


def test_a_question_cannot_have_a_match_played_again_for_ever(empty: Flask) -> None:
    """Each amendment plays again all that came after it: a reader may ask for that, but not for minutes of it."""
    score = {"type": "score", "scores": [5, 4, 3, 1]}
    hands = [event for hand in range(500) for event in ({"type": "deal", "dealer": hand % 4, "hands": None}, score)]
    opening = {"type": "open", "game": "diversity", "players": ["a", "b", "c", "d"], "options": {"hands": 1000}}
    match = opened(as_role(empty, "scorer"), [event_of(event) for event in (opening, *hands, {"type": "end"})])
    amend = {"type": "amend", "about": 3, "event": score | {"scores": [4, 5, 3, 1]}}
    reader, path = as_role(empty, "reader"), f"/api/v1/matches/{match}/what-if"
    assert reader.post(path, json={"events": [amend]}).status_code == 200
    refused = reader.post(path, json={"events": [amend] * 1000})
    assert (refused.status_code, refused.get_json(force=True)["code"]) == (400, "format.size")


def test_a_question_names_the_violations_it_would_bring(empty: Flask) -> None:
    client = empty.test_client()
    events = match_of("ruff", hands=1, policy="record")
    match = opened(client, events[:2])
    choices = client.get(f"/api/v1/matches/{match}/table").json
    lead = {"type": "play", "seat": choices["turn"], "card": choices["choices"][0]["cards"][0]}
    after = client.post(f"/api/v1/matches/{match}/what-if", json={"events": [lead]}).json
    seat, legal = after["turn"], after["choices"][0]["cards"]
    wrong = next(card for card in after["hands"][seat] if card not in legal)
    play = {"type": "play", "seat": seat, "card": wrong}
    found = client.post(f"/api/v1/matches/{match}/what-if", json={"events": [lead, play]}).json["violations"]
    assert found == [{"seq": 4, "seat": seat, "rule": "follow.suit", "legal": sorted(legal)}]


def test_readers_may_try_events_between_hands_but_not_retracts(empty: Flask) -> None:
    match = opened(empty.test_client(), match_of("ruff", hands=1)[:1])
    path, reader = f"/api/v1/matches/{match}/what-if", as_role(empty, "reader")
    assert reader.post(path, json={"events": [NOTE]}).status_code == 200
    assert reader.post(path, json={"events": [{"type": "retract", "to": 1}]}).status_code == 403


def test_an_audit_gives_the_outcome_of_every_event(empty: Flask) -> None:
    client = empty.test_client()
    match = opened(client, [*match_of("diversity", hands=1)[:4], ev.Retract(to=3)])
    trail = client.get(f"/api/v1/matches/{match}/audit").json["events"]
    assert [item["seq"] for item in trail] == [1, 2, 3, 4, 5]
    assert trail[3]["counts"] is None
    assert trail[2]["counts"] == trail[2]["event"]
    assert {"rule": "play.any", "verdict": "allowed"}.items() <= trail[2]["rulings"][0].items()
    assert len(client.get(f"/api/v1/matches/{match}/audit?at=2").json["events"]) == 2


@pytest.mark.long
def test_readers_get_events_in_the_form_of_events(empty: Flask) -> None:
    for game in GAMES:
        for events, _ in under_way(game, 1, 11):
            match = opened(empty.test_client(), events)
            shown = as_role(empty, "reader").get(f"/api/v1/matches/{match}/events").json["events"]
            assert [event_in(event, "event") for event in shown]
            deal = [event for event in shown if event["type"] == "deal"][-1]
            assert deal["hands"] is None
            assert "stock" not in deal


def test_an_old_ledger_shows_its_tables(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, match_of("ruff", hands=1), 0).match
    app = create_app(tmp_path / "club.db")
    try:
        assert as_role(app, "reader").get(f"/api/v1/matches/{match}/table").status_code == 200
    finally:
        ledger_of(app).close()
