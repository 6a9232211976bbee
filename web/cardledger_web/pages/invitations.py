"""Invitations.

An admin gives a link and a QR code that make a phone a scorer of one table, one match or one evening, and withdraws
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from flask import current_app, render_template, request

from cardledger.errors import LedgerError
from cardledger.record.readmodels.questions.evening_list import list_evenings, table_of
from cardledger.record.readmodels.questions.match_list import list_matches
from cardledger.record.store.streams import is_evening
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games import game
from cardledger_api.auth.invitations import LONGEST, scored_at, today
from cardledger_api.auth.invitations import invite as invited
from cardledger_api.auth.noting import note_about
from cardledger_api.auth.scopes import TablePlace
from cardledger_api.current import current_ledger
from cardledger_web.dates import in_words
from cardledger_web.frame import scope_url
from cardledger_web.languages import _, evening_called, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.serving.public_address import reaches_others
from cardledger_web.views.qr import qr_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.auth.access import Access

_EVENINGS = 10
_MATCHES = 50
_ENDED = 10
"""The number of ended invitations that are listed."""


@dataclass(frozen=True, slots=True)
class ScoringPlace:
    """What somebody can be invited to score.

    A table, a match or an evening, with its words in a list and the name of its invitations.
    """

    id: str
    words: str
    name: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """A new invitation: its name, what it is for, its end (the last day), its link, and the QR code of the link.

    `here` tells that the link leads to this computer only.
    """

    name: str
    scope: str
    until: str
    link: str
    code: Markup
    here: bool


def page(made: Invitation | None = None, wrong: str = "") -> str:
    ledger = current_ledger()
    invitations = [(token, state) for token, state in reversed(_access().tokens.all()) if token.scope]
    ended = [each for each in invitations if each[1] != "valid"][:_ENDED]
    return render_template(
        "invitations.html",
        made=made,
        wrong=wrong,
        choices=places(ledger, request.args.get("for")),
        asked=request.form.get("scope"),
        given=request.form,
        tomorrow=str(today() + timedelta(days=1)),
        last=str(today() + LONGEST),
        listed=[each for each in invitations if each[1] == "valid"] + ended,
        words=lambda scope: place_of(ledger, scope).words,
    )


@pages.get("/invitations")
def invitations() -> str:
    _access().require("admin")
    return page()


@pages.post("/invitations")
def invite() -> str | tuple[str, int]:
    ledger = current_ledger()
    _access().require("admin")
    note_about(request.form.get("name", ""), request.form.get("scope", ""))
    try:
        return page(made=_made(ledger, request.form))
    except LedgerError as error:
        return page(wrong=error.message), 400


@pages.post("/invitations/withdraw")
def withdraw() -> str | tuple[str, int]:
    access, name = _access(), request.form.get("name", "")
    access.require("admin")
    if not any(token.name == name and token.scope and state == "valid" for token, state in access.tokens.all()):
        return page(wrong=_("%(name)s is no invitation that can be withdrawn: it has ended already.", name=name)), 409
    note_about(name)
    access.tokens.revoke(name)
    return page()


def places(ledger: Ledger, asked: str | None = None) -> list[ScoringPlace]:
    """Return what can be scored now: what is asked for, tables of open evenings, these evenings, open matches.

    Tables stand before what lets somebody see and do more than scoring one.
    """
    evenings = [row["evening"] for row in list_evenings(ledger, _EVENINGS).evenings if row["status"] == "open"]
    matches = [row["match"] for row in list_matches(ledger, _MATCHES, over=False).matches]
    known = [*_tables(ledger, asked), asked] if asked else []
    tables = [table for evening in evenings for table in _tables(ledger, evening)]
    return [place_of(ledger, id) for id in dict.fromkeys([*known, *tables, *evenings, *matches])]


def _tables(ledger: Ledger, id: str) -> list[str]:
    """Return the tables of an evening that play something now, or the table of a match, as scopes."""
    if not is_evening(id):
        table = table_of(ledger, id)
        found = [TablePlace(table.evening, table.table)] if table else []
    else:
        state = scored_at(ledger, id)
        assert isinstance(state, SessionState)
        scored = {at[1] for at in state.results if at[0] == state.round}
        seated = {*state.tables(max(state.rounds, default=0))}
        found = [TablePlace(id, table) for table in sorted(scored | seated)]
    return [str(place) for place in found if place.plays(ledger)]


def place_of(ledger: Ledger, id: str) -> ScoringPlace:
    """Return a match or an evening as something to score; raises StoreError `store.unknown`."""
    if table := TablePlace.of(id):
        state = scored_at(ledger, table.evening)
        assert isinstance(state, SessionState)
        round = table.round(ledger) or state.round
        name = _(
            "Table %(table)s, %(name)s",
            table=state.table_name(round, table.table),
            name=evening_called(state.opening.name),
        )
        return ScoringPlace(id, _("%(name)s: this table, all rounds", name=name), name)
    scored = scored_at(ledger, id)
    if isinstance(scored, SessionState):
        name = f"{evening_called(scored.opening.name)}, {in_words(scored.opening.date)}"
        return ScoringPlace(id, _("%(name)s: the whole evening", name=name), name)
    title = translated(game(scored["game"]).title)
    if at := table_of(ledger, id):
        evening = scored_at(ledger, at.evening)
        assert isinstance(evening, SessionState)
        name = _(
            "Table %(table)s, %(name)s", table=evening.table_name(at.round, at.table), name=evening_called(at.name)
        )
        return ScoringPlace(id, _("%(name)s: %(title)s, round %(round)s", name=name, title=title, round=at.round), name)
    name = f"{title}, {in_words(scored['date'], scored['period'])}"
    return ScoringPlace(id, _("%(name)s: match %(match)s", name=name, match=id[:8]), name)


def _made(ledger: Ledger, form: Mapping[str, str]) -> Invitation:
    """Make the invitation that a form asks for; raises LedgerError."""
    scored_at(ledger, form.get("scope", ""))
    place = place_of(ledger, form.get("scope", ""))
    made = invited(_access().tokens, place.id, form.get("name", ""), place.name, form.get("until"))
    link = scope_url(place.id, token=made.text, _external=True)
    return Invitation(
        made.name,
        place.id,
        str(made.until),
        link,
        qr_code(link),
        not reaches_others(),
    )


def _access() -> Access:
    access: Access = current_app.extensions["cardledger.access"]
    return access
