"""The codes of problems: what each means and what to do next, as JSON and as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, render_template
from marshmallow import Schema, fields

from cardledger.codes import CODES, explained
from cardledger.errors import StoreError
from cardledger_api.http.answers import as_json
from cardledger_api.http.operations import JSON, media_wanted

if TYPE_CHECKING:
    from cardledger_api.http.operations import Operations

HTML = "text/html"


class CodeSchema(Schema):
    """A code, what it means, and what to do next."""

    code = fields.String()
    meaning = fields.String()
    remedy = fields.String()


class CodeListSchema(Schema):
    """All codes that are not ids of rules; the rulebooks of the games list those."""

    codes = fields.List(fields.Nested(CodeSchema))


def add_codes(operations: Operations) -> None:
    """Let an API explain the codes of its problems."""

    @operations.add("GET", "/problems", answer=CodeListSchema)
    def list_of_problems() -> dict[str, Any]:
        """List the codes of problems and notices, with their meaning and what to do next."""
        return {"codes": [_described(code) for code in CODES]}

    @operations.add(
        "GET", "/problems/<code>", answer=CodeSchema, media=(JSON, HTML), example={"path": {"code": "store.conflict"}}
    )
    def read_problem(code: str) -> Response:
        """Read what a code means: the address that problem details give as their `type`.

        Ids of rules have an answer too, with the games that have the rule.
        """
        described = _described(code)
        if media_wanted(JSON, HTML) == JSON:
            return Response(as_json(described), content_type=JSON)
        return Response(render_template("api-problem.html", **described), content_type=f"{HTML}; charset=utf-8")


def _described(code: str) -> dict[str, str]:
    found = explained(code)
    if found is None:
        raise StoreError("store.unknown", f"there is no code {code!r}: GET /problems lists them")
    return {"code": code, "meaning": found.meaning, "remedy": found.remedy}
