"""The resource of people: which player ids mean one person, what each is called, and the changes of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import msgspec
from flask import request
from marshmallow import Schema, fields, validate

from api.conditions import etag, recorder, stale, wanted_seqs
from api.fields import Events
from api.problems import problem
from ledger.erasing import erase, examine
from ledger.errors import ConflictError
from ledger.people import AnyEvent, Change, event_of

if TYPE_CHECKING:
    from api.operations import Operations
    from ledger.events import Event
    from ledger.ledger import Ledger
    from ledger.people import People


def _one_of(union: Any) -> dict[str, Any]:
    """Return the schema of an event of one of the kinds in a union."""
    kinds = [cls.__struct_config__.tag for cls in get_args(union)]
    return {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "enum": kinds}}}


_EVENT = _one_of(Change)
_TOLD = _one_of(AnyEvent)
_GIVES = {"ETag": "the number of the latest change, for If-Match"}


class PeopleEvents(Events):
    """Changes, each an object: `name`, `merge`, `split` or `sat`."""

    read = staticmethod(event_of)

    def _serialize(self, value: list[Event] | None, attr: str | None, obj: object, **_: object) -> Any:
        return msgspec.to_builtins(value)


class ChangesSchema(Schema):
    """Changes to record: all of them, or none."""

    events = PeopleEvents(required=True, metadata={"type": "array", "items": _EVENT, "minItems": 1})


class PersonSchema(Schema):
    """A person with a name or more than one id: their own id, what they are called, and all their ids."""

    id = fields.String()
    name = fields.String()
    ids = fields.List(fields.String())


class PeopleSchema(Schema):
    """Everybody with a name or more than one id, and all changes; `seq` is the number of the latest."""

    seq = fields.Integer()
    people = fields.List(fields.Nested(PersonSchema))
    events = PeopleEvents(metadata={"type": "array", "items": _TOLD})


class WantedSchema(Schema):
    """Who is to be erased, by any of their ids."""

    player = fields.String(required=True, validate=validate.Length(1, 1000))


class ErasedSchema(Schema):
    """What was erased: how many ids, display names and free texts; and the `id` and `name` that stand for the person now."""

    id = fields.String()
    name = fields.String()
    ids = fields.Integer()
    names = fields.Integer()
    texts = fields.Integer()


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on people."""

    @operations.add("GET", "/people", answer=PeopleSchema, gives=_GIVES, example={})
    def read_people() -> tuple[dict[str, Any], dict[str, str]]:
        """Read who is who: persons with a name or more than one id, and every change there ever was.

        Whoever is not named here goes by the id of the matches.
        """
        return _told(ledger.people())

    @operations.add(
        "POST",
        "/people",
        role="admin",
        body=ChangesSchema,
        answer=PeopleSchema,
        problems=(409, 412, 428),
        headers={"If-Match": "the ETag of the people as the writer knows them"},
        gives=_GIVES,
        example={
            "headers": {"If-Match": "*"},
            "body": {"events": [{"type": "name", "player": "PLAYER", "name": "Ana"}]},
        },
    )
    def change_people(body: dict[str, Any]) -> Any:
        """Say who is who: `name` a player, `merge` an id into another, `split` it again, or say who `sat` at a seat.

        Each is an event in the ledger, and each can be reversed: a split undoes a merge, a name or a player of null takes
        the name or the seat back. Lists, results and statistics follow at once, for all matches; a match keeps the ids
        it was recorded with.
        """
        if "If-Match" not in request.headers:
            return problem(428, "api.if-match", "Say with If-Match which changes you know of: the ETag of /people.")
        seqs = wanted_seqs(request.headers["If-Match"])
        current = ledger.people().seq
        expected = current if seqs is None or current in seqs else seqs[0]
        try:
            return _told(ledger.register.record(body["events"], expected, recorder(), ledger.views))
        except ConflictError as error:
            return stale(error)

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
        """Erase who a player is, for good: all their ids, what they were called, notes and reasons that name them.

        Matches, results, hashes and proofs stay, with a pseudonym in place of the name. It is an event in the ledger, and the
        one that cannot be reversed.
        """
        found = examine(ledger, body["player"])
        left = erase(ledger, found, recorder())
        counted = {"ids": len(found.ids), "names": len(found.called), "texts": found.texts}
        return {"id": left, "name": ledger.people().name(left), **counted}


def _told(people: People) -> tuple[dict[str, Any], dict[str, str]]:
    """Return people as answered, with their entity tag."""
    persons = sorted({*people.named(), *map(people.person, people.merged())})
    told = [{"id": id, "name": people.name(id), "ids": people.ids(id)} for id in persons]
    return {"seq": people.seq, "people": told, "events": people.events}, {"ETag": etag(people.seq)}
