"""The same deal at several tables: no answer reveals its cards while a table is playing them or will play them."""

from __future__ import annotations

import re
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cardledger.record.readmodels.questions import shared_deals
from cardledger.record.readmodels.questions.violation_list import judged_hands, rule_counts
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import readers
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from cardledger.study.analyse.what_if_answers import WhatIfAnswers, comparable
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.reviews import compute
from cardledger_api.resources.tables import TABLES
from cardledger_web.app import ledger_of
from tests.api.recording import GAMES, as_role
from tests.api.test_live import Listener, serving
from tests.tables import step
from tests.web.conftest import opened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from cardledger.record.recording.ledger import Ledger

EVENT = {"event": "Duplicate", "date": "2026-03-07"}
A, B, C = (f"{letter * 8}-1111-4111-8111-{letter * 12}" for letter in "abc")


def dealt(game: str = "diversity", bot: str = "random", seed: int = 1, hands: int = 2, **more: Any) -> list[ev.Event]:
    """Return a match; matches with the same seed have the same deals, with any players."""
    n = 4 if 4 in games()[game].players else games()[game].players[0]
    return simulate(game, n, Random(seed), [bot], max_hands=hands, **more)


def at(events: Sequence[ev.Event], id: str, **more: Any) -> list[ev.Event]:
    """Return a match with an id of its own, at the event."""
    opening = msgspec.structs.replace(events[0], **{**EVENT, "id": id, **more})
    return [opening, *events[1:]]


def deal(events: Sequence[ev.Event], number: int) -> int:
    """Return the place of a deal in a match."""
    return [place for place, event in enumerate(events) if isinstance(event, ev.Deal)][number - 1]


def surfaces(app: Flask, match: str, hands: int = 2) -> list[str]:
    """Return every address that shows a match, or of matches."""
    api = f"/api/v1/matches/{match}"
    seq = ledger_of(app).stream(match).seq
    with_seq = [f"{api}/table?at={at}" for at in range(1, seq + 1, 3)]
    of_hands = [f"{api}/hands/{hand}{more}" for hand in range(1, hands + 1) for more in ("", "/replay")]
    pages = [
        f"/matches/{match}{more}"
        for more in ("", ".jsonl", ".csv", "/audit", "/audit?show=broken", "/receipt", "/receipt.json")
    ]
    pages += [f"/matches/{match}/hands/{hand}" for hand in range(1, hands + 1)]
    pages += [f"/matches/{match}/replay/{at}" for at in range(1, seq + 1, 7)]
    lists = ["/", "/matches", "/hands", "/violations", "/worth-seeing", "/search?q=ana", "/tables/worth-seeing.csv"]
    lists += [
        f"/api/v1/{name}"
        for name in ("matches", "hands", "violations", "violations/counts", "deals", "export", "hands/worth-seeing")
    ]
    one = [f"{api}{more}" for more in ("", "/events", "/audit", "/audit?show=broken", "/review", "/proof", "/receipt")]
    return [*one, *with_seq, *of_hands, *pages, *lists]


def totals(game: str, player: str) -> list[str]:
    """Return every address that shows many hands together, or of a player's."""
    api, query = "/api/v1", f"game={game}&player={player}"
    by = [f"{api}/players/{player}/stats?by={by}" for by in ("lead", "turn", "month")]
    api_only = [f"{api}/luck?game={game}", f"{api}/stats/players?game={game}", f"{api}/stats/ratings?game={game}"]
    api_only += [f"{api}/players/{player}", f"{api}/hands?rule=trick.led-suit", f"{api}/violations?player={player}"]
    pages = [f"/players/{player}", f"/players/{player}?by=lead", f"/games/{game}", f"/games/{game}/leaders", "/season"]
    rules = comparable(game)[-1]
    api_only += [f"{api}/stats/what-if?game={game}&rules={rules}"]
    pages += [f"/stats/{game}/what-if?rules={rules}", f"/tables/what-if.csv?game={game}&rules={rules}"]
    pages += [f"/stats/{game}", f"/players/{player}/against/random-b"]
    tables = [f"/tables/{name}.csv?{query}&by=lead&other=random-b" for name in TABLES if name != "deal"]
    return [*by, *api_only, *pages, *tables]


