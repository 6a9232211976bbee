"""The resource of replays: a hand with all its positions in one answer, so that stepping needs no further request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from flask import abort
from marshmallow import Schema, fields, validate

from cardledger.errors import StoreError
from cardledger.record.matches.describe import event_in_words
from cardledger.record.matches.hand_replay import HandReplay
from cardledger.record.matches.seat_view import SPECTATOR, full_view, seat_view
from cardledger.record.readmodels.tables.hands import ended_by
from cardledger.record.recording.secrecy import Secrets, redacted
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event import Role
from cardledger.rules.engine.match import Match
from cardledger.rules.stream import Stream
from cardledger_api.auth.visible import CARDS_ELSEWHERE, sees_all
from cardledger_api.blueprint import operations
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import etag
from cardledger_api.http.fields import Whole
from cardledger_api.http.schemas import TrickSchema
from cardledger_api.resources.audits import RulingSchema
from cardledger_api.resources.table import CARDS_IN_PLAY, ChoiceSchema, TableSchema, ViewQuery, seat_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.matches.hand_replay import Step
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.game import Game


class UntilQuery(ViewQuery):
    """The view, and the last event to know of."""

    until = Whole(
        load_default=None,
        metadata={"description": "number of the last event to know of: the answer has nothing of later ones"},
    )


_AN_EVENT = {"$ref": "#/components/schemas/Event"}
_OF_ALL_STEPS = ("match", "view", "seq", "counted", "game", "players", "violations")
"""Keys of a table that a replay gives once or not at all."""


class ReplayedTrickSchema(TrickSchema):
    """A complete trick.

    Its seats in playing order, the event that completed it, and whether its cards went back (a tie).
    """

    seats = fields.List(fields.Integer())
    seq = fields.Integer()
    back = fields.Boolean()


class ReplayedTableSchema(TableSchema):
    """The changes on the table."""

    class Meta:
        """Leaves out the keys that do not change."""

        exclude = _OF_ALL_STEPS

    sometimes = tuple(TableSchema().fields)

    choices = fields.List(fields.Nested(ChoiceSchema))


class StepSchema(Schema):
    """An event of a hand: as recorded, as it counts now, in words, with its rulings and the table after it.

    `role` tells play, remarks beside it and corrections apart.
    `counts` is null if the event does not count: remarks, corrections, and events taken back. `by` is the correction
    that took it back or amended it; `recorded` is an amended event in words, as it was before. `tricks` is the number
    of complete tricks, `table` the changes on the table since the step before (the first step has the whole table).
    """

    sometimes: tuple[str, ...] = ("recorded", "withheld")

    seq = fields.Integer()
    event = fields.Raw(metadata=_AN_EVENT)
    counts = fields.Raw(metadata=_AN_EVENT | {"nullable": True})
    role = fields.String(validate=validate.OneOf(get_args(Role)))
    words = fields.String()
    recorded = fields.String()
    by = fields.Integer(allow_none=True)
    rulings = fields.List(fields.Nested(RulingSchema))
    withheld = fields.Boolean()
    tricks = fields.Integer()
    table = fields.Nested(ReplayedTableSchema)


class ReplaySchema(Schema):
    """A hand, event by event, after all corrections.

    `hand` is 0 before the first deal. `first` and `last` are the numbers of its first and last event; events before
    the first deal and after a hand are included. `end` is the event that ended it; like `ended_by` and `scores` it is
    null while the hand is under way. `amendments` are the corrections of earlier events.
    """

    match = fields.String()
    game = fields.String()
    players = fields.List(fields.String())
    names = fields.List(fields.String(), metadata={"description": "names of the people who sat there"})
    status = fields.String()
    seq = fields.Integer()
    hand = fields.Integer()
    hands = fields.Integer()
    hidden = fields.Boolean()
    ended_by = fields.String(allow_none=True)
    end = fields.Integer(allow_none=True)
    scores = fields.List(fields.Integer(), allow_none=True)
    view = fields.String()
    first = fields.Integer()
    last = fields.Integer()
    tricks = fields.List(fields.Nested(ReplayedTrickSchema))
    amendments = fields.List(fields.Raw(metadata=_AN_EVENT))
    steps = fields.List(fields.Nested(StepSchema))


@operations.add(
    "GET",
    "/matches/<match>/hands/<int:hand>/replay",
    query=UntilQuery,
    answer=ReplaySchema,
    problems=(422,),
    gives={"ETag": "the seq of the match, for If-Match"},
    example={"path": {"match": "MATCH", "hand": 1}},
)
def read_replay(match: str, hand: int, query: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Read a hand event by event: the event as recorded, in words, its rulings, and the table after it.

    The replay follows the corrected record: an amended event counts as amended, an event that was taken back
    leaves the table unchanged, and `by` names the correction. The views are those of the table; in views other
    than `all`, rulings are given in the words of the rulebook only. With `until` nothing of later events is in the
    answer: it is the one that was given when that event was the last.
    """
    ledger = current_ledger()
    stream, _ = up_to(ledger, match, query["until"])
    return replay_of(ledger, match, hand, query["view"], query["until"]), {"ETag": etag(stream.seq)}


