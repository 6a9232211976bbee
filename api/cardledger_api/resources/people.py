"""The resource of people: the player ids of each person, their names, and every change of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import msgspec
from flask import request
from marshmallow import Schema, fields, validate

from cardledger.errors import ConflictError
from cardledger.record.people.people import AnyEvent, Change, event_of
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.secrecy import public_people_event
from cardledger_api.auth.noting import note_about
from cardledger_api.blueprint import operations
from cardledger_api.current import current_access, current_ledger
from cardledger_api.http.conditions import etag, recorder_name, stale, wanted_seqs
from cardledger_api.http.fields import EventList
from cardledger_api.http.problems import problem

if TYPE_CHECKING:
    from cardledger.record.people.people import People
    from cardledger.rules.engine.events import Event


def _one_of(union: Any) -> dict[str, Any]:
    """Return the schema of an event of one of the kinds in a union."""
    kinds = [cls.__struct_config__.tag for cls in get_args(union)]
    kind = {"type": "string", "enum": kinds, "description": "what happened; it decides which other keys there are"}
    return {"type": "object", "required": ["type"], "properties": {"type": kind}}


_EVENT = _one_of(Change)
_TOLD = _one_of(AnyEvent)
_GIVES = {"ETag": "the number of the latest change, for If-Match"}


class PeopleEvents(EventList):
    """Changes, each an object: `name`, `merge`, `split`, `sat`, `posed` or `shown`."""

    read = staticmethod(event_of)
    component = None

    def _serialize(self, value: list[Event] | None, attr: str | None, obj: object, **_: object) -> Any:
        return msgspec.to_builtins(value)


class ChangesSchema(Schema):
    """Changes to record: all of them, or none."""

    events = PeopleEvents(required=True, metadata={"type": "array", "items": _EVENT, "minItems": 1})


class PersonSchema(Schema):
    """A person with a name or more than one id: their own id, their name, and all their ids."""

    id = fields.String()
    name = fields.String()
    ids = fields.List(fields.String())


class PeopleSchema(Schema):
    """All people with a name or more than one id, and all changes; `seq` is the number of the latest change."""

    seq = fields.Integer()
    people = fields.List(fields.Nested(PersonSchema))
    events = PeopleEvents(metadata={"type": "array", "items": _TOLD})


class WantedSchema(Schema):
    """The person to erase, by any of their ids."""

    player = fields.String(required=True, validate=validate.Length(1, 1000))
    also = fields.List(
        fields.String(validate=validate.Length(1, 1000)), load_default=[], validate=validate.Length(max=100)
    )


class FoundOfPersonSchema(Schema):
    """What an erasure would take and what would stay; nothing is changed yet."""

    ids = fields.List(fields.String())
    names = fields.List(fields.String())
    numbers = fields.List(fields.String())
    texts = fields.Integer()
    labels = fields.List(fields.String())
    beside = fields.List(fields.String())
    stays = fields.List(fields.String())


class ErasedSchema(Schema):
    """The result of an erasure.

    The numbers of erased ids, display names and free texts, and the new `id` and `name` of the person.
    """

    id = fields.String()
    name = fields.String()
    ids = fields.Integer()
    names = fields.Integer()
    texts = fields.Integer()
    stays = fields.List(fields.String())


@operations.add("GET", "/people", answer=PeopleSchema, gives=_GIVES, example={})
def read_people() -> tuple[dict[str, Any], dict[str, str]]:
    """Read who is who: people with a name or more than one id, and every change so far.

    Any other player is known by the id in the matches. What is decided of names in what is published (`shown`) only
    admins see: for others such a change is withheld.
    """
    ledger = current_ledger()
    return _people_answer(ledger.people())


@operations.add(
    "POST",
    "/people",
    role="admin",
    body=ChangesSchema,
    answer=PeopleSchema,
    problems=(409, 412, 428),
    headers={"If-Match": "the latest ETag of the people that the writer knows"},
    gives=_GIVES,
    example={
        "headers": {"If-Match": "*"},
        "body": {"events": [{"type": "name", "player": "PLAYER", "name": "Ana"}]},
    },
)
def change_people(body: dict[str, Any]) -> Any:
    """Say who is who: `name` a player, `merge` an id into another, `split` it again, or say who `sat` at a seat.

    Each change is an event in the ledger and can be reversed: a split undoes a merge; a name or a player of null
    takes the name or the seat back. Lists, results and statistics of all matches follow at once; a match keeps
    the ids it was recorded with.
    """
    ledger = current_ledger()
    if "If-Match" not in request.headers:
        return problem(428, "api.if-match", "Send the ETag of /people in If-Match, to say which changes you know.")
    seqs = wanted_seqs(request.headers["If-Match"])
    current = ledger.people().seq
    expected = current if seqs is None or current in seqs else seqs[0]
    try:
        return _people_answer(ledger.record_people(body["events"], expected, recorder_name()))
    except ConflictError as error:
        return stale(error)


@operations.add(
    "POST",
    "/people/erasures/examined",
    role="admin",
    body=WantedSchema,
    answer=FoundOfPersonSchema,
    example={"body": {"player": "chloe", "also": ["Clo"]}},
)
def examine_person(body: dict[str, Any]) -> dict[str, Any]:
    """Search for everything that names a player: what an erasure takes, and what stays. Nothing is changed.

    Every text and every event is searched for the ids and names, and for the words in `also`, whatever their case and
    accents. Texts with only a part of a name stay, unless that part is in `also`.
    """
    found = examine(current_ledger(), body["player"], body["also"])
    return {
        "ids": found.ids, "names": found.called, "numbers": found.numbers, "texts": found.texts, "labels": found.labels,
        "beside": found.beside, "stays": found.staying,
    }  # fmt: skip


@operations.add(
    "POST",
    "/people/erasures",
    role="admin",
    body=WantedSchema,
    answer=ErasedSchema,
    problems=(409,),
    example={"body": {"player": "chloe"}},
)
def erase_person(body: dict[str, Any]) -> dict[str, Any]:
    """Erase the identity of a player for good: all their ids and names, and every text that names them.

    `/people/erasures/examined` shows before what that is, and what stays. Matches, results, hashes and proofs stay, with a pseudonym in place of the name. This is an event in the
    ledger, and the only one that cannot be reversed.
    """
    ledger = current_ledger()
    erasure = examine(ledger, body["player"], body["also"])
    left = erase(ledger, erasure, recorder_name())
    note_about(left)  # never the name that is erased
    counted = {"ids": len(erasure.ids), "names": len(erasure.called), "texts": erasure.texts, "stays": erasure.staying}
    return {"id": left, "name": ledger.people().name(left), **counted}


def _people_answer(people: People) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the answer with all people, with its entity tag."""
    persons = sorted({*people.named(), *map(people.person, people.merged())})
    admin = current_access().role() == "admin"
    events = people.events if admin else [*map(public_people_event, people.events)]
    entries = [{"id": id, "name": people.name(id), "ids": people.ids(id)} for id in persons]
    return {"seq": people.seq, "people": entries, "events": events}, {"ETag": etag(people.seq)}
