"""Hidden cards on pages: of a hand under way only a scorer sees what nobody at the table can."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from ledger import events as ev
from ledger.bots.simulation import simulate
from tests.web.club import sign_in
from web.app import ledger_of

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
