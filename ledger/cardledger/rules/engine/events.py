"""The events of a match: one immutable tagged struct for each type; decisions of people, and corrections.

Declared once, here: the match file, the store, the API and the tables all read these declarations. A class says what its keys
hold (`cardledger.rules.engine.keys`), so how they are stored and who may see them; how it is said in words; and whether it corrects.
Lists are tuples, so an event can be shared and hashed by content. A key that may be null (`hands`, `upcard`, `cards`
of a give, `card` of a discard) is None for null in the file, and UNSET if the key is absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType, field

from cardledger.errors import FormatError
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


class Event(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="type",
    kw_only=True,
    omit_defaults=True,
    gc=False,
):
    """The keys of every event: its place in the match, a UUID, the time of recording (RFC 3339, UTC) and the recorder.

    If an importer stated time and recorder, `imported_at` and `imported_by` name the importer.
    """

    words: ClassVar[str] = ""
    """How it is said: `{seat} plays {card}`. A key stands for its value, as `Key.said` shows it."""
    counts: ClassVar[bool] = True
    """Whether it changes the state of the match, as play does; False: it stands beside the play."""
    corrects: ClassVar[bool] = False
    """Whether it changes which events count."""
    of_play: ClassVar[bool] = True
    """Whether an amend may put another event of play in its place; False: only one of its own type."""

    seq: int | None = None
    id: str | None = None
    at: str | None = None
    by: str | None = None
    imported_at: str | None = None
    imported_by: str | None = None

    def phrases(self) -> Iterator[str]:
        """Yield the parts of the sentence that says it, each a template as `words` is."""
        yield self.words or ("{seat}: {type}" if hasattr(self, "seat") else "{type}")

    def keys(self, game: Any) -> Mapping[str, Key]:
        """Return what its keys hold, in a match of a game."""
        return keys_of(type(self))


class Open(Event, tag="open", frozen=True):
    """A match starts: players by seat, the game, its options, and how irregular events are treated."""

    words = "{players} sit down to {game}"
    of_play = False

    game: Annotated[str, holds("clear", "all", "game")]
    players: tuple[Player, ...]
    options: Annotated[dict[str, Any], holds("free", "all")] = {}
    policy: Annotated[Literal["strict", "record"], OPEN] = "strict"
    rules: Label | None = None
    event: Label | None = None
    table: Label | None = None
    place: Label | None = None
    date: Plain | None = None


class Deal(Event, tag="deal", frozen=True, kw_only=True):
    """A hand starts; its keys depend on the game.

    `hands` is None if the recorder cannot see them, `upcard` if the turned-up card was not noted. `board` is the number
    of a deal kept for several tables; `contract` and `declarer` stand for calls that nobody wrote down.
    """

    of_play = False

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

    def phrases(self) -> Iterator[str]:
        """Yield who deals what."""
        board = "" if self.board is None else " board {board}"
        if self.starter is not None:
            yield "{starter} is first player of a deal"
        elif self.dealer is not None:
            yield "{dealer} deals"
        else:
            yield "the next hand is" if self.board is None else "board {board} is"
            board = " dealt"
        yield board
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


class Call(Event, tag="call", frozen=True):
    """A call in the game's vocabulary: `order up`, `1NT`.

    `alert` is what the partner said of it at the table (empty: alerted without words), `explain` its meaning.
    """

    seat: Seat
    call: CallWord
    alert: Spoken | None = None
    explain: Spoken | None = None

    def phrases(self) -> Iterator[str]:
        """Yield the call, and what was said of it."""
        yield "{seat} says {call}"
        if self.alert is not None:
            yield ", alerted"
            yield " ({alert})" if self.alert else ""
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
    """Cards taken into the hand, from the stock or the discards, first drawn first."""

    words = "{seat} draws {cards} from the {source}"

    seat: Seat
    source: Annotated[Literal["stock", "discards"], OPEN] = field(name="from")
    cards: tuple[UnseenFace, ...]

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

    def phrases(self) -> Iterator[str]:
        """Yield which cards go to whom."""
        seen = "{card}" if self.card is not UNSET else "{cards}" if self.cards else "unseen cards"
        yield f"{{seat}} gives {seen} to {{to}}"


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


class Weighted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One of the results that an adjusted score is weighted from, in percent: points, or a contract and its tricks."""

    weight: int
    score: int | None = None
    contract: str | None = None
    declarer: Seat | None = None
    tricks: int | None = None


Award = tuple[Weighted, ...] | int | float
"""The award of a ruling to a side: results with their weights, or a percentage."""


