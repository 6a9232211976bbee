"""The events of clubs, sessions and leagues: one immutable tagged struct for each type.

Each club, session and league is a stream of its own; its first event is its opening. Rounds, tables, boards and
entries count from 1, as on paper; seats are places in a list, from 0: N E S W, or north-south and east-west.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, field

from cardledger.rules.engine.events import Amend as MatchAmend
from cardledger.rules.engine.events import Award, Event, Note, Retract
from cardledger.rules.engine.keys import AT_TABLE, OPEN, Count, Label, Plain, Player, holds
from cardledger.rules.evenings.kept_layout import Layout as Layout
from cardledger.rules.evenings.masterpoint_table import Masterpoints as Masterpoints
from cardledger.rules.evenings.scoring import Scoring
from cardledger.rules.evenings.season import Count as CountOf
from cardledger.rules.evenings.wording import contract_in_words, ruled
from cardledger.sentence import Sentence

AtTable = Annotated[int, AT_TABLE]
"""A number that only the table knows, as long as others have its board still to play."""
Number = Annotated[int, Meta(ge=1, le=1000), OPEN]
"""The number of a round, a table, a board or an entry, and how many there are; no evening has more."""

_MOVEMENTS = {
    "mitchell": Sentence("from round {start} the movement is Mitchell"),
    "howell": Sentence("from round {start} the movement is Howell"),
    "individual": Sentence("from round {start} the movement is an individual"),
    "by_hand": Sentence("from round {start} the movement is typed by hand"),
    "swiss": Sentence("from round {start} the movement is Swiss"),
    "who_comes": Sentence("from round {start} who comes plays"),
    "drive": Sentence("from round {start} the movement is a progressive drive"),
}
_ABSENT = {
    "bye": Sentence("sits out"),
    "not-played": Sentence("was not played"),
    "average": Sentence("both lines get the average"),
}
_AT_TABLE = Sentence("round {round}, table {table}: {said}")
_ON_BOARD = Sentence("round {round}, table {table}, board {board}: {said}")


class Club(Event, tag="club", frozen=True):
    """A club begins."""

    words = "the club {name} begins"

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

    def phrases(self) -> Iterator[str]:
        """Yield who is a member, and since when; not the number, which is for scorers alone."""
        guest = self.number is None and self.since is None and self.until is None
        yield "{player} is a guest" if guest else "{player} is a member"
        if self.since:
            yield " from {since}"
        if self.until:
            yield " until {until}"


class Session(Event, tag="session", frozen=True, kw_only=True):
    """An evening begins: its club and game (null: none, any), who competes, and how it is scored.

    `options` are those of its matches. Without a game it may have an `other_game`, the name of one that has no rules
    here: its results are entered, and the scoring says whether the fewest points win. `sizes` are the numbers of
    players at a table of it; `partners`: those who sit opposite have their points together. `masterpoints` is the name
    of the table by which the club gives points for places.
    """

    words = "the evening {name} begins, {date}"

    club: Plain | None
    name: Label
    date: Plain
    game: Plain | None
    unit: Annotated[Literal["pair", "player", "team"], OPEN]
    scoring: Annotated[Scoring, OPEN]
    place: Label | None = None
    options: Annotated[dict[str, Any], holds("word", "all")] = {}
    league: Plain | None = None
    other_game: Label | None = None
    sizes: tuple[Number, ...] = ()
    partners: Annotated[bool, OPEN] = False
    masterpoints: Label | None = None


class Arrive(Event, tag="arrive", frozen=True):
    """A player is here, a guest perhaps; later than a round, perhaps."""

    player: Player
    guest: Annotated[bool, OPEN] = False
    after: Count | None = None

    def phrases(self) -> Iterator[str]:
        """Yield who is here."""
        yield "{player} is here"
        if self.guest:
            yield ", as a guest"
        if self.after is not None:
            yield ", after round {after}"


class Leave(Event, tag="leave", frozen=True):
    """A player goes, after a round perhaps."""

    player: Player
    after: Count | None = None

    def phrases(self) -> Iterator[str]:
        """Yield who goes."""
        yield "{player} goes"
        if self.after is not None:
            yield ", after round {after}"


class Entry(Event, tag="entry", frozen=True, kw_only=True):
    """A pair, team or player competes under a number, in a line perhaps.

    The same number again: other players from the next round on. `plays_as` is what a player's card says in a
    drive, not who the player is. `stays`: somebody there cannot move, so the movement gives them a seat that stays.
    """

    number: Number
    players: tuple[Player, ...]
    line: Annotated[Literal["ns", "ew"], OPEN] | None = None
    plays_as: Annotated[Literal["lady", "gentleman"], OPEN] | None = None
    stays: Annotated[bool, OPEN] = False

    def phrases(self) -> Iterator[str]:
        """Yield who competes."""
        yield "number {number}: {players}"
        if self.line is not None:
            yield ", north-south" if self.line == "ns" else ", east-west"
        if self.plays_as is not None:
            yield ", plays as a lady" if self.plays_as == "lady" else ", plays as a gentleman"
        if self.stays:
            yield ", stays at one table"


class TypedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A table in a movement typed by hand: entries by seat, and its set of boards."""

    seats: tuple[Number, ...]
    boards: Number | None = None


