"""The events of clubs, sessions and leagues: one immutable tagged struct for each type.

Each club, session and league is a stream of its own; its first event is its opening. Rounds, tables, boards and
entries count from 1, as on paper; seats are places in a list, from 0: N E S W, or north-south and east-west.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, field

from cardledger.errors import FormatError
from cardledger.rules.engine.events import Amend as MatchAmend
from cardledger.rules.engine.events import Award, Event, Note, Retract, type_of, what_is_wrong
from cardledger.rules.engine.keys import AT_TABLE, OPEN, Count, Label, Plain, Player, holds
from cardledger.rules.engine.signature import signed
from cardledger.rules.evenings.scoring import Scoring
from cardledger.rules.evenings.season import Count as CountOf

AtTable = Annotated[int, AT_TABLE]
"""A number that only the table knows, as long as others have its board still to play."""
Number = Annotated[int, Meta(ge=1, le=1000), OPEN]
"""The number of a round, a table, a board or an entry, and how many there are; no evening has more."""


class Club(Event, tag="club", frozen=True):
    """A club begins."""

    name: Label
    place: Label | None = None


class Member(Event, tag="member", frozen=True):
    """A player is known to the club: a member with a number or days from and until (ISO), else a guest.

    Said again about the same player, it replaces what was said before.
    """

    player: Player
    number: Annotated[str, holds("name", "scorers")] | None = None
    since: Plain | None = field(name="from", default=None)
    until: Plain | None = None


class Session(Event, tag="session", frozen=True, kw_only=True):
    """An evening begins: its club and game (null: none, any), who competes, and how it is scored.

    `options` are those of its matches.
    """

    club: Label | None
    name: Label
    date: Plain
    game: Label | None
    unit: Annotated[Literal["pair", "player", "team"], OPEN]
    scoring: Annotated[Scoring, OPEN]
    place: Label | None = None
    options: Annotated[dict[str, Any], holds("free", "all")] = {}
    league: Label | None = None


class Arrive(Event, tag="arrive", frozen=True):
    """A player is here, a guest perhaps; later than a round, perhaps."""

    player: Player
    guest: Annotated[bool, OPEN] = False
    after: Count | None = None


class Leave(Event, tag="leave", frozen=True):
    """A player goes, after a round perhaps."""

    player: Player
    after: Count | None = None


class Entry(Event, tag="entry", frozen=True, kw_only=True):
    """A pair, team or player competes under a number, in a line perhaps.

    The same number again: other players from the next round on.
    """

    number: Number
    players: tuple[Player, ...]
    line: Annotated[Literal["ns", "ew"], OPEN] | None = None


class TypedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A table in a movement typed by hand: entries by seat, and its set of boards."""

    seats: tuple[Number, ...]
    boards: Number | None = None


class Movement(Event, tag="movement", frozen=True, kw_only=True):
    """Who plays whom in the rounds to come: a kind and what it needs; `start` is its first round in the session.

    `tables` and `arrow_switch` are for a Mitchell, with `even` for an even number of tables; `entries` for a Howell
    and an individual. `by_hand` gives the `plan`, the tables of each round. `boards` is the size of a set, `first_board` that of set
    1. A `swiss` and `who_comes` have no rounds of their own: each round is drawn and recorded as `table` events.
    `again` allows meetings again, so many times; `shared`: a set may be at several tables.
    """

    kind: Annotated[Literal["mitchell", "howell", "individual", "by_hand", "swiss", "who_comes"], OPEN]
    tables: Number | None = None
    entries: Number | None = None
    rounds: Number | None = None
    even: Annotated[Literal["skip", "share"], OPEN] = "skip"
    arrow_switch: Annotated[int, Meta(ge=0), OPEN] = 0
    plan: Annotated[tuple[tuple[TypedTable, ...], ...], OPEN] = ()
    boards: Annotated[int, Meta(ge=1, le=64), OPEN] = 1
    first_board: Number = 1
    again: Annotated[int, Meta(ge=0), OPEN] = 0
    shared: Annotated[bool, OPEN] = False
    start: Number = field(name="from", default=1)


