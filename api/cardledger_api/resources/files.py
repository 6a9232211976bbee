"""The resource of files: import match files with a report, and export any set of matches.

`cardledger_api.auth.limits` limits the size of a file, `cardledger.record.matches.lines.MAX_LINE` the length of a line.
"""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from flask import Response, abort, request
from marshmallow import Schema, fields, validate

from cardledger.errors import LedgerError
from cardledger.formats.bridge_files.boards import GAME as BRIDGE
from cardledger.formats.bridge_files.reading import FORMATS, format_of, nothing_in_it
from cardledger.formats.bridge_files.text import read_twice
from cardledger.formats.bridge_files.usebio_sessions import noted, take_in_usebio
from cardledger.formats.bridge_files.writing import encoded, written
from cardledger.record.matches.matchfile import FirstOnes, MatchInFile, Problem, Warned
from cardledger.record.matches.missing_days import MissingDays
from cardledger.record.matches.noticed import Noticed
from cardledger.record.matches.shape import written_day
from cardledger.record.readmodels.questions.match_list import match_ids
from cardledger.record.recording.evening_files import StoredEvening
from cardledger.record.recording.results import Imported
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.engine.days import UNKNOWN
from cardledger.rules.games import game
from cardledger_api.auth.visible import public_filters, sees_all, withheld
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.answers import writer
from cardledger_api.http.conditions import recorder
from cardledger_api.http.operations import MULTIPART, NDJSON, TEXT
from cardledger_api.http.problems import log_failure, problem, status_of
from cardledger_api.http.schemas import MatchFilter
from cardledger_api.http.uploads import evenings_sent, matches_sent, problems_sent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from cardledger.formats.bridge_files.reading import Format
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.similar import Answer, Similar

_NAME = "matches.jsonl"


class ImportQuery(Schema):
    """Options of an import: whether it stops at a wrong match, and what to do about matches similar to stored ones."""

    keep_going = fields.Boolean(load_default=False)
    strict = fields.Boolean(load_default=False)
    replace = fields.String(load_default=None)
    anyway = fields.Boolean(load_default=False)
    date = fields.String(
        load_default=UNKNOWN,
        metadata={
            "description": "day of the matches for which the file has none: 2026-01-31, 2026-01, 2026, or unknown"
        },
    )


class ExportQuery(MatchFilter):
    """Filters for an export, and its format: a match file, or boards of bridge."""

    format = fields.String(load_default=None, validate=validate.OneOf(FORMATS))


class ImportedSchema(Schema):
    """A match of the file: its id, its events, how many of them are new, and whether it replaced a stored match."""

    file = fields.String()
    line = fields.Integer()
    match = fields.String()
    game = fields.String()
    events = fields.Integer()
    new = fields.Integer()
    replaced = fields.Boolean()


class WrongSchema(Schema):
    """An error in a match of the file, with its line; nothing of the match was stored.

    `similar` names a stored match.
    """

    sometimes: tuple[str, ...] = ("similar",)

    file = fields.String()
    line = fields.Integer()
    code = fields.String(attribute="error.code")
    detail = fields.String(attribute="error.message")
    similar = fields.String(attribute="error.match")


class DoubtedSchema(Schema):
    """A warning about a match of the file, with its line; the match was stored all the same."""

    file = fields.String()
    line = fields.Integer()
    code = fields.String()
    detail = fields.String(attribute="message")


class ImportedEveningSchema(Schema):
    """An evening that a file of USEBIO makes: its id, its events, and how many of them are new."""

    file = fields.String()
    line = fields.Integer()
    evening = fields.String()
    events = fields.Integer()
    new = fields.Integer()


class CauseSchema(Schema):
    """A code that was noticed: how often, and whether a result may depend on it."""

    code = fields.String()
    count = fields.Integer()
    of_result = fields.Boolean()


class ReportSchema(Schema):
    """The result for every match of the files, and for every evening that they make."""

    matches = fields.List(fields.Nested(ImportedSchema))
    evenings = fields.List(fields.Nested(ImportedEveningSchema))
    problems = fields.List(fields.Nested(WrongSchema))
    warnings = fields.List(fields.Nested(DoubtedSchema))
    noticed = fields.List(fields.Nested(CauseSchema))
    left_out = fields.Integer()


