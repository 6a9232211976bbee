"""Webhooks and what readers may not see yet: boards in play, deals of other tables, hands under way; it is sent once they may."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.engine import events as ev
from cardledger_api.hooks.delivering import Deliveries
from cardledger_web.app import access_of, ledger_of
from tests.api.test_secret_boards import begun, finish
from tests.api.test_shared_deals import A, B, at, deal, dealt
from tests.api.test_webhooks import Receiver, expected, look, made
from tests.evenings.bridge import pairs, score_table
from tests.evenings.night import record

if TYPE_CHECKING:
    from flask import Flask


def of_matches(events: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the events of each match, in the order in which they came."""
    matches: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if "stream" not in event:
            matches[event["match"]].append(event)
    return matches


@pytest.mark.parametrize("failures", [0, 3])
def test_the_match_of_a_secret_board_is_sent_when_the_board_is_over(empty: Flask, failures: int) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    clock = [1_800_000_000.0]
    made(empty, "https://example.org/", kinds=["matches"])
    deliveries = Deliveries(ledger, access_of(empty).hooks, lambda: clock[0], send=receiver)

    def send() -> None:
        for _ in range(20):
            clock[0] += 3600
            while look(deliveries):
                pass

    session, matches = begun(ledger)
    send()
    assert matches[1] not in of_matches(receiver.taken)
    score_table(ledger, matches[2], {2: ("2C", 1, 8)})
    receiver.statuses = [500] * failures
    send()
    assert matches[1] not in of_matches(receiver.taken)
    finish(ledger, session)
    receiver.statuses = [500] * failures
    record(ledger, session, {"type": "close"})
    send()
    came, all = of_matches(receiver.taken), of_matches(expected(ledger))
    assert came[matches[1]] == all[matches[1]]
    for match, events in all.items():
        assert [one["position"] for one in came[match]] == [one["position"] for one in events], "each once, in order"
    assert {json["type"] for json in receiver.messages} == {"events", "shown"}
    assert access_of(empty).hooks.withheld(access_of(empty).hooks.all()[0]) == []


def test_a_result_of_a_secret_board_is_sent_again_in_full_when_the_board_is_over(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    made(empty, "https://example.org/", types=["result"])
    deliveries = Deliveries(ledger, access_of(empty).hooks, send=receiver)
    session = pairs(ledger, 3, 1)
    record(
        ledger, session,
        {"type": "result", "round": 1, "table": 1, "board": 1, "contract": "6NTXX", "declarer": 0, "tricks": 12},
    )  # fmt: skip
    while look(deliveries):
        pass
    assert [event.get("contract") for event in receiver.taken] == [None]
    record(ledger, session, {"type": "close"})
    while look(deliveries):
        pass
    before, after = receiver.taken
    assert after["contract"] == "6NTXX" and after["position"] == before["position"]
    assert not look(deliveries)


def test_a_webhook_of_a_scorer_is_sent_secret_boards_at_once(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    made(empty, "https://example.org/", role="scorer")
    begun(ledger)
    while look(deliveries := Deliveries(ledger, access_of(empty).hooks, send=receiver)):
        assert deliveries
    assert receiver.taken == expected(ledger)


def send_all(deliveries: Deliveries) -> None:
    for _ in range(50):
        if not look(deliveries):
            return
    raise AssertionError("there is always more to send")


def as_known(receiver: Receiver) -> list[dict[str, Any]]:
    """Return the events as the receiver has them now: a later form in place of an earlier one."""
    return [event for _, event in sorted({one["position"]: one for one in receiver.taken}.items())]


def shown_in(receiver: Receiver) -> list[dict[str, Any]]:
    return [event for message in receiver.messages if message["type"] == "shown" for event in message["data"]["events"]]


def test_a_hand_under_way_is_sent_without_hidden_cards_and_shown_when_it_is_over(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    made(empty, "https://example.org/")
    deliveries = Deliveries(ledger, access_of(empty).hooks, send=receiver)
    events = dealt()
    begun, second = deal(events, 1) + 1, deal(events, 2)
    match = ledger.record(None, events[:begun], 0).match
    send_all(deliveries)
    *_, last = receiver.taken
    assert last["type"] == "deal" and last["hands"] is None and len(receiver.taken) == begun
    ledger.record(match, events[begun : second - 1], begun)
    send_all(deliveries)
    assert len(receiver.taken) == second - 1 and not shown_in(receiver)
    assert [one["card"] for one in receiver.taken[begun:] if one["type"] == "play"] == [
        one.card for one in events[begun : second - 1] if isinstance(one, ev.Play)
    ], "what lies on the table comes at once"
    ledger.record(match, events[second - 1 : second + 1], second - 1)
    send_all(deliveries)
    (shown,) = shown_in(receiver)
    assert (shown["seq"], shown["type"]) == (begun, "deal") and shown["hands"] is not None
    ledger.record(match, events[second + 1 :], second + 1)
    send_all(deliveries)
    assert as_known(receiver) == expected(ledger)
    assert access_of(empty).hooks.withheld(access_of(empty).hooks.all()[0]) == []


def test_a_deal_that_another_table_is_to_play_is_shown_when_that_table_has_played_it(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    made(empty, "https://example.org/", kinds=["matches"])
    deliveries = Deliveries(ledger, access_of(empty).hooks, send=receiver)
    events = dealt()
    ledger.record(None, at(events, A), 0)
    ledger.record(None, at(events, B)[:1], 0)
    send_all(deliveries)
    whole = expected(ledger)
    assert [event["seq"] for event in receiver.taken] == [event["seq"] for event in whole], "each comes at once"
    assert {event["card"] for event in receiver.taken if event["type"] == "play"} == {"?"}
    assert not shown_in(receiver)
    ledger.record(B, at(events, B)[1:], 1)
    send_all(deliveries)
    assert as_known(receiver) == expected(ledger)
    assert {event["match"] for event in shown_in(receiver)} == {A}
    assert "?" not in str(shown_in(receiver))
    assert access_of(empty).hooks.withheld(access_of(empty).hooks.all()[0]) == []


@pytest.mark.parametrize("failures", [1, 3])
def test_what_is_shown_late_is_shown_to_a_receiver_that_fails_now_and_then(empty: Flask, failures: int) -> None:
    ledger, receiver, clock = ledger_of(empty), Receiver(), [1_800_000_000.0]
    made(empty, "https://example.org/")
    deliveries = Deliveries(ledger, access_of(empty).hooks, lambda: clock[0], send=receiver)
    for match, upto in ((A, None), (B, 1), (B, None)):
        receiver.statuses = [500] * failures
        done = ledger.stream(match).seq if match in ledger.matches() else 0
        ledger.record(match if done else None, at(dealt(), match)[done:upto], done)
        for _ in range(20):
            clock[0] += 3600
            while look(deliveries):
                pass
    assert as_known(receiver) == expected(ledger)


def test_an_abandoned_hand_is_looked_at_again_only_when_something_is_recorded(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    made(empty, "https://example.org/")
    hooks = access_of(empty).hooks
    deliveries = Deliveries(ledger, hooks, send=receiver)
    events = dealt()
    ledger.record(None, events[: deal(events, 1) + 1], 0)
    send_all(deliveries)
    assert hooks.withheld(hooks.all()[0])
    assert deliveries.due() == []
    ledger.record(None, at(dealt(seed=2), A, event=None), 0)
    assert deliveries.due() == hooks.all()
    send_all(deliveries)
    assert deliveries.due() == []
