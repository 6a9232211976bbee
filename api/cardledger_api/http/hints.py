"""What clients write in another way than the record, taken as they mean it, and told in the answer."""

from __future__ import annotations

from typing import Any

from flask import has_request_context
from marshmallow import fields, missing

from cardledger_api.http.passage import the_notes


def as_meant(item: object, index: int) -> object:
    """Return an event as the record writes it, and note a hint if the client wrote it otherwise.

    A `retract` says how far the record goes back (`to`). A client that knows `amend` writes `about`, the event that is
    wrong: then that event and all after it are taken back.
    """
    if not isinstance(item, dict) or item.get("type") != "retract" or "to" in item:
        return item
    about = item.get("about")
    if type(about) is not int or about < 2:
        return item
    if has_request_context():
        notes = the_notes()
        detail = f"`about` {about} was read as `to` {about - 1}: event {about} and all after it are taken back"
        notes.hints = [*notes.get("hints", ()), {"index": index, "detail": detail}]
    return {key: value for key, value in item.items() if key != "about"} | {"to": about - 1}


def _noted(_: object) -> Any:
    return the_notes().get("hints", missing)


class Hints(fields.Function):
    """The hints about the events of a request, in its answer; left out if there are none."""

    def __init__(self) -> None:
        properties = {
            "index": {"type": "integer", "description": "position in the list of events, from 0"},
            "detail": {"type": "string", "description": "what was written, and how it was read"},
        }
        items = {"type": "object", "properties": properties, "required": [*properties]}
        super().__init__(_noted, metadata={"type": "array", "items": items})
