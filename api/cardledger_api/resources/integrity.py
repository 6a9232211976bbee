"""The resource of integrity: what the server knows of differences from the record, and checks of the whole ledger."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from flask import g
from marshmallow import Schema, fields

from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.checks import checks_of
from cardledger_api.http.copies import copies_here
from cardledger_api.http.findings import findings_here

if TYPE_CHECKING:
    from cardledger_api.http.checks import Check


class FindingSchema(Schema):
    """A difference from the record, with its match if it is known."""

    code = fields.String(attribute="error.code")
    detail = fields.String(attribute="in_words")
    match = fields.String(allow_none=True)


class WrongPlaceSchema(Schema):
    """What did not fit in a check: a match or a part of the ledger, and how."""

    place = fields.String()
    code = fields.String()
    detail = fields.String()


class CheckSchema(Schema):
    """A check of every hash, all play and every checkpoint: how far it is, or its result."""

    by = fields.String()
    started = fields.String()
    ended = fields.String(allow_none=True)
    seconds = fields.Float()
    matches = fields.Integer()
    done = fields.Integer()
    events = fields.Integer()
    sealed = fields.Integer()
    wrong = fields.Nested(WrongPlaceSchema, allow_none=True)


class RestoreSchema(Schema):
    """How far copies of the ledger are known to be good: what the restore drills proved."""

    well = fields.Boolean()
    state = fields.String()
    proven = fields.String(allow_none=True)
    age = fields.Integer(allow_none=True)
    seconds = fields.Float(allow_none=True)
    code = fields.String(allow_none=True)


class IntegritySchema(Schema):
    """The state of the ledger: its size, how far the read models have come, what was found, and the last check."""

    matches = fields.Integer()
    events = fields.Integer()
    position = fields.Integer()
    behind = fields.Integer()
    findings = fields.List(fields.Nested(FindingSchema))
    restore = fields.Nested(RestoreSchema)
    running = fields.Nested(CheckSchema, allow_none=True)
    last = fields.Nested(CheckSchema, allow_none=True)


def state() -> dict[str, Any]:
    """Return what the checks of the ledger found last."""
    ledger = current_ledger()
    checks = checks_of(current_ledger())
    return {
        "matches": len(ledger.matches()),
        "events": ledger.count(),
        "position": ledger.views.position,
        "behind": ledger.store.last_position() - ledger.views.position,
        "findings": findings_here().all,
        "restore": copies_here().report(),
        "running": _in_answers(checks.running),
        "last": _in_answers(checks.last),
    }


@operations.add("GET", "/integrity", answer=IntegritySchema)
def read_integrity() -> dict[str, Any]:
    """Read the state of the ledger: what differs from the record, and how the last check went.

    The latest checkpoint is at `/checkpoint`.
    """
    return state()


@operations.add("POST", "/integrity", role="scorer", answer=IntegritySchema, status=202)
def check_integrity() -> dict[str, Any]:
    """Start a check of the whole ledger, unless one is under way; it runs in the background.

    It recomputes every hash, all play and every row, and tries every checkpoint.
    """
    checks = checks_of(current_ledger())
    checks.start(g.recorder or "", findings_here())
    return state()


def _in_answers(check: Check | None) -> dict[str, Any] | None:
    if check is None:
        return None
    if check.wrong is None:
        return asdict(check)
    place, error = check.wrong
    wrong = {"place": place, "code": error.code, "detail": error.message}
    return {name: getattr(check, name) for name in CheckSchema().fields} | {"wrong": wrong}
