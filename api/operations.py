"""Operations: what each address of the API takes and gives, declared once; routes, checks and OpenAPI follow from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from flask import Response, abort, request
from marshmallow import Schema

from api import problems
from api.answers import as_json, writer
from ledger.errors import FormatError
from ledger.matchfile import read_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Blueprint

    from api.answers import Writer

Role = Literal["reader", "scorer", "admin"]
"""Who may do what: each role may also do what the ones before it may."""
ROLES: tuple[Role, ...] = ("reader", "scorer", "admin")
JSON = "application/json"
NDJSON = "application/x-ndjson"
MULTIPART = "multipart/form-data"


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One method at one address.

    `query` and `body` are the schemas of what is taken (None: nothing), `answer` of what is given with `status`; with
    `body_media` other than JSON and no schema, the view reads the body itself;
    `media` are the media types of the answer, the first for programs that do not say. `problems` are the statuses
    of problem details it may answer beside those any operation may. `headers` explains headers taken, `gives` headers
    given. `example` holds path arguments, query, body and headers of a request that works.
    """

    name: str
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

    @property
    def takes_body(self) -> bool:
        """Whether a body is wanted."""
        return self.body is not None or self.body_media != (JSON,)


@dataclass
class Operations:
    """The operations of an API as they are declared, each a route of the blueprint.

    `allow(role)` is asked before anything else and refuses by raising.
    """

    api: Blueprint
    allow: Callable[[Role], None]
    declared: list[Operation] = field(default_factory=list)

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
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declare the decorated view as an operation.

        The view gets the arguments of the path, and `query` and `body` as their schemas load them. It returns what the
        answer's schema dumps, alone or with a dict of headers, or a Response of its own.
        """

        def declare(view: Callable[..., Any]) -> Callable[..., Any]:
            operation = Operation(
                name=view.__name__, method=method, path=path, summary=(view.__doc__ or "").strip(), role=role,
                query=query, body=body, body_media=body_media, answer=answer, status=status, media=media,
                problems=problems, headers=headers or {}, gives=gives or {}, example=example or {},
            )  # fmt: skip
            self.declared.append(operation)
            taken = [schema() if schema else None for schema in (query, body)]
            write = writer(answer()) if answer else None

            def handle(**given: Any) -> Response:
                self.allow(operation.role)
                refused = _take(operation, taken, given)
                return refused or _answer(operation, view(**given), write)

            self.api.add_url_rule(path, view.__name__, handle, methods=[method])
            return view

        return declare


def media_wanted(*offered: str) -> str:
    """Return in which of the media offered whoever asks wants the answer, the first for who does not say; others are refused."""
    if "Accept" not in request.headers:
        return offered[0]
    found = request.accept_mimetypes.best_match(offered)
    if found is None:
        abort(406, f"This is given as {' or '.join(offered)}.")
    return found


def _take(operation: Operation, schemas: list[Schema | None], given: dict[str, Any]) -> Response | None:
    """Add to the arguments of the path what a request says in its query and its body, or refuse it."""
    query, body = schemas
    asked = request.args.to_dict(flat=False) if request.query_string else {}
    if repeated := next((name for name, values in asked.items() if len(values) > 1), None):
        return problems.problem(400, "format.key", f"{repeated} is given twice")
    flat = {name: values[0] for name, values in asked.items()}
    if query is not None:
        given["query"] = query.load(flat)
    elif flat:
        return problems.problem(400, "format.key", f"{', '.join(flat)}: this address takes no arguments")
    if operation.takes_body and request.mimetype not in operation.body_media:
        abort(415, f"The body is to be {' or '.join(operation.body_media)}.")
    if body is not None:
        sent = request.get_data(cache=False)
        given["body"] = body.load({"events": _lines(sent)} if request.mimetype == NDJSON else read_json(sent))
    return None


def _answer(operation: Operation, said: Any, write: Writer | None) -> Response:
    """Put an answer together of what a view said."""
    if isinstance(said, Response):
        return said
    data, headers = said if isinstance(said, tuple) else (said, None)
    body = b"" if write is None else as_json(write(data))
    return Response(body, operation.status, headers, content_type=operation.media[0])


def _lines(text: bytes) -> list[Any]:
    """Return what the lines of a body say, blank ones skipped; a wrong one is named by its index."""
    values: list[Any] = []
    for line in text.splitlines():
        if line.strip():
            try:
                values.append(read_json(line))
            except FormatError as error:
                error.index = len(values)
                raise
    return values
