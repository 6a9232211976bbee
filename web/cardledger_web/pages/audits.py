"""The page of a match's audit trail: the rulings on each event, and the effects of corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import render_template
from marshmallow import EXCLUDE, Schema, fields, validate

from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.record.recording.secrecy import Secrets
from cardledger_api.auth.visible import public_row, sees_all
from cardledger_api.current import current_ledger, people_of
from cardledger_api.http.fields import Whole
from cardledger_api.resources.replay import up_to
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given
from cardledger_web.views.audit import SHOWN, Trail, TrailPart, alike, by_hand, page_of
from cardledger_web.views.persons import called

if TYPE_CHECKING:
    from collections.abc import Sequence


_LISTED = 150
"""Events on a page of a filtered trail."""


class _AuditsQuery(Schema):
    """The part of the trail to show: the page with event `at`, or the events of one kind after `after`.

    With `until` it knows nothing of later events.
    """

    at = Whole(load_default=1, validate=validate.Range(1))
    show = fields.String(load_default="all", validate=validate.OneOf([*SHOWN]))
    after = Whole(load_default=0)
    until = Whole(load_default=None, validate=validate.Range(1))


QUERY = _AuditsQuery(unknown=EXCLUDE)
"""The query of the page\'s address."""


@pages.get("/matches/<match>/audit")
def audit(match: str) -> str:
    ledger = current_ledger()
    asked = QUERY.load(given())
    row = public_row(ledger, match_row(ledger, match))
    stream, events = up_to(ledger, match, asked["until"])
    events = events[: stream.seq]  # events recorded in between are shown at the next request
    persons = people_of(ledger).seated(match, stream.table.players)
    secrets = None if sees_all(match) else Secrets.of(ledger, match, stream)
    trail = Trail(stream, events, secrets, persons, called(ledger, persons))
    numbers = {"all": range(1, len(events) + 1), "broken": trail.broken(), "corrections": trail.corrections()}
    shown: Sequence[int]
    if asked["show"] == "all":
        shown = page_of(events, min(asked["at"], len(events)))
        before = {"at": shown[0] - 1} if shown[0] > 1 else None
        after = {"at": shown[-1] + 1} if shown[-1] < len(events) else None
    else:
        later = [seq for seq in numbers[asked["show"]] if seq > asked["after"]]
        shown = later[:_LISTED]
        before = {"show": asked["show"]} if asked["after"] else None
        after = {"show": asked["show"], "after": shown[-1]} if len(later) > _LISTED else None
    runs = alike(trail.entries(shown))
    return render_template(
        "audit.html",
        row=row,
        until=asked["until"],
        events=len(events),
        table=stream.table,
        game=stream.table.game,
        parts=by_hand(runs) if asked["show"] == "all" else [TrailPart(None, runs)] if runs else [],
        asked=asked["at"] if asked["at"] > 1 else None,
        shown=shown,
        show=asked["show"],
        kinds=[(kind, _(words), len(numbers[kind])) for kind, words in SHOWN.items()],
        before=before,
        after=after,
    )
