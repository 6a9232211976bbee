"""Pages of matches: the list with its filters, one match, and one of its hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, abort, render_template, request
from marshmallow import EXCLUDE, fields

from cardledger.errors import LedgerError
from cardledger.record.matches.describe import event_in_words, points_of
from cardledger.record.people.spelling import fold
from cardledger.record.proofs.glance import expect_sealed_end
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger.record.readmodels.questions.match_list import MatchList, list_matches, match_row
from cardledger.record.readmodels.questions.searches import named, names_of, players
from cardledger.record.recording.secrecy import Secrets
from cardledger.record.store.chain import unbroken
from cardledger.rules.games import game, games
from cardledger_api.auth.visible import public_filters, public_row, sees_all
from cardledger_api.current import current_ledger
from cardledger_api.http.findings import ANSWER, findings_here
from cardledger_api.http.schemas import MatchQuery
from cardledger_web.dates import in_words
from cardledger_web.figures.figures import running_totals
from cardledger_web.figures.picture import picture_file
from cardledger_web.languages import _, here, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.views.double_dummy import solved_hands
from cardledger_web.views.match import correction_rows, hand_rows, match_facts, remark_rows, unjudged, violation_rows
from cardledger_web.views.persons import seated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import plotly.graph_objects as go

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store import Stored
    from cardledger.rules.engine.match import Match
    from cardledger_api.http.findings import Finding
    from cardledger_web.views.match import HandRow

_ON_A_PAGE = 20
_OFFERED = 200
"""Names offered for completion: those with the most matches."""
_SIMILAR = 8
_SHORT = 150
"""The most tricks that the page of a match holds.

In longer matches, each hand's tricks are fetched when it is opened.
"""


class _MatchesQuery(MatchQuery):
    """The API's query, but an unknown game gives an empty list instead of an error."""

    game = fields.String(load_default=None)


_FILTERS = ("game", "player", "event", "table", "place", "since", "until", "date", "status", "violations")
# Links from elsewhere may carry other arguments; a page ignores them.
QUERY = _MatchesQuery(only=(*_FILTERS, "after"), unknown=EXCLUDE)
"""The query of the page\'s address."""


@pages.get("/matches")
def match_list() -> str:
    ledger = current_ledger()
    given = {name: text for name, text in request.args.items() if text.strip()}
    wanted = QUERY.load(given)
    listed = list_matches(ledger, _ON_A_PAGE, **public_filters(wanted))
    everyone = players(ledger)
    return render_template(
        "matches.html",
        found=MatchList([public_row(ledger, row) for row in listed.matches], listed.next),
        filters={name: given[name] for name in _FILTERS if name in given},
        after=wanted["after"],
        games=games(),
        names=[one.name for one in everyone[:_OFFERED]],
        events=[text for text, _ in named(ledger, "event")[:_OFFERED]],
        similar=[] if listed.matches else _similar(wanted["player"], [one.name for one in everyone], names_of(ledger)),
    )


@pages.get("/matches/<match>")
def match(match: str) -> str:
    ledger = current_ledger()
    row = public_row(ledger, match_row(ledger, match))
    stream = ledger.stream(match)
    table = stream.table
    names = seated(ledger, match, table.players)
    stored = ledger.store.read(match)
    secrets = None if sees_all(match) else Secrets.of(ledger, match, stream)
    diagrams = bool(table.game.shown.seats)  # then a hand without play is about as long as its tricks would be
    short = sum(len(hand.tricks) or diagrams * hand.each for hand in table.hands) <= _SHORT
    hands = hand_rows(stream, secrets, tricks=short, names=names)
    return render_template(
        "match.html",
        row=row,
        table=table,
        game=game(row["game"]),
        hands=hands,
        short=short,
        solved=solved_hands(ledger, stream, names) if short else {},
        violations=violation_rows(stream, secrets),
        corrections=correction_rows(stream, secrets, names),
        unjudged=unjudged(hands),
        remarks=remark_rows(ledger.cleared(stored), secrets, names),
        void=event_in_words(stream.events[stream.void - 1], names, here()) if stream.void else None,
        amiss=_amiss(ledger, match, stored),
        facts=match_facts(table, names),
        evening=table_of(ledger, match),
        summary=points_of(table.sides or (), names, table.totals, table.winners),
        figure=totals_of(table, names, hands),
    )


@pages.get("/matches/<match>.svg")
def match_chart(match: str) -> Response:
    ledger = current_ledger()
    row = match_row(ledger, match)
    stream = ledger.stream(match)
    secrets = None if sees_all() else Secrets.of(ledger, match, stream)
    names = seated(ledger, match, stream.table.players)
    figure = totals_of(stream.table, names, hand_rows(stream, secrets, tricks=False, names=names)) or abort(404)
    drawn = picture_file(
        figure,
        _(
            "%(game)s, %(date)s: running totals",
            game=translated(game(row["game"]).title),
            date=in_words(row["date"], row["period"]),
        ),
    )
    return Response(drawn, content_type="image/svg+xml; charset=utf-8")


@pages.get("/matches/<match>/hands/<int:number>")
def hand(match: str, number: int) -> str:
    ledger = current_ledger()
    row = match_row(ledger, match)
    stream = ledger.stream(match)
    secrets = None if sees_all(match) else Secrets.of(ledger, match, stream)
    names = seated(ledger, match, stream.table.players)
    (shown,) = hand_rows(stream, secrets, number, names=names) or (abort(404),)
    summary = points_of(stream.table.sides or (), names, shown.scores) if shown.scores else shown.ended
    return render_template(
        "hand.html",
        row=row,
        table=stream.table,
        game=game(row["game"]),
        hand=shown,
        summary=summary,
        solved=solved_hands(ledger, stream, names),
    )


def totals_of(table: Match[Any], names: Sequence[str], hands: Sequence[HandRow]) -> go.Figure | None:
    """Return the figure of the running totals of players, or of sides; None before the first hand is complete."""
    teams = table.sides or [[seat] for seat in range(table.n)]
    totals = [hand.totals for hand in hands if hand.totals is not None]
    if not totals:
        return None
    sides = [_(" and ").join(names[seat] for seat in team) for team in teams]
    return running_totals(sides, [[total[seat] for seat, *_ in teams] for total in totals])


def _amiss(ledger: Ledger, match: str, rows: Sequence[Stored]) -> Finding | None:
    """Return the difference from the record found in this match now, or else anywhere in the ledger."""
    findings = findings_here()
    try:
        for _ in unbroken(rows):
            pass
        expect_sealed_end(ledger, match, rows)
        findings.fits(match)
    except LedgerError as error:
        findings.tell(ANSWER, error, match)
    return findings.of_match(match)


def _similar(wanted: str | None, names: Sequence[str], words_of: Callable[[str], str]) -> list[str]:
    """Return similar names, for a search that found no player."""
    text = fold(wanted or "").strip()
    return [name for name in names if text and name != wanted and text in words_of(name)][:_SIMILAR]
