"""What `ruff` and `ruff-2` share: every rule of their books but how trump suits rank."""

from __future__ import annotations

from typing import Any

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.phases import TrickPlay
from tests.tables import Policy, Sitting, irregular, trick_of

EVEN = {3: (5, 5, 5), 4: (3, 3, 3, 3), 5: (2, 2, 2, 2, 2)}


class RuffRules:
    """Proofs for either game; a subclass says which one, and adds the worked cases of `trick.ruff`."""

    game: str

    def sitting(self, n: int = 4, policy: Policy = "strict", **options: object) -> Sitting:
        return Sitting(self.game, n, policy, **options)

    def after(self, *taken: int, policy: Policy = "strict") -> Sitting:
        """A first hand, dealt by seat 0, with the given tricks by seat: seat 1 deals next."""
        return self.sitting(len(taken), policy).deal(dealer=0).claim(*taken)

    def test_deck_short_leaves_out_the_lowest_cards(self) -> None:
        for n, out in ((3, "2C 2D 2H 2S 3C 3D 3H"), (4, "2C 2D 2H 2S"), (5, "2C 2D")):
            match = self.sitting(n).deal()
            faces = " ".join(match.held(seat) for seat in range(n)).split()
            pack = match.table.pack
            assert sorted(faces) == sorted(set(pack.faces) - set(out.split()))
            assert {held.bit_count() for held in match.table.hand.held} == {len(faces) // n}
            match.refuses(ev.Play(seat=1, card="2C"), "table.holding")
            hands = [held.split() for held in map(match.held, range(n))]
            hands[1][0] = "2C"
            wrong = ev.Deal(dealer=0, hands=tuple(map(tuple, hands)))
            self.sitting(n).refuses(wrong, "table.deck")

    def test_lead_left_of_dealer_leads_any_card(self) -> None:
        match = self.sitting().deal(dealer=2)
        assert match.turn == ("play", 3)
        assert match.table.choices()[0].cards == tuple(match.held(3).split())

    def test_follow_suit_irregular_discard(self) -> None:
        def at(policy: Policy) -> Sitting:
            return self.sitting(4, policy).deal("5S", "6S AH", dealer=3).play("5S")

        legal = " ".join(card for card in at("strict").held(1).split() if card[1] == "S")
        irregular(at, ev.Play(seat=1, card="AH"), "follow.suit", legal)

    def test_follow_suit_leaves_any_card_to_the_void(self) -> None:
        match = self.sitting().deal("5S", "AH", void={1: "S"}, dealer=3).play("5S")
        assert match.table.choices()[0].cards == tuple(match.held(1).split())

    def test_trick_led_suit_highest_takes_if_all_follow(self) -> None:
        assert trick_of(self.game, "9H TH 3H JH 4H") == ("JH", "trick.led-suit")
        assert trick_of(self.game, "KS QS 9S") == ("KS", "trick.led-suit")

    def test_lead_taker_leads_next(self) -> None:
        match = self.sitting().deal("3C", "5C", "KC", "4C", dealer=3).play("3C 5C KC 4C")
        assert match.turn == ("play", 2)

    @pytest.mark.parametrize("n", [3, 4, 5])
    def test_quota_met_by_all_leaves_no_debts(self, n: int) -> None:
        assert self.after(*EVEN[n]).deal().turn == ("play", 2)

    @pytest.mark.parametrize("n", [3, 4, 5])
    def test_quota_missed_by_one_is_a_debt(self, n: int) -> None:
        taken = list(EVEN[n])
        taken[0] += 1
        taken[2] -= 1
        match = self.after(*taken).deal()
        assert match.turn == ("ask", 0)
        assert match.table.choices()[0].sources == (2,)

    def test_debt_owed_to_two_by_one_needs_no_collect(self) -> None:
        match = self.after(4, 4, 1, 3).deal(void={2: "D"})
        given = []
        for _ in range(2):
            given.append((match.turn[1], match.table.choices()[0].sources))
            match.ask("D").give(match.held(2).split()[0])
        assert given == [(0, (2,)), (1, (2,))]

    def test_debt_owed_by_two_to_one_needs_no_collect(self) -> None:
        match = self.after(5, 3, 2, 2).deal()
        sources = []
        for _ in range(2):
            sources += match.table.choices()[0].sources
            assert match.turn == ("ask", 0)
            match.ask("C").give(match_highest(match, "C"))
        assert sources == [2, 3]

    def test_debt_owed_after_a_claim_but_not_after_a_score(self) -> None:
        assert self.after(4, 4, 1, 3).deal().turn[0] == "ask"
        assert self.sitting().scored(4, 4, 1, 3).deal().turn == ("play", 2)

    def test_debt_owed_by_nobody_after_a_score_whatever_tricks_were_taken(self) -> None:
        match = self.sitting(5).deal("3C 4C 3S", "AC KC AS", "5C 6C 4S", "7C 8C 5S", "9C TC 6S", dealer=0)
        for lead in ("AC", "KC", "AS"):
            match.play(lead).legally(4)
        assert match.table.hand.taken == [0, 3, 0, 0, 0]  # one more than the quota
        assert match.score(1, 2, 3, 4, 5).deal().turn == ("play", 2)

    def test_debt_owed_is_for_the_hand_before_only(self) -> None:
        match = self.after(4, 4, 1, 3).deal()
        while match.turn[0] != "play":
            self.settle(match)
        assert match.claim(3, 3, 3, 3).deal().turn[0] == "play"

    def test_debt_owed_comes_before_play_and_claim(self) -> None:
        match = self.after(4, 4, 1, 3).deal()
        match.refuses(ev.Play(seat=2, card=match.held(2).split()[0]), "table.phase")
        match.refuses(ev.Claim(tricks=(3, 3, 3, 3)), "table.phase")

    def settle(self, match: Sitting) -> None:
        """One step of debts, whichever is due."""
        choice = match.table.choices()[0]
        if choice.type == "ask":
            match.ask("H")
        elif choice.type == "collect":
            match.do(ev.Collect(seat=choice.seat, source=choice.sources[0]))
        else:
            match.give(choice.cards[0])

    def collecting(self, policy: Policy = "strict") -> Sitting:
        """Seats 0 and 1 are owed two cards and one, seats 2 and 3 owe one card and two; seat 1 deals."""
        return self.after(5, 4, 2, 1, policy=policy).deal()

    def test_debt_collect_goes_in_turn_from_the_new_dealers_left(self) -> None:
        match = self.collecting()
        assert match.turn == ("collect", 0)
        assert match.table.choices()[0].sources == (2, 3)
        match.refuses(ev.Collect(seat=1, source=2), "table.turn")
        match.refuses(ev.Ask(seat=0, source=2, suit="C"), "table.phase")
        match.do(ev.Collect(seat=0, source=3))
        assert match.turn == ("collect", 0)  # all its cards before the next creditor
        match.do(ev.Collect(seat=0, source=3))
        assert (match.turn, match.table.choices()[0].sources) == (("collect", 1), (2,))
        match.do(ev.Collect(seat=1, source=2))  # the forced one, too
        assert match.turn == ("ask", 0)

    @pytest.mark.parametrize("policy", ["strict", "record"])
    def test_debt_collect_no_more_than_is_owed(self, policy: Policy) -> None:
        match = self.collecting(policy)
        for source, rule in ((0, "debt.collect"), (1, "debt.collect"), (4, "table.range")):
            match.refuses(ev.Collect(seat=0, source=source), rule)
        match.do(ev.Collect(seat=0, source=2)).refuses(ev.Collect(seat=0, source=2), "debt.collect")

    @pytest.mark.parametrize("order", [(3, 2), (2, 3)])
    def test_debt_ask_goes_clockwise_from_the_creditors_left(self, order: tuple[int, int]) -> None:
        match = self.collecting()
        match.do(*(ev.Collect(seat=0, source=source) for source in order))
        match.do(ev.Collect(seat=1, source=3))
        asked = []
        for _ in range(3):
            asked.append((match.turn[1], match.table.choices()[0].sources[0]))
            match.ask("H").give(match_highest(match, "H"))
        assert asked == [(0, 2), (0, 3), (1, 3)]

    def test_debt_ask_takes_all_from_one_before_the_next(self) -> None:
        match = self.after(6, 3, 1, 2).deal()
        asked = []
        for _ in range(3):
            asked.append(match.table.choices()[0].sources[0])
            match.ask("H").give(match_highest(match, "H"))
        assert asked == [2, 2, 3]

    def test_debt_ask_goes_on_past_the_last_seat(self) -> None:
        match = self.after(2, 3, 5, 2).deal()
        asked = []
        for _ in range(2):
            asked.append(match.table.choices()[0].sources[0])
            match.ask("H").give(match_highest(match, "H"))
        assert asked == [3, 0]

    def test_debt_ask_goes_by_the_new_dealer_among_creditors(self) -> None:
        match = self.sitting(4).deal(dealer=3).claim(4, 4, 1, 3).deal(dealer=0)
        assert match.turn == ("ask", 1)

    def test_debt_ask_of_the_debtor_whose_turn_it_is(self) -> None:
        match = self.after(5, 3, 2, 2).deal()
        match.refuses(ev.Ask(seat=0, source=3, suit="C"), "debt.ask")
        match.refuses(ev.Ask(seat=0, source=1, suit="C"), "debt.ask")
        match.refuses(ev.Ask(seat=1, source=2, suit="C"), "table.turn")
        match.refuses(ev.Ask(seat=0, source=9, suit="C"), "table.range")
        match.refuses(ev.Give(seat=2, to=0, card=match.held(2).split()[0]), "table.phase")

    def asked(self, policy: Policy = "strict") -> Sitting:
        """Seat 2 owes one card to seat 0, who asked for hearts: it holds 3H 9H and AC."""
        match = self.after(4, 3, 2, 3, policy=policy)
        return match.deal("", "AH", "3H 9H AC", void={3: "C", 0: "H", 2: ""}).ask("H")

    def test_debt_ask_is_paid_to_the_creditor_who_asked(self) -> None:
        match = self.asked()
        match.refuses(ev.Give(seat=2, to=1, card="9H"), "debt.ask")
        match.refuses(ev.Give(seat=3, to=0, card="9H"), "table.turn")
        match.refuses(ev.Give(seat=2, to=0, card="AH"), "table.holding")
        match.refuses(ev.Give(seat=2, to=0, card="XX"), "table.holding")

    def test_debt_highest_card_of_the_suit_is_given(self) -> None:
        match = self.asked()
        highest = match_highest(match, "H")
        assert match.table.choices()[0].cards == (highest,)
        match.give(highest)
        assert highest in match.held(0).split()
        assert highest not in match.held(2).split()

    @pytest.mark.parametrize("card", ["3H", "AC"])
    def test_debt_highest_irregular_gift_of_another_card(self, card: str) -> None:
        legal = match_highest(self.asked(), "H")
        match = irregular(self.asked, ev.Give(seat=2, to=0, card=card), "debt.highest", legal)
        assert card in match.held(0).split()

    def test_debt_highest_is_any_card_without_the_suit(self) -> None:
        match = self.after(4, 3, 2, 3).deal("", "", "AC", void={2: "H"}).ask("H")
        assert match.table.choices()[0].cards == tuple(match.held(2).split())
        assert match.give("AC").table.violations == []

    def returning(self) -> Sitting:
        """Seats 2 and 3 have paid seat 0 one card each, 9H and AS."""
        match = self.after(5, 3, 2, 2).deal("KC", "", "9H", "AS", void={2: "S"})
        return match.ask("H").give(match_highest(match, "H")).ask("S").give("AS")

    def test_debt_return_of_any_card_to_whom_each_came_from(self) -> None:
        match = self.returning()
        assert match.turn == ("give", 0)
        assert (match.table.choices()[0].to, "AS" in match.table.choices()[0].cards) == (2, True)
        for to in (1, 3):
            match.refuses(ev.Give(seat=0, to=to, card="KC"), "debt.return")
        match.refuses(ev.Give(seat=2, to=0, card=match.held(2).split()[0]), "table.turn")
        match.refuses(ev.Give(seat=0, to=2, card=match.held(2).split()[0]), "table.holding")
        match.give("AS")  # a card just received may go, to the other one too
        assert "AS" in match.held(2).split()
        match.refuses(ev.Give(seat=0, to=2, card="KC"), "debt.return").give("KC")
        assert match.turn == ("play", 2)
        assert {held.bit_count() for held in match.table.hand.held} == {12}

    def test_debt_return_comes_when_all_have_moved_in_the_same_order(self) -> None:
        match = self.collecting()
        for seat, source in ((0, 3), (0, 2), (1, 3)):
            match.do(ev.Collect(seat=seat, source=source))
        for _ in range(3):
            match.ask("C").give(match_highest(match, "C"))
        back = []
        while match.turn[0] == "give":
            choice = match.table.choices()[0]
            back.append((choice.seat, choice.to))
            match.give(choice.cards[0])
        assert back == [(0, 2), (0, 3), (1, 3)]

    def test_deal_left_is_the_next_dealer(self) -> None:
        match = self.sitting().deal(dealer=3).claim(3, 3, 3, 3)
        match.refuses(ev.Deal(dealer=3, hands=None), "deal.left")
        assert match.deal(dealer=0).turn == ("play", 1)

    def test_score_trick_is_a_point_each(self) -> None:
        (hand,) = self.after(5, 4, 2, 1).result["hands"]
        assert (hand["tricks_taken"], hand["scores"]) == ([5, 4, 2, 1], [5, 4, 2, 1])

    @pytest.mark.parametrize("n", [3, 4, 5])
    def test_match_rounds_are_as_many_as_players_by_default(self, n: int) -> None:
        match = self.sitting(n)
        assert match.table.options == {"rounds": n}
        for _ in range(n):
            assert match.result["status"] == "open"
            match.deal().claim(*EVEN[n])
        assert match.result["winners"] == list(range(n))

    def test_match_rounds_then_the_most_tricks_win_and_equals_share(self) -> None:
        assert self.sitting(rounds=1).deal().claim(4, 1, 4, 3).result["winners"] == [0, 2]
        assert self.sitting(rounds=1).deal().claim(4, 1, 5, 2).result["winners"] == [2]


def match_highest(match: Any, suit: str) -> str:
    """The highest card of a suit in the hand of the seat to give, or its first card."""
    seat = match.table.hand.turn if match.table.hand.moment == "give" else match.table.pair[1]
    held = match.held(seat).split()
    of_suit = [card for card in held if card[1] == suit]
    return max(of_suit, key=lambda card: "23456789TJQKA".index(card[0])) if of_suit else held[0]


def decided(game: str, cards: str) -> tuple[str, str]:
    """As `trick_of`, for cards that are not in play together: the rulebook's cases hold 2s."""
    table: Any = Sitting(game, 4).table
    trick = [table.pack.of[face][0] for face in cards.split()]
    table.hand.laid = sum(1 << card for card in trick)
    table.hand.led = table.pack.kin[trick[0]]
    (play,) = (phase for phase in table.game.phases if isinstance(phase, TrickPlay))
    place, rule = play.taker(table.hand, trick)
    return cards.split()[place], rule
