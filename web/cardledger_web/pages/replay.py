"""Pages of the replayer: a hand at one of its events, as a page or in a frame on another site."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Response, abort, current_app, jsonify, redirect, render_template, request, url_for

from cardledger.errors import FormatError
from cardledger.record.matches.hand_replay import hand_at
from cardledger.record.matches.tried_lines import TriedLines
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.games import game
from cardledger_api.auth.visible import see_as_reader, sees_all
from cardledger_api.current import current_ledger
from cardledger_api.http.conditions import tagged
from cardledger_api.resources.knowledge import known_to
from cardledger_api.resources.replay import replay_of, up_to, view_of
from cardledger_api.resources.table import tried_in
from cardledger_web.figures.hand_course import counted, course
from cardledger_web.in_file import is_answered
from cardledger_web.languages import language, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.discussions import talk
from cardledger_web.pages.kept import LASTING, kept_for_readers
from cardledger_web.serving.headers import allow_frames
from cardledger_web.views.known import KnownView
from cardledger_web.views.luck import reviewed_hand
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.stepped_hand import SteppedHand
from cardledger_web.views.tried_position import TriedPosition
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.wrappers import Response as Redirect

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine import events as ev
    from cardledger.rules.stream import Stream
    from cardledger_web.views.discussion import HandTalk


_LAST = "cardledger.last_replay"
_LONGEST = 18
"""Digits of the longest number of an event in an address."""


@pages.get("/matches/<match>/replay")
def replay_match(match: str) -> Redirect:
    ledger = current_ledger()
    hands = _stream(ledger, match, _until()).table.hands
    options: dict[str, Any] = {name: request.args[name] for name in ("view", "embed", "until") if name in request.args}
    return redirect(url_for("pages.replay", match=match, seq=hands[0].first if hands else 1, **options))


@pages.get("/matches/<match>/replay/<int:seq>")
def replay(match: str, seq: int) -> str:
    ledger = current_ledger()
    embed, until = _embedded(), _until()
    if embed:
        allow_frames(request.environ)
    stream = _stream(ledger, match, until)
    if not 1 <= seq <= stream.seq:
        abort(404)
    number = hand_at(stream.table, seq)
    steps = until is None and _step_by_step(stream, number)
    view = _view(ledger, match, number, seq, seq if steps else until)
    review = None
    if not embed and until is None and view.replay["hand"] and view.replay["end"] is not None:
        review = reviewed_hand(ledger, match, view.replay["hand"])
    more = steps and len(stream.table.hands) > number
    return _page(embed, view, match_row(ledger, match), review, steps, more)


def _step_by_step(stream: Stream, number: int) -> bool:
    """Tell whether a page shows a hand step by step, with nothing of what came later: as a player saw one that is over."""
    hands = stream.table.hands
    return request.args.get("view", "").isdigit() and bool(number) and hands[number - 1].scores is not None


WAYS_ON = ("after", "trick_after", "last", "hand")
"""Where a page leads that knows nothing of what comes: the next event, trick, the last event, the next hand."""


@pages.get("/matches/<match>/replay/<int:seq>/on/<way>")
def replay_on(match: str, seq: int, way: str) -> Redirect:
    """Lead on from an event, for a page that does not know where to."""
    _embedded()
    ledger = current_ledger()
    there: dict[str, Any] = {name: request.args[name] for name in ("view", "embed") if name in request.args}
    return redirect(url_for("pages.replay", match=match, seq=_ahead(ledger, match, seq, way), **there))


def _ahead(ledger: Ledger, match: str, seq: int, way: str) -> int:
    """Return the event to which a way leads from another, that event itself at the end; 404 if there is none."""
    table = ledger.stream(match).table
    if not 1 <= seq <= ledger.stream(match).seq or way not in WAYS_ON:
        abort(404)
    number = hand_at(table, seq)
    if way == "hand":
        return table.hands[number].first if number < len(table.hands) else seq
    return _stepped(match, number).ahead(seq, way)


@pages.get("/matches/<match>/hands/<int:hand>/positions")
def positions(match: str, hand: int) -> Response:
    """Every position of a hand as its page draws it, in one answer: stepping needs no further request.

    `after` asks for those that have come since an event, as a page that follows a match does; with `on` as far as
    one of the `WAYS_ON` leads, as a page does that shows a hand step by step.
    """
    _embedded()
    text = kept_for_readers(partial(_positions, match, hand), LASTING)
    return tagged(Response(text, content_type="application/json"))


def _positions(match: str, hand: int) -> str:
    until, after = _until(), _number("after")
    if after is not None and "on" in request.args:
        until = _ahead(current_ledger(), match, after, request.args["on"])
        if until == after:
            return _in_json({"seq": after})
    return _in_json(_stepped(match, hand).positions(until, after))


def _stepped(match: str, hand: int) -> SteppedHand:
    """Return a hand as the user may see it, in the view that the address asks for."""
    app = current_app
    until = partial(_view, current_ledger(), match, hand, None)
    return SteppedHand(until, _parts, app.jinja_env, buttons=not app.jinja_env.globals["frozen"])


def _in_json(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


@pages.get("/matches/<match>/replay/<int:seq>/what-if")
def tried(match: str, seq: int) -> Response:
    """The position after a line of moves tried from an event, up to one that is refused; nothing is stored.

    In the view of a seat the cards that it has not seen are dealt again, so that the page does not give them away.
    """
    _embedded()
    ledger, until = current_ledger(), _until()
    stream, events = up_to(ledger, match, until)
    if not 1 <= seq <= stream.seq:
        abort(404)
    place = TriedLines(stream, events).place(seq)
    view_of(ledger, match, stream, place.hand, "all")

    def within(moves: Sequence[ev.Event]) -> Stream:
        return tried_in(ledger, match, place.base, moves)[0]

    people = ledger.people()
    names = [people.name(player) for player in people.seated(match, stream.table.players)]
    position = TriedPosition(match, events, names, current_app.jinja_env)
    return jsonify(position.after(place, seq, request.args.get("line", ""), _seat_of_view(stream), within))


def _seat_of_view(stream: Stream) -> int | None:
    """Return the seat whose view the address asks for; None for any other view, or a number that is no seat."""
    view = request.args.get("view", "")
    return int(view) if view.isascii() and view.isdigit() and len(view) < 3 and int(view) < stream.table.n else None


def _embedded() -> bool:
    """Tell whether this is for a frame on another page: that shows only what all readers may see, whatever the role."""
    embed = request.args.get("embed") == "1"
    if embed:
        see_as_reader()
    return embed


def _view(ledger: Ledger, match: str, number: int, seq: int | None, until: int | None) -> ReplayView:
    """Return a hand at an event (None: its first) as the user may see it, in the view that the address asks for."""
    replayed = _replayed(ledger, match, number, until)
    table = _stream(ledger, match, until).table
    secret = (
        not sees_all(match)
        and bool(replayed["hand"])
        and Secrets.of(ledger, match).covers(table.hands[replayed["hand"] - 1].first)
    )
    return ReplayView(
        replayed, replayed["first"] if seq is None else seq, table, may_see_all=not secret, may_try=is_answered()
    )


def _replayed(ledger: Ledger, match: str, number: int, until: int | None) -> dict[str, Any]:
    """Return a hand event by event. Where pages become files, a page and its positions, which are asked for next, share it."""
    app, view = current_app, request.args.get("view") or None
    asked = (match, number, view, until, language(), ledger.store.last_given())
    replay: dict[str, Any]
    known, replay = app.extensions.get(_LAST, (None, {}))
    if known != asked:
        replay = replay_of(ledger, match, number, view, until, event_as_shown)
        if app.jinja_env.globals["frozen"]:
            app.extensions[_LAST] = asked, replay
    return replay


def _stream(ledger: Ledger, match: str, until: int | None) -> Stream:
    """Return a match as it was after an event; as it is now it is known already, and no event is read for it."""
    return ledger.stream(match) if until is None else up_to(ledger, match, until)[0]


def _parts(view: ReplayView) -> Any:
    """Return the macros of what belongs to a position beside its table."""
    asked = {"asked": request.args.get("view"), "embed": request.args.get("embed") == "1", "until": _until()}
    template = current_app.jinja_env.get_template("position.html")
    return template.make_module({"replay": view.replay, "game": view.table.game, **asked})


@pages.get("/matches/<match>/replay/<int:seq>/knowledge")
def what_is_known(match: str, seq: int) -> str:
    seat = request.args.get("seat", "")
    if not (seat.isascii() and seat.isdigit() and len(seat) < _LONGEST):
        raise FormatError("format.value", "seat must be the number of a seat, from 0")
    _, table, at, found = known_to(match, int(seat), seq)
    people = current_ledger().people()
    names = [people.name(player) for player in table.players]
    return render_template("known.html", match=match, at=at, seat=found.seat, view=KnownView(table, found, names))


def _until() -> int | None:
    """Return the last event that a page may know of, from its address; 404 if that is no number."""
    return _number("until")


def _number(name: str) -> int | None:
    text = request.args.get(name, "")
    if text and not (text.isascii() and text.isdigit() and len(text) < _LONGEST):
        abort(404)
    return int(text) if text else None


def _page(
    embed: bool, view: ReplayView, row: dict[str, Any], review: dict[str, Any] | None, steps: bool, more: bool
) -> str:
    replay, table = view.replay, view.table
    what, rows = counted(
        table, [(seq, view.states[seq - replay["first"]]) for seq in view.line if seq >= _deal_of(view)]
    )
    return render_template(
        "replay.html",
        frame="bare.html" if embed else "base.html",
        embed=embed,
        asked=request.args.get("view"),
        until=_until(),
        row=row,
        game=game(replay["game"]),
        table=table,
        replay=replay,
        view=view,
        review=review,
        steps=steps,
        more=more,
        ahead=not sees_all(replay["match"]),
        neighbours={
            n: table.hands[n - 1].first for n in (replay["hand"] - 1, replay["hand"] + 1) if 0 < n <= len(table.hands)
        },
        figure=course(replay["names"], translated(what), rows) if rows else None,
        counted=what,
        talk=None if embed or _until() is not None or replay["view"] != "all" else _talk(replay),
    )


def _talk(replay: Mapping[str, Any]) -> HandTalk:
    """Return what people say about a hand; in the view of a seat, or of a moment, it would tell too much."""
    return talk(current_ledger(), replay["match"]).hand(replay["hand"] or 1)


def _deal_of(view: ReplayView) -> int:
    deals = (step["seq"] for step in view.replay["steps"] if step["counts"] and step["counts"]["type"] == "deal")
    return next(deals, 0)
