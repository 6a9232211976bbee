"""The resource of live streams: events as they are recorded, of one match or of the whole ledger, perhaps filtered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from flask import Response, current_app, request
from marshmallow import Schema

from cardledger_api.auth.visible import sees_all
from cardledger_api.blueprint import api, operations
from cardledger_api.current import current_access, current_ledger, ledger_of
from cardledger_api.http.feed import LedgerFeed
from cardledger_api.http.fields import GameId, Several, Whole
from cardledger_api.http.operations import EVENT_STREAM, NDJSON, SAFE, media_wanted
from cardledger_api.http.passage import passage_of
from cardledger_api.http.problems import problem
from cardledger_api.http.streams import FORMS, KINDS, TYPES, Filter, Topic, streams_of

if TYPE_CHECKING:
    from flask import Flask, Request

    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.auth.access import Access

_POLL = 1.0
"""Seconds after which streams read the store even if it sends notifications, in case it has lost its connection."""
_RETRY_SECONDS = 10

RESUME = {"Last-Event-ID": "the id of the last event seen; the stream continues after it"}


class LiveQuery(Schema):
    """The start of a stream: after this event, or else with the next one recorded; `Last-Event-ID` overrides it."""

    after = Whole(load_default=None)


class FollowQuery(LiveQuery):
    """What to show of the whole ledger: events of a game, of these types, of these kinds of streams.

    All of them by default.
    """

    game = GameId(load_default=None, metadata={"description": "only matches and evenings of this game"})
    type = Several(
        TYPES, load_default=None, metadata={"description": "only events of these types, with commas between"}
    )
    kind = Several(
        KINDS,
        load_default=None,
        metadata={"description": "only matches, evenings (clubs, sessions and leagues) or people, with commas between"},
    )


def filter_of(query: dict[str, Any]) -> Filter:
    """Return the filter that the arguments describe."""
    return Filter(query["game"], query["type"], query["kind"])


@operations.add(
    "GET",
    "/live",
    query=FollowQuery,
    media=(EVENT_STREAM, NDJSON),
    problems=(406, 503),
    headers=RESUME,
    example={"query": {"after": 0, "game": "whist", "type": "open,end"}},
)
def live(query: dict[str, Any]) -> Response:
    """Follow the whole ledger, as server-sent events or as lines of JSON.

    Each event is a line as in a match file with its `match` in front. Other events have `stream` instead: the id of
    their club, session or league, or `people` for those that say who is who. The id of each is its position in the
    ledger. The stream begins with the next event recorded, or after `Last-Event-ID` (or `after`). Cards of a hand under
    way are withheld from readers, as in the events of a match; read them there once the hand is over. Matches of an
    evening are left out while another table has a board of theirs to play. Numbers of members are for scorers. `game`,
    `type` and `kind` filter. After 15 seconds without an event, a heartbeat gives the position that the stream has
    reached: the id alone after a comment or, in lines of JSON, `{"position": 12}`. Resume after that. The answer is 503
    when all streams are taken.
    """
    ledger = current_ledger()
    access = current_access()
    latest, given = ledger.store.last_position(), ledger.store.last_given()
    return live_answer(Topic(None, sees_all(), filter_of(query)), latest, given, query["after"], access)


@operations.add(
    "GET",
    "/matches/<match>/live",
    query=LiveQuery,
    media=(EVENT_STREAM, NDJSON),
    problems=(406, 503),
    headers=RESUME,
    example={"path": {"match": "MATCH"}, "query": {"after": 0}},
)
def live_match(match: str, query: dict[str, Any]) -> Response:
    """Follow a match, as server-sent events or as lines of JSON.

    Each event is a line as in a match file; its id is its seq. A heartbeat gives the seq. Everything else is as in the
    stream of the whole ledger.
    """
    ledger = current_ledger()
    access = current_access()
    latest = ledger.stream(match).seq
    return live_answer(Topic(match, sees_all(match)), latest, latest, query["after"], access)


def _follow(ledger: Ledger, app: Flask) -> None:
    """Notify streams and read models of the events of other servers, if the store can."""
    streams = streams_of(app)
    streams.feed = LedgerFeed(ledger)

    def heard() -> None:
        streams.wake()
        ledger.views.follow()

    if ledger.store.tell(heard):
        streams.poll = _POLL


def live_answer(topic: Topic, latest: int, given: int, after: int | None, access: Access) -> Response:
    """Answer with a stream from the requested start.

    A start beyond the last position `given` out belongs to another ledger.
    """
    if seen := request.headers.get("Last-Event-ID"):
        after = LiveQuery().load({"after": seen})["after"]
    streams, form = streams_of(current_app), FORMS[media_wanted(*FORMS)]
    after = latest if after is None else min(after, given)
    holder, lasting = access.holder(topic.match), access.lasting(topic.match)
    answer = streams.open(topic, after, form, access.client(), access.rank(), holder, lasting)
    if answer is None:
        answer = problem(503, "http.service-unavailable", "All live streams are taken; try again later.")
        answer.headers["Retry-After"] = str(_RETRY_SECONDS)
    return answer


def _wake_by_writing(app: Flask) -> None:
    """Let the streams of an application look for new events after every request that may have written."""
    streams = streams_of(app)

    def wake(asked: Request, answer: Response) -> Response:
        if asked.method not in SAFE:
            streams.wake()
        return answer

    passage_of(app).finishes.append(wake)


api.record(lambda state: _wake_by_writing(cast("Flask", state.app)))
api.record_once(lambda state: _follow(ledger_of(cast("Flask", state.app)), cast("Flask", state.app)))
