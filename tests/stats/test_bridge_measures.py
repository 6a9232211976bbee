"""The measures of bridge: competition, leads, the field, and play against best play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import cardledger
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.measures import Played
from cardledger.rules.stream import Stream
from cardledger.study.stats import Statistics
from cardledger.study.stats.double_dummy.analysis import solve
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.query import Query
from tests.conftest import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLAYERS = ("nell", "eve", "sam", "will")


def hand(calls: str, tricks: int, lead: str | None = None, board: int = 1) -> list[ev.Event]:
    """Return a match of one hidden board: an auction from the dealer on, a lead, and a claim of the declarer's tricks."""
    events: list[ev.Event] = [ev.Open(game="bridge", players=PLAYERS), ev.Deal(hands=None, board=board)]
    dealer = (board - 1) % 4
    events += [ev.Call(seat=(dealer + place) % 4, call=call) for place, call in enumerate(calls.split())]
    table = Stream.of(events).table
    declarer = table.hand.declarer
    if lead is not None:
        events.append(ev.Play(seat=(declarer + 1) % 4, card=lead))
    claimed = [tricks, 13 - tricks] if declarer % 2 == 0 else [13 - tricks, tricks]
    return [*events, ev.Claim(tricks=(*claimed, 0, 0))]


def counted(events: list[ev.Event]) -> dict[str, Any]:
    table = Stream.of(events).table
    assert table.game.study.count is not None
    return dict(table.game.study.count(Played(table, table.hands[0], lambda: events)))


def test_a_sacrifice_is_measured_by_what_the_opponents_game_would_have_scored() -> None:
    """East-west bid 4♠, worth 420 to them; north-south lose 300 in 5♦ doubled: 120 gained."""
    counts = counted(hand("1D 1S 2D 4S 5D double pass pass pass", 9))
    assert counts["over_game"] == [1, 0, 0, 0]
    assert counts["outbid"] == [1, 0, 1, 0]
    assert counts["outbid_gain"] == [120, 0, 120, 0]
    assert counts["outbid_better"] == [1, 0, 1, 0]
    dear = counted(hand("1D 1S 2D 4S 5D double pass pass pass", 8))
    assert (dear["outbid_gain"], dear["outbid_better"]) == ([-80, 0, -80, 0], [0, 0, 0, 0])


def test_an_auction_is_contested_if_both_sides_bid() -> None:
    counts = counted(hand("1H 1S 2H pass pass pass", 8))
    assert (counts["contested"], counts["contested_won"]) == ([1] * 4, [1, 0, 1, 0])
    assert counted(hand("1H double pass pass pass", 8))["contested"] == [0] * 4
    assert counted(hand("1H 1S 2H pass pass pass", 8))["over_game"] == [0] * 4


def test_a_lead_in_partners_suit_counts_where_partner_bid_one() -> None:
    """North declares; East leads, and West has bid spades."""
    counts = counted(hand("1H pass 2H 2S 3H pass pass pass", 9, "5S"))
    assert (counts["led_after_bid"], counts["led_partners"]) == ([0, 1, 0, 0], [0, 1, 0, 0])
    other = counted(hand("1H pass 2H 2S 3H pass pass pass", 9, "5D"))
    assert (other["led_after_bid"], other["led_partners"]) == ([0, 1, 0, 0], [0] * 4)
    without = counted(hand("1H pass 2H 2NT 3H pass pass pass", 9, "5S"))
    assert without["led_after_bid"] == [0] * 4


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "club.db") as ledger:
        yield ledger


def board(**more: Any) -> list[ev.Event]:
    """Return a match of one board that was played out: 3NT by West, 430 for east-west."""
    opening, *events = cardledger.read(SAMPLES / "bridge-club-night.jsonl")[0].events
    return [msgspec.structs.replace(opening, options={"boards": 1}, **more), *events[:60]]


def values(ledger: Ledger, player: str, by: str | None = None) -> dict[str, float]:
    rows = Statistics(ledger.views).player(player, Query(by=by), "bridge").rows
    return {row["measure"]: row["value"] for row in rows}


def test_points_are_compared_with_the_other_tables_that_held_the_same_cards(ledger: Ledger) -> None:
    """At a second table 3NT went one down: West there is 480 below the field, and the first one above."""
    events = board()
    ledger.record(None, events, 0)
    assert "field" not in values(ledger, "dev")
    others = msgspec.structs.replace(events[0], players=("eva", "finn", "gil", "hana"), id=None)
    ledger.record(None, [others, *events[1:9], ev.Claim(tricks=(5, 8, 0, 0))], 0)
    west, south = values(ledger, "dev"), values(ledger, "gil")
    assert (west["field"], west["field-declarer"]) == (480, 480)
    assert (south["field"], south["field-defence"]) == (480, 480)
    assert values(ledger, "hana")["field-declarer"] == -480
    assert "field-defence" not in west


def test_play_is_compared_with_best_play_where_the_hand_is_analysed(ledger: Ledger) -> None:
    """West makes ten tricks where eight are there; the defence gave up four, West two; the last trick is no choice."""
    pytest.importorskip("endplay")
    match = ledger.record(None, board(), 0).match
    assert "open-declarer" not in values(ledger, "dev")
    with LuckStore(ledger) as store:
        assert [*solve(ledger, store, match)]
    west, north = values(ledger, "dev"), values(ledger, "ana")
    assert (west["open-declarer"], north["open-defence"]) == (2, -2)
    assert west["open-cost"] == pytest.approx(2 / 24, rel=1e-5)
    assert north["open-cost"] == pytest.approx(4 / 12, rel=1e-5)
    assert north["open-lead"] == 0
    assert (west["slams-found"], "slams-found" in north) == (0, False)
    ledger.record(match, [ev.Retract(to=57), ev.Claim(tricks=(1, 0, 0, 0))], 61)
    assert "open-declarer" not in values(ledger, "dev"), "the hand has changed since"
