"""The page of what if: the hands of a game judged again under another edition, or under a variant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import abort, render_template
from marshmallow import EXCLUDE, fields

from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import games
from cardledger.study.analyse.what_if_answers import MOST, WhatIfAnswers, choices
from cardledger_api.current import current_ledger
from cardledger_api.resources.what_if import OtherHandsQuery, page_of
from cardledger_web.languages import N_
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given
from cardledger_web.views.what_if import left_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.study.analyse.what_if_answers import ListedHand, WhatIfAnswer

ON_A_PAGE = 50
"""Hands on a page."""
_OUTCOMES = {"points": N_("other points"), "stops": N_("stopped"), "rulings": N_("other rulings alone")}


class _PageQuery(OtherHandsQuery):
    """The API's query; the page has the game in its address, and begins without an edition."""

    rules = fields.String(load_default=None)


QUERY = _PageQuery(unknown=EXCLUDE)


@pages.get("/stats/<game>/what-if")
def what_if(game: str) -> str:
    answers = WhatIfAnswers.of(current_ledger())
    chosen = games().get(game) or abort(404)
    asked = QUERY.load(given())
    answer = asked["rules"] and answers.get(game, asked["rules"])
    return render_template(
        "what_if.html", game=chosen, asked=asked, outcomes=_OUTCOMES, **_shown(answer, asked) if answer else {}
    )


def _shown(answer: WhatIfAnswer, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows of an answer."""
    listed = [one for one in answer.listed if asked["outcome"] in (None, one.outcome)]
    page, following = page_of(listed, ON_A_PAGE, asked["after"])
    return {
        "answer": answer, "left_out": left_out(answer), "rows": _with_matches(page), "next": following,
        "number": len(listed), "cut": len(answer.listed) >= MOST,
    }  # fmt: skip


def _with_matches(page: Sequence[ListedHand]) -> list[tuple[ListedHand, dict[str, Any]]]:
    ledger = current_ledger()
    rows = {match: match_row(ledger, match) for match in {one.hand.match for one in page}}
    return [(one, rows[one.hand.match]) for one in page]


pages.add_app_template_global(lambda game: choices(current_ledger(), game), "other_editions")