def up_to(ledger: Ledger, match: str, until: int | None) -> tuple[Stream, Sequence[ev.Event]]:
    """Return a match and its events as they were after one event, or as they are now.

    Raises StoreError `store.unknown` for an event that the match does not have.
    """
    stream, events = ledger.stream(match), ledger.events(match)
    if until is None:
        return stream, events
    if not 1 <= until <= stream.seq:
        raise StoreError("store.unknown", f"the match has no event {until}")
    return Stream.of(events[:until]), events[:until]


Words = Callable[[ev.Event, Match[Any], Sequence[str]], str]
"""Says an event of a match, with the names of its players."""


def _in_english(event: ev.Event, _table: Match[Any], names: Sequence[str]) -> str:
    return event_in_words(event, names)


def replay_of(
    ledger: Ledger,
    match: str,
    number: int,
    view: str | None,
    until: int | None = None,
    words: Words = _in_english,
) -> dict[str, Any]:
    """Return a hand as the operation answers it; refuses views that the user may not see. `words` says an event.

    Raises StoreError `store.unknown` for a hand that the match does not have.
    """
    stream, events = up_to(ledger, match, until)
    view, secrets = view_of(ledger, match, stream, number, view)
    return _replayed(ledger, match, stream, events, number, view, secrets, words)


def view_of(ledger: Ledger, match: str, stream: Stream, number: int, view: str | None) -> tuple[str, Secrets | None]:
    """Return the view of a hand that the user gets, and what is secret to them; refuses one that they may not see.

    Raises StoreError `store.unknown` for a hand that the match does not have.
    """
    # What is secret now depends on all that was recorded.
    secrets = None if sees_all(match) else Secrets.of(ledger, match)
    hands = stream.table.hands
    if not 1 <= number <= max(1, len(hands)):
        raise StoreError("store.unknown", f"the match has no hand {number}")
    secret = False
    if secrets is not None and hands:
        if secrets.holds(number):
            abort(403, CARDS_ELSEWHERE)
        secret = secrets.covers(hands[number - 1].first)
    if view is None:
        view = "spectator" if secret else "all"
    seat = seat_of(view, stream.table)
    if secret and seat != SPECTATOR:
        abort(403, CARDS_IN_PLAY)
    return view, secrets


def replay_of_tried(
    ledger: Ledger, match: str, tried: Stream, number: int, words: Words, view: str = "all"
) -> dict[str, Any]:
    """Return a hand of a match with events that were only tried (`tried_in`), for those who may see all its cards."""
    return _replayed(ledger, match, tried, tried.events, number, view, None, words)


