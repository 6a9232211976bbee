"""Pages of the replayer: a hand at one of its events, as a page or in a frame on another site."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import abort, redirect, render_template, request, url_for

from cardledger.errors import FormatError
from cardledger.record.matches.hand_replay import hand_at
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.secrecy import Secrets
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import game
from cardledger_api.auth.visible import see_as_reader, sees_all
from cardledger_api.current import current_ledger
from cardledger_api.resources.knowledge import known_to
from cardledger_api.resources.replay import replay_of, up_to
from cardledger_web.figures.hand_course import counted, course
from cardledger_web.languages import translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.serving.headers import allow_frames
from cardledger_web.views.cards import deck
from cardledger_web.views.known import KnownView
from cardledger_web.views.luck import reviewed_hand
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.scorecard import kinds_of
from cardledger_web.views.wording import wording_text

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

    from cardledger.rules.engine.match import Match


_LONGEST = 18
"""Digits of the longest number of an event in an address."""


@pages.get("/matches/<match>/replay")
def replay_match(match: str) -> Response:
    ledger = current_ledger()
    hands = up_to(ledger, match, _until())[0].table.hands
    options: dict[str, Any] = {name: request.args[name] for name in ("view", "embed", "until") if name in request.args}
    return redirect(url_for("pages.replay", match=match, seq=hands[0].first if hands else 1, **options))


@pages.get("/matches/<match>/replay/<int:seq>")
def replay(match: str, seq: int) -> str:
    ledger = current_ledger()
    embed = request.args.get("embed") == "1"
    if embed:
        # A frame on another page shows only what all readers may see, whatever the role of the user.
        see_as_reader()
        allow_frames(request.environ)
    until = _until()
    stream, _ = up_to(ledger, match, until)
    table = stream.table
    if not 1 <= seq <= stream.seq:
        abort(404)
    replayed = replay_of(ledger, match, hand_at(table, seq), request.args.get("view") or None, until)
    secret = (
        not sees_all(match)
        and bool(replayed["hand"])
        and Secrets.of(ledger, match).covers(table.hands[replayed["hand"] - 1].first)
    )
    view = ReplayView(replayed, seq, table, may_see_all=not secret)
    review = None
    if not embed and until is None and replayed["hand"] and replayed["end"] is not None:
        review = reviewed_hand(ledger, match, replayed["hand"])
    return _page(embed, view, table, match_row(ledger, match), review)


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
    text = request.args.get("until", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < _LONGEST):
        abort(404)
    return int(text) if text else None


def _page(embed: bool, view: ReplayView, table: Match[Any], row: dict[str, Any], review: dict[str, Any] | None) -> str:
    replay = view.replay
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
        neighbours={
            n: table.hands[n - 1].first for n in (replay["hand"] - 1, replay["hand"] + 1) if 0 < n <= len(table.hands)
        },
        deck=deck(table.pack),
        wording=wording_text(table.game),
        kinds=json.dumps(kinds_of(table.game)),
        rules=json.dumps({rule.id: rule.text for rule in (*table.game.book, *COMMON)}),
        figure=course(replay["names"], translated(what), rows) if rows else None,
        counted=what,
    )


def _deal_of(view: ReplayView) -> int:
    deals = (step["seq"] for step in view.replay["steps"] if step["counts"] and step["counts"]["type"] == "deal")
    return next(deals, 0)
