"""The page of hands: a search over every hand of every match, with what decided it and what was broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import render_template
from marshmallow import EXCLUDE, fields

from api.hands import HandQuery, search
from ledger.games import games
from web.pages.players import given

if TYPE_CHECKING:
    from flask import Blueprint

    from ledger.ledger import Ledger


class _Query(HandQuery):
    """As the API's, but a game that nobody knows has no hands, instead of being an error."""

    game = fields.String(load_default=None)


_ON_A_PAGE = "20"
_QUERY = _Query(unknown=EXCLUDE)
_FILTERS = tuple(name for name in _QUERY.fields if name not in ("limit", "after"))


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page of hands."""

    @pages.get("/hands")
    def hand_list() -> str:
        asked = given()
        found = search(ledger, _QUERY.load(asked | {"limit": _ON_A_PAGE}))
        return render_template(
            "hands.html",
            found=found["hands"],
            next=found["next"],
            after=asked.get("after"),
            filters={name: asked[name] for name in _FILTERS if name in asked},
            games=games(),
        )
