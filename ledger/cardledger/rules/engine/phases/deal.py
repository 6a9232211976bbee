"""The deal: the cards of each hand, the card turned up, and the cards left over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET
from mypy_extensions import mypyc_attr

from cardledger.count_of import count_of
from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.faces import parse_cards
from cardledger.rules.engine.fields import duplicate
from cardledger.rules.engine.judging import stand
from cardledger.rules.engine.phases.phase import Phase, Take
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

TurnedUp = Literal["", "table", "dealer"]
"""Whether a card of the deal is turned up: one that lies on the table, or one of the dealer's."""
LeftOver = Literal["", "named", "unnamed", "stock"]
"""Cards left over: none; face up, which must be named; face down, which may be named; or the stock."""


def next_to_deal(match: Match[Any]) -> int:
    """The deal moves on to the left."""
    return (match.hand.dealer + 1) % match.n


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Dealing(Phase):
    """Hands are dealt: the first phase of every game."""

    cards: Callable[[Match[Any], int], tuple[int, int]]
    """`cards(match, number)` returns the cards of hand `number`, as a set, and how many each seat gets."""
    rule: str
    """The rule of the deal."""
    left_over: LeftOver = ""
    """The cards left over; by default there are none."""
    turned_up: TurnedUp | Callable[[dict[str, Any]], TurnedUp] = ""
    """The card turned up, by the options if it is a function; by default none is."""
    setup: Callable[[Match[Any], Any], None] | None = None
    """`setup(match, hand)` sets fields that follow from the deal, such as trump. It is called before the hands take up
    their cards, because it must do the same for a deal whose hands nobody knows."""
    first: Literal["dealer", "starter"] = "dealer"
    """The key of a deal with the seat in charge."""
    next_dealer: Callable[[Match[Any]], int] = next_to_deal
    """The seat in charge of the hand after `match.hand`."""
    order_rule: str | Callable[[Match[Any]], str] = "deal.left"
    """The rule that says who deals next, or a function that returns it, "" if anybody may deal."""
    also: tuple[str, ...] = ()
    """Further keys that a deal may have; a subclass reads them."""
    carries: bool = False
    """For kernels: `setup` brings something from the hands before which counts in the points, beside bids and
    tricks."""
    _right: set[tuple[object, ...]] = field(default_factory=set, init=False, repr=False)

    @property
    def name(self) -> str:
        """The word for it."""
        return "deal"

    @property
    def blind(self) -> bool:
        """It does not look at the cards held."""
        return True

    def takes(self) -> dict[type[ev.Event], Take]:
        """The deal."""
        return {ev.Deal: self.deal}

    def cites(self) -> tuple[str, ...]:
        """The rules of the deal and of the dealer."""
        return (self.rule, self.order_rule) if isinstance(self.order_rule, str) else (self.rule,)

    def order_of_deals(self, match: Match[Any]) -> str:
        """Return the rule that says who deals next, "" if anybody may."""
        return self.order_rule if isinstance(self.order_rule, str) else self.order_rule(match)

    def turns_up(self, options: dict[str, Any]) -> TurnedUp:
        """Tell whether a card is turned up in a match with these options."""
        return self.turned_up if isinstance(self.turned_up, str) else self.turned_up(options)

    def keys(self, options: dict[str, Any]) -> frozenset[str]:
        """Return the keys that a deal of a match with these options may have, apart from `hands`."""
        upcard = ("upcard",) if self.turns_up(options) else ()
        left_over = {"": (), "stock": ("stock",)}.get(self.left_over, ("aside",))
        return frozenset((self.first, *upcard, *left_over, *self.also))

    def needed(self, options: dict[str, Any]) -> frozenset[str]:
        """Return the keys that a deal must have."""
        return self.keys(options) & {self.first, "upcard"}

    def choices(self, match: Match[Any], hand: Any) -> tuple[Choice, ...]:
        """The choice to deal, for the seat in charge."""
        seat = self.due(match)
        bare = ev.Deal(dealer=seat, hands=None)
        whole = self.completed(match, bare)
        also = {key: getattr(whole, key) for key in self.also if getattr(whole, key) is not None}
        return (Choice("deal", seat, also=also),)

    def due(self, match: Match[Any]) -> int | None:
        """Return the seat in charge of the next hand, None if it is open."""
        return self.next_dealer(match) if match.hands else None

    def of_cards(self, match: Match[Any], first: int, cards: Sequence[int]) -> ev.Deal:
        """Return the deal by seat `first` that gives out cards in this order; hands are sorted in that of the pack."""
        faces, keys, put = match.pack.faces, self.keys(match.options), self.places(match, first)
        left_over = {key: tuple(faces[cards[place]] for place in put[key]) for key in ("aside", "stock") if key in put}
        deal = ev.Deal(
            dealer=first if "dealer" in keys else None,
            starter=first if "starter" in keys else None,
            hands=tuple(tuple(faces[card] for card in sorted(cards[place] for place in hand)) for hand in put["hands"]),
            aside=left_over.get("aside"),
            upcard=faces[cards[put["upcard"]]] if "upcard" in put else UNSET,
            stock=left_over.get("stock"),
        )
        return self.completed(match, deal)

    def places(self, match: Match[Any], first: int) -> dict[str, Any]:
        """Return which cards of a shuffled pack go where in a deal by seat `first`, by key: the hands, then the rest.

        A card turned up is the first one left over, or the dealer's last.
        """
        n, keys = match.n, self.keys(match.options)
        deck, each = self.cards(match, len(match.hands) + 1)
        hands = [[*range(each * seat, each * (seat + 1))] for seat in range(n)]
        left_over = [*range(each * n, deck.bit_count())]
        put: dict[str, Any] = {"hands": hands}
        if turned_up := self.turns_up(match.options):
            put["upcard"] = left_over.pop(0) if turned_up == "table" else hands[first][-1]
        if "stock" in keys or ("aside" in keys and left_over):
            put["stock" if "stock" in keys else "aside"] = left_over
        return put

    def without_cards(self, match: Match[Any], first: int) -> ev.Deal:
        """Return the deal by seat `first` of a hand of which nothing but its points is recorded."""
        keys = self.keys(match.options)
        deal = ev.Deal(
            dealer=first if "dealer" in keys else None,
            starter=first if "starter" in keys else None,
            hands=None,
            upcard=None if "upcard" in keys else UNSET,
        )
        return self.completed(match, deal)

    def completed(self, match: Match[Any], deal: ev.Deal) -> ev.Deal:
        """Return a deal with the further keys that it must have."""
        return deal

    def check(self, match: Match[Any], event: ev.Event) -> None:
        """Refuse a deal with keys that the game does not have, or without those it needs."""
        assert isinstance(event, ev.Deal)
        shape = (
            event.dealer is None, event.starter is None, event.aside is None, event.upcard is None, event.upcard is UNSET,
            event.stock is None, event.hands is None, match.turned_up,
            event.board is None, event.vulnerable is None, event.contract is None, event.declarer is None,
        )  # fmt: skip
        if shape not in self._right:
            self.check_keys(match, event)
            self._right.add(shape)

    def check_keys(self, match: Match[Any], event: ev.Deal) -> None:
        """Check a deal of a new shape, for `check`."""
        game, keys, needed = match.game, self.keys(match.options), self.needed(match.options)
        if event.upcard is None and (event.hands is not None or "upcard" not in keys):
            raise FormatError("format.value", "upcard is null: leave the key out instead")
        for key, given in (
            ("dealer", event.dealer is not None),
            ("starter", event.starter is not None),
            ("aside", event.aside is not None),
            ("upcard", event.upcard is not UNSET),
            ("stock", event.stock is not None),
            ("board", event.board is not None),
            ("vulnerable", event.vulnerable is not None),
            ("contract", event.contract is not None),
            ("declarer", event.declarer is not None),
        ):
            if given and key not in keys:
                raise FormatError("format.key", f"a deal of {game.id} has no key {key!r}")
            if not given and key in needed:
                raise FormatError("format.key", f"a deal of {game.id} needs the key {key!r}")

    def deal(self, match: Match[Any], before: Any, event: ev.Deal) -> None:
        """Check a deal, and begin a new hand with it."""
        self.check(match, event)
        dealer = self.begins(event)
        n, hands = match.n, match.hands
        if not 0 <= dealer < n:
            match.expect("deal", dealer)
        number = len(hands) + 1
        deck, each = self.cards(match, number)
        upcard = parse_cards(match.pack, (event.upcard,), deck) if isinstance(event.upcard, str) else 0
        free = deck ^ upcard if match.turned_up == "table" else deck
        held = self.hands(match, event, each, free, dealer, upcard)
        free ^= sum(held)
        seen = self.left_over_seen(match, event, free, each)
        order = self.order_of_deals(match)
        if hands and order and dealer != (due := self.next_dealer(match)):
            match.refuse(
                order,
                Sentence("this hand is for {due} to begin, not {dealer}", due=match.who(due), dealer=match.who(dealer)),
                dealer,
            )
        hand: Any = duplicate(match.blank)
        hand.number, hand.dealer, hand.first, hand.each, hand.deck = number, dealer, match.seq, each, deck
        hand.over, hand.tricks_left, hand.aside = False, each, free if held else seen
        if upcard or event.upcard is None:
            hand.upcard, hand.unnoted = upcard.bit_length() - 1, event.upcard is None
        match.hand = hand
        hands.append(hand)
        if self.left_over == "stock":
            hand.stock_order = event.stock
            hand.stock = free if event.stock is None else seen
            hand.stock_left = deck.bit_count() - n * each - (match.turned_up == "table")
        self.read(match, hand, event)
        if self.setup is not None:
            self.setup(match, hand)
        if held:
            hand.held = held
        else:
            self.hide(match, hand, free & ~seen)
        if match.trail is not None:
            cards = Sentence.counted("{num} card", "{num} cards", each)
            dealt = Sentence("{n} hands of {cards}", n=n, cards=cards)
            if isinstance(event.upcard, str):
                dealt = Sentence("{dealt}, {upcard} is turned up", dealt=dealt, upcard=event.upcard)
            match.cite(self.rule, dealt, "allowed")
            if number > 1 and order:
                match.cite(
                    order,
                    Sentence("after the last hand, {dealer} begins this one", dealer=match.who(dealer)),
                    "allowed",
                )
        if match.hidden:
            stand(match)
        match.next_phase()

    def begins(self, event: ev.Deal) -> int:
        """Return the seat that a deal says is in charge."""
        seat = event.dealer if self.first == "dealer" else event.starter
        assert seat is not None
        return seat

    def says_all(self, match: Match[Any], event: ev.Deal) -> bool:
        """Tell whether a deal itself says how its hand begins, but for what the tricks of the hand before decide."""
        return True

    def read(self, match: Match[Any], hand: Any, event: ev.Deal) -> None:
        """Keep what a deal says in further keys."""

    def hands(self, match: Match[Any], event: ev.Deal, each: int, free: int, dealer: int, upcard: int) -> list[int]:
        """Return the hands of a deal as sets of cards, none for a hidden one; raises RuleError `table.deck`."""
        if event.hands is None:
            return []
        if len(event.hands) != match.n:
            match.refuse(
                "table.deck",
                Sentence.counted(
                    "{hands} hands are dealt to {num} player",
                    "{hands} hands are dealt to {num} players",
                    match.n,
                    hands=len(event.hands),
                ),
            )
        held, pack = [], match.pack
        for seat, faces in enumerate(event.hands):
            if len(faces) != each:
                match.refuse(
                    "table.deck",
                    Sentence.counted(
                        "{who} is dealt {num} card, not {each}",
                        "{who} is dealt {num} cards, not {each}",
                        len(faces),
                        who=match.who(seat),
                        each=each,
                    ),
                )
            cards = parse_cards(pack, faces, free)
            free ^= cards
            held.append(cards)
        if match.turned_up == "dealer" and not held[dealer] & upcard:
            match.refuse(
                "table.deck",
                Sentence("{upcard} is not among the cards of {dealer}", upcard=event.upcard, dealer=match.who(dealer)),
                dealer,
            )
        return held

    def left_over_seen(self, match: Match[Any], event: ev.Deal, free: int, each: int) -> int:
        """Return the cards left over that the deal names; raises RuleError `table.deck`, FormatError `format.key`."""
        if event.aside is None and event.stock is None and (self.left_over != "named" or event.hands is None):
            return 0
        key, faces = ("stock", event.stock) if event.aside is None else ("aside", event.aside)
        over = free.bit_count() - (match.n * each if event.hands is None else 0)
        if faces is not None:
            if len(faces) != over:
                match.refuse(
                    "table.deck",
                    Sentence.counted(
                        "{key} has {num} card, not {over}",
                        "{key} has {num} cards, not {over}",
                        len(faces),
                        key=key,
                        over=over,
                    ),
                )
            return parse_cards(match.pack, faces, free)
        if over:
            raise FormatError(
                "format.key", f"the deal needs the key 'aside' with the {count_of(over, 'card')} left over"
            )
        return 0

    def hide(self, match: Match[Any], hand: Any, unseen: int) -> None:
        """Begin a hidden hand: only the turned-up card is known."""
        hand.hidden = match.hidden = True
        match.judges = False
        world = match.game.world(match.n, hand.each, unseen)
        if match.turned_up == "dealer" and hand.upcard >= 0:
            world.turn_up(hand.dealer, 1 << hand.upcard)
        match.worlds = [world]
