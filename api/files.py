"""The resource of files: match files are taken in with a report, and given out for any set of matches.

How large a file may be, `api.limits` says; how long a line, `ledger.matchfile.MAX_LINE`.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, cast

from flask import Response, abort, request
from marshmallow import Schema, fields

from api.conditions import recorder
from api.operations import MULTIPART, NDJSON
from api.schemas import MatchFilter
from api.secrecy import Secrets, public_filters, sees_all
from ledger.games import game
from ledger.matchfile import read_matches
from ledger.outcomes import Imported
from ledger.readmodels.matchlist import match_ids

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from api.operations import Operations
    from ledger.ledger import Ledger

_NAME = "matches.jsonl"


class ImportQuery(Schema):
    """Whether a wrong match ends the import, as it does unless told otherwise."""

    keep_going = fields.Boolean(load_default=False)


class ImportedSchema(Schema):
    """A match of the file: its id here, how many events it has there, and how many of them were new."""

    file = fields.String()
    line = fields.Integer()
    match = fields.String()
    game = fields.String()
    events = fields.Integer()
    new = fields.Integer()


class WrongSchema(Schema):
    """What is wrong with a match of the file, and on which line; nothing of that match was stored."""

    file = fields.String()
    line = fields.Integer()
    code = fields.String(attribute="error.code")
    detail = fields.String(attribute="error.message")


class ReportSchema(Schema):
    """What became of every match of the files."""

    matches = fields.List(fields.Nested(ImportedSchema))
    problems = fields.List(fields.Nested(WrongSchema))


def add_operations(operations: Operations, ledger: Ledger) -> None:
    """Declare the operations on files."""

    @operations.add(
        "POST",
        "/import",
        role="scorer",
        query=ImportQuery,
        body_media=(NDJSON, MULTIPART),
        answer=ReportSchema,
        example={
            "headers": {"Content-Type": NDJSON},
            "body": '{"type":"open","game":"ruff","players":["ana","ben","chloe"]}\n',
        },
    )
    def import_file(query: dict[str, Any]) -> dict[str, list[Any]]:
        """Import a match file, as the body or as files of a form; the report says what became of each match.

        Each match is stored whole or not at all, and stored already it stays as it is or is continued. The import
        stops at the first match that is wrong, or goes on at the next with `keep_going`.
        """
        report: dict[str, list[Any]] = {"matches": [], "problems": []}
        for name, file in _files():
            for found in ledger.import_matches(read_matches(file, name, query["keep_going"]), recorder()):
                report["matches" if isinstance(found, Imported) else "problems"].append(found)
            if report["problems"] and not query["keep_going"]:
                break
        return report

    @operations.add(
        "GET",
        "/export",
        query=MatchFilter,
        media=(NDJSON,),
        gives={"Content-Disposition": "a file name"},
        example={"query": {"game": "ruff"}},
    )
    def export_file(query: dict[str, Any]) -> Response:
        """Export matches as a match file, all or those the filters let through, in the order of the ledger.

        Importing it gives the same matches again. Readers get a match whose hand is under way up to its deal, where
        the deal is recorded.
        """
        if query["game"] is not None:
            game(query["game"])  # an unknown one is an error, not an empty file
        whole = sees_all()
        headers = {
            "Content-Disposition": f'attachment; filename="{_NAME}"',
            "Vary": "Authorization",
            "Cache-Control": "no-cache",
        }
        lines = _lines(ledger, match_ids(ledger, **public_filters(query)), whole=whole)
        return Response(lines, headers=headers, content_type=NDJSON)


def _files() -> Iterator[tuple[str, BinaryIO]]:
    """Yield the files of the request with their names."""
    if request.mimetype == NDJSON:
        yield _NAME, io.BufferedReader(request.stream)  # type: ignore[type-var] # it is a raw stream
        return
    files = [file for _, file in request.files.items(multi=True)]
    if not files:
        abort(400, "The form holds no file.")
    for file in files:
        yield file.filename or _NAME, cast("BinaryIO", file.stream)


def _lines(ledger: Ledger, matches: list[str], *, whole: bool) -> Iterator[str]:
    """Yield matches as lines, or what everybody may see of them: each up to its first card that is withheld."""
    for match in matches:
        rows = ledger.cleared(ledger.store.read(match))
        if whole:
            yield "".join(row.line + "\n" for row in rows)
            continue
        secrets = Secrets(ledger.stream(match))
        shown: list[str] = []
        for row in rows:
            if secrets.public_line(row.line, row.seq) != row.line:
                break
            shown.append(row.line + "\n")
        yield "".join(shown)