def told(client: FlaskClient, addresses: Sequence[str]) -> dict[str, str]:
    """Return the answers at each address, without the parts that change between requests."""
    found = {}
    WhatIfAnswers.of(ledger_of(client.application)).patience = None
    for address in addresses:
        with client.get(address) as answer:
            assert answer.status_code in (200, 302, 403, 404, 409), (address, answer.text[:300])
            text = re.sub(r'"request_id":"[^"]*"|\d\d:\d\d(:\d\d[.\d]*)?', "", answer.text)
            found[address] = f"{answer.status_code} {text}"
    return found


def shown(client: FlaskClient, match: str, hand: int) -> bool:
    """Tell whether somebody sees the cards of a hand that is over, in the events and on the pages alike."""
    whole = client.get(f"/api/v1/matches/{match}").json["result"]["hands"][hand - 1]
    events = client.get(f"/api/v1/matches/{match}/events").json["events"]
    plays = [event["card"] for event in events[whole_deal(events, hand) :] if event["type"] == "play"]
    ways = {
        bool(whole["tricks"]),
        "?" not in plays[:4],
        client.get(f"/api/v1/matches/{match}/hands/{hand}/replay").status_code == 200,
        "Its cards are shown when" not in client.get(f"/matches/{match}/hands/{hand}").text,
    }
    assert len(ways) == 1, "all of them agree"
    return ways.pop()


def whole_deal(events: Sequence[dict[str, Any]], hand: int) -> int:
    return [place for place, event in enumerate(events) if event["type"] == "deal"][hand - 1]


@pytest.fixture
def ledger_(empty: Flask) -> Ledger:
    """The ledger of the application."""
    return ledger_of(empty)


@pytest.fixture
def reader(empty: Flask) -> FlaskClient:
    """Somebody who may only read."""
    return as_role(empty, "reader")


@pytest.mark.parametrize("game", [game for game in GAMES if games()[game].deal.left_over != "stock"])
def test_a_board_that_another_table_plays_is_hidden_until_that_table_is_done(
    game: str, empty: Flask, ledger_: Ledger, reader: FlaskClient
) -> None:
    one, other = dealt(game, hands=1), dealt(game, "cautious", hands=1)
    ledger_.record(A, at(one, A), 0)
    assert shown(reader, A, 1), "nobody else has a match there"
    ledger_.record(B, at(other[:-3], B), 0)
    assert not shown(reader, A, 1)
    assert shown(as_role(empty, "scorer"), A, 1)
    ledger_.record(B, other[-3:], len(other) - 3)
    assert shown(reader, A, 1)
    assert shown(reader, B, 1)


def test_the_same_cards_are_hidden_at_any_event_and_at_other_seats(ledger_: Ledger, reader: FlaskClient) -> None:
    one = dealt(hands=1)
    ledger_.record(A, at(one, A, event=None, date="2020-01-01"), 0)
    place = deal(one, 1)
    turned = msgspec.structs.replace(one[place], hands=(*one[place].hands[1:], one[place].hands[0]), dealer=3)
    ledger_.record(B, [*at(one[:place], B, event="Elsewhere"), turned], 0)
    assert not shown(reader, A, 1)
    ledger_.record(B, [ev.End()], place + 1)
    assert shown(reader, A, 1)


def test_a_board_that_another_table_of_the_event_is_to_play_waits_for_it(ledger_: Ledger, reader: FlaskClient) -> None:
    one, other = dealt(), dealt(bot="cautious")
    second = deal(other, 2)
    ledger_.record(A, at(one, A), 0)
    ledger_.record(B, at(other[:second], B), 0)
    assert [shown(reader, A, hand) for hand in (1, 2)] == [True, False]
    ledger_.record(B, other[second : second + 5], second)
    assert [shown(reader, A, hand) for hand in (1, 2)] == [True, False]
    ledger_.record(B, other[second + 5 :], second + 5)
    assert [shown(reader, A, hand) for hand in (1, 2)] == [True, True]


def test_boards_may_be_played_in_another_order(ledger_: Ledger, reader: FlaskClient) -> None:
    """Two tables had the same deal: a third table is expected to play every other deal, though it began with another one."""
    one, other, third = dealt(hands=1), dealt(bot="cautious", hands=1), dealt(seed=2, hands=1)
    ledger_.record(B, at(third[:9], B), 0)
    ledger_.record(A, at(one, A), 0)
    assert shown(reader, A, 1)
    ledger_.record(C, at(other, C), 0)
    assert not shown(reader, A, 1)
    assert not shown(reader, C, 1)
    ledger_.record(B, [ev.End()], 9)
    assert shown(reader, A, 1)


