"""The page of hands: a search over every hand of every match, with the rules that decided it and the rules broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import redirect, render_template, request, url_for
from marshmallow import EXCLUDE, fields

from cardledger.errors import FormatError, StoreError
from cardledger.rules.games import games
from cardledger.study.stats.measures.hand_counts import hand_counts, situations_wanted
from cardledger_api.current import current_ledger
from cardledger_api.resources.hands import HandQuery, search
from cardledger_web.languages import _, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.players import given
from cardledger_web.views.card_worths import WAYS_IN_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug.wrappers import Response

    from cardledger.record.recording.ledger import Ledger


class _HandsQuery(HandQuery):
    """The API's query, but an unknown game gives an empty list, and situations may be written in any way."""

    game = fields.String(load_default=None)
    where = fields.String(load_default=None)


_ON_A_PAGE = "20"
HANDS = _HandsQuery(unknown=EXCLUDE)
"""The query of a page's address."""
_FILTERS = tuple(name for name in HANDS.fields if name not in ("limit", "after", "sort", "total"))
_ANY = "1.."
"""The value of a count if none is given: that it happened at all."""


@pages.get("/hands")
def hand_list() -> str | Response:
    ledger = current_ledger()
    asked = given()
    filters: dict[str, Any] = {name: asked[name] for name in _FILTERS if name in asked}
    chosen = [text for text in request.args.getlist("where") if text.strip()]
    if "what" in asked:
        chosen.append(f"{asked['what']}:{asked.get('value', _ANY).strip()}")
    if len(chosen) > 1 or "what" in asked:
        return redirect(url_for("pages.hand_list", **filters | {"where": ",".join(chosen)}))
    listed, wrong = _listed(ledger, filters | _only(asked, "after"))
    return render_template(
        "hands.html",
        found=listed["hands"],
        next=listed["next"],
        after=asked.get("after"),
        filters=filters,
        wrong=wrong,
        counts=_counts(filters.get("game")),
        situations=() if wrong else [(*one, _in_words(*one)) for one in situations_wanted(filters.get("where"))],
        games=games(),
        ways=WAYS_IN_WORDS,
    )


def _only(asked: dict[str, str], name: str) -> dict[str, str]:
    return {name: asked[name]} if name in asked else {}


def _listed(ledger: Ledger, asked: dict[str, str]) -> tuple[dict[str, Any], str | None]:
    """Return a page of hands, and what is wrong with the situations asked for: then none are found."""
    try:
        return search(ledger, HANDS.load(asked | {"limit": _ON_A_PAGE})), None
    except (FormatError, StoreError) as error:
        return {"hands": [], "next": None}, error.message


def _counts(game: str | None) -> Mapping[str, str]:
    """Return what hands of a game can be asked for, with the meaning of each; of all games, what each of them has."""
    if game in games():
        return hand_counts(game)
    return {name: words for name, words in hand_counts().items() if all(name in hand_counts(id) for id in games())}


def _in_words(name: str, value: str) -> str:
    """Say a situation or a count with its value: `bid` and `3..` as "tricks bid: 3 or more"."""
    low, span, high = value.partition("..")
    if not span:
        words = translated(value)
    elif low and high:
        words = _("%(low)s to %(high)s", low=low, high=high)
    else:
        words = _("%(number)s or more", number=low) if low else _("at most %(number)s", number=high)
    return f"{translated(hand_counts()[name])}: {words}"
