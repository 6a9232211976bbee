"""The engine of trick games: turns, duties, completion of tricks, claims, and hands nobody wrote down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn

from ledger import events as ev
from ledger.cards import Pack
from ledger.errors import FormatError
from ledger.game import Game
from ledger.hand import Hand
from ledger.table import Choice, Table, parse_cards
from ledger.unseen import Unseen

Duty = Callable[[Any, int], int]
"""Asked with the table and the cards held, returns those that keep the rule; none at all: nothing may be played."""
Duties = tuple[tuple[str, Duty], ...]
"""Duties with the ids of their rules, in the order of the rulebook."""


@dataclass(frozen=True, kw_only=True)
class TrickGame(Game):
    """A game of tricks, as a value with named parts.

    `cards_of(options, n)` returns the pack, the set of cards in play and how many each seat is dealt; what is left
    over lies `aside` or is the stock, if `deal_keys` names one. `first_lead(table)` returns the seat that leads to
    the first trick, or None where that depends on hands not known; `lead_rule` is its rule. `lead` and `follow`
    are the duties of whoever leads and follows. `taker(table, trick)` returns the place in the trick that takes it
    (−1: tied) and the rule; `next_lead(taker, n)` the seat that leads next, under `next_rule`. `score(table)`
    returns the points of a complete hand, under the rules `score_rules`. `claims` says that hands are scored by the
    number of tricks, so that a table may agree on the rest; `free_rule` is the rule that any card may be played.
    """

    cards_of: Callable[[dict[str, Any], int], tuple[Pack, int, int]]
    deal_rule: str
    first_lead: Callable[[Any], int | None]
    lead_rule: str
    lead: Duties
    follow: Duties
    taker: Callable[[Any, list[int]], tuple[int, str]]
    next_lead: Callable[[int, int], int]
    next_rule: str
    score: Callable[[Any], list[int]]
    score_rules: tuple[str, ...]
    claims: bool = True
    free_rule: str | None = None

    def __post_init__(self) -> None:
        duties = (rule for rule, _ in (*self.lead, *self.follow))
        self.book.cite(self.deal_rule, self.deal_order, self.lead_rule, self.next_rule)
        self.book.cite(*duties, *self.score_rules)

    def scored_by(self, hand: Hand) -> tuple[str, ...]:
        """The same rules every time."""
        return self.score_rules


class TrickTable(Table):
    """State of a match of tricks.

    `held[seat]` is the hand, a set of cards; `trick` the cards played to the trick under way in their order, `laid`
    the same as a set, `led` all cards of the suits led, `leader` who led (both stay until the next lead);
    `tricks_left` counts tricks not yet complete. While hands are hidden, `held` is empty and `worlds` holds what is
    known instead: every way the cards may lie that differs in more than the pool (more than one only where a tie
    may or may not have left the hands).
    """

    __slots__ = (
        "cards", "deck", "each", "follow", "held", "kin", "laid", "lead", "leader", "led",
        "trick", "tricks_left", "worlds",
    )  # fmt: skip

    game: TrickGame

    def __init__(self, game: Game, event: ev.Open) -> None:
        super().__init__(game, event)
        self.pack, self.deck, self.each = self.game.cards_of(self.options, self.n)
        # Shortcuts of the hot path: what a play needs of game and pack.
        self.cards = self.pack.of
        self.kin = self.pack.kin
        self.lead = joint(self.game.lead)
        self.follow = joint(self.game.follow)
        self.held = [0] * self.n
        self.trick: list[int] = []
        self.laid = 0
        self.led = 0
        self.leader = 0
        self.tricks_left = 0
        self.worlds: list[Unseen] = []

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
        self.cite(self.game.deal_rule, f"{self.n} hands of {self.each} cards", "allowed")

    def world(self, pool: int) -> Unseen:
        """Return what is known at the start of a hidden hand."""
        return Unseen(self.n, self.each, pool)

    def begin(self) -> None:
        """Start the play: whoever the rule names leads to the first trick."""
        self.phase = "play"
        self.turn = self.game.first_lead(self)
        if self.trail is not None:
            leads = (
                "whoever leads is taken to hold the card"
                if self.turn is None
                else f"{self.who(self.turn)} leads to the first trick"
            )
            self.cite(self.game.lead_rule, leads)

    # --- play

    def _play(self, event: ev.Play) -> None:
        seat = event.seat
        if seat != self.turn or self.phase != "play":
            self.expect("play", seat)
        trick = self.trick
        if self.hidden:
            card = self.show(seat, event.card)
            bit = 1 << card
        else:
            held = self.held[seat]
            try:
                card, bit = self.cards[event.card]
            except KeyError:
                self.lacks(seat, event.card)
            if not held & bit:
                card, bit = self.twin(seat, held, event.card)
            duty = self.follow if trick else self.lead
            legal = held if duty is None else duty(self, held)
            if not legal & bit:
                self.breaks(seat, held, bit)
            elif self.trail is not None:
                self.cite_duties(seat, held, event.card)
            if legal != held and not self.strict:
                self.expose(seat)
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

    def twin(self, seat: int, held: int, face: str) -> tuple[int, int]:
        """Return the held card of a face whose lowest card is not held, and its bit; refuses a face not held."""
        bit = held & self.pack.mask[face]
        if not bit:
            self.lacks(seat, face)
        return bit.bit_length() - 1, bit

    def lacks(self, seat: int, face: str) -> NoReturn:
        """Refuse a card the seat does not hold."""
        if face not in self.pack.mask:
            self.refuse("table.holding", f"{face!r} is no card of {self.game.id}", seat)
        self.refuse("table.holding", f"{self.who(seat)} does not hold {face}", seat)

    def breaks(self, seat: int, held: int, bit: int) -> None:
        """Take note of a card that breaks a duty; raises RuleError under `strict`, or when no card would keep it."""
        legal = self.legal_cards(held)
        duties = self.game.follow if self.trick else self.game.lead
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
        duties = self.game.follow if self.trick else self.game.lead
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
            game = self.game
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
        place, rule = self.game.taker(self, trick)
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
        self.turn = self.game.next_lead(taker, self.n)
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
        self.cite(self.game.next_rule, f"{self.who(self.turn)} leads")

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
        scores = self.game.score(self)
        if self.trail is not None:
            words = ", ".join(f"{player} {points}" for player, points in zip(self.players, scores, strict=True))
            for rule in self.game.score_rules:
                self.cite(rule, words)
        self.finish(scores)

    def _claim(self, event: ev.Claim) -> None:
        self.expect_list("tricks", event.tricks)
        if min(event.tricks) < 0:
            self.refuse("table.range", "a number of tricks is below 0")
        if not self.game.claims or self.phase != "play":
            self.expect("no claim now" if self.phase == "play" else "play")
        if sum(event.tricks) != self.tricks_left:
            self.refuse("table.range", f"the tricks claimed are not {self.tricks_left}, as many as are not complete")
        hand = self.hand
        assert hand is not None
        hand.claimed = list(event.tricks)
        hand.taken = [taken + more for taken, more in zip(hand.taken, event.tricks, strict=True)]
        self.cite("claim.agreed", f"the last {self.tricks_left} tricks fall as agreed")
        self.settle()

    actions = {**Table.actions, ev.Play: _play, ev.Claim: _claim}

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
        return (play, Choice("claim", total=self.tricks_left)) if self.game.claims else (play,)


@cache
def joint(duties: Duties) -> Duty | None:
    """Return one duty for several: the cards that keep them all. None when there is no duty at all."""
    if len(duties) <= 1:
        return duties[0][1] if duties else None

    def keeps_all(table: TrickTable, held: int) -> int:
        legal = held
        for _, duty in duties:
            legal &= duty(table, held)
        return legal

    return keeps_all


# --- parts that many games share


def left_of_dealer(table: TrickTable) -> int:
    """Left of the dealer leads to the first trick."""
    assert table.hand is not None
    return (table.hand.dealer + 1) % table.n


def taker_leads(taker: int, n: int) -> int:
    """The taker of a trick leads to the next."""
    return taker


def follow_suit(table: TrickTable, held: int) -> int:
    """Cards that share a suit with the card led, or any card without one."""
    return held & table.led or held


def highest_of(cards: int, trick: list[int]) -> int:
    """Return the place in the trick of the highest of `cards`, a set of cards of one suit in it."""
    return trick.index(cards.bit_length() - 1)


def after_hands(rule: str, option: str) -> Callable[[Table], str | None]:
    """The match ends after as many hands as an option says."""
    return lambda table: rule if len(table.hands) >= table.options[option] else None


def at_target(rule: str, option: str = "target") -> Callable[[Table], str | None]:
    """The match ends after the first hand at whose end somebody has as many points as an option says."""
    return lambda table: rule if max(table.totals) >= table.options[option] else None