class Table(Event, tag="table", frozen=True, kw_only=True):
    """A table of a round set by hand, before any movement: entries by seat, or players; one entry alone has a bye."""

    round: Number
    table: Number
    seats: tuple[Number | Player, ...]
    boards: tuple[Number, ...] = ()
    game: Label | None = None


class Result(Event, tag="result", frozen=True, kw_only=True):
    """What a table scored, in one form: the id of its match, a score for north-south, a contract, points or places by seat.

    Declarer is a seat; `tricks` are those the declarer took.
    """

    round: Number
    table: Number
    board: Number | None = None
    match: Label | None = None
    score: AtTable | None = None
    contract: Annotated[str, holds("free", "table")] | None = None
    declarer: AtTable | None = None
    tricks: AtTable | None = None
    points: tuple[Count, ...] | None = None
    places: tuple[Count, ...] | None = None


class EveningAdjust(Event, tag="adjust", frozen=True, kw_only=True):
    """A director's ruling: awards for a board at a table, or a penalty for an entry in the unit of the scoring.

    `ns` and `ew` are results with their weights, in points for north-south, or a percentage (Law 12C). `group` parts
    tables that played other cards under the number of the board.
    """

    round: Number | None = None
    table: Number | None = None
    board: Number | None = None
    ns: Annotated[Award, AT_TABLE] | None = None
    ew: Annotated[Award, AT_TABLE] | None = None
    group: Count | None = None
    entry: Number | None = None
    penalty: Annotated[int | float, OPEN] | None = None
    law: Annotated[str, holds("free", "table")] | None = None
    reason: Annotated[str, holds("text", "table", "text")] | None = None


class Absent(Event, tag="absent", frozen=True, kw_only=True):
    """A board, or all of a table in a round, has no result: a bye, not played, or the average for both lines."""

    round: Number
    table: Number
    board: Number | None = None
    why: Annotated[Literal["bye", "not-played", "average"], OPEN]


class Publish(Event, tag="publish", frozen=True, kw_only=True):
    """The ranking is published as of a position of the ledger; `hash` is the SHA-256 of its canonical JSON, in hex."""

    what: Annotated[Literal["ranking"], OPEN] = "ranking"
    at_position: Count | None = None
    hash: Plain | None = None
    text: Annotated[str, holds("text", "all", "text")] | None = None


class EveningClose(Event, tag="close", frozen=True):
    """The evening is over."""

    reason: Annotated[str, holds("text", "all", "text")] | None = None


class League(Event, tag="league", frozen=True, kw_only=True):
    """A row of sessions begins, from one day (ISO) until another."""

    club: Label | None
    name: Label
    since: Plain = field(name="from")
    until: Plain
    count: Annotated[CountOf, OPEN]


class Counts(Event, tag="counts", frozen=True):
    """A session counts for the league, with a weight: 1 unless given, 0 to leave it out."""

    session: Label
    weight: Annotated[int, Meta(ge=0), OPEN] | Annotated[float, Meta(ge=0), OPEN] = 1


class EveningAmend(MatchAmend, tag="amend", frozen=True):
    """Event number `about` counts as if it had been `event`."""

    event: Annotated[AnyEvent, holds("clear", "all", "event")]


AnyEvent = (
    Club | Member | Session | Arrive | Leave | Entry | Movement | Table | Result | EveningAdjust | Absent | Publish | EveningClose
    | League | Counts | Retract | EveningAmend | Note
)  # fmt: skip
"""The union of all events of clubs, sessions and leagues."""

TYPES: dict[str, type[Event]] = {cls.__struct_config__.tag: cls for cls in get_args(AnyEvent)}
"""The registry: an event's class by its type word."""
OPENINGS = (Club, Session, League)
"""The first event of each kind of stream."""

