"""The page of a match's audit trail: event by event what the rules said, and what corrections changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import render_template
from marshmallow import EXCLUDE, Schema, fields, validate

from api.fields import Whole
from api.secrecy import Secrets, public_row, sees_all
from ledger.readmodels.matchlist import match_row
from web.auditview import SHOWN, Trail, page_of
from web.pages.players import given
from web.persons import called, people_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Blueprint

    from ledger.ledger import Ledger

_LISTED = 150
"""Events on a page of a filtered trail."""


class _Query(Schema):
    """What of the trail to show: the page that has event `at`, or of only some kind of events those after `after`."""

    at = Whole(load_default=1, validate=validate.Range(1))
    show = fields.String(load_default="all", validate=validate.OneOf([*SHOWN]))
    after = Whole(load_default=0)


_QUERY = _Query(unknown=EXCLUDE)


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page of the trail."""

    @pages.get("/matches/<match>/audit")
    def audit(match: str) -> str:
        asked = _QUERY.load(given())
        row = public_row(ledger, match_row(ledger, match))
        stream, events = ledger.stream(match), ledger.events(match)
        events = events[: stream.seq]  # what was recorded in between waits for the next look
        persons = people_of(ledger).seated(match, stream.table.players)
        secrets = None if sees_all() else Secrets(stream)
        trail = Trail(stream, events, secrets, persons, called(ledger, persons))
        found = {"all": range(1, len(events) + 1), "broken": trail.broken(), "corrections": trail.corrections()}
        shown: Sequence[int]
        if asked["show"] == "all":
            shown = page_of(events, min(asked["at"], len(events)))
            before = {"at": shown[0] - 1} if shown[0] > 1 else None
            after = {"at": shown[-1] + 1} if shown[-1] < len(events) else None
        else:
            rest = [seq for seq in found[asked["show"]] if seq > asked["after"]]
            shown = rest[:_LISTED]
            before = {"show": asked["show"]} if asked["after"] else None
            after = {"show": asked["show"], "after": shown[-1]} if len(rest) > _LISTED else None
        return render_template(
            "audit.html",
            row=row,
            table=stream.table,
            game=stream.table.game,
            entries=trail.entries(shown),
            shown=shown,
            show=asked["show"],
            kinds=[(kind, words, len(found[kind])) for kind, words in SHOWN.items()],
            before=before,
            after=after,
        )