class Adjust(Event, tag="adjust", frozen=True, kw_only=True):
    """A director's ruling on a hand, under a law; `kind` decides its other keys.

    `hand` is the number of the hand, the last begun unless it is given; `about` the event that was ruled on.
    """

    of_play = False

    kind: Annotated[Literal["tricks", "assigned", "artificial", "penalty", "stands"], OPEN]
    law: Plain
    hand: Count | None = None
    about: Count | None = None
    reason: Remark | None = None
    to: Annotated[str, OPEN] | None = None
    tricks: Count | None = None
    ns: Annotated[Award, OPEN] | None = None
    ew: Annotated[Award, OPEN] | None = None
    side: Plain | None = None
    percent: Annotated[int | float, OPEN] | None = None
    imps: Annotated[int | float, OPEN] | None = None
    vps: Annotated[int | float, OPEN] | None = None
    points: Annotated[int | float, OPEN] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield what is ruled on."""
        yield "the director rules on the last hand" if self.hand is None else "the director rules on hand {hand}"
        yield " ({kind}, {law})"
        yield " ({reason})" if self.reason else ""


class Retract(Event, tag="retract", frozen=True):
    """The match returns to its state right after event `to`."""

    words = "everything after event {to} is taken back"
    counts = False
    corrects = True

    to: Count
    reason: Remark | None = None

    def phrases(self) -> Iterator[str]:
        """Yield what is taken back, and why."""
        yield self.words
        yield " ({reason})" if self.reason else ""


class Amend(Event, tag="amend", frozen=True):
    """Event number `about` counts as if it had been `event`."""

    words = "event {about} should have been: {event}"
    counts = False
    corrects = True

    about: Count
    event: Annotated[AnyEvent, holds("clear", "all", "event")]
    reason: Remark | None = None

    def phrases(self) -> Iterator[str]:
        """Yield what should have been recorded, and why."""
        yield self.words
        yield " ({reason})" if self.reason else ""


class Note(Event, tag="note", frozen=True):
    """A remark, without effect on play.

    `extras` are what a file of another format says and no event can: each a kind, mostly a place, and a text.
    """

    counts = False

    text: Remark
    about: Count | None = None
    extras: Annotated[tuple[tuple[str, ...], ...], holds("text", "recorder")] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield the remark."""
        yield "note on event {about}: {text}" if self.about else "note: {text}"


class End(Event, tag="end", frozen=True):
    """The match ends early."""

    words = "the match is ended"
    of_play = False

    reason: Remark | None = None

    def phrases(self) -> Iterator[str]:
        """Yield that it ends, and why."""
        yield self.words
        yield " ({reason})" if self.reason else ""


class Void(Event, tag="void", frozen=True):
    """The match counts nowhere, until a retract to before this event brings it back."""

    words = "the match is void and counts nowhere"
    corrects = True
    of_play = False

    reason: Remark | None = None

    def phrases(self) -> Iterator[str]:
        """Yield that it is void, and why."""
        yield self.words
        yield " ({reason})" if self.reason else ""


class Withheld(Event, tag="withheld", frozen=True):
    """Stands for an event that may not be seen yet; it is never recorded."""

    words = "an event that is not shown yet"


AnyEvent = (
    Open | Deal | Bid | Call | Pass | Play | Draw | Discard | Close | Layoff | Collect | Ask | Give
    | Claim | Score | Adjust | Retract | Amend | Note | End | Void
)  # fmt: skip
"""The union of all events."""

TYPES: dict[str, type[Event]] = {cls.__struct_config__.tag: cls for cls in get_args(AnyEvent)}
"""The registry: an event's class by its type word."""


MAY_BE_NULL = frozenset({(Deal, "hands"), (Deal, "upcard"), (Discard, "card"), (Give, "cards")})
"""Keys that are null for unseen cards; other unneeded keys are left out instead."""


def refuse_shape(event: Event, game: str) -> None:
    """Refuse null, or passed cards, in a game without them; raises FormatError `format.value`, `format.key`."""
    if isinstance(event, Discard) and event.card is None:
        raise FormatError("format.value", "card is null: leave the key out instead")
    if isinstance(event, Give) and event.card is UNSET:
        raise FormatError("format.key", f"a give of {game} has the key 'card', not 'cards'")


def what_is_wrong(error: msgspec.ValidationError) -> str:
    """Return in words what does not fit the declaration of an event, and at which key."""
    problem, _, where = str(error).partition(" - at `$")
    problem = problem.replace("`", "").replace("Expected", "expected")
    return f"{problem} at {where.strip('.`')}" if where else problem


def type_of(event: Event) -> str:
    """Return the type word of an event: `play` for a Play."""
    return str(event.__struct_config__.tag)


_keys = attrgetter(*Event.__struct_fields__)
_NO_KEYS = (None,) * len(Event.__struct_fields__)


def is_bare(event: Event) -> bool:
    """Tell whether an event has neither place, id, time nor recorder."""
    return bool(_keys(event) == _NO_KEYS)


def bare(event: Event) -> Event:
    """Return the content of an event, without its place, time and recorder."""
    return msgspec.structs.replace(event, seq=None, id=None, at=None, by=None, imported_at=None, imported_by=None)


_encoder = msgspec.json.Encoder()
encode = _encoder.encode
"""Write an event as its canonical line: UTF-8, no spaces, keys in the order of declaration, defaults left out."""
encode_lines = _encoder.encode_lines
"""Write events as canonical lines, each ended by a line feed; faster than one by one."""