decode = msgspec.json.Decoder(AnyEvent).decode
"""Read an event from its line; raises msgspec.DecodeError."""
FORMS = ("match", "score", "contract", "points", "places")
"""The forms of a result, of which it has one."""


def event_of(value: object) -> Event:
    """Return the event of JSON data; raises FormatError `format.value`, `format.key`, `format.type`."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not (isinstance(value, dict) and isinstance(kind, str) and kind in TYPES):
        raise FormatError("format.type", f"there is no event of type {kind!r}: choose one of {', '.join(TYPES)}")
    try:
        event: Event = msgspec.convert(value, AnyEvent)
    except msgspec.ValidationError as error:
        raise FormatError("format.value", f"{kind}: {what_is_wrong(error)}") from None
    _refuse_null(TYPES[kind], value)
    refuse_shape(event)
    if isinstance(event, EveningAmend):
        _signed(event.event)
    return _signed(event)


def _signed(event: Event) -> Event:
    return signed(event, f"{type_of(event)}-" if isinstance(event, OPENINGS) else "")


def _refuse_null(kind: type[Event], value: dict[str, Any]) -> None:
    """Refuse a key that is null where it can be left out."""
    needed = {part.encode_name for part in msgspec.structs.fields(kind) if part.required}
    for key, item in value.items():
        if item is None and key not in needed:
            raise FormatError("format.value", f"{key} is null: leave the key out instead")
    if isinstance(within := value.get("event"), dict):
        _refuse_null(TYPES[within["type"]], within)


def refuse_shape(event: Event) -> None:
    """Refuse an event whose keys do not go together; raises FormatError `format.key`, `format.value`."""
    match event:
        case Result():
            _expect_one_form(event)
        case EveningAdjust():
            _expect_one_ruling(event)
        case Session(date=day):
            _expect_days(date=day)
        case Member(since=since, until=until) | League(since=since, until=until):
            _expect_days(**{"from": since, "until": until})
        case EveningAmend(event=within):
            if within.replaces == "none":
                raise FormatError("format.type", f"an event cannot be amended into a {type_of(within)}")
            refuse_shape(within)


def _expect_one_form(result: Result) -> None:
    given = [key for key in FORMS if getattr(result, key) is not None]
    if len(given) != 1:
        raise FormatError(
            "format.key", f"a result has one of {', '.join(FORMS)}, not {' and '.join(given) or 'none'}: give one"
        )
    needed = given == ["contract"] and result.contract != "pass"
    both = result.declarer is not None and result.tricks is not None
    neither = result.declarer is None and result.tricks is None
    if not (both if needed else neither):
        raise FormatError(
            "format.key", "'declarer' and 'tricks' go with a contract that is not passed out: give both there"
        )


def _expect_one_ruling(ruling: EveningAdjust) -> None:
    if (ruling.entry is None) != (ruling.penalty is None):
        raise FormatError("format.key", "a penalty is for an entry: give 'entry' and 'penalty'")
    at_table = ruling.round is not None and ruling.table is not None
    awards = ruling.ns is not None or ruling.ew is not None or ruling.group is not None
    if (ruling.entry is not None) == awards or awards != at_table:
        raise FormatError(
            "format.key", "a ruling is for a board ('round', 'table', 'ns' or 'ew'), or a penalty ('entry', 'penalty')"
        )
    for award in (ruling.ns, ruling.ew):
        if isinstance(award, tuple) and sum(each.weight for each in award) != 100:
            raise FormatError("format.value", "the weights of a ruling add up to 100: correct them")


def _expect_days(**days: str | None) -> None:
    """Refuse days that are not ISO days, or not in their order."""
    for key, day in days.items():
        try:
            if day is not None and date.fromisoformat(day).isoformat() != day:
                raise ValueError
        except ValueError:
            raise FormatError("format.value", f"{key} is not an ISO day (2026-01-31): {day!r}") from None
    since, until = days.get("from"), days.get("until")
    if since and until and until < since:
        raise FormatError("format.value", f"until {until} comes before from {since}: exchange them")