def _replayed(
    ledger: Ledger,
    match: str,
    stream: Stream,
    events: Sequence[ev.Event],
    number: int,
    view: str,
    secrets: Secrets | None,
    words: Words,
) -> dict[str, Any]:
    replay = HandReplay(stream, events, number)
    table, hand = stream.table, replay.hand
    people = ledger.people()
    names = [people.name(player) for player in people.seated(match, table.players)]
    steps, ends = _steps(replay, seat_of(view, table), secrets, lambda event: words(event, table, names), names)
    tricks = hand.tricks if hand else []
    return {
        "match": match,
        "game": table.game.id,
        "players": table.players,
        "names": names,
        "status": table.status,
        "seq": stream.seq,
        "hand": number if hand else 0,
        "hands": len(table.hands),
        "hidden": hand is not None and hand.hidden,
        "ended_by": hand and ended_by(hand),
        "end": hand and hand.last,
        "scores": hand and hand.scores,
        "view": view,
        "first": replay.first,
        "last": replay.last,
        "tricks": [
            {"leader": seats[0], "seats": seats, "cards": [table.pack.faces[card] for card in cards]}
            | {"taker": taker, "rule": rule, "seq": seq, "back": back}
            for (seats, cards, taker, rule), (seq, back) in zip(tricks, ends, strict=True)
        ],
        "amendments": [
            msgspec.to_builtins(events[number - 1] if secrets is None else secrets.public(events[number - 1], number))
            for number in replay.amendments
        ],
        "steps": steps,
    }


def _steps(
    replay: HandReplay,
    seat: int | None,
    secrets: Secrets | None,
    words: Callable[[ev.Event], str],
    names: Sequence[str],
) -> tuple[list[dict[str, Any]], list[tuple[int, bool]]]:
    """Return the steps of a hand as a seat sees them, and for each trick its last event and whether its cards went back."""
    steps: list[dict[str, Any]] = []
    ends: list[tuple[int, bool]] = []
    shown: dict[str, Any] = {}
    left = 0
    for step, table in replay.tables():
        hand = table.hand
        state = {} if shown and step.counts is None else full_view(table) if seat is None else seat_view(table, seat)
        if not hand.over and len(hand.tricks) > len(ends):
            ends.append((step.seq, hand.tricks[-1][2] is None and hand.tricks_left == left))
        left = hand.tricks_left
        # Copied at once: the table goes on changing.
        seen = msgspec.to_builtins({key: value for key, value in state.items() if key not in _OF_ALL_STEPS})
        changed = {key: value for key, value in seen.items() if key not in shown or shown[key] != value}
        shown |= changed
        steps.append(_shown(step, words, seat, secrets, table.game) | {"tricks": len(ends), "table": changed})
    rulings, book = replay.rulings(), table.game.book
    for item in steps:
        shown_rulings = [] if item["withheld"] else rulings.get(item["seq"], [])
        item["rulings"] = [
            {
                "rule": ruling.rule,
                "verdict": ruling.verdict,
                "text": ruling.with_names(names).text if seat is None else book[ruling.rule].text,
            }
            for ruling in shown_rulings
        ]
    return steps, ends


def _shown(
    step: Step, words: Callable[[ev.Event], str], seat: int | None, secrets: Secrets | None, game: Game[Any]
) -> dict[str, Any]:
    """Return a step without its table, as a seat may see it."""
    event, counts = _seen(step.event, seat, game), step.counts and _seen(step.counts, seat, game)
    if secrets is not None:
        event, counts = secrets.public(event, step.seq), counts and secrets.public(counts, step.seq)
    amended = {"recorded": words(_as_dealt(event, step.event))} if counts and step.by is not None else {}
    return {
        "seq": step.seq,
        "event": msgspec.to_builtins(event),
        "counts": counts and msgspec.to_builtins(counts),
        "role": step.event.role,
        "words": words(_as_dealt(counts or event, step.counts or step.event)),
        "by": step.by,
        "withheld": secrets is not None and secrets.covers(step.seq),
    } | amended


def _as_dealt(shown: ev.Event, whole: ev.Event) -> ev.Event:
    """Return an event as it is said; a deal with hidden hands is described as recorded."""
    if isinstance(shown, ev.Deal) and shown != whole:
        return msgspec.structs.replace(shown, hands=())
    return shown


def _seen(event: ev.Event, seat: int | None, game: Game[Any]) -> ev.Event:
    """Return an event as a seat sees it, SPECTATOR, or None for all."""
    if seat is None or seat in (getattr(event, "seat", None), getattr(event, "to", None)):
        return event
    if isinstance(event, ev.Amend) and seat in (getattr(event.event, "seat", None), getattr(event.event, "to", None)):
        return event
    return redacted(event, game)
