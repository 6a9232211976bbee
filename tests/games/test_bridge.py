"""The rules of bridge, each named by the tests that prove it."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardledger.errors import LedgerError
from cardledger.record.matches.describe import account, event_in_words
from cardledger.record.matches.replay import result
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.match_cache import Memory
from cardledger.record.recording.moment import Moment
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games.bridge.scoring import STRAINS, duplicate_score, rubber_score
from cardledger.rules.stream import Stream
from tests.games.folding import hide
from tests.tables import Policy, Sitting, irregular

ONE = (ev.Weighted(weight=100, score=100),)


def bridge(policy: Policy = "strict", **options: object) -> Sitting:
    return Sitting("bridge", 4, policy, **options)


def on_board(number: int, *calls: str, policy: Policy = "strict", **options: object) -> Sitting:
    """A board of which nobody noted the cards, and its calls."""
    return bridge(policy, **options).do(ev.Deal(board=number, hands=None)).call(*calls)


def contract(text: str, declarer: int, made: int, board: int = 1, match: Sitting | None = None, **keys: Any) -> Sitting:
    """A line of a score sheet: contract, declarer, and the tricks of its side; on board 1 nobody is vulnerable."""
    match = match or bridge(boards=9)
    keys = keys or {"board": board}
    deal = ev.Deal(hands=None, contract=text, declarer=declarer, **keys)
    share = (made, 13 - made) if declarer % 2 == 0 else (13 - made, made)
    return match.do(deal).claim(*share, 0, 0)


def points(text: str, declarer: int, made: int, board: int = 1) -> Any:
    return contract(text, declarer, made, board).last_hand["scores"][0]


def in_play(policy: Policy = "strict", *hands: str, text: str = "3NT", declarer: int = 2, **keys: Any) -> Sitting:
    """A known deal with a contract, South declarer unless said otherwise, so that West leads."""
    match = bridge(policy, boards=9)
    deal = match.match.game.deal
    full = {card for hand in hands for card in hand.split()}
    rest = [face for face in match.match.pack.faces if face not in full]
    held = [[*(hands[seat].split() if seat < len(hands) else [])] for seat in range(4)]
    for hand in held:
        while len(hand) < 13:
            hand.append(rest.pop())
    assert deal.rule == "deal.thirteen"
    return match.do(
        ev.Deal(board=1, hands=tuple(tuple(hand) for hand in held), contract=text, declarer=declarer, **keys)
    )


# --- the deal and the board


def test_deal_thirteen_cards_each() -> None:
    match = bridge().deal()
    assert [len(match.held(seat).split()) for seat in range(4)] == [13] * 4
    bridge().refuses(ev.Deal(board=1, hands=((),) * 4), "table.deck")


def test_board_number_gives_dealer_and_vulnerability() -> None:
    vulnerable = [
        "none",
        "ns",
        "ew",
        "both",
        "ns",
        "ew",
        "both",
        "none",
        "ew",
        "both",
        "none",
        "ns",
        "both",
        "none",
        "ns",
        "ew",
    ]
    match = bridge(boards=40)
    for board in range(1, 33):
        match.do(ev.Deal(board=board, hands=None), ev.Score(scores=(0,) * 4))
        hand = match.last_hand
        assert (hand["board"], hand["dealer"]) == (board, (board - 1) % 4)
        assert hand["vulnerable"] == vulnerable[(board - 1) % 16]


def test_board_number_gives_way_to_what_the_deal_says() -> None:
    match = bridge().do(ev.Deal(board=1, dealer=2, vulnerable="ew", hands=None))
    assert (match.last_hand["dealer"], match.last_hand["vulnerable"]) == (2, "ew")
    assert match.turn == ("call", 2)
    assert any("usually" in ruling.text for ruling in match.match.trail if ruling.rule == "board.number")


def test_board_number_may_be_missing_if_dealer_and_vulnerability_are_there() -> None:
    match = bridge().do(ev.Deal(dealer=3, vulnerable="both", hands=None))
    assert (match.last_hand["board"], match.last_hand["dealer"]) == (None, 3)
    for keys in ({}, {"dealer": 1}, {"vulnerable": "ns"}):
        bridge().refuses(ev.Deal(hands=None, **keys), "format.key")
    for board in (0, -1):
        bridge().refuses(ev.Deal(hands=None, board=board), "table.range")


# --- the auction


def test_call_order_begins_with_the_dealer() -> None:
    match = on_board(2)
    assert match.turn == ("call", 1)
    match.refuses(ev.Call(seat=0, call="pass"), "table.turn").refuses(ev.Play(seat=1, card="2C"), "table.phase")
    for word in ("1c", "8C", "0NT", "Pass", "1N", "X"):
        match.refuses(ev.Call(seat=1, call=word), "format.value")
    assert match.call("pass").turn == ("call", 2)


def test_call_sufficient_bids_rank_by_level_and_strain() -> None:
    match = on_board(1, "1C", "1D", "1H", "1S", "1NT", "2C", "7S", "7NT")
    assert match.choice("call").calls == ("pass", "double")


def stands(calls: str, call: str, rule: str) -> Sitting:
    """A call against a rule: refused under `strict`, recorded and followed under `record`."""
    on_board(1, *calls.split()).refuses_call(call, rule)
    match = on_board(1, *calls.split(), policy="record")
    legal = " ".join(sorted(match.choice("call").calls))
    seat, exposed = match.hand.turn, match.hand.exposed.copy()
    match.call(call)
    assert match.violations == [(len(match.events), seat, rule, legal)]
    exposed[seat] += 1
    assert match.hand.exposed == exposed
    return match


def test_call_sufficient_irregular_is_then_the_last_bid() -> None:
    match = stands("1S", "1H", "call.sufficient")
    assert "1S" in match.choice("call").calls
    match.call("pass", "pass", "pass")
    assert (match.last_hand["contract"], match.last_hand["declarer"]) == ("1H", 1)


def test_call_double_irregular() -> None:
    match = stands("1S double", "double", "call.double").call("pass", "pass", "pass")
    assert match.last_hand["contract"] == "1SX"
    stands("", "double", "call.double").call("1C", "pass", "pass", "pass")
    stands("1S pass", "double", "call.double")


def test_call_redouble_irregular() -> None:
    match = stands("1S pass pass", "redouble", "call.redouble").call("pass", "pass", "pass")
    assert match.last_hand["contract"] == "1SXX"
    stands("1S double pass", "redouble", "call.redouble")


def test_call_double_and_redouble_belong_to_the_last_bid() -> None:
    match = on_board(1, "1S", "double", "redouble", "2C", "pass", "pass", "double", "pass", "pass", "pass")
    assert (match.last_hand["contract"], match.last_hand["declarer"]) == ("2CX", 3)


def test_call_redouble_counts_in_the_contract() -> None:
    assert on_board(1, "1S", "double", "redouble", "pass", "pass", "pass").last_hand["contract"] == "1SXX"


def test_call_order_keeps_alerts_and_explanations() -> None:
    call = ev.Call(seat=0, call="2C", alert="", explain="strong")
    match = on_board(1).do(call)
    assert event_in_words(call, match.match.players) == "ana says 2C, alerted, explained as strong"
    stream = Stream.of([*match.events, ev.Amend(about=3, event=ev.Call(seat=0, call="2C", explain="weak"))])
    assert stream.heads[-1][1].explain == "weak"  # type: ignore[attr-defined]
    whist = Sitting("euchre").deal()
    whist.refuses(ev.Call(seat=1, call="pass", explain="nothing"), "format.key")


def test_auction_passed_out_scores_nothing() -> None:
    match = on_board(7, "pass", "pass", "pass", "pass", boards=2)
    hand = match.last_hand
    assert (hand["contract"], hand["declarer"], hand["made"], hand["scores"]) == ("pass", None, None, [0] * 4)
    assert hand["calls"] == ["pass"] * 4
    assert "auction.passed-out" in match.rules_cited
    assert match.turn == ("deal", None)


def test_auction_ends_after_three_passes() -> None:
    match = on_board(1, "pass", "pass", "pass", "1C", "pass", "pass")
    assert match.last_hand["contract"] is None
    match.call("pass")
    assert match.last_hand["contract"] == "1C"
    match.refuses(ev.Call(seat=0, call="1D"), "table.phase")


def test_auction_ends_without_calls_if_only_the_contract_is_known() -> None:
    match = contract("3NTX", 2, 10, board=4)
    hand = match.last_hand
    assert (hand["calls"], hand["contract"], hand["declarer"], hand["made"]) == ([], "3NTX", 2, 10)
    assert hand["scores"] == [950, -950, 950, -950]
    for wrong, code in (
        ({"contract": "3NT"}, "format.key"), ({"declarer": 1}, "format.key"), ({"contract": "3N", "declarer": 1}, "format.value"),
        ({"contract": "pass", "declarer": 1}, "format.value"), ({"contract": "3NT", "declarer": 4}, "table.range"),
    ):  # fmt: skip
        bridge().refuses(ev.Deal(board=1, hands=None, **wrong), code)


def test_declarer_first_bid_the_strain_for_the_side() -> None:
    match = bridge().do(ev.Deal(board=7, hands=None)).call("1NT", "pass", "2H", "pass", "2S", "pass", "4S")
    assert match.call("pass", "pass", "pass").last_hand["declarer"] == 2
    assert on_board(4, "1H", "pass", "2H", "pass", "4H", "pass", "pass", "pass").last_hand["declarer"] == 3
    assert on_board(1, "1H", "2H", "3H", "pass", "pass", "pass").last_hand["declarer"] == 0


# --- the play


def test_lead_left_of_declarer_begins() -> None:
    assert in_play().turn == ("play", 3)
    assert in_play(declarer=1).turn == ("play", 2)


def test_lead_left_of_declarer_irregular() -> None:
    hands = ("AC KC", "2C 3C", "4C 5C", "6C 7C")
    match = in_play("strict", *hands)
    held = match.held(3)
    match.refuses(ev.Play(seat=1, card="2C"), "lead.left-of-declarer", held)
    match = in_play("record", *hands).do(ev.Play(seat=1, card="2C"))
    assert match.violations == [(3, 1, "lead.left-of-declarer", held)]
    assert (match.turn, match.last_hand["declarer"]) == (("play", 2), 2)
    match.refuses(ev.Play(seat=3, card="6C"), "table.turn").play("4C 6C AC")
    assert match.last == (1, "2C 4C 6C AC", 0, "trick.led-suit")
    in_play("record", *hands).refuses(ev.Play(seat=1, card="AC"), "table.holding")


def test_dummy_open_after_the_opening_lead() -> None:
    match = in_play("strict", "2C 3C", "4C 5C", "6C 7C", "8C 9C")
    assert match.hand.open_hands == 0
    match.play("8C")
    assert match.hand.open_hands == 1
    choice = match.choice("play")
    assert (choice.seat, choice.actor) == (0, 2)
    assert "dummy.open" in match.rules_cited


def test_play_turn_is_clockwise() -> None:
    match = in_play("strict", "2C 3C", "4C 5C", "6C 7C", "8C 9C").play("8C")
    match.refuses(ev.Play(seat=1, card="4C"), "table.turn").play("2C")
    assert match.turn == ("play", 1)


def test_play_turn_irregular_lead_stands() -> None:
    def second_trick(policy: Policy) -> Sitting:
        return in_play(policy, "2C 3C", "4C 5C", "6C 7C", "8C 9C").play("8C 2C 4C 6C")

    match = second_trick("strict")
    held = match.held(3)
    match.refuses(ev.Play(seat=1, card="5C"), "play.turn", held)
    match = second_trick("record").do(ev.Play(seat=1, card="5C"))
    assert match.violations == [(7, 1, "play.turn", held)]
    assert match.play("7C 9C 3C").last[:3] == (1, "5C 7C 9C 3C", 3)


def test_follow_suit_irregular() -> None:
    def hearts_led(policy: Policy) -> Sitting:
        hands = ("2H 3H 4H AC", "QH JH 2S", "AH KH TH 9H 8H", "5H 6H 7H 2D")
        return in_play(policy, *hands).play("5H 2H")

    match = irregular(hearts_led, "2S", "follow.suit", "JH QH")
    match.play("AH")
    assert match.last[2] == 2
    assert match.result["violations"][0] | {"seq": 0, "seat": 0, "legal": []} == {
        "seq": 0, "seat": 0, "rule": "follow.suit", "legal": [], "established": False, "indicated": 0,
    }  # fmt: skip


def test_trick_trump_takes_it() -> None:
    match = in_play("record", "2S", "AH", "3S", "5H", text="4S").play("5H 2S AH 3S")
    assert match.last[2:] == (2, "trick.trump")


def test_trick_led_suit_takes_it() -> None:
    match = in_play("record", "2S", "AH", "3S", "5H").play("5H 2S AH 3S")
    assert match.last[2:] == (1, "trick.led-suit")


def test_lead_taker_leads_next_dummy_too() -> None:
    match = in_play("strict", "AC 3C", "4C 5C", "6C 7C", "8C 9C").play("8C AC 4C 6C")
    assert match.turn == ("play", 0)
    assert (match.choice("play").seat, match.choice("play").actor) == (0, 2)


def test_play_turn_of_a_hidden_hand_is_checked_at_once() -> None:
    match = on_board(3, "1NT", "pass", "pass", "pass", policy="record")
    match.do(ev.Play(seat=0, card="2C")).play("3C 4C 5C")
    assert match.violations == [(7, 0, "lead.left-of-declarer", "")]
    assert match.claim(6, 6, 0, 0).violations == [(7, 0, "lead.left-of-declarer", "5C")]


# --- revokes


def revoke(rest: str, claim: tuple[int, ...] | None = None, text: str = "3NT", spade: str = "2S") -> dict[str, Any]:
    """Hearts are led and East throws a spade though it holds hearts; South takes the trick in no trump."""
    hands = ("2H 3H 4H AC", f"QH JH {spade} KC", "AH KH TH QC", "5H 6H 7H JC")
    match = in_play("record", *hands, text=text).play(f"5H 2H {spade} AH").play(rest)
    if claim:
        match.claim(*claim)
    found: dict[str, Any] = match.result["violations"][0]
    return {key: found[key] for key in ("established", "indicated")}


def test_revoke_trick_indicated_after_law_64() -> None:
    assert revoke("") == {"established": False, "indicated": 0}
    assert revoke("KH 6H") == {"established": True, "indicated": 0}
    assert revoke("TH 6H 3H") == {"established": True, "indicated": 0}
    assert revoke("TH 6H 3H QH") == {"established": True, "indicated": 1}
    assert revoke("", (12, 0, 0, 0)) == {"established": True, "indicated": 0}
    assert revoke("", (10, 2, 0, 0)) == {"established": True, "indicated": 1}
    assert revoke("", (12, 0, 0, 0), text="4S") == {"established": True, "indicated": 1}
    assert revoke("", (11, 1, 0, 0), text="4S") == {"established": True, "indicated": 2}


def test_revoke_trick_indicates_nothing_for_dummy_both_sides_and_a_second_time() -> None:
    hands = ("2H 3H 4H 2S 3S", "QH JH 9H", "AH KH TH", "5H 6H 7H 4S")
    dummy = in_play("record", *hands, text="4S").play("5H 2S JH AH").claim(12, 0, 0, 0)
    assert dummy.result["violations"][0]["indicated"] == 0
    both = in_play("record", *hands, text="4S").play("5H 2H JH AH KH 4S 3H 9H").play("6H 2S").claim(11, 0, 0, 0)
    assert [one["indicated"] for one in both.result["violations"]] == [0, 0]
    again = ("2H 3H 4H", "QH JH 2S 3S", "AH KH TH", "5H 6H 7H")
    twice = in_play("record", *again).play("5H 2H 2S AH").play("KH 6H 3H 3S").claim(10, 1, 0, 0)
    assert [one["indicated"] for one in twice.result["violations"]] == [1, 0]


def test_revoke_trick_moved_by_a_ruling_only() -> None:
    match = contract("3NT", 2, 8)
    assert (match.last_hand["made"], match.last_hand["scores"][0]) == (8, -50)
    ruling = ev.Adjust(kind="tricks", law="64A1", to="ns", tricks=2, about=2)
    hand = match.do(ruling).last_hand
    assert (hand["made"], hand["scores"], hand["tricks_taken"]) == (10, [430, -430, 430, -430], [8, 5, 0, 0])
    assert hand["adjusted"] == {"type": "adjust", "kind": "tricks", "law": "64A1", "to": "ns", "tricks": 2, "about": 2}
    assert match.result["totals"] == [430, -430, 430, -430]
    assert "revoke.trick" in match.rules_cited
    match.refuses(ev.Adjust(kind="tricks", law="64A1", to="ns", tricks=4), "table.range")
    match.do(ev.Adjust(kind="tricks", law="64A1", to="ew", tricks=1))
    assert match.last_hand["made"] == 9
    stream = Stream.of([*match.events, ev.Retract(to=3)])
    assert stream.table.totals == [-50, 50, -50, 50]
    assert any("Ruling: tricks, law 64A1" in line for line in account(match.match))


# --- rulings


def test_adjusted_assigned_replaces_the_result() -> None:
    match = contract("4S", 0, 10, board=2)
    ns = (ev.Weighted(contract="4S", declarer=0, tricks=10, weight=60), ev.Weighted(score=-50, weight=40))
    ew = (ev.Weighted(contract="3NT", declarer=1, tricks=8, weight=50), ev.Weighted(contract="pass", weight=50))
    hand = match.do(ev.Adjust(kind="assigned", law="12C1c", ns=ns, ew=ew)).last_hand
    assert hand["scores"] == [352, -25, 352, -25]
    match.do(ev.Adjust(kind="assigned", law="12C1", ns=ONE, ew=ONE))
    assert match.result["totals"] == [100, -100, 100, -100]


def test_adjusted_assigned_rounds_halves_away_from_zero() -> None:
    half = (ev.Weighted(score=-25, weight=50), ev.Weighted(score=-100, weight=50))
    hand = contract("1C", 0, 7).do(ev.Adjust(kind="assigned", law="12C1", ns=half, ew=half)).last_hand
    assert hand["scores"] == [-63, 63, -63, 63]


def test_adjusted_assigned_is_checked() -> None:
    match = contract("4S", 0, 10)
    for award, code in (
        ((ev.Weighted(score=100, weight=99),), "table.range"),
        ((ev.Weighted(score=0, weight=200), ev.Weighted(score=0, weight=-100)), "table.range"),
        ((), "table.range"),
        (50, "format.value"),
        ((ev.Weighted(weight=100),), "format.key"),
        ((ev.Weighted(weight=100, contract="4S"),), "format.key"),
        ((ev.Weighted(weight=100, score=1, contract="4S", declarer=0, tricks=9),), "format.key"),
        ((ev.Weighted(weight=100, contract="4Z", declarer=0, tricks=9),), "format.value"),
        ((ev.Weighted(weight=100, contract="4S", declarer=0, tricks=14),), "table.range"),
    ):
        match.refuses(ev.Adjust(kind="assigned", law="12C1", ns=award, ew=ONE), code)
        match.refuses(ev.Adjust(kind="assigned", law="12C1", ns=ONE, ew=award), code)
    match.refuses(ev.Adjust(kind="assigned", law="12C1", ns=ONE), "format.key")
    match.refuses(ev.Adjust(kind="assigned", law="12C1", ns=ONE, ew=ONE, tricks=1), "format.key")
    match.refuses(ev.Adjust(kind="stands", law="61", hand=2), "table.range")
    match.refuses(ev.Adjust(kind="stands", law="61", about=9), "table.range")


def test_adjusted_artificial_gives_percentages_and_no_points() -> None:
    ruling = ev.Adjust(kind="artificial", law="12C2a", ns=60, ew=40)
    match = on_board(1, "1NT", boards=2).do(ruling)
    hand = match.last_hand
    assert (hand["complete"], hand["scores"], hand["calls"]) == (True, [0] * 4, ["1NT"])
    assert (hand["made"], match.turn) == (None, ("deal", None))
    for ns in (101, -1):
        match.refuses(ev.Adjust(kind="artificial", law="12C2a", ns=ns, ew=40), "table.range")
    match.refuses(ev.Adjust(kind="artificial", law="12C2a", ns=ONE, ew=40), "format.value")


def test_adjusted_artificial_after_the_end_of_the_match() -> None:
    match = contract("4S", 0, 10, match=bridge())
    assert match.result["status"] == "complete"
    match.do(ev.Adjust(kind="artificial", law="12C2a", ns=50, ew=50))
    assert (match.result["status"], match.result["totals"], match.result["winners"]) == (
        "complete",
        [0] * 4,
        [0, 1, 2, 3],
    )


def test_adjusted_artificial_is_amended_taken_back_and_refused_after_void() -> None:
    match = contract("4S", 0, 10, match=bridge())
    stream = Stream.of([*match.events, ev.Adjust(kind="artificial", law="12C2a", ns=50, ew=50)])
    stream.append(ev.Amend(about=4, event=ev.Adjust(kind="penalty", law="90", side="ew", points=20)))
    assert stream.table.totals == [420, -440, 420, -440]
    stream.append(ev.Retract(to=3))
    assert stream.table.totals == [420, -420, 420, -420]
    stream.append(ev.Void())
    with pytest.raises(LedgerError) as refused:
        stream.append(ev.Adjust(kind="stands", law="61"))
    assert refused.value.code == "table.phase"


def test_adjusted_penalty_takes_points_from_one_side() -> None:
    match = contract("4S", 0, 10).do(ev.Adjust(kind="penalty", law="90", side="ns", points=50))
    assert match.last_hand["scores"] == [370, -420, 370, -420]
    match.do(ev.Adjust(kind="penalty", law="90", side="ew", percent=12.5))
    assert match.last_hand["scores"] == [370, -420, 370, -420]
    match.do(ev.Adjust(kind="penalty", law="90", side="ns", points=-150))
    assert match.last_hand["scores"] == [520, -420, 520, -420]
    match.refuses(ev.Adjust(kind="penalty", law="90", side="ns"), "format.key")
    match.refuses(ev.Adjust(kind="penalty", law="90", points=3), "format.key")
    match.refuses(ev.Adjust(kind="penalty", law="90", side="south", points=3), "format.value")
    match.refuses(ev.Adjust(kind="penalty", law="90", side="ns", points=3, imps=1), "format.key")
    match.refuses(ev.Adjust(kind="penalty", law="90", side="ns", imps=0.125), "format.value")


def test_adjusted_penalty_on_an_earlier_hand_and_on_points_as_written() -> None:
    match = contract("4S", 0, 10)
    match.do(ev.Deal(board=2, hands=None), ev.Score(scores=(-50, 50, -50, 50)), ev.Deal(board=3, hands=None))
    before = match.match.copy()
    match.do(ev.Adjust(kind="penalty", law="90", side="ns", points=20, hand=1))
    match.do(ev.Adjust(kind="penalty", law="90", side="ns", points=5, hand=2))
    assert [hand["scores"] and hand["scores"][:2] for hand in match.result["hands"]] == [[400, -420], [-55, 50], None]
    assert match.result["totals"] == [345, -370, 345, -370]
    assert (before.totals, before.hands[0].scores) == ([370, -370, 370, -370], [420, -420, 420, -420])
    assert match.turn == ("call", 2)


def test_adjusted_penalty_before_the_end_of_the_hand_counts_at_its_end() -> None:
    match = on_board(1, "1NT", boards=2).do(ev.Adjust(kind="penalty", law="90", side="ew", points=100))
    match.call("pass", "pass", "pass").claim(7, 6, 0, 0)
    assert match.last_hand["scores"] == [90, -190, 90, -190]


def test_adjusted_penalty_is_no_ruling_that_stands() -> None:
    hands = ("2H 3H AC", "QH JH 2S", "AH KH 2C", "5H 6H 2D")
    match = in_play("record", *hands).play("5H 2H 2S")
    match.do(ev.Adjust(kind="stands", law="62D", about=5, reason="noticed too late"))
    assert match.last_hand["adjusted"]["kind"] == "stands"
    assert any(ruling.text.startswith("a ruling of kind stands, law 62D") for ruling in match.match.trail)
    match.refuses(ev.Adjust(kind="stands", law="62D", tricks=1), "format.key")


# --- the score


def test_score_contract_worked_cases() -> None:
    assert [points("4S", 0, 10), points("4S", 0, 10, 2), points("3NTX", 0, 10, 2)] == [420, 620, 950]
    assert [points("2DX", 0, 8), points("6HXX", 0, 12, 2), points("7NTXX", 0, 13, 2)] == [180, 2070, 2980]
    assert [points("1NTXX", 0, 6, 2), points("4HX", 0, 7), points("3SX", 0, 5), points("5CX", 0, 5, 2)] == [
        -400, -500, -800, -1700,
    ]  # fmt: skip
    assert points("4S", 1, 10, 3) == -620
    assert points("1C", 3, 6) == 50


TABLE = {
    ("1C", 7): (70, 70), ("1NT", 9): (150, 150), ("2H", 8): (110, 110), ("3C", 9): (110, 110), ("3NT", 9): (400, 600),
    ("4H", 11): (450, 650), ("5D", 11): (400, 600), ("6C", 12): (920, 1370), ("6NT", 12): (990, 1440),
    ("6S", 13): (1010, 1460), ("7D", 13): (1440, 2140), ("7NT", 13): (1520, 2220), ("1CX", 7): (140, 140),
    ("1CX", 8): (240, 340), ("1CXX", 7): (230, 230), ("1CXX", 8): (430, 630), ("2SX", 8): (470, 670), ("1NTXX", 7): (560, 760),
    ("4SX", 9): (-100, -200), ("4SX", 8): (-300, -500), ("4SX", 6): (-800, -1100), ("4SXX", 8): (-600, -1000),
    ("4S", 7): (-150, -300), ("7NTX", 0): (-3500, -3800), ("7NTXX", 0): (-7000, -7600),
}  # fmt: skip
"""Scores not vulnerable and vulnerable, from the table of Law 77, by contract and tricks."""


@pytest.mark.parametrize(("case", "scores"), TABLE.items(), ids=lambda case: " ".join(map(str, case)))
def test_score_contract_table(case: tuple[str, int], scores: tuple[int, int]) -> None:
    assert (points(case[0], 0, case[1], 1), points(case[0], 0, case[1], 2)) == scores


@pytest.mark.long
def test_score_contract_equals_endplay_in_all_2940_cases() -> None:
    types = pytest.importorskip("endplay.types")
    strains = [types.Denom.clubs, types.Denom.diamonds, types.Denom.hearts, types.Denom.spades, types.Denom.nt]
    doubled = [types.Penalty.passed, types.Penalty.doubled, types.Penalty.redoubled]
    cases = [*product(range(1, 8), range(5), range(3), (0, 1), range(14))]
    assert len(cases) == 2940
    for level, strain, doubles, vulnerable, tricks in cases:
        one = types.Contract(
            level=level, denom=strains[strain], declarer=types.Player.north, penalty=doubled[doubles], result=tricks - level - 6
        )  # fmt: skip
        wanted = one.score(types.Vul.both if vulnerable else types.Vul.none)
        assert duplicate_score(level, strain, doubles, vulnerable, tricks) == wanted, (level, STRAINS[strain])


def test_score_contract_of_points_as_written() -> None:
    match = on_board(1).score(170, -170, 170, -170)
    assert (match.last_hand["scores"], match.last_hand["made"]) == ([170, -170, 170, -170], None)
    match = on_board(1, "1NT", "pass", "pass", "pass").score(90, -90, 90, -90)
    assert (match.last_hand["contract"], match.last_hand["made"]) == ("1NT", None)


def test_score_match_claims_count_by_side() -> None:
    match = in_play("strict", "AC 3C", "4C 5C", "6C 7C", "8C 9C").play("8C AC 4C 6C").claim(3, 2, 5, 2)
    hand = match.last_hand
    assert (hand["claimed"], hand["tricks_taken"], hand["made"]) == ([3, 2, 5, 2], [9, 4, 0, 0], 9)
    on_board(1, "1NT").refuses(ev.Claim(tricks=(7, 6, 0, 0)), "table.phase")
    on_board(1, "1NT", "pass", "pass", "pass").refuses(ev.Claim(tricks=(7, 5, 0, 0)), "table.range")


# --- the match


def test_match_boards_ends_after_them() -> None:
    match = contract("4S", 0, 10, match=bridge(boards=2))
    assert match.result["status"] == "open"
    contract("4S", 1, 10, board=5, match=match)
    assert (match.result["status"], match.result["winners"]) == ("complete", [0, 1, 2, 3])
    assert "match.boards" in match.rules_cited


def test_match_boards_may_come_in_any_order() -> None:
    match = contract("4S", 0, 10, board=14)
    assert contract("4S", 0, 10, board=3, match=match).last_hand["dealer"] == 2


def chicago(match: Sitting, dealer: int, text: str = "1C") -> Sitting:
    deal = match.match.game.deal.completed(match.match, ev.Deal(dealer=dealer, hands=None))
    return contract(text, 0, 7, match=match, dealer=dealer, vulnerable=deal.vulnerable)


def test_match_chicago_is_four_hands() -> None:
    match = bridge(scoring="chicago")
    for dealer in (2, 3, 0, 1):
        chicago(match, dealer)
    assert [hand["vulnerable"] for hand in match.result["hands"]] == ["none", "ew", "ns", "both"]
    assert (match.result["status"], match.result["winners"]) == ("complete", [0, 2])
    assert "match.chicago" in match.rules_cited


def test_match_chicago_deals_again_after_a_hand_passed_out() -> None:
    match = bridge(scoring="chicago").deal(dealer=1).call(*["pass"] * 4)
    match.refuses(ev.Deal(dealer=2, vulnerable="none", hands=None), "match.chicago")
    assert match.deal(dealer=1).last_hand["vulnerable"] == "none"


def rubber(*hands: tuple[str, int, int]) -> Sitting:
    """Contracts of a rubber: contract, declarer, tricks."""
    match = bridge(scoring="rubber")
    for number, (text, declarer, tricks) in enumerate(hands):
        deal = match.match.game.deal.completed(match.match, ev.Deal(dealer=number % 4, hands=None))
        contract(text, declarer, tricks, match=match, dealer=number % 4, vulnerable=deal.vulnerable)
    return match


def test_match_rubber_ends_with_two_games() -> None:
    match = rubber(("4S", 0, 10), ("1C", 1, 7), ("3NT", 2, 10))
    assert [hand["vulnerable"] for hand in match.result["hands"]] == ["none", "ns", "ns"]
    assert [hand["scores"][0] for hand in match.result["hands"]] == [120, -20, 130]
    assert match.result["totals"] == [930, -230, 930, -230]
    assert (match.result["status"], match.result["winners"]) == ("complete", [0, 2])
    assert match.result["games"] == [2, 0, 2, 0]
    assert "match.rubber" in match.rules_cited


def test_match_rubber_games_of_both_and_part_scores() -> None:
    match = rubber(("2S", 0, 8), ("4H", 1, 10), ("2H", 2, 8), ("1D", 0, 7), ("1NT", 0, 7), ("5C", 3, 11))
    assert match.result["hands"][-1]["vulnerable"] == "both"
    assert match.result["games"] == [1, 2, 1, 2]
    ns, ew = 60 + 60 + 20 + 40, 120 + 100
    assert match.result["totals"][:2] == [ns - ew, ew - ns + 500]


def test_match_rubber_left_unfinished() -> None:
    match = rubber(("4S", 0, 10), ("2S", 1, 8)).do(ev.End())
    assert match.result["totals"][:2] == [120 - 60 + 300, 60 - 120 + 100]
    assert match.result["status"] == "ended"
    match.do(ev.Adjust(kind="penalty", law="R", side="ns", points=-100, hand=1, reason="four honours"))
    assert match.result["totals"][:2] == [120 - 60 + 300 + 100, 60 - 120 + 100]


def test_match_rubber_scores_no_bonus_for_games() -> None:
    assert rubber_score(3, 4, 1, 1, 10) == 200 + 50 + 200
    assert rubber_score(6, 3, 0, 0, 12) == 180 + 500


def test_match_rubber_goes_on_if_a_ruling_takes_the_last_game_back() -> None:
    match = rubber(("4S", 0, 10), ("4S", 0, 10))
    assert match.result["status"] == "complete"
    match.do(ev.Adjust(kind="tricks", law="64A1", to="ew", tricks=1))
    assert (match.result["status"], match.result["winners"], match.turn) == ("open", [], ("deal", None))
    assert match.result["totals"][:2] == [120 - 100, 100 - 120]
    match.deal()


# --- as it is recorded


def test_score_match_of_random_auctions_and_plays_is_conserved() -> None:
    for seed in range(15):
        events = simulate("bridge", 4, Random(seed), ["random" if seed % 3 else "cautious"], {"boards": 1})
        table = Stream.of(events).table
        (hand,) = table.hands
        assert sum(table.totals) == 0
        if hand.declarer >= 0:
            assert sorted(card for _, cards, _, _ in hand.tricks for card in cards) == [*range(52)]
            assert sum(hand.taken) == 13
        assert result(Stream.of(hide(events)).table)["hands"] == result(table)["hands"]


def test_follow_suit_strict_refuses_what_record_rules_a_violation() -> None:
    """Random calls and cards, legal or not: the first violation under `record` is the refusal under `strict`."""
    words = [f"{level}{strain}" for level in (1, 2, 3) for strain in STRAINS] + ["pass"] * 9 + ["double", "redouble"]
    for seed in range(12):
        rng = Random(seed)
        free, strict = bridge("record").deal(dealer=seed % 4), bridge().deal(dealer=seed % 4)
        while not free.match.violations and not free.hand.over:
            seat = free.hand.turn
            if free.hand.moment == "call":
                event: ev.Event = ev.Call(seat=seat, call=rng.choice(words))
            else:
                event = ev.Play(seat=seat, card=rng.choice(free.held(seat).split()))
            free.do(event)
            if free.match.violations:
                (one,) = free.match.violations
                strict.refuses(event, one.rule, " ".join(one.legal))
            else:
                strict.do(event)


def test_deal_thirteen_cards_known_later_are_judged_as_if_they_had_been_there() -> None:
    hands = ("2H 3H AC", "QH JH 2S", "AH KH 2C", "5H 6H 2D")
    known = in_play("record", *hands).play("5H 2H 2S AH").events
    deal = known[1]
    assert isinstance(deal, ev.Deal)
    stream = Stream.of([known[0], *hide(known[1:2]), *known[2:], ev.Amend(about=2, event=deal)])
    assert [one.rule for one in stream.table.violations] == ["follow.suit"]
    with pytest.raises(LedgerError):
        Stream.of([*hide(known[:2], "strict"), *known[2:], ev.Amend(about=2, event=deal)])


def test_score_match_of_one_board_is_the_score_of_the_evening(tmp_path: Path) -> None:
    """The points of one side are the loss of the other: they count once."""
    events = contract("4S", 0, 10, match=bridge()).events
    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, events, 0).match
        assert Moment(ledger, Memory(ledger.store)).result_of(match).score == 420
