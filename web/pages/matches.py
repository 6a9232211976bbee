"""Pages of matches: the list with its filters, one match, and one of its hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, render_template, request
from marshmallow import EXCLUDE, fields

from api.schemas import MatchQuery
from api.secrecy import Secrets, public_filters, public_row, sees_all
from ledger.errors import StoreError
from ledger.games import game, games
from ledger.readmodels.matchlist import MatchList, list_matches, match_row
from ledger.readmodels.searches import fold, named, names_of, players
from ledger.store.chain import unbroken
from web.figures import running_totals
from web.matchview import correction_rows, hand_rows, remark_rows, unjudged, violation_rows
from web.persons import seated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask import Blueprint

    from ledger.ledger import Ledger
    from ledger.store import Stored

_ON_A_PAGE = 20
_OFFERED = 200
"""Names offered for completion, those with most matches."""
_SIMILAR = 8
_SHORT = 150
"""Tricks that a page of a match shows folded; of a longer match, each hand's are fetched when it is opened."""


class _Query(MatchQuery):
    """As the API's, but a game that nobody knows has no matches, instead of being an error."""

    game = fields.String(load_default=None)
    board = fields.String(load_default=None, data_key="table")
    place = fields.String(load_default=None)


_FILTERS = ("game", "player", "event", "table", "place", "since", "until", "status", "violations")
# Other people's links may carry arguments of their own; a page does not mind.
_QUERY = _Query(exclude=("limit", "policy"), unknown=EXCLUDE)


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the pages of matches."""

    @pages.get("/matches")
    def match_list() -> str:
        given = {name: text for name, text in request.args.items() if text.strip()}
        wanted = _QUERY.load(given)
        listed = list_matches(ledger, _ON_A_PAGE, **public_filters(wanted))
        everyone = players(ledger)
        return render_template(
            "matches.html",
            found=MatchList([public_row(ledger, row) for row in listed.matches], listed.next),
            filters={name: given[name] for name in _FILTERS if name in given},
            after=wanted["after"],
            games=games(),
            names=[name for name, _ in everyone[:_OFFERED]],
            events=[text for text, _ in named(ledger, "event")[:_OFFERED]],
            similar=[]
            if listed.matches
            else _similar(wanted["player"], [name for name, _ in everyone], names_of(ledger)),
        )

    @pages.get("/matches/<match>")
    def match(match: str) -> str:
        row = public_row(ledger, match_row(ledger, match))
        stream = ledger.stream(match)
        table = stream.table
        names = seated(ledger, match, table.players)
        stored = ledger.store.read(match)
        secrets = None if sees_all() else Secrets(stream)
        short = sum(len(hand.tricks) for hand in table.hands) <= _SHORT
        hands = hand_rows(stream, tricks=short)
        totals = [hand.totals for hand in hands if hand.totals is not None]
        return render_template(
            "match.html",
            row=row,
            table=table,
            game=game(row["game"]),
            hands=hands,
            short=short,
            violations=violation_rows(stream, secrets),
            corrections=correction_rows(stream, secrets, names),
            unjudged=unjudged(hands),
            remarks=remark_rows(ledger.cleared(stored), names),
            broken=_broken(stored),
            figure=running_totals(names, totals).to_json() if totals else None,
        )

    @pages.get("/matches/<match>/hands/<int:number>")
    def hand(match: str, number: int) -> str:
        row = match_row(ledger, match)
        stream = ledger.stream(match)
        (shown,) = hand_rows(stream, number) or (abort(404),)
        return render_template("hand.html", row=row, table=stream.table, game=game(row["game"]), hand=shown)


def _broken(rows: Sequence[Stored]) -> StoreError | None:
    """Return what does not fit first when the hashes of a match are computed again, or None."""
    try:
        for _ in unbroken(rows):
            pass
    except StoreError as error:
        return error
    return None


def _similar(wanted: str | None, names: Sequence[str], known: Callable[[str], str]) -> list[str]:
    """Return names that somebody who found nobody may have meant."""
    text = fold(wanted or "").strip()
    return [name for name in names if text and name != wanted and text in known(name)][:_SIMILAR]
