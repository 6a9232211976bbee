"""Hidden cards on pages: of a hand under way only a scorer sees what nobody at the table can."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.api.test_shared_deals import surfaces
from tests.web.club import sign_in

if TYPE_CHECKING:
    from flask import Flask


def under_way(app: Flask) -> tuple[str, ev.Deal]:
    """Record a match up to a revoke in its first hand; return its id and its deal."""
    ledger = ledger_of(app)
    for seed in range(100):
        opening, deal, lead, *_ = simulate("ruff", 3, Random(seed), ["random"], {}, max_hands=1)
        assert isinstance(opening, ev.Open)
        assert isinstance(deal, ev.Deal)
        assert isinstance(lead, ev.Play)
        assert deal.hands is not None
        opening = msgspec.structs.replace(opening, policy="record")
        match = ledger.record(None, [opening, deal, lead], 0).match
        seat = (lead.seat + 1) % 3
        ledger.record(match, [ev.Play(seat=seat, card=deal.hands[seat][0])], 3)
        if ledger.stream(match).table.violations:
            return match, deal
    pytest.fail("no seed gives a revoke")


def test_a_reader_sees_no_card_that_is_still_in_a_hand(empty: Flask) -> None:
    match, deal = under_way(empty)
    told = {}
    for role in ("reader", "scorer"):
        sign_in(empty, role)
        client = empty.test_client()
        paths = ("/", "/matches", f"/matches/{match}", f"/matches/{match}.jsonl")
        told[role] = [client.get(path).text for path in paths]
        found = client.get("/matches?violations=true").text
        assert (f"/matches/{match}" in found) == (role == "scorer"), "the filter would tell of a revoke"
    home, listed, page, file = told["reader"]
    assert deal.hands is not None
    assert '"deal"' not in file
    assert file.startswith('{"type":"open"')
    assert file.count("\n") == 1
    assert "1 violation" not in home + listed
    assert "follow.suit" not in home + page
    assert '<table class="violations"' not in page
    assert not re.search(r"[0-9a-f]{64}", page), "the hash would tell a guessed deal from a wrong one"
    home, listed, page, file = told["scorer"]
    assert file.count("\n") == 4
    assert "follow.suit" in home
    assert "1 violation" in listed
    assert '<table class="violations"' in page
    assert re.search(r"[0-9a-f]{64}", page)


def test_a_reader_reads_no_remark_on_a_hand_under_way(empty: Flask) -> None:
    """Notes and reasons of corrections are in somebody's words: they can name a card that is still in a hand."""
    match, _ = under_way(empty)
    ledger = ledger_of(empty)
    remarks = [
        ev.Note(text="abracadabra: ben holds the queen"),
        ev.Retract(to=ledger.stream(match).seq, reason="abracadabra: taken back"),
        ev.Amend(about=3, event=ledger.stream(match).events[2], reason="abracadabra: misread"),
    ]
    ledger.record(match, remarks, ledger.stream(match).seq)
    told = {}
    for role in ("reader", "scorer"):
        sign_in(empty, role)
        told[role] = {
            address: "abracadabra" in empty.test_client().get(address).text
            for address in surfaces(empty, match, 1)
            if "search" not in address
        }
    assert not any(told["reader"].values()), told["reader"]
    assert {f"/matches/{match}", f"/matches/{match}/audit", f"/api/v1/matches/{match}/events"} <= {
        address for address, tells in told["scorer"].items() if tells
    }
    ledger.record(match, [ev.End(reason="the hall closes")], ledger.stream(match).seq)
    sign_in(empty, "reader")
    assert empty.test_client().get(f"/api/v1/matches/{match}/events").text.count("abracadabra") == 3


def test_a_reader_reads_remarks_before_the_deal_and_on_hands_that_are_over(empty: Flask) -> None:
    ledger = ledger_of(empty)
    opening, *rest = simulate("ruff", 3, Random(1), ["random"], {}, max_hands=1)
    match = ledger.record(None, [opening, ev.Note(text="the hall is cold")], 0).match
    sign_in(empty, "reader")
    client, address = empty.test_client(), f"/api/v1/matches/{match}/events"
    assert "the hall is cold" in client.get(address).text
    ledger.record(match, rest[:3], 2)
    ledger.record(match, [ev.Note(text="ben is late")], 5)
    assert "the hall is cold" in client.get(address).text
    assert "ben is late" not in client.get(address).text
    ledger.record(match, rest[3:], 6)
    assert "ben is late" in client.get(address).text
    seq = ledger.stream(match).seq
    ledger.record(match, [ev.Note(text="well played")], seq)
    assert "well played" in client.get(address).text
