"""Operations: the input and output of each address, declared once; routes, checks and OpenAPI follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from flask import Response, abort, request
from marshmallow import Schema, ValidationError

from cardledger.errors import FormatError
from cardledger.record.matches.shape import read_json
from cardledger_api.http import problems
from cardledger_api.http.answers import WholeAnswer, as_json, writer
from cardledger_api.http.bodies import bytes_of, reader
from cardledger_api.http.conditions import tagged
from cardledger_api.http.faults import Fault, of_error, of_validation
from cardledger_api.http.paging import page_links
from cardledger_api.http.passage import the_request

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flask import Blueprint, Request

    from cardledger_api.http.answers import Writer
    from cardledger_api.http.bodies import Reader

Role = Literal["reader", "scorer", "admin"]
"""The roles: each may also do everything that the roles before it may."""
ROLES: tuple[Role, ...] = ("reader", "scorer", "admin")
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
JSON = "application/json"
NDJSON = "application/x-ndjson"
MULTIPART = "multipart/form-data"
CSV = "text/csv"
TEXT = "text/plain"
ARROW = "application/vnd.apache.arrow.stream"
PARQUET = "application/vnd.apache.parquet"
EVENT_STREAM = "text/event-stream"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One method at one address.

    `query` and `body` are the schemas of the input (None: no input), `answer` that of the output with `status`. If
    `body_media` is not JSON and there is no schema, the view reads the body itself. `media` are the media types of
    the answer; the first is the default. `problems` are statuses of problem details that it may answer beside the
    common ones. `headers` explains request headers, `gives` response headers. `example` holds path arguments, query,
    body and headers of a request that works.
    """

    name: str
    module: str
    method: str
    path: str
    summary: str
    role: Role
    query: type[Schema] | None
    body: type[Schema] | None
    body_media: tuple[str, ...]
    answer: type[Schema] | None
    status: int
    media: tuple[str, ...]
    problems: tuple[int, ...]
    headers: Mapping[str, str]
    gives: Mapping[str, str]
    example: Mapping[str, Any]

    @cached_property
    def pages(self) -> bool:
        """Whether the answer is a page of a list."""
        return self.answer is not None and "next" in _schema(self.answer).fields

    @cached_property
    def tagged(self) -> bool:
        """Whether the answer has an entity tag: it is made as a whole, not sent bit by bit."""
        return self.method == "GET" and self.media[0] not in (NDJSON, EVENT_STREAM)

    @cached_property
    def takes_body(self) -> bool:
        """Whether a body is required."""
        return self.body is not None or self.body_media != (JSON,)