class Movement(Event, tag="movement", frozen=True, kw_only=True):
    """Who plays whom in the rounds to come: a kind and what it needs; `start` is its first round in the session.

    `tables` and `arrow_switch` are for a Mitchell, with `even` for an even number of tables; `entries` for a Howell
    and an individual. `by_hand` gives the `plan`, the tables of each round. `boards` is the size of a set,
    `first_board` that of set 1. A `swiss`, a `drive` and `who_comes` have no rounds of their own: each round is drawn
    and recorded as `table` events. `again` allows meetings again, so many times; `shared`: a set may be at several
    tables.

    `sections` of a big field play side by side: the tables of each, instead of `tables` or `entries`; all play the same
    boards. `compare` says with whom a result is compared, and `rank` who ranks together: all, or each section.

    A `drive` has `rounds`, one hand each; `tricks` are those of a hand, which the two pairs share (none: each seat has
    points of its own). `moves` says who moves after a hand, `trumps` is the cycle of trumps (none: as the game has it).
    """

    kind: Annotated[Literal["mitchell", "howell", "individual", "by_hand", "swiss", "who_comes", "drive"], OPEN]
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
    tricks: Number | None = None
    moves: Annotated[Literal["winners_up", "ladies_up"], OPEN] = "winners_up"
    trumps: Annotated[tuple[Literal["C", "D", "H", "S", "NT"], ...], OPEN] = ()
    sections: Annotated[tuple[Number, ...], OPEN] = ()
    compare: Annotated[Literal["all", "section"], OPEN] = "all"
    rank: Annotated[Literal["all", "section"], OPEN] = "all"
    start: Number = field(name="from", default=1)

    def phrases(self) -> Iterator[str]:
        """Yield the kind of movement."""
        yield _MOVEMENTS[self.kind]
        if self.sections:
            yield ", in {section_count} sections"

    @property
    def section_count(self) -> int:
        """The number of sections."""
        return len(self.sections)


class Table(Event, tag="table", frozen=True, kw_only=True):
    """A table of a round set by hand, before any movement: entries by seat, or players; one entry alone has a bye."""

    round: Number
    table: Number
    seats: Annotated[tuple[Number | Player, ...], holds("player", "all", "entries")]
    boards: tuple[Number, ...] = ()
    game: Annotated[str, holds("word", "all", "game")] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield who sits there."""
        yield "round {round}, table {table}: {seats}"
        if self.game is not None:
            yield ", {game}"


class Result(Event, tag="result", frozen=True, kw_only=True):
    """What a table scored, in one form.

    The id of its match, a score for north-south, a contract, points or places by seat.

    Declarer is a seat; `tricks` are those the declarer took.
    """

    round: Number
    table: Number
    board: Number | None = None
    match: Plain | None = None
    score: AtTable | None = None
    contract: Annotated[str, holds("word", "table")] | None = None
    declarer: AtTable | None = None
    tricks: AtTable | None = None
    points: tuple[Count, ...] | None = None
    places: tuple[Count, ...] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield the table and what came of it."""
        yield _AT_TABLE if self.board is None else _ON_BOARD

    @property
    def said(self) -> Sentence:
        """What it says, without its table; the score of a match is in the match."""
        if self.match is not None:
            return Sentence("a match")
        if self.score is not None:
            return Sentence("{score} for north-south", score=self.score)
        if self.contract is not None:
            return contract_in_words(self.contract, self.declarer, self.tricks)
        if self.places is not None:
            return Sentence("places {places}", places=self.places)
        return Sentence("points {points}", points=self.points or ())