def test_a_recorded_board_waits_for_a_table_of_the_event_that_has_not_begun(
    ledger_: Ledger, reader: FlaskClient
) -> None:
    one, other = dealt(), dealt(seed=2)
    ledger_.record(A, at(one, A), 0)
    ledger_.record(B, at(other[:1], B), 0)
    assert not shown(reader, A, 1)
    ledger_.record(B, other[1:2], 1)
    assert shown(reader, A, 1), "what is dealt there is something else: everybody has cards of their own"


@pytest.mark.parametrize("more", [{"event": "Another"}, {"date": "2026-03-14"}, {"event": None}])
def test_tables_of_another_event_or_day_are_not_waited_for(
    more: dict[str, Any], ledger_: Ledger, reader: FlaskClient
) -> None:
    one, other = dealt(), dealt(bot="cautious")
    ledger_.record(A, at(one, A), 0)
    ledger_.record(B, at(other[: deal(other, 2)], B, **more), 0)
    assert [shown(reader, A, hand) for hand in (1, 2)] == [True, True]


def test_an_evening_spans_midnight(ledger_: Ledger, reader: FlaskClient) -> None:
    one, other = dealt(), dealt(bot="cautious")
    ledger_.record(A, at(one, A), 0)
    ledger_.record(B, at(other[: deal(other, 2)], B, date="2026-03-08"), 0)
    assert [shown(reader, A, hand) for hand in (1, 2)] == [True, False]


def test_unrecorded_boards_are_recognised_by_their_play(ledger_: Ledger, reader: FlaskClient) -> None:
    one, other = dealt("ruff", hidden=True), dealt("ruff", "cautious", hidden=True)
    second = deal(other, 2)
    ledger_.record(A, at(one, A), 0)
    ledger_.record(B, at(other[:second], B), 0)
    assert [shown(reader, A, hand) for hand in (1, 2)] == [True, False]
    ledger_.record(B, other[second:], second)
    assert [shown(reader, A, hand) for hand in (1, 2)] == [True, True]


def test_players_who_have_yet_to_play_a_hand_cannot_follow_it(ledger_: Ledger, reader: FlaskClient) -> None:
    one, other = dealt(), dealt(bot="cautious")
    second = deal(one, 2)
    ledger_.record(A, at(one[: second + 9], A), 0)
    events = reader.get(f"/api/v1/matches/{A}/events").json["events"]
    assert "?" not in [event.get("card") for event in events], "at one table only, everybody sees what lies on it"
    ledger_.record(B, at(other[:second], B), 0)
    events = reader.get(f"/api/v1/matches/{A}/events").json["events"]
    assert {event["card"] for event in events[second + 1 :]} == {"?"}
    assert reader.get(f"/api/v1/matches/{A}/table").status_code == 403
    assert reader.get(f"/matches/{A}/replay/{second + 3}").status_code == 403
    assert reader.post(f"/api/v1/matches/{A}/what-if", json={"events": []}).status_code == 403


def test_a_hand_taken_back_may_still_be_a_board_to_come(ledger_: Ledger, reader: FlaskClient) -> None:
    """A table deals the second board first, notices, and deals the first one."""
    one, other = dealt(), dealt(bot="cautious")
    second = deal(other, 2)
    wrong = msgspec.structs.replace(one[deal(one, 2)], dealer=one[deal(one, 1)].dealer)
    course = [one[0], wrong, ev.Retract(to=1), *one[1 : deal(one, 2)], ev.End()]
    ledger_.record(A, at(course, A), 0)
    ledger_.record(B, at(other[:second], B), 0)
    events = reader.get(f"/api/v1/matches/{A}/events").json["events"]
    assert events[1]["hands"] is None
    assert shown(reader, A, 1)


def test_no_table_waits_for_a_void_match_whose_own_boards_wait(ledger_: Ledger, reader: FlaskClient) -> None:
    one, other = dealt(hands=1), dealt(bot="cautious", hands=1)
    ledger_.record(A, [*at(one, A), ev.Void()], 0)
    ledger_.record(B, at(other[:-2], B), 0)
    assert not shown(reader, A, 1)
    ledger_.record(B, [ev.Void()], len(other) - 2)
    assert shown(reader, A, 1)


