"""The resource of masterpoints: what an evening gives for its places, and what players have of a club or a season."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cardledger.formats.spreadsheets.lines_in_file import lines_in_file
from cardledger.record.recording.masterpoints import added_up, described, give_table, totals_as_json
from cardledger.rules.evenings.masterpoint_table import lines_of
from cardledger_api.auth.visible import rankings_shown
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import recorder
from cardledger_api.http.operations import CSV, MULTIPART, XLSX
from cardledger_api.http.schemas import Day
from cardledger_api.resources.evenings import streams_of
from cardledger_api.resources.spreadsheets import files_sent


class MasterpointsAwardedSchema(Schema):
    """What a pair, a team or a player gets; each of its players gets it."""

    entry = fields.Integer()
    place = fields.String()
    players = fields.List(fields.String())
    points = fields.String()


class MasterpointsOfSessionSchema(Schema):
    """The masterpoints of a session, by a table of its club; nobody has any before its ranking is published."""

    session = fields.String()
    table = fields.String(allow_none=True)
    published = fields.Boolean()
    awards = fields.List(fields.Nested(MasterpointsAwardedSchema))


class MasterpointsQuery(Schema):
    """Filters for sessions; all given ones must hold. The days `since` and `until` are included."""

    club = fields.String(load_default=None, metadata={"description": "id of the club"})
    league = fields.String(load_default=None, metadata={"description": "id of the league for which they count"})
    player = fields.String(load_default=None, metadata={"description": "any id of the only player wanted"})
    since = Day(load_default=None)
    until = Day(load_default=None)


class MasterpointsOfPlayerSchema(Schema):
    """The masterpoints of a player, and how many sessions gave them."""

    player = fields.String()
    points = fields.String()
    evenings = fields.Integer()


class MasterpointListSchema(Schema):
    """The players with masterpoints, most first."""

    players = fields.List(fields.Nested(MasterpointsOfPlayerSchema))


@operations.add(
    "GET",
    "/sessions/<evening:session>/masterpoints",
    answer=MasterpointsOfSessionSchema,
    problems=(422,),
    example={"path": {"session": "SESSION"}},
)
def read_masterpoints(session: str) -> Any:
    """Read what a session gives for its places, by the table of its club that its opening names (`masterpoints`).

    The table is that of the last publication, the places are those of now. Nothing of it is stored.
    """
    ledger = current_ledger()
    streams_of(ledger, "session").seq(session)
    return described(ledger, session, rankings_shown(ledger))


@operations.add("GET", "/masterpoints", query=MasterpointsQuery, answer=MasterpointListSchema, example={"query": {}})
def list_of_masterpoints(query: dict[str, Any]) -> Any:
    """List the masterpoints of players: of all sessions, of those of a club, or of those that count for a league."""
    ledger = current_ledger()
    if query["league"] is not None:
        streams_of(ledger, "league").seq(query["league"])
    return {"players": totals_as_json(added_up(ledger, **query, rankings=rankings_shown(ledger)))}


class MasterpointTableQuery(Schema):
    """The name of a table by which a club gives masterpoints."""

    table = fields.String(required=True, validate=validate.Length(1, 120))


class MasterpointTableSchema(Schema):
    """A table of a club as lines: a size of field from which on it counts, or a share of it, and points by place."""

    club = fields.String()
    table = fields.String()
    lines = fields.String()


@operations.add(
    "POST",
    "/clubs/<evening:club>/masterpoints",
    role="scorer",
    query=MasterpointTableQuery,
    body_media=(CSV, XLSX, MULTIPART),
    answer=MasterpointTableSchema,
    status=201,
    problems=(409, 422),
    example={
        "path": {"club": "CLUB"},
        "query": {"table": "Club"},
        "headers": {"Content-Type": CSV},
        "body": "entries,1,2,3\n4,0.20,0.10\n8,0.35,0.25,0.15\n",
    },
)
def keep_table(club: str, query: dict[str, Any]) -> Any:
    """Let a club give masterpoints by the table in a file, CSV or XLSX, as the body or in a form.

    The same name again replaces its table for what is published from then on. A table is an event of the club, so it
    can be recorded there too, and be given no longer.
    """
    ledger = current_ledger()
    streams_of(ledger, "club").seq(club)
    (name, content), *_ = files_sent()
    table = give_table(ledger, club, recorder(), query["table"], lines_in_file(name, content))
    return {"club": club, "table": table.name, "lines": lines_of(table)}
