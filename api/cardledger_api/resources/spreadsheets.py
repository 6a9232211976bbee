"""The resource of spreadsheets: an evening from CSV or XLSX, shown with every problem, and stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, abort, request
from marshmallow import Schema, fields, validate

from cardledger.count_of import count_of
from cardledger.errors import FormatError
from cardledger.formats.spreadsheets.grids import MEANINGS, example_of
from cardledger.formats.spreadsheets.known_to_ledger import KnownToLedger
from cardledger.formats.spreadsheets.preview import preview
from cardledger.formats.spreadsheets.reading import MOST_BYTES, MOST_FILES
from cardledger.formats.spreadsheets.storing import store
from cardledger.formats.spreadsheets.wishes import COLUMNS, SCORINGS, Wishes
from cardledger.record.matches.shape import read_json
from cardledger.rules.evenings.other_game import WINS
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.answers import writer
from cardledger_api.http.conditions import recorder
from cardledger_api.http.operations import CSV, MULTIPART, XLSX
from cardledger_api.http.problems import problem
from cardledger_api.http.uploads import papers_sent

if TYPE_CHECKING:
    from werkzeug.datastructures import FileStorage

    from cardledger.formats.spreadsheets.grids import MEANINGS, example_of
from cardledger.formats.spreadsheets.preview import Preview


class SheetQuery(Schema):
    """What the user adds to the file. `names` and `options` are JSON objects; `dry_run` stores nothing."""

    dry_run = fields.Boolean(load_default=False, metadata={"description": "only show it"})
    club = fields.String(load_default=None, metadata={"description": "id or name of the club"})
    session = fields.String(load_default=None, metadata={"description": "id of the evening, if it is recorded already"})
    name = fields.String(load_default=None, metadata={"description": "name of a new evening"})
    date = fields.String(
        load_default=None,
        metadata={"description": "the day, whatever the sheets say; only a year is that of days without one"},
    )
    game = fields.String(
        load_default=None,
        metadata={"description": "the game, where no sheet says it: its id or its name; with `wins` one without rules"},
    )
    wins = fields.String(
        load_default=None,
        validate=validate.OneOf(WINS),
        metadata={"description": "a game without rules: which points win. Only its results are recorded"},
    )
    partners = fields.Boolean(
        load_default=False,
        metadata={"description": "a game without rules: those who sit opposite have their points together"},
    )
    scoring = fields.String(
        load_default=None, validate=validate.OneOf(SCORINGS), metadata={"description": "how a new evening is scored"}
    )
    names = fields.String(
        load_default=None,
        metadata={"description": 'who is meant by names: `{"Marry": "mary", "Zoe": "new", "*": "new"}`'},
    )
    options = fields.String(load_default=None, metadata={"description": 'options of the matches: `{"target": 200}`'})
    columns = fields.String(
        load_default=None,
        validate=validate.OneOf(COLUMNS),
        metadata={"description": "what the columns of numbers are, if all sums hold both ways (`sheet.ambiguous`)"},
    )
    name_at = fields.String(
        load_default=None, metadata={"description": "show one: the cell of a player's name, such as `B3` or `Sheet!B3`"}
    )
    score_at = fields.String(
        load_default=None, metadata={"description": "show one: the cell of a number of this player"}
    )
    score_is = fields.String(
        load_default=None, validate=validate.OneOf(MEANINGS), metadata={"description": "show one: what this number is"}
    )
    ignore = fields.String(
        load_default="",
        metadata={"description": "cells that do not belong to the results, with what is left over below each: `A1,E3`"},
    )
    layout = fields.String(
        load_default=None,
        metadata={"description": "read the sheets by a layout that the club keeps; else one of their shape is tried"},
    )
    keep_layout = fields.String(
        load_default=None,
        metadata={
            "description": "a name under which what is said here of how the results lie is kept, for sheets of this shape"
        },
    )
    as_written = fields.Boolean(load_default=False, metadata={"description": "take points that the game cannot give"})


class RecognitionSchema(Schema):
    """What was found on a sheet: `hands` (a row for each player and hand), `columns` (a column for each hand), `totals`, `season` (the points of several evenings), `winners` (the first of each evening), or null; why; and what is ignored."""

    file = fields.String()
    sheet = fields.String(allow_none=True)
    layout = fields.String(allow_none=True)
    why = fields.String()
    ignored = fields.List(fields.String())


class SheetProblemSchema(Schema):
    """A problem of a sheet: its stable code, the cell, and what to do."""

    file = fields.String()
    sheet = fields.String(allow_none=True)
    cell = fields.String(allow_none=True)
    code = fields.String()
    detail = fields.String()


class NameQuestionSchema(Schema):
    """A name that nobody has, where it stands, and the players who may be meant."""

    name = fields.String()
    cells = fields.List(fields.String())
    likely = fields.List(fields.String())


class SheetEveningSchema(Schema):
    """An evening of a file: its id, name and day, and how many events of it are new."""

    evening = fields.String(allow_none=True)
    name = fields.String(allow_none=True)
    date = fields.String(allow_none=True)
    opens = fields.Boolean()
    new = fields.Integer()


class SheetTableSchema(Schema):
    """A table: players by seat, points of each hand by seat, totals or places, and its match.

    A `roll` lists all who came on a day, or the first of them: nobody knows who sat with whom.
    """

    date = fields.String(allow_none=True)

    round = fields.Integer()
    table = fields.Integer()
    game = fields.String(allow_none=True)
    players = fields.List(fields.String())
    hands = fields.List(fields.List(fields.Integer()))
    totals = fields.List(fields.Integer(), allow_none=True)
    places = fields.List(fields.Integer(), allow_none=True)
    match = fields.String(allow_none=True)
    remark = fields.String(allow_none=True)
    other_game = fields.String(allow_none=True)
    roll = fields.Boolean()


class SheetReportSchema(Schema):
    """The evenings of a file: what was recognised, what would be stored, and what stands against it.

    `evening`, `name` and `date` are those of the only evening, null if there are several. `new` counts the events, `stored` says whether they were.
    """

    evening = fields.String(allow_none=True)
    name = fields.String(allow_none=True)
    date = fields.String(allow_none=True)
    opens = fields.Boolean()
    ready = fields.Boolean()
    stored = fields.Boolean()
    new = fields.Integer()
    new_players = fields.List(fields.String())
    layout = fields.String(allow_none=True)
    recognised = fields.List(fields.Nested(RecognitionSchema))
    problems = fields.List(fields.Nested(SheetProblemSchema))
    questions = fields.List(fields.Nested(NameQuestionSchema))
    evenings = fields.List(fields.Nested(SheetEveningSchema))
    tables = fields.List(fields.Nested(SheetTableSchema))


_WRITE = writer(SheetReportSchema())
_APART = ("dry_run", "names", "options", "name_at", "score_at", "score_is")
"""Parameters that are no wishes as they stand."""


@operations.add(
    "POST",
    "/sessions/import",
    role="scorer",
    query=SheetQuery,
    body_media=(CSV, XLSX, MULTIPART),
    answer=SheetReportSchema,
    problems=(409, 422),
    heavy=True,
    example={
        "query": {"date": "2026-01-06", "game": "hearts", "names": '{"*": "new"}'},
        "headers": {"Content-Type": CSV},
        "body": "player,1,2,total\nAmara,13,0,13\nGoran,13,26,39\nNiamh,0,26,26\nTobias,0,26,26\n",
    },
)
def import_spreadsheet(query: dict[str, Any]) -> dict[str, Any] | Response:
    """Store an evening from a spreadsheet, as the body or as files of a form; `dry_run` only shows it.

    The layout is recognised by its headings. While there is a problem or a question, nothing is stored, and the
    answer is that problem with the whole report; with `dry_run` it is the report in any case. The same file again
    stores nothing new.
    """
    ledger = current_ledger()
    wishes = {key: value for key, value in query.items() if key not in _APART}
    shown = example_of(query["name_at"], query["score_at"], query["score_is"])
    wishes["ignore"] = tuple(filter(None, map(str.strip, query["ignore"].split(","))))
    asked = Wishes(
        **wishes, example=shown, names=_object(query, "names", str), options=_object(query, "options", object)
    )
    previewed = preview(KnownToLedger(ledger), files_sent(), asked, papers_sent)
    if query["dry_run"]:
        return previewed.report(stored=False)
    if not previewed.ready:
        return _refused(previewed)
    store(previewed, ledger, recorder())
    return previewed.report(stored=True)


def files_sent() -> list[tuple[str, bytes]]:
    """Return the files of the request, each its name and content, not more of a large one than is needed to refuse it."""
    if request.mimetype == MULTIPART:
        files: list[FileStorage] = [file for _, file in request.files.items(multi=True) if file.filename]
        if not 1 <= len(files) <= MOST_FILES:
            abort(400, f"The form holds {count_of(len(files), 'file')}: send 1 to {MOST_FILES}.")
        return [(str(file.filename), file.stream.read(MOST_BYTES + 1)) for file in files]
    name = "evening.xlsx" if request.mimetype == XLSX else "evening.csv"
    return [(name, request.stream.read(MOST_BYTES + 1))]


def _object(query: dict[str, Any], key: str, kind: type) -> dict[str, Any]:
    """Return the JSON object of a parameter, empty without; raises FormatError `format.value`."""
    value = {} if query[key] is None else read_json(query[key].encode())
    if not isinstance(value, dict) or not all(isinstance(each, kind) for each in value.values()):
        raise FormatError("format.value", f'{key} is a JSON object, such as {{"Marry": "mary"}}')
    return value


def _refused(previewed: Preview) -> Response:
    """Answer with the first problem, or the questions, and the whole report."""
    report = _WRITE(previewed.report(stored=False))
    if previewed.problems:
        first = previewed.problems[0]
        return problem(422, first.code, f"{first.place}: {first.message}", **report)
    names = ", ".join(question.name for question in previewed.questions)
    return problem(422, "sheet.name", f"nobody is called {names}: say who is meant, or new", **report)
