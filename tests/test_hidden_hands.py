"""Hidden hands: the same result in the end, later judging, and immediate refusals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from cardledger.record.matches.replay import result
from cardledger.record.matches.seat_view import SPECTATOR, seat_view
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream, unroll
from tests.tables import Policy, Sitting, ending, hide, play_out, whole_hands

PLAYED_OUT = [
    (id, n) for id in ("diversity", "diamonds-bid", "poison-hearts", "ruff", "ruff-2") for n in games()[id].players
]
"""Games whose hands are played to the last card, so that the deal turns out."""


def replayed(events: list[ev.Event]) -> dict[str, Any]:
    return result(Stream.of(events).table)


def violations(match: Sitting) -> list[tuple[int, int, str, list[str]]]:
    return [tuple(found.values()) for found in match.result["violations"]]


# --- the same result


@given(st.sampled_from(PLAYED_OUT), st.integers(0, 2**32), st.sampled_from(["strict", "record"]))
@settings(max_examples=150)
def test_a_hidden_deal_gives_the_result_of_the_known_one(game: tuple[str, int], seed: int, policy: Policy) -> None:
    events = whole_hands(*game, Random(seed), hands=2)
    assert replayed(hide(events, policy)) == replayed(events)


@given(st.integers(2, 6), st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_hidden_hand_with_cards_never_seen_waits_for_its_score(n: int, seed: int) -> None:
    events = whole_hands("diamonds-draw", n, Random(seed), hands=1)
    known = replayed(events)
    scorer = Stream.of(hide(events, "strict"))
    assert (scorer.table.hand.moment, scorer.table.hand.turn) == ("score", None)
    assert [choice.type for choice in scorer.table.choices()] == ["score"]
    scorer.append(ev.Score(scores=tuple(known["hands"][0]["scores"])))
    hidden = result(scorer.table)
    broken, proven = ({(one["seq"], one["rule"]) for one in shown["violations"]} for shown in (known, hidden))
    assert proven <= broken, "what the cards shown prove"
    assert hidden["hands"][0].pop("agreed")
    assert hidden["hands"] == known["hands"]


def test_a_hidden_deal_may_name_the_cards_aside() -> None:
    match = Sitting("diamonds-bid", 5).deal(hidden=True, aside="2C 3C").bid(0, 0, 0, 0, 0)
    match.refuses(ev.Play(seat=0, card="2C"), "table.holding").play("4C", seat=2)


# --- judged when all is played


def stripped(match: Sitting, policy: Policy = "strict") -> Sitting:
    """The same match with hidden deals."""
    events = hide([event for _, event in unroll(match.stream.heads[-1])], policy)
    other = Sitting("ruff", 3)
    other.stream = Stream.of(events, audit=True)
    return other


def to_the_end(match: Sitting) -> Sitting:
    while not match.table.hand.over:
        match.legally(1)
    return match


@pytest.mark.parametrize("policy", ["strict", "record"])
def test_a_revoke_is_found_after_the_hand_even_under_strict(policy: Policy) -> None:
    known = Sitting("ruff", 4, "record").deal("5S", "6S AH", dealer=3).play("5S AH")
    known.legally(45)
    hidden = stripped(known, policy)
    assert violations(hidden) == []
    last = known.legally(1).stream.heads[-1][1]
    hidden.do(last)
    assert violations(hidden) == violations(known)
    (found,) = violations(hidden)
    assert found[:3] == (4, 1, "follow.suit")
    assert hidden.table.strict == (policy == "strict")
    assert "broken" in [ruling.verdict for ruling in hidden.table.trail]


def truth(game: str, n: int, *wanted: str, dealer: int) -> list[list[str]]:
    """The hands of a deal."""
    match = Sitting(game, n).deal(*wanted, dealer=dealer)
    return [match.held(seat).split() for seat in range(n)]


def led_first(seat: int, card: str) -> Sitting:
    """Eight players, seat 0 with the lowest club; somebody leads `card`, and all is played out."""
    wanted = [f"{rank}C {rank}D {rank}H {rank}S" for rank in "23456789"]
    hands = truth("diamonds-bid", 8, *wanted, dealer=7)
    match = Sitting("diamonds-bid", 8).deal(hidden=True, dealer=7).bid(*[0] * 8)
    assert match.turn == ("play", None)
    match.play(card, seat=seat)
    hands[seat].remove(card)
    return play_out(match, hands)


def test_a_first_leader_without_the_lowest_club_broke_lead_lowest_club() -> None:
    assert violations(led_first(3, "5C")) == [(11, 3, "lead.lowest-club", [])]
    assert violations(led_first(3, "5H")) == [(11, 3, "lead.lowest-club", [])]


def test_a_first_leader_who_kept_the_lowest_club_broke_the_rule() -> None:
    assert violations(led_first(0, "2H")) == [(11, 0, "lead.lowest-club", ["2C"])]


def test_a_first_leader_with_the_lowest_club_broke_nothing() -> None:
    assert violations(led_first(0, "2C")) == []


def test_a_pass_with_a_one_is_found_after_the_hand() -> None:
    known = Sitting("poison-hearts", 6, "record").deal("R1 Y1", "G1 P1").do(ev.Pass(seat=0))
    assert violations(stripped(known)) == []
    assert violations(stripped(to_the_end(known))) == [(3, 0, "pass.no-one", ["R1", "Y1"])]


def test_a_first_lead_by_someone_without_a_one_is_found_after_the_hand() -> None:
    ones = "R1 R1 Y1 Y1 G1 G1 B1 B1 P1 P1"
    hands = truth("poison-hearts", 6, "R8", ones, dealer=0)
    match = Sitting("poison-hearts", 6).deal(hidden=True).play("R8")
    hands[0].remove("R8")
    assert violations(play_out(match, hands)) == [(3, 0, "pass.no-one", [])]


# --- ties


def test_a_hidden_tie_turns_out_to_have_been_removed() -> None:
    known = ending("R3 R3", "R4 Y5", "R4 G8").play("R3 R4 R4")
    hidden = stripped(known)
    assert hidden.last[3] == "trick.tie"  # nobody can tell yet
    for match in (known, hidden):
        match.play("R3 Y5 G8")
    assert hidden.result["hands"] == known.result["hands"]
    assert hidden.result["hands"][0]["tricks"][-2]["rule"] == "trick.removed"


def test_a_hidden_tie_of_the_last_cards_ends_the_hand() -> None:
    known = ending("R3", "R3", "G8").play("R3 R3 G8")
    assert stripped(known).result["hands"] == known.result["hands"]


def test_a_hidden_tie_turns_out_not_to_have_been_removed() -> None:
    known = ending("R2 R3", "R4 Y5", "R4 G8").play("R2 R4 R4 R3 Y5 G8 R2 R4 R4")
    hidden = stripped(known)
    assert hidden.result["hands"] == known.result["hands"]
    assert [trick["rule"] for trick in hidden.result["hands"][0]["tricks"][-3:]] == [
        "trick.tie", "trick.highest", "trick.removed"
    ]  # fmt: skip


def test_after_a_removal_the_leader_may_try_every_face_again() -> None:
    known = ending("R2 R2 G2 G3", "R4 G4 Y5 Y6", "R4 G4 G8 B8").play("R2 R4 R4 G2 G4 G4 G3 G4 G4")
    assert known.last[3] == "trick.removed"
    known.play("R2 R4 R4 G2 Y5 G8 B8 R2 Y6 R4 R2 R4")
    assert [trick["rule"] for trick in known.result["hands"][0]["tricks"][-4:]] == [
        "trick.tie", "trick.highest", "trick.highest", "trick.removed"
    ]  # fmt: skip
    assert stripped(known).result["hands"] == known.result["hands"]


@given(st.integers(1, 4), st.integers(0, 2**32))
@settings(max_examples=80)
def test_hidden_ties_of_few_faces_are_resolved_as_they_happened(each: int, seed: int) -> None:
    """Last cards of two suits and low values, with their twins, so that most tricks are tied."""
    rng = Random(seed)
    faces = [f"{suit}{value}" for suit in "RY" for value in "234"] * 2
    last = rng.sample(faces, 3 * each)
    try:
        known = ending(*(" ".join(last[each * seat : each * (seat + 1)]) for seat in range(3)))
    except StopIteration:
        reject()  # no way there without a tie
    hidden = stripped(known, "record")
    while not known.table.hand.over:
        tried = {card for card in known.held(known.turn[1]).split() if rng.random() < 0.3}
        cards = known.table.choices()[0].cards
        card = rng.choice([*cards, *tried])
        known.play(card)
        hidden.play(card)
    assert hidden.result == known.result


def test_a_hidden_tie_in_a_hand_cut_short_is_listed_as_a_tie() -> None:
    known = ending("R3 R3", "R4 Y5", "R4 G8").play("R3 R4 R4")
    assert known.last[3] == "trick.removed"
    assert stripped(known).score(1, 2, 3).last[3] == "trick.tie"


def sizes(match: Sitting) -> list[int] | None:
    """How many cards each holds, as a spectator is told: None while two courses are possible."""
    return seat_view(match.table, SPECTATOR)["hand_sizes"]  # type: ignore[no-any-return]


def test_a_tie_removes_nothing_while_its_leader_must_hold_a_face_not_yet_tried() -> None:
    match = Sitting("poison-hearts", 3).deal(hidden=True)
    for suit in "RYGBP":
        match.play(f"{suit}1 {suit}3 {suit}3")
        assert (sizes(match), len(match.table.worlds)) == ([20, 20, 20], 1)
    for suit in "RYGB":
        match.play(f"{suit}2 {suit}3 {suit}3")
        assert sizes(match) == [20, 20, 20]
    match.play("P2 P3 P3")
    assert sizes(match) is None, "nineteen cards may be left, all of the faces tried"


def test_a_card_shown_that_the_leader_would_have_to_hold_tells_that_nothing_was_removed() -> None:
    match = stripped(ending("Y3 R3 Y1", "R3 R2 R1", "R1 Y2 R2")).play("R2 R2 Y1 R1 R3 R3")
    assert sizes(match) is None, "the leader may hold the other R1 and R2 only, and the tied cards are out of play"
    match.play("R2")
    assert sizes(match) is None
    match.play("R1")
    assert sizes(match) == [2, 2, 3], "it cannot be, as another holds them"


# --- refused at once


def hidden(game: str, n: int, policy: Policy = "strict") -> Sitting:
    match = Sitting(game, n, policy).deal(hidden=True)
    return match.bid(*[0] * n) if game == "diamonds-bid" else match


@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize("game", ["diversity", "poison-hearts", "ruff", "diamonds-draw"])
def test_turn_order_and_repeated_cards_are_checked_while_the_hand_runs(game: str, policy: Policy) -> None:
    match = hidden(game, 4, policy)
    first = match.turn[1]
    card, other = ("R8", "R7") if game == "poison-hearts" else ("5S", "6S")
    match.refuses(ev.Play(seat=(first + 1) % 4, card=card), "table.turn")
    match.refuses(ev.Play(seat=first, card="XX"), "table.holding")
    match.play(card)
    match.refuses(ev.Play(seat=first, card=other), "table.turn")
    match.refuses(ev.Play(seat=match.turn[1], card=card), "table.holding")


def test_two_equal_cards_may_be_seen_twice_but_not_three_times() -> None:
    match = hidden("poison-hearts", 4).play("R1 R2 R1")
    match.refuses(ev.Play(seat=3, card="R1"), "table.holding").play("R2")


def test_cards_out_of_play_cannot_turn_up() -> None:
    match = hidden("ruff", 4)
    match.refuses(ev.Play(seat=1, card="2S"), "table.holding")


def paid(card: str = "AH") -> Sitting:
    """Five players; seat 0 was given `card` by seat 2, and gave AC back; all hands are hidden."""
    match = Sitting("ruff", 5).deal(hidden=True).claim(3, 2, 1, 2, 2).deal(hidden=True)
    match.do(ev.Ask(seat=0, source=2, suit="H"))
    return match.do(ev.Give(seat=2, to=0, card=card), ev.Give(seat=0, to=2, card="AC"))


def test_a_given_card_is_known_to_be_in_the_hand_of_its_receiver() -> None:
    match = paid()
    assert match.turn == ("play", 2)
    match.refuses(ev.Play(seat=2, card="AH"), "table.holding").play("5C")
    for seat, card in ((3, "6C"), (4, "7C")):
        match.refuses(ev.Play(seat=seat, card="AH"), "table.holding")
        match.refuses(ev.Play(seat=seat, card="AC"), "table.holding").play(card)
    match.refuses(ev.Play(seat=0, card="AC"), "table.holding").play("AH")


def test_a_card_given_may_be_played_by_its_receiver_and_given_on() -> None:
    paid().play("AC 3C 4C AH")
    match = Sitting("ruff", 5).deal(hidden=True).claim(3, 2, 1, 2, 2).deal(hidden=True)
    match.do(ev.Ask(seat=0, source=2, suit="H"), ev.Give(seat=2, to=0, card="AH"))
    match.refuses(ev.Give(seat=0, to=1, card="AH"), "debt.return")
    match.do(ev.Give(seat=0, to=2, card="AH")).play("AH")


def test_a_player_whose_cards_are_all_known_can_play_no_other_card() -> None:
    known = Sitting("ruff", 5, "record").deal().claim(3, 2, 1, 2, 2).deal("", "", "AH")
    known.ask("H").give("AH").give(known.held(0).split()[0])
    while known.table.hand.tricks_left > 1 or known.turn[1] != 0:
        known.play(next(card for card in known.held(known.turn[1]).split() if card != "AH"))
    unseen = " ".join(known.held(seat) for seat in range(1, 5)).split()
    assert (known.held(0), len(unseen) > 0) == ("AH", True)
    match = stripped(known)
    for card in unseen:
        match.refuses(ev.Play(seat=0, card=card), "table.holding")
    match.play("AH")


def test_a_drawn_card_is_known_to_be_in_the_hand_of_its_player() -> None:
    match = hidden("diamonds-draw", 3).play("5S 6S 7S").draw("AH")
    match.refuses(ev.Play(seat=0, card="5S"), "table.holding").play("KH")
    match.refuses(ev.Play(seat=1, card="AH"), "table.holding").play("QH JH").draw("2C")
    match.play("AH")


def test_a_card_seen_cannot_be_drawn() -> None:
    match = hidden("diamonds-draw", 3).play("5S 6S 7S")
    match.refuses(ev.Draw(seat=0, source="stock", cards=("5S",)), "table.deck")
    match.refuses(ev.Draw(seat=0, source="stock", cards=("AH", "KH")), "draw.winner")
    match = Sitting("diamonds-draw", 3).deal(hidden=True, stock="AH KH").play("TC 9C JC")
    match.refuses(ev.Draw(seat=0, source="stock", cards=("KH",)), "table.deck").draw("AH")


def test_a_card_of_a_known_stock_cannot_be_held() -> None:
    match = Sitting("diamonds-draw", 3).deal(hidden=True, stock="AH KH")
    match.refuses(ev.Play(seat=1, card="KH"), "table.holding")


def test_tied_cards_are_known_to_be_back_in_their_hands() -> None:
    match = hidden("poison-hearts", 3).play("R1 G8 R1")
    assert (match.last[3], match.turn) == ("trick.tie", ("play", 0))
    match.play("Y2")
    match.refuses(ev.Play(seat=1, card="R1"), "table.holding").play("G8")
    match.refuses(ev.Play(seat=2, card="G8"), "table.holding").play("R1")


# --- hands of hecto-diversity


def closed(n: int = 4, closer: int = 0) -> Sitting:
    """A hidden hand closed by a seat in its first turn, with cards nobody has seen."""
    match = Sitting("hecto-diversity", n).deal(hidden=True, upcard="80", dealer=closer)
    match.draw("79")
    assert {choice.type for choice in match.table.choices()} == {"discard", "close", "score"}
    return match.close("5")


def test_a_hidden_close_is_not_judged_but_must_be_of_a_card_that_may_be_held() -> None:
    match = Sitting("hecto-diversity", 4).deal(hidden=True, upcard="80").draw("79")
    match.refuses(ev.Close(seat=0, card="80"), "table.holding")
    match.refuses(ev.Close(seat=0, card="81"), "table.holding").close("79")


def test_a_hidden_hand_that_has_shown_seven_cards_holds_no_other() -> None:
    match, top = Sitting("hecto-diversity", 2).deal(hidden=True, upcard="80", dealer=0), "80"
    for card in range(1, 15):  # each draws what the other has laid down, and lays down what nobody has seen
        match.draw(top, "discards").discard(top := str(card))
    match.draw("14", "discards").refuses(ev.Discard(seat=0, card="30"), "table.holding")
    assert match.table.choices()[0].cards == tuple(sorted(["80", "2", "4", "6", "8", "10", "12", "14"]))


@pytest.mark.parametrize("closer", range(4))
def test_after_a_hidden_close_players_may_be_skipped_but_not_asked_again(closer: int) -> None:
    match = closed(closer=closer)
    first, second, third = ((closer + i) % 4 for i in (1, 2, 3))
    match.refuses(ev.Pass(seat=closer), "table.turn").refuses(ev.Layoff(seat=closer, card="9"), "table.turn")
    match.do(ev.Pass(seat=second))
    match.refuses(ev.Pass(seat=first), "table.turn").refuses(ev.Pass(seat=second), "table.turn")
    match.refuses(ev.Layoff(seat=first, card="9"), "table.turn")
    match.refuses(ev.Layoff(seat=third, card="5"), "table.holding")
    match.refuses(ev.Pass(seat=4), "table.range").refuses(ev.Pass(seat=-1), "table.range")
    match.do(ev.Layoff(seat=third, card="9"))
    assert match.turn == ("score", None)


@pytest.mark.parametrize("last", [ev.Pass(seat=3), ev.Layoff(seat=1, card="9")])
def test_after_a_lay_off_or_the_last_pass_only_a_score_may_come(last: ev.Event) -> None:
    match = closed()
    waits_for_score(match.do(last))
    hand = match.score(-9, 2, 3, 4).result["hands"][0]
    assert (hand["closer"], hand["penalties"], hand["agreed"]) == (0, None, True)


def waits_for_score(match: Sitting) -> None:
    n = match.table.n
    match.do(ev.Note(text="counting"))
    for event in (
        ev.Play(seat=0, card="5S"),
        ev.Pass(seat=n - 1),
        ev.Layoff(seat=n - 1, card="11"),
        ev.Draw(seat=0, source="stock", cards=("2",)),
        ev.Discard(seat=0, card="2"),
        ev.Claim(tricks=(0,) * n),
        ev.Deal(dealer=0, hands=None)
        if match.table.game.id == "diamonds-draw"
        else ev.Deal(starter=0, upcard="1", hands=None),
    ):
        match.refuses(event, "table.phase")
    ended = match.stream.copy()
    ended.append(ev.End())
    assert ended.table.status == "ended"


def test_a_score_or_end_may_come_before_the_lay_offs() -> None:
    assert closed().score(-9, 2, 3, 4).result["hands"][0]["complete"]
    assert closed().do(ev.End()).result["status"] == "ended"


def test_a_hidden_hand_of_diamonds_draw_waits_for_its_score() -> None:
    match = hidden("diamonds-draw", 6)
    faces = iter(f"{rank}{suit}" for suit in "SHC" for rank in "AKQJT98765432")
    while match.turn[0] != "score":
        if match.turn[0] == "draw":
            match.draw()
        else:
            seen = match.table.choices()[0].cards
            match.play(next(face for face in faces if face in seen))
    waits_for_score(match)
    assert match.score(1, 2, 3, 4, 5, 6).result["totals"] == [1, 2, 3, 4, 5, 6]


def test_a_discard_taken_up_is_known() -> None:
    match = Sitting("hecto-diversity", 2).deal(hidden=True, upcard="80").draw("80", "discards")
    match.discard("7").draw("9")
    match.refuses(ev.Discard(seat=1, card="80"), "table.holding")
    match.refuses(ev.Discard(seat=1, card="7"), "table.holding").discard("9")


# --- cut short


@pytest.mark.parametrize("cut", [ev.Claim(tricks=(9, 2, 1, 0)), ev.Score(scores=(1, 2, 3, 4)), ev.End()])
def test_a_hidden_hand_cut_short_is_not_judged(cut: ev.Event) -> None:
    known = Sitting("ruff", 4, "record").deal("5S", "6S AH", dealer=3).play("5S AH").do(cut)
    assert [found[2] for found in violations(known)] == ["follow.suit"]
    assert violations(stripped(known)) == []


def test_a_hand_off_a_score_sheet_is_deal_bids_and_claim() -> None:
    match = Sitting("diamonds-bid", 4).deal(hidden=True).bid(3, 3, 4, 2).claim(3, 3, 3, 4)
    (hand,) = match.result["hands"]
    assert (hand["bids"], hand["scores"]) == ([2, 3, 3, 4], [21, 30, 30, 40])
