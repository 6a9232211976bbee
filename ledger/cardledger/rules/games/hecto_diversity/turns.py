"""The turns of hecto-diversity: draw a card, then discard one or close."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

from cardledger.errors import FormatError
from cardledger.rules import (
    Choice,
    Match,
    Phase,
    Sentence,
    StockHand,
    Take,
    cards_in,
    from_option,
    parse_cards,
    unseen_draw,
)
from cardledger.rules import events as ev
from cardledger.rules.games.hecto_diversity.diverse import alike, all_places, closing_places, diverse

DRAW, DISCARD, RENEWED, CLOSE = "turn.draw", "turn.discard", "stock.renewed", "close.diverse"


@dataclass
class ClosingHand(StockHand):
    """Adds the discards (top card last), who closed (-1: nobody), and the penalties."""

    discards: list[int] = field(default_factory=list)
    closer: int = -1
    penalties: list[int] | None = None
    layout: int = from_option()


def begin_discards(match: Match[ClosingHand], hand: ClosingHand) -> None:
    """The card turned up is the first of the discards."""
    if not hand.unnoted:
        hand.discards.append(hand.upcard)


class Turns(Phase):
    """Players in turn draw a card and discard one, until somebody closes."""

    @property
    def name(self) -> str:
        """The word for it."""
        return "draw"

    @property
    def unseen(self) -> frozenset[type[ev.Event]]:
        """Only who draws sees the card."""
        return frozenset({ev.Draw})

    def takes(self) -> dict[type[ev.Event], Take]:
        """The steps of a turn."""
        return {ev.Draw: self.draw, ev.Discard: self.discard, ev.Close: self.close}

    def cites(self) -> tuple[str, ...]:
        """The rules of a turn."""
        return DRAW, DISCARD, RENEWED, CLOSE

    def begin(self, match: Match[ClosingHand], hand: ClosingHand) -> bool:
        """The starter has the first turn; without the first discard, no turn can be recorded."""
        hand.moment, hand.turn = ("score", None) if hand.unnoted else ("draw", hand.dealer)
        return True

    def draw(self, match: Match[ClosingHand], hand: ClosingHand, event: ev.Draw) -> None:
        """Let a player draw from the stock or the discards."""
        seat, source, faces, order = event.seat, event.source, event.cards, hand.stock_order
        if faces is None:
            faces = unseen_draw(
                match, event, (order[-hand.stock_left],) if order is not None and hand.stock_left else None
            )
        if seat != hand.turn or hand.moment != "draw":
            match.expect("draw", seat)
        may = 1 << hand.discards[-1] if source == "discards" else in_stock(match, hand)
        bit = match.pack.mask.get(faces[0], 0) if faces is not None and len(faces) == 1 else 0
        if faces is not None and not bit & may:
            refuse_draw(match, hand, source, faces, seat)
        if source == "discards":
            hand.discards.pop()
        else:
            if hand.stock_left == 0:
                renew(match, hand)
            hand.stock &= ~bit
            hand.stock_left -= 1
        if match.hidden:
            match.worlds = [world.copy() for world in match.worlds]
            if faces is None:
                match.worlds[0].draw_unseen(seat, 1, may)
            else:
                match.worlds[0].draw(seat, bit)
        else:
            hand.held[seat] |= bit
        if match.trail is not None:
            what = Sentence("a card that nobody saw") if faces is None else faces[0]
            said = Sentence("{what} from the stock") if source == "stock" else Sentence("{what} from the discards")
            match.cite(DRAW, Sentence(said, what=what), "allowed")
        hand.moment = "discard"

    def discard(self, match: Match[ClosingHand], hand: ClosingHand, event: ev.Discard) -> None:
        """Let a player lay a card on the discards; the turn passes on."""
        if event.card is None:
            self.check(match, event)
        seat = event.seat
        if seat != hand.turn or hand.moment != "discard":
            match.expect("discard", seat)
        bit = part_with(match, hand, seat, event.card)
        hand.discards.append(bit.bit_length() - 1)
        if match.trail is not None:
            match.cite(DISCARD, Sentence("{card} is face up", card=event.card), "allowed")
        hand.moment, hand.turn = "draw", (seat + 1) % match.n

    def close(self, match: Match[ClosingHand], hand: ClosingHand, event: ev.Close) -> None:
        """Let a player close whose other seven cards are diverse."""
        seat = event.seat
        match.expect("discard", seat, but=Sentence("not a close"))
        bit = match.pack.mask.get(event.card, 0) & hand.held[seat]
        if bit and not is_diverse(hand.held[seat] ^ bit):
            match.refuse(CLOSE, Sentence("the seven cards left repeat a colour or a value"), seat)
        part_with(match, hand, seat, event.card)
        hand.open_hands = 1 << seat
        hand.closer = seat
        match.cite(
            CLOSE, Sentence("without {card} the hand has seven colours and seven values", card=event.card), "allowed"
        )
        match.next_phase()

    def check(self, match: Match[ClosingHand], event: ev.Event) -> None:
        """Refuse a discard without its card: discards lie face up."""
        if isinstance(event, ev.Discard) and event.card is None:
            raise FormatError("format.value", "card is null, but discards lie face up: name the card")

    def kinds(self, match: Match[ClosingHand], hand: ClosingHand) -> tuple[str, ...]:
        """Closing depends on the cards held, so it is judged by the hand."""
        return ("discard", "close") if hand.moment == "discard" else ()

    def choices(self, match: Match[ClosingHand], hand: ClosingHand) -> tuple[Choice, ...]:
        """Draws, or discards and closes."""
        seat, show = hand.turn, match.pack.show
        if seat is None:
            return ()
        if hand.moment == "draw":
            return (
                Choice("draw", seat, show(in_stock(match, hand)), sources=("stock",)),
                Choice("draw", seat, (match.pack.faces[hand.discards[-1]],), sources=("discards",)),
            )
        held = match.may_hold(seat)
        discard = Choice("discard", seat, show(held))
        if match.hidden:
            return discard, Choice("close", seat, show(held))
        cards = cards_in(held)
        closing = closing_places(cards)
        if not closing:
            return (discard,)
        return discard, Choice("close", seat, show(sum(1 << cards[place] for place in cards_in(closing))))


def is_diverse(held: int) -> bool:
    """Tell whether all colours and all values of some cards differ."""
    cards = cards_in(held)
    return diverse(alike(cards), all_places(cards))


def in_stock(match: Match[Any], hand: ClosingHand) -> int:
    """Return the cards that may be drawn from the stock."""
    if hand.stock_left == 0:
        return sum(1 << card for card in hand.discards[:-1])
    if hand.stock_order is not None:
        return match.pack.mask[hand.stock_order[-hand.stock_left]]
    return hand.stock & match.worlds[0].pool if match.hidden else hand.stock


def renew(match: Match[Any], hand: ClosingHand) -> None:
    """Turn the discards, except the top one, into the stock."""
    hand.stock = in_stock(match, hand)
    hand.stock_left = len(hand.discards) - 1
    hand.stock_order = None
    hand.renewed = True
    if match.hidden:
        match.worlds = [world.copy() for world in match.worlds]
        match.worlds[0].renew_stock(hand.stock)
    del hand.discards[:-1]
    match.cite(
        RENEWED, Sentence("the discards except {card} are the stock again", card=match.pack.faces[hand.discards[0]])
    )


def refuse_draw(match: Match[Any], hand: ClosingHand, source: str, faces: tuple[str, ...], seat: int) -> NoReturn:
    """Refuse a wrong draw: first for cards not in the pack, then for cards not in the stock, then for anything else."""
    for face in faces:
        parse_cards(match.pack, (face,), match.pack.full)
    if source == "stock":
        parse_cards(match.pack, faces, in_stock(match, hand))
    top = match.pack.faces[hand.discards[-1]]
    match.refuse(DRAW, Sentence("one card is drawn, from the stock or {top} from the discards", top=top), seat)


def part_with(match: Match[Any], hand: ClosingHand, seat: int, face: str | None) -> int:
    """Take a card out of a hand; raises RuleError `table.holding`."""
    bit = match.pack.mask.get(face or "", 0) & match.may_hold(seat)
    if not bit:
        match.refuse("table.holding", Sentence("{who} does not hold {face}", who=match.who(seat), face=face), seat)
    if match.hidden:
        match.worlds = [world.copy() for world in match.worlds]
        match.worlds[0].show(seat, bit)
    else:
        hand.held[seat] ^= bit
    return bit