class EveningAdjust(Event, tag="adjust", frozen=True, kw_only=True):
    """A director's ruling: awards for a board at a table, or a penalty for an entry in the unit of the scoring.

    `ns` and `ew` are results with their weights, in points for north-south, or a percentage (Law 12C). `group` parts
    tables that played other cards under the number of the board.
    """

    round: Number | None = None
    table: Number | None = None
    board: Number | None = None
    ns: Annotated[Award, holds("word", "table")] | None = None
    ew: Annotated[Award, holds("word", "table")] | None = None
    group: Count | None = None
    entry: Annotated[Number, holds("clear", "all", "entries")] | None = None
    penalty: Annotated[int | float, OPEN] | None = None
    law: Annotated[str, holds("word", "table")] | None = None
    reason: Annotated[str, holds("text", "table", "text")] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield what is ruled on, what it gives, and why."""
        if self.entry is not None:
            yield "penalty of {penalty} for {entry}"
        elif self.board is None:
            yield "the director rules on round {round}, table {table}: {given}"
        else:
            yield "the director rules on round {round}, table {table}, board {board}: {given}"
        if self.law and self.reason:
            yield " ({law}, {reason})"
        elif self.law:
            yield " ({law})"
        elif self.reason:
            yield " ({reason})"

    @property
    def given(self) -> Sentence:
        """What it gives to whom."""
        ns, ew = self.ns and ruled(self.ns), self.ew and ruled(self.ew)
        both = Sentence("north-south {ns}, east-west {ew}", ns=ns, ew=ew)
        given = both if ns and ew else Sentence("north-south {ns}", ns=ns) if ns else Sentence("east-west {ew}", ew=ew)
        return given if self.group is None else Sentence("{given}, group {group}", given=given, group=self.group)


class Absent(Event, tag="absent", frozen=True, kw_only=True):
    """A board, or all of a table in a round, has no result: a bye, not played, or the average for both lines."""

    round: Number
    table: Number
    board: Number | None = None
    why: Annotated[Literal["bye", "not-played", "average"], OPEN]

    def phrases(self) -> Iterator[str]:
        """Yield the table, and why nothing was played there."""
        yield _AT_TABLE if self.board is None else _ON_BOARD

    @property
    def said(self) -> Sentence:
        """What it says, without its table."""
        return _ABSENT[self.why]


class Publish(Event, tag="publish", frozen=True, kw_only=True):
    """The ranking is published as of a position of the ledger; `hash` is the SHA-256 of its canonical JSON, in hex."""

    what: Annotated[Literal["ranking"], OPEN] = "ranking"
    at_position: Count | None = None
    hash: Plain | None = None
    text: Annotated[str, holds("text", "all", "text")] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield that it is published, with what the director adds."""
        yield "the ranking is published"
        if self.text:
            yield " ({text})"


class EveningClose(Event, tag="close", frozen=True):
    """The evening is over."""

    words = "the evening is closed"

    reason: Annotated[str, holds("text", "all", "text")] | None = None


class League(Event, tag="league", frozen=True, kw_only=True):
    """A row of sessions begins, from one day (ISO) until another."""

    club: Plain | None
    name: Label
    since: Plain = field(name="from")
    until: Plain
    count: Annotated[CountOf, OPEN]

    words = "the league {name} begins, {since} to {until}"


class Counts(Event, tag="counts", frozen=True):
    """A session counts for the league, with a weight: 1 unless given, 0 to leave it out."""

    session: Plain
    weight: Annotated[int, Meta(ge=0), OPEN] | Annotated[float, Meta(ge=0), OPEN] = 1

    def phrases(self) -> Iterator[str]:
        """Yield that it counts, and how often."""
        yield "a night counts" if self.weight == 1 else "a night counts {weight} times"


class EveningAmend(MatchAmend, tag="amend", frozen=True):
    """Event number `about` counts as if it had been `event`."""

    event: Annotated[AnyEvent, holds("clear", "all", "event")]


AnyEvent = (
    Club | Member | Layout | Masterpoints | Session | Arrive | Leave | Entry | Movement | Table | Result | EveningAdjust | Absent | Publish | EveningClose
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
