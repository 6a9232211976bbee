"""The resource of a progressive drive: how it begins, its hands with their tricks, the hidden table, the prizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from cardledger.errors import FormatError
from cardledger.record.recording.drives import MOST_HANDS, USUAL_HANDS, each_once
from cardledger.rules.evenings.prizes import PRIZES
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder
from cardledger_api.http.fields import Whole, between
from cardledger_api.resources.evenings import streams_of

if TYPE_CHECKING:
    from cardledger.record.recording.drives import Drives

_DRIVE = {"path": {"session": "DRIVE"}}
_TRUMPS = ("C", "D", "H", "S", "NT")
_MOVES = ("winners_up", "ladies_up")
_NUMBER = between(1, 1000)
_MOST_TABLES = 1000
_TRICKS = between(-1000, 1000)


class DriveQuery(Schema):
    """The round of the session to look at, the last one with tables unless given."""

    round = Whole(
        load_default=None,
        validate=_NUMBER,
        metadata={"description": "round of the session, the last one with tables unless given"},
    )


class HandTableSchema(Schema):
    """A table of a hand: its entries and players by seat, N E S W, and their points, null as long as there are none."""

    table = fields.Integer()
    entries = fields.List(fields.Integer())
    players = fields.List(fields.String())
    points = fields.List(fields.Integer(), allow_none=True)


class DriveHandSchema(Schema):
    """A hand of a drive: its round in the session, its number of all hands, its trump, its tables, and who sits out.

    `tricks` are those of a hand, which the two pairs share; null where each seat has points of its own. `missing` are
    the tables without tricks, `over` tells whether the last hand is played.
    """

    session = fields.String()
    round = fields.Integer()
    hand = fields.Integer()
    hands = fields.Integer()
    trump = fields.String(allow_none=True, metadata={"enum": [*_TRUMPS, None]})
    tricks = fields.Integer(allow_none=True)
    over = fields.Boolean()
    missing = fields.List(fields.Integer())
    tables = fields.List(fields.Nested(HandTableSchema))
    sitting_out = fields.List(fields.String())
    hidden_table = fields.Integer(allow_none=True)


class DriveToBeginSchema(Schema):
    """A drive to begin: its hands, who moves after a hand, the cycle of trumps, and who plays as what."""

    hands = fields.Integer(strict=True, load_default=USUAL_HANDS, validate=between(1, MOST_HANDS))
    moves = fields.String(load_default="winners_up", validate=validate.OneOf(_MOVES))
    trumps = fields.List(
        fields.String(validate=validate.OneOf(_TRUMPS)), load_default=(), validate=validate.Length(0, 60)
    )
    ladies = fields.List(fields.String(), load_default=(), validate=validate.Length(0, 1000))
    gentlemen = fields.List(fields.String(), load_default=(), validate=validate.Length(0, 1000))


class TableTricksSchema(Schema):
    """What a table of a hand scored: the tricks of north and south, those of both pairs, or points by seat."""

    table = fields.Integer(required=True, strict=True, validate=_NUMBER)
    tricks = fields.List(fields.Integer(strict=True, validate=_TRICKS), required=True, validate=validate.Length(1, 4))


class HandTricksSchema(Schema):
    """The tricks of some tables of a hand, or of all."""

    round = fields.Integer(required=True, strict=True, validate=_NUMBER)
    tables = fields.List(fields.Nested(TableTricksSchema), required=True, validate=validate.Length(1, _MOST_TABLES))


class HiddenTableSchema(Schema):
    """The hidden table that was drawn."""

    table = fields.Integer(required=True, strict=True, validate=_NUMBER)


class PrizeSchema(Schema):
    """A prize of a drive, and its winners: several entries are tied, but for those of the hidden table.

    `points` are null at the hidden table, `table` is null elsewhere.
    """

    prize = fields.String(metadata={"enum": [*PRIZES]})
    entries = fields.List(fields.Integer())
    players = fields.List(fields.String())
    points = fields.String(allow_none=True)
    table = fields.Integer(allow_none=True)


class PrizeListSchema(Schema):
    """The prizes of a drive as it stands."""

    session = fields.String()
    prizes = fields.List(fields.Nested(PrizeSchema))


def _drives(session: str) -> Drives:
    """Return the drives of the ledger; raises StoreError for what is no session."""
    ledger = current_ledger()
    streams_of(ledger, "session").seq(session)
    return ledger.evenings.drives


@operations.add(
    "GET",
    "/sessions/<evening:session>/drive",
    query=DriveQuery,
    answer=DriveHandSchema,
    problems=(422,),
    example=_DRIVE,
)
def read_drive(session: str, query: dict[str, Any]) -> Any:
    """Read a hand of a progressive drive: its tables with their tricks, its trump, who sits out, and what is missing.

    `session.movement` says that the session has no drive. The next hand is proposed and seated like every round.
    """
    return {"session": session, **_drives(session).hand(session, query["round"])}


@operations.add(
    "POST",
    "/sessions/<evening:session>/drive",
    role="scorer",
    body=DriveToBeginSchema,
    answer=DriveHandSchema,
    status=201,
    problems=(409,),
    example={"path": {"session": "DRIVE"}, "body": {"hands": 24, "trumps": ["H", "C", "D", "S"]}},
)
def begin_drive(session: str, body: dict[str, Any]) -> Any:
    """Begin a progressive drive: everybody who is here gets a number; the hands begin with the next round.

    After each hand losers stay and winners go up a table, or of the winners the lady up and the gentleman down
    (`moves`). The session is one of single players whose points are added up, at a game of tricks for four.
    """
    if both := sorted({*body["ladies"]} & {*body["gentlemen"]}):
        raise FormatError("format.value", f"{both[0]} plays as a lady and as a gentleman: choose one of them")
    kinds = dict.fromkeys(body["ladies"], "lady") | dict.fromkeys(body["gentlemen"], "gentleman")
    drives = _drives(session)
    drives.begin(
        session, recorder(), hands=body["hands"], moves=body["moves"], trumps=body["trumps"], plays_as=kinds  # type: ignore[arg-type]  # checked words
    )  # fmt: skip
    return {"session": session, **drives.hand(session)}


@operations.add(
    "POST",
    "/sessions/<evening:session>/drive/tricks",
    role="scorer",
    body=HandTricksSchema,
    answer=DriveHandSchema,
    status=201,
    problems=(409,),
    example={"path": {"session": "DRIVE"}, "body": {"round": 1, "tables": [{"table": 1, "tricks": [8]}]}},
)
def enter_tricks(session: str, body: dict[str, Any]) -> Any:
    """Enter the tricks of a hand, all or nothing: one number for a table is enough, the other pair has the rest.

    Tables with tricks are corrected; the hands after it stay seated as they were played. `session.tricks` names the
    first table whose numbers do not add up.
    """
    drives = _drives(session)
    drives.enter(
        session, recorder(), body["round"], each_once((each["table"], each["tricks"]) for each in body["tables"])
    )
    return {"session": session, **drives.hand(session, body["round"])}


@operations.add(
    "POST",
    "/sessions/<evening:session>/drive/hidden-table",
    role="scorer",
    body=HiddenTableSchema,
    answer=DriveHandSchema,
    status=201,
    problems=(409,),
    example={"path": {"session": "DRIVE"}, "body": {"table": 2}},
)
def draw_hidden_table(session: str, body: dict[str, Any]) -> Any:
    """Say which table is the hidden one: who sits there in the last hand gets a prize. Said again, the last counts."""
    drives = _drives(session)
    drives.draw(session, recorder(), body["table"])
    return {"session": session, **drives.hand(session)}


@operations.add("GET", "/sessions/<evening:session>/prizes", answer=PrizeListSchema, problems=(422,), example=_DRIVE)
def read_prizes(session: str) -> Any:
    """Read the prizes of a drive as it stands: the best of all, of ladies and gentlemen, of each half, the hidden table, the lowest.

    Without a `lady` and a `gentleman` among the entries there are no prizes for them.
    """
    return {"session": session, "prizes": _drives(session).prizes(session)}
