"""The events of a match: one immutable tagged struct for each type; decisions of people, and corrections.

Declared once, here: the match file, the store, the API and the tables all read these declarations.
Lists are tuples, so an event can be shared and hashed by content. A key that may be null (`hands`, `upcard`, `cards`
of a give, `card` of a discard) is None for null in the file, and UNSET if the key is absent.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType, field

from cardledger.errors import FormatError

Seat = int
Face = str


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

    seq: int | None = None
    id: str | None = None
    at: str | None = None
    by: str | None = None
    imported_at: str | None = None
    imported_by: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as a line: there, too, it is written as it was read, without what it leaves out."""
        return _decoded, (type(self), encode(self))


def _decoded(kind: type[Event], line: bytes) -> Event:
    return msgspec.json.decode(line, type=kind)


class Open(Event, tag="open", frozen=True):
    """A match starts: players by seat, the game, its options, and how irregular events are treated."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any] = {}
    policy: Literal["strict", "record"] = "strict"
    rules: str | None = None
    event: str | None = None
    table: str | None = None
    place: str | None = None
    date: str | None = None


class Deal(Event, tag="deal", frozen=True, kw_only=True):
    """A hand starts; its keys depend on the game.

    `hands` is None if the recorder cannot see them, `upcard` if the turned-up card was not noted. `board` is the number
    of a deal kept for several tables; `contract` and `declarer` stand for calls that nobody wrote down.
    """

    dealer: Seat | None = None
    starter: Seat | None = None
    hands: tuple[tuple[Face, ...], ...] | None
    aside: tuple[Face, ...] | None = None
    upcard: Face | UnsetType | None = UNSET
    stock: tuple[Face, ...] | None = None
    board: int | None = None
    vulnerable: Literal["none", "ns", "ew", "both"] | None = None
    contract: str | None = None
    declarer: Seat | None = None


class Bid(Event, tag="bid", frozen=True):
    """A promise to take `amount` tricks."""

    seat: Seat
    amount: int


class Call(Event, tag="call", frozen=True):
    """A call in the game's vocabulary: `order up`, `1NT`.

    `alert` is what the partner said of it at the table (empty: alerted without words), `explain` its meaning.
    """

    seat: Seat
    call: str
    alert: str | None = None
    explain: str | None = None


class Pass(Event, tag="pass", frozen=True):
    """A pass: the player cannot or will not act, for example has nothing to lay off."""

    seat: Seat


class Play(Event, tag="play", frozen=True):
    """A card played to the trick."""

    seat: Seat
    card: Face


class Draw(Event, tag="draw", frozen=True):
    """Cards taken into the hand, from the stock or the discards, first drawn first."""

    seat: Seat
    source: Literal["stock", "discards"] = field(name="from")
    cards: tuple[Face, ...]


class Discard(Event, tag="discard", frozen=True):
    """A discarded card: face up on the discard pile, or face down (None if unseen)."""

    seat: Seat
    card: Face | None


class Close(Event, tag="close", frozen=True):
    """The face-down discard that ends the hand."""

    seat: Seat
    card: Face


class Layoff(Event, tag="layoff", frozen=True):
    """A card added to the closer's hand."""

    seat: Seat
    card: Face


class Collect(Event, tag="collect", frozen=True):
    """A creditor names the debtor to collect a card from."""

    seat: Seat
    source: Seat = field(name="from")


class Ask(Event, tag="ask", frozen=True):
    """A creditor asks a debtor for a suit."""

    seat: Seat
    source: Seat = field(name="from")
    suit: Literal["C", "D", "H", "S"]


class Give(Event, tag="give", frozen=True):
    """Cards handed over: `card`, a debt paid or a card given back, or `cards` passed on (None if unseen)."""

    seat: Seat
    to: Seat
    card: Face | UnsetType = UNSET
    cards: tuple[Face, ...] | UnsetType | None = UNSET


class Claim(Event, tag="claim", frozen=True):
    """The table agrees on the remaining tricks, seat by seat; `seat` is the claimant, if recorded."""

    tricks: tuple[int, ...]
    seat: Seat | None = None


class Score(Event, tag="score", frozen=True):
    """The points of the hand as written on a score sheet, seat by seat."""

    scores: tuple[int, ...]


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

    kind: Literal["tricks", "assigned", "artificial", "penalty", "stands"]
    law: str
    hand: int | None = None
    about: int | None = None
    reason: str | None = None
    to: str | None = None
    tricks: int | None = None
    ns: Award | None = None
    ew: Award | None = None
    side: str | None = None
    percent: int | float | None = None
    imps: int | float | None = None
    vps: int | float | None = None
    points: int | float | None = None


class Retract(Event, tag="retract", frozen=True):
    """The match returns to its state right after event `to`."""

    to: int
    reason: str | None = None


class Amend(Event, tag="amend", frozen=True):
    """Event number `about` counts as if it had been `event`."""

    about: int
    event: AnyEvent
    reason: str | None = None


class Note(Event, tag="note", frozen=True):
    """A remark, without effect on play.

    `extras` are what a file of another format says and no event can: each a kind, mostly a place, and a text.
    """

    text: str
    about: int | None = None
    extras: tuple[tuple[str, ...], ...] | None = None


class End(Event, tag="end", frozen=True):
    """The match ends early."""

    reason: str | None = None


class Void(Event, tag="void", frozen=True):
    """The match counts nowhere, until a retract to before this event brings it back."""

    reason: str | None = None


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
