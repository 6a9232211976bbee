"""The resources of rankings: those of sessions and leagues as of any moment, their publications, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from marshmallow import Schema, fields, validate

from cardledger.record.recording.full_ranking import full_ranking
from cardledger.record.recording.moment import MOMENT, position_of
from cardledger.rules.evenings import evening_events as ev
from cardledger_api.auth.visible import hidden_boards
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.addresses import here
from cardledger_api.http.appending import KEY, append_at
from cardledger_api.http.conditions import etag
from cardledger_api.resources.evenings import EveningRecordedSchema, streams_of

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

_RANKED = ("session", "league")


class AsOfQuery(Schema):
    """The moment to look at."""

    as_of = fields.String(
        load_default=None,
        validate=validate.Length(1, 40),
        metadata={
            "pattern": f"^{MOMENT}$",
            "description": "a position of the ledger, or a time (ISO): the last position recorded before it",
        },
    )


class RankingRowSchema(Schema):
    """A row of a ranking, with all points as printed.

    Of a session: the entry, what it `played`, its `line` if the two lines rank apart, its `section` if sections do, `percent` where fields are
    compared. Of a league: `nights` played and `won`, and the sessions `counted`.
    """

    sometimes: tuple[str, ...] = ("entry", "played", "percent", "line", "section", "nights", "won", "counted")

    entry = fields.Integer()
    place = fields.String()
    players = fields.List(fields.String())
    played = fields.Integer()
    total = fields.String()
    percent = fields.String()
    line = fields.String()
    section = fields.String()
    nights = fields.Integer()
    won = fields.Integer()
    counted = fields.List(fields.String())


class PublicationSchema(Schema):
    """A ranking as published.

    The number of the event, its time, the position and the hash it cites, whether the hash fits the record.
    """

    seq = fields.Integer()
    at = fields.String()
    position = fields.Integer()
    hash = fields.String()
    fits = fields.Boolean()
    text = fields.String(allow_none=True)
    ranking = fields.List(fields.Nested(RankingRowSchema))


class ThenAndNowSchema(Schema):
    """A place or a total as published, and as of the moment; null for an entry that was not ranked."""

    then = fields.String(allow_none=True)
    now = fields.String(allow_none=True)


class PointsChangeSchema(ThenAndNowSchema):
    """The points of a table, or of a board there, as published and as of the moment."""

    round = fields.Integer()
    table = fields.Integer()
    board = fields.Integer(allow_none=True)


class LaterEventSchema(Schema):
    """An event after the publication that touches an entry, with its reason and the law it names."""

    stream = fields.String()
    seq = fields.Integer()
    position = fields.Integer()
    type = fields.String()
    reason = fields.String(allow_none=True)
    law = fields.String(allow_none=True)


class DifferenceSchema(Schema):
    """What differs for an entry of a session, or a player of a league, from the last publication."""

    entry = fields.Integer(allow_none=True)
    players = fields.List(fields.String())
    place = fields.Nested(ThenAndNowSchema)
    total = fields.Nested(ThenAndNowSchema)
    changes = fields.List(fields.Nested(PointsChangeSchema))
    events = fields.List(fields.Nested(LaterEventSchema))


class RankingSchema(Schema):
    """The ranking of a session or a league as of a position of the ledger, the publications by then, and what differs from the last.

    `hash` is the SHA-256 of the ranking, which a publication cites.
    """

    evening = fields.String()
    name = fields.String()
    position = fields.Integer()
    hash = fields.String()
    ranking = fields.List(fields.Nested(RankingRowSchema))
    published = fields.List(fields.Nested(PublicationSchema))
    differences = fields.List(fields.Nested(DifferenceSchema))


class PublishSchema(Schema):
    """What to publish beside the ranking."""

    text = fields.String(validate=validate.Length(0, 10_000), metadata={"description": "words to stand beside it"})


def _add_ranked(kind: str) -> None:
    """Declare the operations on the rankings of sessions or of leagues."""
    one, path = f"/{kind}s/<{kind}>", {kind: kind.upper()}

    @operations.add(
        "GET",
        f"{one}/ranking",
        query=AsOfQuery,
        answer=RankingSchema,
        problems=(422,),
        example={"path": path},
        name=f"read_{kind}_ranking",
        summary=f"Read the ranking of a {kind} as corrected now or as of a moment, "
        "its publications, and what differs from the last.\n\n"
        "What differs comes with the events that changed it. "
        "`session.phase` names a void match that the ranking needs.",
    )
    def read_ranking(query: dict[str, Any], **given: str) -> dict[str, Any]:
        ledger = current_ledger()
        streams_of(ledger, kind).seq(given[kind])
        hidden = hidden_boards(ledger)
        return full_ranking(ledger.evenings, given[kind], position_asked(ledger, query), hidden).as_json()

    @operations.add(
        "POST",
        f"{one}/publication",
        role="scorer",
        body=PublishSchema,
        answer=EveningRecordedSchema,
        status=201,
        problems=(409, 412),
        headers=KEY,
        gives={"ETag": f"the seq of the {kind}, for If-Match", "Location": "address of the ranking as published"},
        example={"path": path, "body": {"text": "well played"}},
        name=f"publish_{kind}",
        summary=f"Publish the ranking of a {kind} as it is now.\n\n"
        "The event cites the position of the ledger and the hash of the ranking. What is published is never altered: "
        "publishing again adds to it.",
    )
    def publish(body: dict[str, Any], **given: str) -> Any:
        ledger, id = current_ledger(), given[kind]
        recorded = append_at(streams_of(ledger, kind), id, [ev.Publish(text=body.get("text") or None)], None)
        if isinstance(recorded, Response):
            return recorded
        event = ledger.evenings.events(id, recorded.seq - 1)[0]
        assert isinstance(event, ev.Publish)
        where = f"{here().rpartition('/')[0]}/ranking?as_of={event.at_position}"
        return recorded, {"ETag": etag(recorded.seq), "Location": where}


for _kind in _RANKED:
    _add_ranked(_kind)


def position_asked(ledger: Ledger, query: dict[str, Any]) -> int:
    """Return the position that a query asks for, or the last one."""
    text = query["as_of"]
    return ledger.store.last_position() if text is None else position_of(ledger.store, text)