@dataclass
class Operations:
    """The declared operations of an API, each a route of the blueprint.

    `allow(role, stream)` is called first and refuses by raising; `stream` is the match or session that the address
    names, `SESSION/TABLE` for a table.
    """

    api: Blueprint
    allow: Callable[[Role, str | None], None]
    declared: list[Operation] = field(default_factory=list)

    def in_order(self, modules: Iterable[str]) -> None:
        """Sort the declared operations by the modules of their views, as readers of the documents shall find them."""
        places = {module: place for place, module in enumerate(modules)}
        self.declared.sort(key=lambda operation: places[operation.module])

    def add(
        self,
        method: str,
        path: str,
        *,
        role: Role = "reader",
        query: type[Schema] | None = None,
        body: type[Schema] | None = None,
        body_media: tuple[str, ...] = (JSON,),
        answer: type[Schema] | None = None,
        status: int = 200,
        media: tuple[str, ...] = (JSON,),
        problems: tuple[int, ...] = (),
        headers: Mapping[str, str] | None = None,
        gives: Mapping[str, str] | None = None,
        example: Mapping[str, Any] | None = None,
        heavy: bool = False,
        name: str | None = None,
        summary: str | None = None,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declare the decorated view as an operation.

        The view gets the arguments of the path, and `query` and `body` as their schemas load them. It returns what the
        answer's schema dumps, alone or with a dict of headers, or a Response of its own. `heavy` marks a slow
        operation: few of them are answered at once (see `cardledger_api.auth.limits`). `name` and `summary` are the
        name and the docstring of the view, unless one view serves several operations.
        """

        def declare(view: Callable[..., Any]) -> Callable[..., Any]:
            operation = Operation(
                name=name or view.__name__, module=view.__module__, method=method, path=path,
                summary=(summary or view.__doc__ or "").strip(), role=role,
                query=query, body=body, body_media=body_media, answer=answer, status=status, media=media,
                problems=problems, headers=headers or {}, gives=gives or {}, example=example or {},
            )  # fmt: skip
            self.declared.append(operation)
            read_query, read_body = (_reader(kind) if kind else None for kind in (query, body))
            write = _writer(answer) if answer else None

            def handle(**given: Any) -> Response:
                self.allow(operation.role, _about(given))
                refused = _take(operation, read_query, read_body, given)
                return refused or _answer(operation, view(**given), write)

            handle.role, handle.heavy = role, heavy  # type: ignore[attr-defined]
            self.api.add_url_rule(path, operation.name, handle, methods=[method])
            return view

        return declare


def _about(given: Mapping[str, Any]) -> str | None:
    """Return what an address is about, as access asks for it: a match, a table of an evening, or an evening."""
    session = given.get("session")
    return f"{session}/{given['table']}" if session and "table" in given else given.get("match", session)


@cache
def _schema(kind: type[Schema]) -> Schema:
    """Return the one schema of a kind: making one takes longer than using it, and it holds no state."""
    return kind()


@cache
def _reader(kind: type[Schema]) -> Reader:
    """Return what reads a kind of query or body."""
    return reader(_schema(kind))


@cache
def _writer(kind: type[Schema]) -> Writer:
    """Return what writes answers of a kind of schema."""
    return writer(_schema(kind))


def media_wanted(*offered: str) -> str:
    """Return the offered media type that the client accepts, the first by default.

    Refuse a client that accepts none.
    """
    if "Accept" not in request.headers:
        return offered[0]
    media = request.accept_mimetypes.best_match(offered)
    if media is None:
        abort(406, f"This address answers with {' or '.join(offered)}: accept one of them.")
    return media


def media_of(asked: Request) -> str:
    """Return the media type of a request's body in lower case, without parameters; empty if it names none."""
    # Nearly all bodies are plain JSON; Werkzeug would take the header apart.
    return JSON if asked.environ.get("CONTENT_TYPE") == JSON else asked.mimetype


def _take(
    operation: Operation, read_query: Reader | None, read_body: Reader | None, given: dict[str, Any]
) -> Response | None:
    """Add query and body of a request to the arguments of the path, or refuse the request."""
    request = the_request()
    wrong: list[Fault] = []
    flat: dict[str, str] = {}
    if request.query_string:
        query = request.args.to_dict(flat=False)
        twice = [name for name, values in query.items() if len(values) > 1]
        wrong = [Fault("query", (name,), "format.key", "it is given twice", f"{name} is given twice") for name in twice]
        flat = {name: values[0] for name, values in query.items()}
    if read_query is not None:
        try:
            given["query"] = read_query(flat)
        except ValidationError as error:
            wrong += of_validation("query", error)
    elif flat:
        unasked = "this address takes no arguments"
        wrong += [Fault("query", (name,), "format.key", unasked, f"{name}: {unasked}") for name in flat]
    if operation.takes_body:
        media = media_of(request)
        if media not in operation.body_media and not wrong:
            abort(415, f"The body must be {' or '.join(operation.body_media)}.")
        if read_body is not None and media in operation.body_media:
            wrong += _take_body(request, media, read_body, given)
    return problems.of_faults(wrong) if wrong else None


def _take_body(request: Request, media: str, read_body: Reader, given: dict[str, Any]) -> list[Fault]:
    """Add the body of a request to the arguments, or return what is wrong with it."""
    try:
        sent = bytes_of(request)
        given["body"] = read_body({"events": _lines(sent)} if media == NDJSON else read_json(sent))
    except FormatError as error:
        return [of_error("body", error)]
    except ValidationError as error:
        return of_validation("body", error)
    return []


def _answer(operation: Operation, value: Any, write: Writer | None) -> Response:
    """Make a response of the value that a view returned."""
    response = value if isinstance(value, Response) else _written(operation, value, write)
    return tagged(response) if operation.tagged and response.status_code == 200 else response


def _written(operation: Operation, value: Any, write: Writer | None) -> Response:
    data, headers = value if type(value) is tuple else (value, None)  # a named one is data
    if write is None:
        return Response(b"", operation.status, headers, content_type=operation.media[0])
    written = write(data)
    response = WholeAnswer(as_json(written), operation.status, headers, operation.media[0])
    if operation.pages and written["next"] is not None:
        response.headers["Link"] = page_links(written["next"])
    return response


def _lines(text: bytes) -> list[Any]:
    """Decode the lines of a body, without blank ones; an error names the index of its line."""
    values: list[Any] = []
    for line in text.splitlines():
        if line.strip():
            try:
                values.append(read_json(line))
            except FormatError as error:
                error.index = len(values)
                raise
    return values