@pytest.mark.long
def test_streams_and_exports_stop_at_hands_that_others_play(ledger: Ledger) -> None:
    one, other = dealt(), dealt(bot="cautious")
    second = deal(one, 2)
    ledger.record(B, at(other[:second], B), 0)
    ledger.record(A, at(one, A), 0)
    with serving(ledger) as (address, *_), closing(Listener(address, f"/matches/{A}/live?after=0")) as listener:
        events = [event for _, event in listener.events(len(one))]
        assert "?" not in {event["card"] for event in events[2:second] if event["type"] == "play"}
        assert {event["card"] for event in events[second:] if event["type"] == "play"} == {"?"}
        assert events[second]["hands"] is None


@pytest.mark.long
def test_a_deal_has_no_page_as_long_as_it_is_played(empty: Flask, ledger_: Ledger, reader: FlaskClient) -> None:
    one, other, third = dealt(hands=1), dealt(bot="cautious", hands=1), dealt(seed=1, hands=1)
    ledger_.record(A, at(one, A), 0)
    ledger_.record(B, at(other, B), 0)
    name = reader.get(f"/api/v1/matches/{A}/review").json["hands"][0]["deal"]
    pages = [f"/api/v1/deals/{name}", f"/deals/{name}", f"/tables/deal.csv?deal={name}"]
    assert [reader.get(page).status_code for page in pages] == [200] * 3
    assert name[:8] in reader.get("/worth-seeing").text
    ledger_.record(C, at(third[:-2], C), 0)
    for page in pages:
        hidden, made_up = (reader.get(page.replace(name, guess)) for guess in (name, "0" * len(name)))
        assert (hidden.status_code, made_up.status_code) == (404, 404)
        assert answered(hidden).replace(name, "0" * len(name)) == answered(made_up), "a guess would be confirmed"
    assert name[:8] not in reader.get("/worth-seeing").text
    assert reader.get(f"/api/v1/matches/{A}/review").json["hands"] == []
    assert [as_role(empty, "scorer").get(page).status_code for page in pages] == [200] * 3


def answered(answer: TestResponse) -> str:
    """Return an answer without what is new in each."""
    return re.sub(r"(?<=request )[\w-]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", answer.text)


def counted(client: FlaskClient, player: str, **query: str) -> dict[str, float]:
    """Return the measures of a player by id, and the number of hands that count by their points alone."""
    found = client.get(f"/api/v1/players/{player}/stats", query_string=query).json
    (basis,) = found["basis"].values()
    return {row["measure"]: row["value"] for row in found["rows"]} | {"held": basis["held"], "hands": basis["hands"]}


@pytest.mark.parametrize("role", ["reader", "scorer"])
@pytest.mark.parametrize("game", [game for game in GAMES if games()[game].deal.left_over != "stock"])
def test_only_the_points_count_in_hands_that_others_have_yet_to_play(
    game: str, role: str, empty: Flask, ledger_: Ledger
) -> None:
    client = as_role(empty, role)
    one, other = dealt(game, hands=1, policy="record"), dealt(game, "cautious", hands=1)
    ledger_.record(A, at(one, A), 0)
    before = counted(client, "random-a")
    assert before["held"] == 0
    ledger_.record(B, at(other[:-3], B), 0)
    of_points = {name: before[name] for name in ("points", "wins", "place") if name in before}
    assert counted(client, "random-a") == of_points | {"hands": 1, "held": 1}
    by_lead = client.get("/api/v1/players/random-a/stats?by=lead").json["rows"]
    assert {row["group"] for row in by_lead} == {None}
    ledger_.record(B, other[-3:], len(other) - 3)
    after = counted(client, "random-a")
    assert {name: after[name] for name in before} == before, "though nothing was recorded for that match"
    assert all(name.startswith("field") for name in after.keys() - before.keys()), "what compares with the other table"


@pytest.mark.long
def test_luck_and_hands_worth_seeing_leave_out_hands_that_others_have_yet_to_play(
    empty: Flask, ledger_: Ledger, reader: FlaskClient
) -> None:
    one, other = dealt(hands=1), dealt(bot="cautious", hands=1)
    ledger_.record(A, at(one, A), 0)
    with LuckStore(ledger_) as store:
        store.catch_up()
        assert len([*compute(store.hands(), store)]) == 1
    for client in (reader, as_role(empty, "scorer")):
        assert client.get("/api/v1/luck?game=diversity").json["hands"] == 1
        assert client.get("/api/v1/hands/worth-seeing?game=diversity&kind=swing&limit=1").json["sights"]
    ledger_.record(B, at(other[:-3], B), 0)
    for client in (reader, as_role(empty, "scorer")):
        found = client.get("/api/v1/luck?game=diversity").json
        assert (found["hands"], found["left_out"]["held"], found["players"], found["reviews"]) == (0, 1, [], [])
        assert client.get("/api/v1/hands/worth-seeing?game=diversity&kind=swing&limit=1").json["sights"] == []
    ledger_.record(B, other[-3:], len(other) - 3)
    assert reader.get("/api/v1/luck?game=diversity").json["players"]


