"""A club, a session and a league as answers: one of them, and one page of a list."""

from __future__ import annotations

from marshmallow import Schema, fields

from cardledger.rules.evenings import evening_events as ev
from cardledger_api.http.fields import EveningEvent


class EveningSchema(Schema):
    """A club, a session or a league as it is now.

    `since` and `until` are the day of a session, or the first and last day of a league. `published` counts the
    publications of its ranking. `hash` is the SHA-256 of the latest event.
    """

    id = fields.String(attribute="evening")
    name = fields.String()
    club = fields.String(allow_none=True)
    since = fields.String(allow_none=True)
    until = fields.String(allow_none=True)
    game = fields.String(allow_none=True)
    status = fields.String(metadata={"enum": ["open", "closed"]})
    seq = fields.Integer()
    published = fields.Integer()
    hash = fields.String()
    other_game = fields.String(allow_none=True)


class ClubListSchema(Schema):
    """One page of clubs; `next` is the cursor to give as `after`, null on the last page.

    `total` is there if it was asked for.
    """

    sometimes: tuple[str, ...] = ("total",)

    clubs = fields.List(fields.Nested(EveningSchema), attribute="evenings")
    next = fields.Integer(allow_none=True)
    total = fields.Integer()


class SessionListSchema(Schema):
    """One page of sessions; `next` is the cursor to give as `after`, null on the last page.

    `total` is there if it was asked for.
    """

    sometimes: tuple[str, ...] = ("total",)

    sessions = fields.List(fields.Nested(EveningSchema), attribute="evenings")
    next = fields.Integer(allow_none=True)
    total = fields.Integer()


class LeagueListSchema(Schema):
    """One page of leagues; `next` is the cursor to give as `after`, null on the last page.

    `total` is there if it was asked for.
    """

    sometimes: tuple[str, ...] = ("total",)

    leagues = fields.List(fields.Nested(EveningSchema), attribute="evenings")
    next = fields.Integer(allow_none=True)
    total = fields.Integer()


class KnownPlayerSchema(Schema):
    """A player whom a club knows: a member with a number (for scorers) or days from and until, else a guest."""

    sometimes: tuple[str, ...] = ("number",)

    player = fields.String()
    guest = fields.Boolean()
    number = fields.String()
    since = fields.String(data_key="from", attribute="from", allow_none=True)
    until = fields.String(allow_none=True)


class ClubSchema(EveningSchema):
    """A club with its opening, its members and guests, the layouts by which it reads sheets, and its masterpoints."""

    opening = EveningEvent(ev.Club)
    members = fields.List(fields.Nested(KnownPlayerSchema))
    layouts = fields.List(EveningEvent(ev.Layout))
    masterpoints = fields.List(EveningEvent(ev.Masterpoints))


class HereSchema(Schema):
    """A player who is here."""

    player = fields.String()
    guest = fields.Boolean()


class EntrySchema(Schema):
    """A pair, a team or a player that competes under a number; `line` is `ns` or `ew` if it was entered."""

    number = fields.Integer()
    players = fields.List(fields.String())
    line = fields.String(allow_none=True)
    section = fields.String(allow_none=True)
    stays = fields.Boolean()


class EnteredSchema(Schema):
    """What was entered for a table: one form of result, or why there is none; `event` is the number of the event."""

    sometimes: tuple[str, ...] = (
        "board",
        "match",
        "score",
        "contract",
        "declarer",
        "tricks",
        "points",
        "places",
        "why",
    )

    event = fields.Integer()
    type = fields.String(metadata={"enum": ["result", "absent"]})
    board = fields.Integer()
    match = fields.String()
    score = fields.Integer()
    contract = fields.String()
    declarer = fields.Integer()
    tricks = fields.Integer()
    points = fields.List(fields.Integer())
    places = fields.List(fields.Integer())
    why = fields.String(metadata={"enum": ["bye", "not-played", "average"]})


class RoundTableSchema(Schema):
    """A table of a round: entries by seat (0: an empty seat), the players of each, its boards, and its results."""

    table = fields.Integer()
    name = fields.String()
    game = fields.String(allow_none=True)
    entries = fields.List(fields.Integer())
    players = fields.List(fields.List(fields.String()))
    boards = fields.List(fields.Integer())
    results = fields.List(fields.Nested(EnteredSchema))


class RoundSchema(Schema):
    """A round with its tables."""

    round = fields.Integer()
    tables = fields.List(fields.Nested(RoundTableSchema))


class DirectorRulingSchema(Schema):
    """A ruling of the director: awards for a board, or a penalty for an entry; `event` is the number of the event."""

    sometimes: tuple[str, ...] = ("round", "table", "board", "ns", "ew", "group", "entry", "penalty", "law", "reason")

    event = fields.Integer()
    round = fields.Integer()
    table = fields.Integer()
    board = fields.Integer()
    ns = fields.Raw()
    ew = fields.Raw()
    group = fields.Integer()
    entry = fields.Integer()
    penalty = fields.Float()
    law = fields.String()
    reason = fields.String()


class SessionSchema(EveningSchema):
    """A session with its opening, who is here in order of arrival, its entries, its rounds and its rulings.

    `round` is the last round with a result, 0 before any.
    """

    opening = EveningEvent(ev.Session)
    here = fields.List(fields.Nested(HereSchema))
    entries = fields.List(fields.Nested(EntrySchema))
    round = fields.Integer()
    rounds = fields.List(fields.Nested(RoundSchema))
    rulings = fields.List(fields.Nested(DirectorRulingSchema))


class CountedSchema(Schema):
    """A session that counts for a league, and its weight."""

    session = fields.String()
    weight = fields.Float()


class LeagueSchema(EveningSchema):
    """A league with its opening and the sessions that count, in their order."""

    opening = EveningEvent(ev.League)
    sessions = fields.List(fields.Nested(CountedSchema))
