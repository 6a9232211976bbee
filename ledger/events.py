"""The events of a match: one immutable tagged struct each; what people decided, and corrections.

Declared once, here: the match file, the store, the API and the tables all read these declarations.
Lists are tuples, so an event can be shared and hashed by content.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec
from msgspec import field

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
    """What every event may carry: its place in the match, a UUID, when (RFC 3339, UTC) and by whom it was recorded."""

    seq: int | None = None
    id: str | None = None
    at: str | None = None
    by: str | None = None


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
    """A hand starts. `hands` is None where the recorder cannot see them; the other keys depend on the game."""

    dealer: Seat | None = None
    starter: Seat | None = None
    hands: tuple[tuple[Face, ...], ...] | None
    aside: tuple[Face, ...] | None = None
    upcard: Face | None = None
    stock: tuple[Face, ...] | None = None


class Bid(Event, tag="bid", frozen=True):
    """A promise to take `amount` tricks."""

    seat: Seat
    amount: int


class Pass(Event, tag="pass", frozen=True):
    """An announced refusal: no 1 to lead (`poison-hearts`), no lay-off (`hecto-diversity`)."""

    seat: Seat


class Play(Event, tag="play", frozen=True):
    """A card played to the trick."""

    seat: Seat
    card: Face


class Draw(Event, tag="draw", frozen=True):
    """Cards taken in hand, from the stock or the discards, first drawn first."""

    seat: Seat
    source: Literal["stock", "discards"] = field(name="from")
    cards: tuple[Face, ...]


class Discard(Event, tag="discard", frozen=True):
    """A card laid face up on the discard pile."""

    seat: Seat
    card: Face


class Close(Event, tag="close", frozen=True):
    """The face-down discard that ends the hand."""

    seat: Seat
    card: Face


class Layoff(Event, tag="layoff", frozen=True):
    """A card added to the closer's hand."""

    seat: Seat
    card: Face


class Collect(Event, tag="collect", frozen=True):
    """A creditor says from which debtor one of its cards will come."""

    seat: Seat
    source: Seat = field(name="from")


class Ask(Event, tag="ask", frozen=True):
    """A creditor asks a debtor for a suit."""

    seat: Seat
    source: Seat = field(name="from")
    suit: Literal["C", "D", "H", "S"]


class Give(Event, tag="give", frozen=True):
    """A card handed over: a debt paid, or a card given back."""

    seat: Seat
    to: Seat
    card: Face


class Claim(Event, tag="claim", frozen=True):
    """The table agrees how the tricks not yet complete fall, seat by seat."""

    tricks: tuple[int, ...]


class Score(Event, tag="score", frozen=True):
    """The points of the hand as written on a score sheet, seat by seat."""

    scores: tuple[int, ...]


class Retract(Event, tag="retract", frozen=True):
    """The match is again as it was right after event `to`."""

    to: int
    reason: str | None = None


class Amend(Event, tag="amend", frozen=True):
    """Event number `about` counts as if it had been `event`."""

    about: int
    event: AnyEvent
    reason: str | None = None


class Note(Event, tag="note", frozen=True):
    """A remark, without effect on play."""

    text: str
    about: int | None = None


class End(Event, tag="end", frozen=True):
    """The match is over before its rule says so."""

    reason: str | None = None


AnyEvent = (
    Open | Deal | Bid | Pass | Play | Draw | Discard | Close | Layoff | Collect | Ask | Give
    | Claim | Score | Retract | Amend | Note | End
)  # fmt: skip
"""The union of all events."""

TYPES: dict[str, type[Event]] = {cls.__struct_config__.tag: cls for cls in get_args(AnyEvent)}
"""The registry: an event's class by its type word."""


def type_of(event: Event) -> str:
    """Return the type word of an event: `play` for a Play."""
    return str(event.__struct_config__.tag)


encode = msgspec.json.Encoder().encode
"""Write an event as its canonical line: UTF-8, no spaces, keys in the order of declaration, defaults left out."""