def test_rules_in_hands_that_others_have_yet_to_play_do_not_count(ledger_: Ledger, reader: FlaskClient) -> None:
    one, other = corrected(dealt(hands=1, policy="record"), Random(1)), dealt(bot="cautious", hands=1)
    ledger_.record(A, [*at(one, A), ev.End()], 0)
    assert rule_counts(ledger_, "diversity", under_way=False) == rule_counts(ledger_, "diversity")
    assert judged_hands(ledger_, under_way=False, player="random-a") == {"diversity": 1}
    ledger_.record(B, at(other[:2], B), 0)
    assert rule_counts(ledger_, "diversity", under_way=False) == {}
    assert rule_counts(ledger_, "diversity")
    assert judged_hands(ledger_, under_way=False) == judged_hands(ledger_, under_way=False, player="random-a") == {}
    assert judged_hands(ledger_) == {"diversity": 1}


def corrected(events: Sequence[ev.Event], rng: Random) -> list[ev.Event]:
    """Return a match of one hand with another last card in its first trick, and whose end is played twice."""
    stream = Stream.of([event for event in events if not isinstance(event, ev.End)][:6])
    last, hands = stream.events[5], stream.events[1].hands
    other = next(card for card in hands[last.seat] if card != last.card)
    stream.append(ev.Amend(about=6, event=msgspec.structs.replace(last, card=other)))
    for place in (40, 40):
        while not stream.table.hand.over:
            stream.append(step(stream.table, rng))
        stream.append(ev.Retract(to=place))
    while not stream.table.hand.over:
        stream.append(step(stream.table, rng))
    return stream.events


SUITS = str.maketrans("CDHS", "DHSC")


def other_suits(event: ev.Event) -> ev.Event:
    """Return an event with every suit become the next."""
    text = msgspec.json.encode(event).decode()
    changed: ev.Event = readers().one.decode(
        re.sub(r'"([2-9TJQKA])([CDHS])"', lambda card: f'"{card[1]}{card[2].translate(SUITS)}"', text)
    )
    return changed


@pytest.mark.parametrize("alike", [False, True])
def test_the_tables_of_a_large_event_are_not_compared_pair_by_pair(
    alike: bool, ledger_: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is looked at grows with the tables: a thousand openings of one event once stopped every reader for a second."""
    tables, looked = 40, list[str]()

    def cards(table: Any) -> set[str]:
        looked.append(table.match)
        return {hand.cards for hand in table.hands}

    for number in range(tables):
        id = f"{number:08d}-1111-4111-8111-111111111111"
        ledger_.record(id, at(dealt(hands=1, seed=1 if alike else number)[:2], id), 0)
    monkeypatch.setattr(shared_deals.TableInPlay, "cards", property(cards))
    assert bool(shared_deals.held_back(ledger_.views)) == alike
    assert len(looked) <= 4 * tables


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_readers_see_the_same_whatever_was_dealt(seed: int, tmp_path: Path) -> None:
    """Two ledgers in which a board that another table is dealt was another one: no answer differs."""
    answers = []
    one = corrected(dealt(seed=seed, hands=1, policy="record"), Random(seed))
    other = dealt(bot="cautious", seed=seed, hands=1)
    stamp = {"at": "2026-03-07T20:00:00.000Z", "by": "sam"}
    for number, change in enumerate((lambda event: event, other_suits)):
        for app in opened(tmp_path / f"{number}.db"):
            for id, events in ((A, one), (B, other[:2])):
                course = [msgspec.structs.replace(change(event), **stamp) for event in at(events, id)]
                ledger_of(app).record(id, course, 0)
            reader = as_role(app, "reader")
            everywhere = [*surfaces(app, A, 1), *surfaces(app, B, 1), *totals("diversity", "random-a")]
            answers.append(told(reader, everywhere))
    assert answers[0].keys() == answers[1].keys()
    differing = [address for address in answers[0] if answers[0][address] != answers[1][address]]
    assert differing == []