_WRITE = writer(ReportSchema())


@operations.add(
    "POST",
    "/import",
    role="scorer",
    query=ImportQuery,
    body_media=(NDJSON, TEXT, MULTIPART),
    answer=ReportSchema,
    problems=(409, 422),
    heavy=True,
    example={
        "headers": {"Content-Type": NDJSON},
        "body": '{"type":"open","game":"ruff","players":["ana","ben","chloe"]}\n',
    },
)
def import_file(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Import a match file, or PBN or LIN, as the body or as files of a form.

    The report gives the result for each match.

    Each match is stored whole or not at all; a match that is already stored stays as it is or is continued. The
    import stops at the first wrong match, or continues with the next one under `keep_going`. If a wrong match
    stops it, or no match is right, the answer is that problem, with `matches` and `problems` as the report. A file
    without a match is a problem too (`store.empty`).

    Files of bridge are recognised by their content (PBN and LIN as `text/plain`, or in a form). Each board is a match;
    of a file with a wrong board nothing is stored, or the other boards under `keep_going`. `warnings` are what was
    noticed in them, cause by cause, those first that a result may depend on; `noticed` counts each. Of more than 1,000
    problems, or 50 warnings of one cause, the others are counted as `left_out`. USEBIO of pairs also makes the evening:
    club, session, pairs, tables and results.

    A match for which the file has no day is of an unknown day (`file.day` in `warnings`, with the year that its event
    names); `date` says it, with the file or when it is imported once more.

    A match that is similar to a stored one (the same beginning, or the same game, players, event, table and date)
    is most likely a corrected version of it and is refused (`store.similar`). Import it with the id of the stored
    match as `replace`, which takes back its events and records those of the file, or with `anyway`, which stores
    both.
    """
    ledger = current_ledger()
    written_day(query["date"])  # refused before anything is stored
    replace = [query["replace"]] if query["replace"] else []
    for match in replace:
        ledger.folded(match)  # an unknown one is an error
    problems, warnings = FirstOnes(), Noticed()
    report: dict[str, Any] = {"matches": [], "evenings": [], "problems": problems, "warnings": warnings}
    for name, sent in _files():
        with read_twice(sent) as file:
            import_into(report, file, name, query, replace)
        if report["problems"] and not query["keep_going"]:
            break
    report["noticed"], report["left_out"] = warnings.causes, problems.more + warnings.more
    if not (report["matches"] or report["evenings"] or problems):
        problems.append(Problem(name, 1, nothing_in_it()))
    if report["problems"] and not (query["keep_going"] and report["matches"]):
        return _refused(report)
    return report


def import_into(report: dict[str, Any], file: BinaryIO, name: str, query: dict[str, Any], replace: list[str]) -> None:
    """Import a file, and add to a report what came of its matches."""
    ledger = current_ledger()
    if not query["keep_going"] and (wrong := problems_sent(file, name, query["strict"])):
        report["problems"].extend(wrong)
        report["problems"].more += wrong.more
        return
    start = file.tell()
    matches: dict[int, str] = {}
    usebio = format_of(file, name) == "usebio"
    read = matches_sent(file, name, query["keep_going"], strict=query["strict"])
    missing, day = MissingDays(), query["date"]
    items = _noted(read, report["warnings"], missing)
    answer = partial(_answer, anyway=query["anyway"])
    for item in noted(ledger.import_matches(items, recorder(), answer, replace, day=day), matches):
        if isinstance(item, Imported):
            report["matches"].append(item)
            report["warnings"].extend(item.warnings)
        else:
            report["problems"].append(item)
    report["warnings"].extend(missing.notices() if day == UNKNOWN else ())
    if usebio:
        file.seek(start)
        try:
            evenings = [*evenings_sent(file, day)]
        except LedgerError as error:
            report["problems"].append(Problem(name, 1, error))
            return
        for made in take_in_usebio(ledger, evenings, name, matches, recorder()):
            kind = {StoredEvening: "evenings", Warned: "warnings"}.get(type(made), "problems")
            report[kind].append(made)


@operations.add(
    "GET",
    "/export",
    query=ExportQuery,
    media=(NDJSON, TEXT),
    gives={"Content-Disposition": "a file name"},
    heavy=True,
    example={"query": {"game": "ruff"}},
)
def export_file(query: dict[str, Any]) -> Response:
    """Export matches as a match file, all or those that pass the filters, in the order of the ledger.

    Importing the file gives the same matches. Readers get a match with a hand under way only up to that hand's
    deal, if the deal is recorded.

    With `format`, the matches of bridge are given as PBN or LIN, as they stand with their corrections; readers get
    those that withhold nothing.
    """
    ledger = current_ledger()
    format = query.pop("format")
    if query["game"] is not None:
        game(query["game"])  # an unknown one is an error, not an empty file
    whole = sees_all()
    headers = {
        "Content-Disposition": f'attachment; filename="{_NAME}"',
        "Vary": "Authorization",
        "Cache-Control": "no-cache",
    }
    if format is not None:
        headers["Content-Disposition"] = f'attachment; filename="boards.{format}"'
        return Response(_boards(ledger, query, format), headers=headers, content_type=f"{TEXT}; charset=utf-8")
    lines = _lines(ledger, match_ids(ledger, **public_filters(query)), whole=whole)
    return Response(lines, headers=headers, content_type=NDJSON)


def _refused(report: dict[str, Any]) -> Response:
    """Answer with the first problem of an import, and the whole report."""
    first: Problem = report["problems"][0]
    stored = len(report["matches"])
    before = f" ({stored} {'match' if stored == 1 else 'matches'} stored before it)" if stored else ""
    log_failure(first.error)
    return problem(
        status_of(first.error),
        first.error.code,
        f"{first.file}, line {first.line}: {first.error.message}{before}",
        **_WRITE(report),
    )


def _answer(similar: Similar, *, anyway: bool) -> Answer:
    return "anyway" if anyway else "leave"


def _files() -> Iterator[tuple[str, BinaryIO]]:
    """Yield the files of the request with their names."""
    if request.mimetype in (NDJSON, TEXT):
        yield _NAME if request.mimetype == NDJSON else "boards.txt", io.BufferedReader(request.stream)  # type: ignore[type-var] # it is a raw stream
        return
    files = [file for _, file in request.files.items(multi=True)]
    if not files:
        abort(400, "The form holds no file.")
    for file in files:
        yield file.filename or _NAME, cast("BinaryIO", file.stream)


def _noted(
    items: Iterator[MatchInFile | Problem | Warned], warnings: Noticed, missing: MissingDays
) -> Iterator[MatchInFile | Problem]:
    """Yield matches and problems of a file, and list what was noticed."""
    for item in items:
        if isinstance(item, Warned):
            warnings.append(item)
            continue
        if isinstance(item, MatchInFile):
            missing.take(item)
            warnings.extend(item.source.notices if item.source is not None else ())
        yield item


def _boards(ledger: Ledger, query: dict[str, Any], format: Format) -> Iterator[bytes]:
    """Yield matches of bridge in a format of clubs."""
    ids = match_ids(ledger, **public_filters(query | {"game": BRIDGE}))
    shown = [match for match in ids if not withheld(ledger, match)]
    return map(encoded, written((folded.stream for folded in map(ledger.folded, shown)), format))


def _lines(ledger: Ledger, matches: list[str], *, whole: bool) -> Iterator[str]:
    """Yield matches as lines; for readers, each only up to its first withheld card."""
    for match in matches:
        rows = ledger.cleared(ledger.store.read(match))
        if whole:
            yield "".join(row.line + "\n" for row in rows)
            continue
        secrets = Secrets.of(ledger, match)
        shown: list[str] = []
        for row in rows:
            if secrets.public_line(row.line, row.seq) != row.line:
                break
            shown.append(row.line + "\n")
        yield "".join(shown)
