"""The events of a match: one immutable tagged struct for each type; decisions of people, and corrections.

Declared once, here: the match file, the store, the API and the tables all read these declarations. A class says what
its keys hold (`cardledger.rules.engine.keys`), so how they are stored and who may see them; how it is said in words;
and whether it corrects. Lists are tuples, so an event can be hashed by content. Null in the file is None, no key UNSET.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType, field

from cardledger.rules.engine.adjusting import Adjust as Adjust
from cardledger.rules.engine.adjusting import Award as Award
from cardledger.rules.engine.adjusting import Weighted as Weighted
from cardledger.rules.engine.event import Arrival as Arrival
from cardledger.rules.engine.event import Event as Event
from cardledger.rules.engine.event import bare as bare
from cardledger.rules.engine.event import encode as encode
from cardledger.rules.engine.event import encode_lines as encode_lines
from cardledger.rules.engine.event import is_bare as is_bare
from cardledger.rules.engine.event import type_of as type_of
from cardledger.rules.engine.event import what_is_wrong as what_is_wrong
from cardledger.rules.engine.event_types import TYPES as TYPES
from cardledger.rules.engine.event_types import add, event_in
from cardledger.rules.engine.keys import (
    OPEN,
    CallWord,
    Count,
    DealtFace,
    Face,
    Key,
    Label,
    Plain,
    Player,
    Remark,
    Seat,
    Spoken,
    UnseenFace,
    UpFace,
    holds,
    keys_of,
)

if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Any  # types of events are added when packages are loaded, so `Amend` reads the event within by itself


class Open(Event, tag="open", frozen=True):
    """A match starts: players by seat, the game, its options, and how irregular events are treated."""

    words = "{players} sit down to {game}"
    replaces = "own"

    game: Annotated[str, holds("clear", "all", "game")]
    players: tuple[Player, ...]
    options: Annotated[dict[str, Any], holds("word", "all")] = {}
    policy: Annotated[Literal["strict", "record"], OPEN] = "strict"
    rules: Plain | None = None
    event: Label | None = None
    table: Label | None = None
    place: Label | None = None
    date: Plain | None = None


class Deal(Event, tag="deal", frozen=True, kw_only=True):
    """A hand starts; its keys depend on the game.

    `hands` is None if the recorder cannot see them, `upcard` if the turned-up card was not noted. `board` is the number
    of a deal kept for several tables; `contract` and `declarer` stand for calls that nobody wrote down.
    """

    replaces = "own"

    dealer: Seat | None = None
    starter: Seat | None = None
    hands: tuple[tuple[DealtFace, ...], ...] | None
    aside: tuple[UpFace, ...] | None = None
    upcard: UpFace | UnsetType | None = UNSET
    stock: tuple[DealtFace, ...] | None = None
    board: Count | None = None
    vulnerable: Annotated[Literal["none", "ns", "ew", "both"], OPEN] | None = None
    contract: CallWord | None = None
    declarer: Annotated[int, holds("clear", "table", "seat")] | None = None

    def arrivals(self) -> tuple[Arrival, ...]:
        """Return the hands dealt."""
        return tuple(Arrival(seat, "dealt", faces) for seat, faces in enumerate(self.hands or ()))

    def phrases(self) -> Iterator[str]:
        """Yield who deals what."""
        of_board = self.board is not None
        if self.starter is not None:
            yield "{starter} is first player of board {board}" if of_board else "{starter} is first player of a deal"
        elif self.dealer is not None:
            yield "{dealer} deals board {board}" if of_board else "{dealer} deals"
        else:
            yield "board {board} is dealt" if of_board else "a hand is dealt"
        if self.contract is not None and self.declarer is not None:
            yield ", {contract} by {declarer}"
        if self.hands is None:
            yield ", hands not recorded"

    def keys(self, game: Any) -> Mapping[str, Key]:
        """Return what its keys hold; some games leave cards over face down."""
        keys = keys_of(type(self))
        return keys | {"aside": keys["stock"]} if game.deal.left_over == "unnamed" else keys


class Bid(Event, tag="bid", frozen=True):
    """A promise to take `amount` tricks."""

    words = "{seat} bids {amount}"

    seat: Seat
    amount: Count

    def called(self) -> str:
        """Return the tricks promised."""
        return str(self.amount)


class Call(Event, tag="call", frozen=True):
    """A call in the game's vocabulary: `order up`, `1NT`.

    `alert` is what the partner said of it at the table (empty: alerted without words), `explain` its meaning.
    """

    seat: Seat
    call: CallWord
    alert: Spoken | None = None
    explain: Spoken | None = None

    def called(self) -> str:
        """Return the call in the words of the game."""
        return self.call

    def phrases(self) -> Iterator[str]:
        """Yield the call, and what was said of it."""
        yield "{seat} says {call}"
        if self.alert is not None:
            yield ", alerted"
        if self.alert:
            yield " ({alert})"
        if self.explain is not None:
            yield ", explained as {explain}"


class Pass(Event, tag="pass", frozen=True):
    """A pass: the player cannot or will not act, for example has nothing to lay off."""

    words = "{seat} passes"

    seat: Seat


class Play(Event, tag="play", frozen=True):
    """A card played to the trick."""

    words = "{seat} plays {card}"

    seat: Seat
    card: Face


class Draw(Event, tag="draw", frozen=True):
    """Cards taken into the hand, from the stock (None if unseen) or the discards, first drawn first."""

    seat: Seat
    source: Annotated[Literal["stock", "discards"], OPEN] = field(name="from")
    cards: tuple[UnseenFace, ...] | None

    def arrivals(self) -> tuple[Arrival, ...]:
        """Return the cards drawn: from the stock, or from the discards."""
        return (Arrival(self.seat, "drawn" if self.source == "stock" else "taken", self.cards),) if self.cards else ()

    def phrases(self) -> Iterator[str]:
        """Yield which cards are drawn."""
        if self.source == "stock":
            yield (
                "{seat} draws unseen cards from the stock"
                if self.cards is None
                else "{seat} draws {cards} from the stock"
            )
        else:
            yield (
                "{seat} draws unseen cards from the discards"
                if self.cards is None
                else "{seat} draws {cards} from the discards"
            )

    def keys(self, game: Any) -> Mapping[str, Key]:
        """Return what its keys hold; all players saw the cards of the discards."""
        keys = keys_of(type(self))
        return keys | {"cards": keys_of(Play)["card"]} if self.source == "discards" else keys


class Discard(Event, tag="discard", frozen=True):
    """A discarded card: face up on the discard pile, or face down (None if unseen)."""

    seat: Seat
    card: Face | None

    def phrases(self) -> Iterator[str]:
        """Yield which card is laid away."""
        yield "{seat} discards an unseen card" if self.card is None else "{seat} discards {card}"

    def keys(self, game: Any) -> Mapping[str, Key]:
        """Return what its keys hold; in some games the card lies face down."""
        keys = keys_of(type(self))
        unseen = any(Discard in phase.unseen for phase in game.phases)
        return keys | {"card": keys_of(Close)["card"]} if unseen else keys


class Close(Event, tag="close", frozen=True):
    """The face-down discard that ends the hand."""

    words = "{seat} closes with {card} face down"

    seat: Seat
    card: UnseenFace


class Layoff(Event, tag="layoff", frozen=True):
    """A card added to the closer's hand."""

    words = "{seat} lays off {card}"

    seat: Seat
    card: Face


