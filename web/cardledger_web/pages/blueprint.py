"""The blueprint of all pages; any number of applications can have it, each with its own ledger."""

from __future__ import annotations

from flask import Blueprint

from cardledger_web.pages.player_id import PlayerId

pages = Blueprint("pages", "cardledger_web.pages")
pages.record_once(lambda state: state.app.url_map.converters.update(player=PlayerId))
