"""The resource of live streams: what is recorded, as it is recorded, in one match or in the whole ledger."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from flask import Response, current_app, request
from marshmallow import Schema

from api.fields import Whole
from api.problems import problem
from api.secrecy import Secrets, sees_all
from api.streams import MEDIA_TYPE, News, streams_of
from ledger.people import STREAM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flask import Flask

    from api.access import Access
    from api.operations import Operations
    from ledger.ledger import Ledger
    from ledger.store import Stored

_BATCH = 200
"""Events read from the store at once."""
_POLL = 1.0
"""Seconds after which streams look themselves where the store tells them: then it has lost its connection."""
_RETRY_SECONDS = 10
_RESUME = {"Last-Event-ID": "the id of the last event seen; the stream continues after it"}


class LiveQuery(Schema):
    """Where a stream begins: after this event, or else with what is recorded next; `Last-Event-ID` goes before it."""

    after = Whole(load_default=None)


def add_operations(operations: Operations, ledger: Ledger, access: Access) -> None:
    """Declare the operations on live streams."""
    operations.api.after_app_request(_waking)
    operations.api.record_once(lambda state: _follow(ledger, cast("Flask", state.app)))

    @operations.add(
        "GET",
        "/live",
        query=LiveQuery,
        media=(MEDIA_TYPE,),
        problems=(503,),
        headers=_RESUME,
        example={"query": {"after": 0}},
    )
    def live(query: dict[str, Any]) -> Response:
        """Follow the whole ledger as server-sent events.

        Each event is a line as in a match file with its `match` in front, `people` where it says who is who; its id is
        its position in the ledger. The
        stream begins with what is recorded next, or after `Last-Event-ID` (or `after`). Readers see the cards of a hand
        under way as they see them in the events of a match: once it is over, they are read there. A comment is sent every 15 seconds; 503 says that all streams are taken.
        """
        shown = _shown(ledger)

        def news(after: int) -> list[News]:
            rows = ledger.cleared([*islice(ledger.store.read_all(after), _BATCH)])
            lines = zip(rows, shown(rows), strict=True)
            return [News(row.position, f'{{"match":"{row.match}",{line[1:]}') for row, line in lines]

        latest, given = ledger.store.last_position(), ledger.store.last_given()
        return _stream(latest, given, query["after"], news, access.lasting())

    @operations.add(
        "GET",
        "/matches/<match>/live",
        query=LiveQuery,
        media=(MEDIA_TYPE,),
        problems=(503,),
        headers=_RESUME,
        example={"path": {"match": "MATCH"}, "query": {"after": 0}},
    )
    def live_match(match: str, query: dict[str, Any]) -> Response:
        """Follow a match as server-sent events.

        Each event is a line as in a match file; its id is its seq. Otherwise as the stream of the whole ledger.
        """
        latest = ledger.stream(match).seq
        shown = _shown(ledger)

        def news(after: int) -> list[News]:
            rows = ledger.cleared(ledger.store.read(match, after))
            return [News(row.seq, line) for row, line in zip(rows, shown(rows), strict=True)]

        return _stream(latest, latest, query["after"], news, access.lasting())


def _follow(ledger: Ledger, app: Flask) -> None:
    """Let streams and read models hear of what other servers record, where the store can tell."""
    streams = streams_of(app)

    def heard() -> None:
        streams.wake()
        ledger.views.follow()

    if ledger.store.tell(heard):
        streams.poll = _POLL


def _stream(
    latest: int, given: int, after: int | None, news: Callable[[int], list[News]], allowed: Callable[[], bool]
) -> Response:
    """Answer with a stream from where it is asked for, never from beyond what was `given` out: that was another ledger."""
    if seen := request.headers.get("Last-Event-ID"):
        after = LiveQuery().load({"after": seen})["after"]
    answer = streams_of(current_app).answer(latest if after is None else min(after, given), news, allowed)
    if answer is None:
        answer = problem(503, "http.service-unavailable", "All live streams are taken; try again later.")
        answer.headers["Retry-After"] = str(_RETRY_SECONDS)
    return answer


def _waking(answer: Response) -> Response:
    """Let streams look for news after every request that may have written."""
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        streams_of(current_app).wake()
    return answer


def _shown(ledger: Ledger) -> Callable[[Sequence[Stored]], Iterator[str]]:
    """Return what gives the lines of events as whoever asks may see them; to be called while they ask."""
    if sees_all():
        return lambda rows: (row.line for row in rows)

    def shown(rows: Sequence[Stored]) -> Iterator[str]:
        secrets = {match: Secrets(ledger.stream(match)) for match in {row.match for row in rows} - {STREAM}}
        return (row.line if row.match == STREAM else secrets[row.match].public_line(row.line, row.seq) for row in rows)

    return shown