class Collect(Event, tag="collect", frozen=True):
    """A creditor names the debtor to collect a card from."""

    words = "{seat} will take a card from {source}"

    seat: Seat
    source: Seat = field(name="from")


class Ask(Event, tag="ask", frozen=True):
    """A creditor asks a debtor for a suit."""

    words = "{seat} asks {source} for {suit}"

    seat: Seat
    source: Seat = field(name="from")
    suit: Annotated[Literal["C", "D", "H", "S"], holds("clear", "all", "suit")]


class Give(Event, tag="give", frozen=True):
    """Cards handed over: `card`, a debt paid or a card given back, or `cards` passed on (None if unseen)."""

    seat: Seat
    to: Seat
    card: UnseenFace | UnsetType = UNSET
    cards: tuple[UnseenFace, ...] | UnsetType | None = UNSET

    def arrivals(self) -> tuple[Arrival, ...]:
        """Return the card given, or the cards passed on."""
        if isinstance(self.card, str):
            return (Arrival(self.to, "given", (self.card,)),)
        return (Arrival(self.to, "passed", self.cards),) if isinstance(self.cards, tuple) else ()

    def phrases(self) -> Iterator[str]:
        """Yield which cards go to whom."""
        if self.card is not UNSET:
            yield "{seat} gives {card} to {to}"
        else:
            yield "{seat} gives {cards} to {to}" if self.cards else "{seat} gives unseen cards to {to}"


class Claim(Event, tag="claim", frozen=True):
    """The table agrees on the remaining tricks, seat by seat; `seat` is the claimant, if recorded."""

    tricks: Annotated[tuple[int, ...], holds("clear", "all", "by seat")]
    seat: Seat | None = None

    def phrases(self) -> Iterator[str]:
        """Yield who agrees on what."""
        yield "the table agrees" if self.seat is None else "{seat} claims, and the table agrees"
        yield " on the last tricks: {tricks}"


class Score(Event, tag="score", frozen=True):
    """The points of the hand as written on a score sheet, seat by seat."""

    words = "the score sheet says: {scores}"

    scores: Annotated[tuple[int, ...], holds("clear", "all", "by seat")]


class Retract(Event, tag="retract", frozen=True):
    """The match returns to its state right after event `to`."""

    words = "everything after event {to} is taken back"
    counts = False
    corrects = True
    replaces = "none"

    to: Count
    reason: Remark | None = None


class Amend(Event, tag="amend", frozen=True):
    """Event number `about` counts as if it had been `event`."""

    words = "event {about} should have been: {event}"
    counts = False
    corrects = True
    replaces = "none"

    about: Count
    event: Annotated[AnyEvent, holds("clear", "all", "event")]
    reason: Remark | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.event, Event):  # as JSON has it
            msgspec.structs.force_setattr(self, "event", event_in(self.event, "event"))


class Note(Event, tag="note", frozen=True):
    """A remark, without effect on play.

    `extras` are what a file of another format says and no event can: each a kind, mostly a place, and a text.
    """

    counts = False
    replaces = "none"

    text: Remark
    about: Count | None = None
    extras: Annotated[tuple[tuple[str, ...], ...], holds("text", "recorder", out=True)] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield the remark."""
        yield "note on event {about}: {text}" if self.about else "note: {text}"


class End(Event, tag="end", frozen=True):
    """The match ends early."""

    words = "the match is ended"
    replaces = "none"

    reason: Remark | None = None


class Void(Event, tag="void", frozen=True):
    """The match counts nowhere, until a retract to before this event brings it back."""

    words = "the match is void and counts nowhere"
    corrects = True
    replaces = "none"

    reason: Remark | None = None


OURS: tuple[type[Event], ...] = (
    Open, Deal, Bid, Call, Pass, Play, Draw, Discard, Close, Layoff, Collect, Ask, Give,
    Claim, Score, Adjust, Retract, Amend, Note, End, Void,
)  # fmt: skip
"""The types of events that every ledger knows; games of packages bring more (`Game.events`)."""
add(*OURS)
