"""The engine of trick games: turns, duties, completion of tricks, claims, and hands nobody wrote down."""

from __future__ import annotations

from typing import Any, Final, NoReturn, Self

from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.choice import Choice
from ledger.errors import FormatError
from ledger.game import Game, TrickGame
from ledger.hand import Hand
from ledger.parts import follow_suit, joint
from ledger.table import Table, parse_cards
from ledger.unseen import Unseen

PLAY: Final = ev.Play
"""The event most matches are made of, at hand without a look-up where all events pass through."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickTable(Table):
    """State of a match of tricks.

    `held[seat]` is the hand, a set of cards; `trick` the cards played to the trick under way in their order, `laid`
    the same as a set, `led` all cards of the suits led, `leader` who led (both stay until the next lead);
    `tricks_left` counts tricks not yet complete. `lead` and `follow` are the duties of the moment, `bound` those of leads
    as a hand begins; `follow_only` says that to follow suit is all there is to follow, `plain` that the game
    puts cards to tricks as all do, so that tricks may be taken in whole. While hands are hidden, `held` is empty and `worlds` holds what is known instead: every way the cards may lie that differs in more than the pool (more
    than one only where a tie may or may not have left the hands).
    """

    __slots__ = (
        "bound", "cards", "deck", "direct", "each", "follow", "follow_only", "held", "kin", "laid", "lead", "leader", "led",
        "next_lead", "parts", "plain", "taker", "trick", "tricks_left", "worlds",
    )  # fmt: skip

    def __init__(self, game: Game, event: ev.Open) -> None:
        super().__init__(game, event)
        assert isinstance(game, TrickGame)
        self.parts = game
        self.pack, self.deck, self.each = game.cards_of(self.options, self.n)
        # Shortcuts of the hot path: what a play needs of game and pack.
        self.cards = self.pack.of
        self.kin = self.pack.kin
        self.lead = self.bound = joint(game.lead)
        self.follow = joint(game.follow)
        self.follow_only = self.follow is follow_suit
        self.direct = self.actions[PLAY] is TrickTable.actions[PLAY]
        self.plain = self.direct and type(self).put is TrickTable.put and type(self).weigh is TrickTable.weigh
        self.taker = game.taker
        self.next_lead = game.next_lead
        self.held = [0] * self.n
        self.trick: list[int] = []
        self.laid = 0
        self.led = 0
        self.leader = 0
        self.tricks_left = 0
        self.worlds: list[Unseen] = []

    def become(self, other: Self) -> None:
        """Take over the state of another table of the match."""
        super().become(other)
        self.parts = other.parts
        self.deck = other.deck
        self.each = other.each
        self.cards = other.cards
        self.kin = other.kin
        self.bound = other.bound
        self.lead = other.lead
        self.follow = other.follow
        self.follow_only = other.follow_only
        self.direct = other.direct
        self.plain = other.plain
        self.taker = other.taker
        self.next_lead = other.next_lead
        self.held = other.held.copy()
        self.trick = other.trick.copy()
        self.laid = other.laid
        self.led = other.led
        self.leader = other.leader
        self.tricks_left = other.tricks_left
        self.worlds = other.worlds

    # --- deal

    def deal_cards(self, event: ev.Deal, hand: Hand) -> None:
        """Check the cards of a deal and hand them out; raises RuleError `table.deck`, FormatError `format.key`."""
        pack, free = self.pack, self.deck
        over = free.bit_count() - self.n * self.each
        held = self.parse_hands(event.hands, self.each, free)
        free ^= sum(held)
        for key, faces in (("aside", event.aside), ("stock", event.stock)):
            if faces is not None:
                if len(faces) != over:
                    self.refuse("table.deck", f"{key} has {len(faces)} cards, not {over}")
                free ^= parse_cards(pack, faces, free)
            elif key == "aside" and held and over and key in self.game.deal_keys:
                raise FormatError("format.key", f"the deal needs the key 'aside' with the {over} cards left over")
        self.held = held or [0] * self.n
        self.worlds = [] if held else [self.world(free)]
        self.trick = []
        self.tricks_left = self.each
        if self.trail is not None:
            self.cite(self.parts.deal_rule, f"{self.n} hands of {self.each} cards", "allowed")

    def world(self, pool: int) -> Unseen:
        """Return what is known at the start of a hidden hand."""
        return Unseen(self.n, self.each, pool)

    def begin(self) -> None:
        """Start the play: whoever the rule names leads to the first trick."""
        self.phase = "play"
        self.turn = self.parts.first_lead(self)
        self.lead = self.bound
        self.follow_only = self.follow is follow_suit
        if self.trail is not None:
            leads = (
                "whoever leads is taken to hold the card"
                if self.turn is None
                else f"{self.who(self.turn)} leads to the first trick"
            )
            self.cite(self.parts.lead_rule, leads)

    # --- play

    def apply(self, event: ev.Event, seq: int) -> None:
        """Take in the event recorded as number `seq`, as any table does; a play out of a hand known goes straight on."""
        if type(event) is not PLAY or self.hidden or not self.direct:
            super().apply(event, seq)
            return
        self.seq = seq
        seat = event.seat
        if seat != self.turn or self.phase != "play":
            self.expect("play", seat)
        try:
            card, bit = self.cards[event.card]
        except KeyError:
            self.lacks(seat, event.card)
        held = self.held[seat]
        if not held & bit:
            card, bit = self.twin(seat, held, event.card)
        self.put(seat, held, card, bit)

    def _show(self, event: ev.Play) -> None:
        seat = event.seat
        if seat != self.turn or self.phase != "play":
            self.expect("play", seat)
        card = self.show(seat, event.card)
        self.put(seat, 0, card, 1 << card)

    def play(self, seat: int, card: int, seq: int) -> None:
        """Take in a card that the seat to act plays out of a hand known, as the event that names its face would be."""
        bit = 1 << card
        if seat != self.turn or self.phase != "play" or not self.held[seat] & bit:
            self.apply(ev.Play(seat=seat, card=self.pack.faces[card]), seq)
        else:
            self.seq = seq
            self.put(seat, self.held[seat], card, bit)

    def put(self, seat: int, held: int, card: int, bit: int) -> None:
        """Put a card to the trick that the seat can play; where hands are known, judge it among those held."""
        trick = self.trick
        if not self.hidden:
            if trick and self.follow_only:
                legal = held & self.led or held
            else:
                duty = self.follow if trick else self.lead
                legal = held if duty is None else duty(self, held)
            if legal != held:
                self.weigh(seat, held, legal, card)
            elif self.trail is not None:
                self.cite_duties(seat, held, self.pack.faces[card])
            self.held[seat] = held ^ bit
        if not trick:
            self.leader = seat
            self.led = self.kin[card]
            self.laid = bit
        else:
            self.laid |= bit
        trick.append(card)
        if len(trick) == self.n:
            self.complete()
        else:
            seat += 1
            self.turn = seat if seat < self.n else 0

    def weigh(self, seat: int, held: int, legal: int, card: int) -> None:
        """Judge a card played where duties forbid some of those held."""
        if not legal >> card & 1:
            self.breaks(seat, held, 1 << card)
        elif self.trail is not None:
            self.cite_duties(seat, held, self.pack.faces[card])
        if not self.strict:
            self.expose(seat)

    def twin(self, seat: int, held: int, face: str) -> tuple[int, int]:
        """Return the held card of a face whose lowest card is not held, and its bit; refuses a face not held."""
        bit = held & self.pack.mask[face]
        if not bit:
            self.lacks(seat, face)
        card = bit.bit_length() - 1
        return card, 1 << card

    def lacks(self, seat: int, face: str) -> NoReturn:
        """Refuse a card the seat does not hold."""
        if face not in self.pack.mask:
            self.refuse("table.holding", f"{face!r} is no card of {self.game.id}", seat)
        self.refuse("table.holding", f"{self.who(seat)} does not hold {face}", seat)

    def breaks(self, seat: int, held: int, bit: int) -> None:
        """Take note of a card that breaks a duty; raises RuleError under `strict`, or when no card would keep it."""
        legal = self.legal_cards(held)
        duties = self.parts.follow if self.trick else self.parts.lead
        rule = next(rule for rule, duty in duties if not duty(self, held) & bit)
        (face,) = self.pack.show(bit)
        verb = "plays" if self.trick else "leads"
        if not legal and not self.hindsight:
            self.refuse(rule, f"{self.who(seat)} may not {verb[:-1]} at all: {self.game.book[rule].text}", seat)
        self.irregular(seat, rule, self.pack.show(legal), f"{verb} {face}")

    def legal_cards(self, held: int) -> int:
        """Return the cards out of `held` that keep every duty of the moment."""
        duty = self.follow if self.trick else self.lead
        return held if duty is None else duty(self, held)

    def cite_duties(self, seat: int, held: int, face: str) -> None:
        """Write to the trail which duties a card was examined under."""
        duties = self.parts.follow if self.trick else self.parts.lead
        for rule, duty in duties:
            kept = duty(self, held)
            if kept == held:
                self.cite(rule, f"{face}: it forbids {self.players[seat]} nothing here", "allowed")
            else:
                self.cite(
                    rule,
                    f"{face} is one of the cards it allows {self.players[seat]}: {' '.join(self.pack.show(kept))}",
                    "allowed",
                )
        if not duties:
            game = self.parts
            assert self.hand is not None
            rule = game.free_rule or (game.next_rule if self.hand.tricks else game.lead_rule)
            self.cite(rule, f"{face}: any card will do", "allowed")

    def show(self, seat: int, face: str) -> int:
        """Let a hidden hand show a card, in every possible world; returns the card, refuses it when no world is left."""
        mask = self.pack.mask.get(face, 0)
        worlds = [world.copy() for world in self.worlds]
        worlds = [world for world in worlds if world.show(seat, mask) and world.possible()]
        if not worlds:
            self.lacks(seat, face)
        self.worlds = worlds
        self.cite(
            "table.holding",
            f"{face} can be in the hand of {self.players[seat]}; the rest is judged after the hand",
            "allowed",
        )
        return (mask & -mask).bit_length() - 1

    def complete(self) -> None:
        """End a trick: who takes it, and who leads next."""
        trick = self.trick
        place, rule = self.taker(self, trick)
        if place < 0:
            self.tie()
            return
        taker = (self.leader + place) % self.n
        hand = self.hand
        assert hand is not None
        hand.tricks.append((self.leader, tuple(trick), taker, rule))
        hand.taken[taker] += 1
        if self.trail is not None:
            self.cite(rule, f"{self.pack.faces[trick[place]]} takes the trick for {self.who(taker)}")
        self.trick = []
        self.tricks_left -= 1
        self.turn = self.next_lead(taker, self.n)
        self.after_trick(taker, trick)

    def tie(self) -> None:
        """Go on after a trick nobody takes; games that know such tricks say how."""
        raise NotImplementedError

    def after_trick(self, taker: int, trick: list[int]) -> None:
        """Go on after a trick was taken; games with more to do than play the next trick add it here."""
        if self.tricks_left == 0:
            self.complete_hand()
        elif self.trail is not None:
            self.cite_lead()

    def cite_lead(self) -> None:
        """Write to the trail who leads next."""
        assert self.turn is not None
        self.cite(self.parts.next_rule, f"{self.who(self.turn)} leads")

    def complete_hand(self) -> None:
        """Score a hand that was played out; a hidden one is judged first, with the deal its plays reveal."""
        if self.hidden:
            world = next(world for world in self.worlds if not any(world.left))
            self.judge(self.revealed(world))
            return
        self.settle()

    def revealed(self, world: Unseen) -> ev.Deal:
        """Return the deal of a hidden hand, rebuilt from its plays."""
        assert self.hand is not None
        left_over = self.deck
        for cards in world.dealt:
            left_over &= ~cards
        return ev.Deal(
            dealer=self.hand.dealer,
            hands=tuple(tuple(self.pack.list(cards)) for cards in world.dealt),
            aside=tuple(self.pack.list(left_over)) if left_over else None,
        )

    def settle(self) -> None:
        """Compute the points of the hand and end it."""
        scores = self.parts.score(self)
        if self.trail is not None:
            words = ", ".join(f"{player} {points}" for player, points in zip(self.players, scores, strict=True))
            for rule in self.parts.score_rules:
                self.cite(rule, words)
        self.finish(scores)

    def _claim(self, event: ev.Claim) -> None:
        self.expect_list("tricks", event.tricks)
        if min(event.tricks) < 0:
            self.refuse("table.range", "a number of tricks is below 0")
        if not self.parts.claims or self.phase != "play":
            self.expect("no claim now" if self.phase == "play" else "play")
        if sum(event.tricks) != self.tricks_left:
            self.refuse("table.range", f"the tricks claimed are not {self.tricks_left}, as many as are not complete")
        hand = self.hand
        assert hand is not None
        hand.claimed = list(event.tricks)
        hand.taken = [taken + more for taken, more in zip(hand.taken, event.tricks, strict=True)]
        self.cite("claim.agreed", f"the last {self.tricks_left} tricks fall as agreed")
        self.settle()

    # --- what a reader sees

    def sight(self) -> dict[str, Any]:
        """Return hands, trick and count of the hand under way."""
        if self.hand is None:
            return {}
        faces = self.pack.faces
        return {
            "hands": None if self.hidden else [self.pack.list(cards) for cards in self.held],
            "trick": {"leader": self.leader, "cards": [faces[card] for card in self.trick]} if self.trick else None,
            "tricks_taken": self.hand.taken,
            "tricks_left": self.tricks_left,
        }

    def hand_of(self, seat: int) -> int:
        """Return the cards a seat holds, or in a hidden hand those it may hold."""
        cards = self.held[seat]
        for world in self.worlds:
            cards |= world.could_hold(seat)
        return cards

    def actions_now(self) -> tuple[Choice, ...]:
        """Return what the seat to act may do in the hand under way."""
        if self.phase != "play":
            return ()
        seat = self.turn
        if seat is None:
            legal = 0
            for some in range(self.n):
                legal |= self.hand_of(some)
        else:
            legal = self.hand_of(seat) if self.hidden else self.legal_cards(self.held[seat])
        play = Choice("play", seat, self.pack.show(legal))
        return (play, Choice("claim", total=self.tricks_left)) if self.parts.claims else (play,)


TrickTable.actions = {**Table.actions, ev.Play: TrickTable._show, ev.Claim: TrickTable._claim}
