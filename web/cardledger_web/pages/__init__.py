"""The pages: server-rendered HTML, one module for each subject."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from flask import request

from cardledger_api.auth.visible import expect_open, still_open
from cardledger_api.current import current_ledger
from cardledger_web.dates import ago, in_words, moment, played, short_day, zone
from cardledger_web.figures.picture import pictures
from cardledger_web.pages.blueprint import pages
from cardledger_web.views.match import option_text
from cardledger_web.views.plain import plain
from cardledger_web.views.wording import as_written, players_in_words, wording

__all__ = ["pages"]

for _module in iter_modules(__path__):  # each declares its pages
    import_module(f"{__name__}.{_module.name}")

pages.before_request(lambda: expect_open(current_ledger(), (request.view_args or {}).get("match")))
pages.after_request(lambda answer: still_open(current_ledger(), answer))
pages.add_app_template_filter(option_text, "option")
pages.add_app_template_filter(in_words, "day")
pages.add_app_template_filter(played)
pages.add_app_template_filter(short_day, "short_day")
pages.add_app_template_filter(ago)
pages.add_app_template_filter(moment, "moment")
pages.add_app_template_filter(plain, "plain")
pages.add_app_template_filter(wording, "wording")
pages.add_app_template_filter(as_written)
pages.add_app_template_filter(players_in_words, "players_in_words")
pages.add_app_template_global(zone, "zone")
pages.add_app_template_filter(pictures, "pictures")
