"""The end of a hand of hecto-diversity: lay-offs after the close, and the points."""

from __future__ import annotations

from typing import Any

from cardledger.rules import Choice, Match, Phase, Sentence, Take, cards_in
from cardledger.rules import events as ev
from cardledger.rules.games.hecto_diversity.diverse import alike, all_places, least_penalty, value
from cardledger.rules.games.hecto_diversity.turns import ClosingHand, part_with

ORDER, ELIGIBLE = "layoff.order", "layoff.eligible"
PENALTY, CLOSER, STRAIGHT = "score.penalty", "score.closer", "score.straight"


class LayOff(Phase):
    """The others in turn lay off a card or pass, until a card is laid off; hidden hands then wait for their score."""

    @property
    def name(self) -> str:
        """The word for it."""
        return "layoff"

    def takes(self) -> dict[type[ev.Event], Take]:
        """Lay-offs and passes."""
        return {ev.Layoff: self.lay_off, ev.Pass: self.pass_on}

    def cites(self) -> tuple[str, ...]:
        """The rules of lay-offs and points."""
        return ORDER, ELIGIBLE, PENALTY, CLOSER, STRAIGHT

    def begin(self, match: Match[ClosingHand], hand: ClosingHand) -> bool:
        """Turn to the first player who can lay off a card."""
        hand.moment = "layoff"
        return self.turn_to(match, hand, hand.closer)

    def turn_to(self, match: Match[ClosingHand], hand: ClosingHand, seat: int) -> bool:
        """Turn to the next player left of `seat` who can lay off a card; False if there is none."""
        for after in range(1, (hand.closer - seat - 1) % match.n + 1):
            other = (seat + after) % match.n
            if match.hidden or eligible(match, hand, other):
                hand.turn = other
                return True
        return False

    def expect(self, match: Match[ClosingHand], hand: ClosingHand, seat: int, but: str) -> None:
        """Expect a turn as the match does.

        With hidden hands, players without an eligible card may have been skipped.
        """
        if match.hidden and hand.moment == "layoff" and 0 <= seat < match.n:
            assert hand.turn is not None
            if (seat - hand.closer) % match.n >= (hand.turn - hand.closer) % match.n:
                return
        match.expect("layoff", seat, but=but)

    def lay_off(self, match: Match[ClosingHand], hand: ClosingHand, event: ev.Layoff) -> None:
        """Lay off a card; there is only one in a hand."""
        seat = event.seat
        self.expect(match, hand, seat, Sentence("not a layoff"))
        bit = match.pack.mask.get(event.card, 0)
        if bit & match.may_hold(seat) and not bit & eligible(match, hand, seat):
            match.refuse(
                ELIGIBLE,
                Sentence(
                    "{card} repeats no colour or value of its own hand, or repeats one of the closer's", card=event.card
                ),
                seat,
            )
        part_with(match, hand, seat, event.card)
        match.cite(ORDER, Sentence("it is the turn of {who}", who=match.who(seat)), "allowed")
        match.cite(
            ELIGIBLE, Sentence("{card} goes to {closer}", card=event.card, closer=match.who(hand.closer)), "allowed"
        )
        self.done(match, hand)

    def pass_on(self, match: Match[ClosingHand], hand: ClosingHand, event: ev.Pass) -> None:
        """Let a player pass."""
        self.expect(match, hand, event.seat, Sentence("not a pass"))
        match.cite(ORDER, Sentence("{who} lays off no card", who=match.who(event.seat)), "allowed")
        if not self.turn_to(match, hand, event.seat):
            self.done(match, hand)

    def done(self, match: Match[ClosingHand], hand: ClosingHand) -> None:
        """Score the hand; a hidden one waits for its score."""
        if match.hidden:
            hand.moment, hand.turn = "score", None
        else:
            match.next_phase()

    def choices(self, match: Match[ClosingHand], hand: ClosingHand) -> tuple[Choice, ...]:
        """The cards a player may lay off, and the pass."""
        seat = hand.turn
        if seat is None:
            return ()
        return Choice("layoff", seat, match.pack.show(eligible(match, hand, seat))), Choice("pass", seat)


def eligible(match: Match[Any], hand: ClosingHand, seat: int) -> int:
    """Return the cards a player may lay off; in a hidden hand, all the cards the player may hold."""
    if match.hidden:
        return match.may_hold(seat)
    cards = cards_in(hand.held[seat])
    return sum(1 << cards[place] for place in cards_in(may_lay_off(cards, cards_in(hand.held[hand.closer]))))


def may_lay_off(cards: list[int], closed: list[int]) -> int:
    """Return the places of the cards that are like another of their hand, and like none of the closer's."""
    like = alike(cards)
    found = 0
    for place in range(len(cards)):
        if like[place].bit_count() > 1:
            found |= 1 << place
            for card in closed:
                if card // 10 == cards[place] // 10 or card % 10 == cards[place] % 10:
                    found &= ~(1 << place)
    return found


def penalty(hand: ClosingHand, cards: list[int]) -> int:
    """Return what is charged for a hand."""
    return least_penalty(hand.layout, cards, all_places(cards))


def would_cost(match: Match[Any], held: int) -> int:
    """Return what would be charged for a hand if the cards held were all of it."""
    hand: Any = match.hand
    return penalty(hand, cards_in(held))


def has_straight(hand: ClosingHand, cards: list[int]) -> bool:
    """Tell whether the seven values of a diverse hand are consecutive."""
    lowest, highest = 99, 0
    for card in cards:
        lowest, highest = min(lowest, value(hand.layout, card)), max(highest, value(hand.layout, card))
    return highest - lowest == 6


def closer_scores(hand: ClosingHand, cards: list[int], penalties: int) -> int:
    """Return the points of the closer, who holds these cards, from the sum of the penalties."""
    return -penalties - 20 if has_straight(hand, cards) else -penalties


def score(match: Match[ClosingHand], hand: ClosingHand) -> list[int]:
    """The lowest penalties; the closer scores minus their sum, and twenty less with a straight."""
    closer = hand.closer
    penalties = [0 if seat == closer else penalty(hand, cards_in(held)) for seat, held in enumerate(hand.held)]
    hand.penalties = penalties
    scores = penalties.copy()
    cards = cards_in(hand.held[closer])
    scores[closer] = closer_scores(hand, cards, sum(penalties))
    if match.trail is not None:
        for seat, charged in enumerate(penalties):
            if seat != closer:
                match.cite(PENALTY, Sentence("{who}: {charged}", who=match.who(seat), charged=charged))
        match.cite(CLOSER, Sentence("{closer}: {points}", closer=match.who(closer), points=-sum(penalties)))
        if has_straight(hand, cards):
            values = [match.pack.ranks[card] for card in cards]
            match.cite(
                STRAIGHT, Sentence("the values run from {low} to {high}: 20 less", low=min(values), high=max(values))
            )
    return scores


def scored_by(match: Match[Any], hand: ClosingHand) -> tuple[str, ...]:
    """Penalties, the closer's points for them, and twenty less for a straight."""
    assert hand.scores is not None
    assert hand.penalties is not None
    straight = hand.scores[hand.closer] != -sum(hand.penalties)
    return (PENALTY, CLOSER, STRAIGHT) if straight else (PENALTY, CLOSER)
