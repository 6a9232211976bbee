"""The frame of every page: the navigation, and the user who is signed in."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import request, url_for
from jinja2 import StrictUndefined, Undefined, make_logging_undefined
from jinja2.utils import missing

from cardledger.record.store.streams import is_evening
from cardledger_api.auth.scopes import TablePlace
from cardledger_api.auth.visible import sees_all
from cardledger_api.http.operations import ROLES
from cardledger_web.in_file import has_quiz, in_file, is_answered
from cardledger_web.languages import N_

if TYPE_CHECKING:
    from flask import Flask

    from cardledger_api.auth.access import Access
    from cardledger_api.http.operations import Role


class NavLink(NamedTuple):
    """A link of the navigation: its page, its text, the pages it covers, and the role it is shown to."""

    endpoint: str
    text: str
    within: frozenset[str] = frozenset()
    role: Role = ROLES[0]


TITLE = "CARDLEDGER_TITLE"
"""Key of the configuration: the name that stands on every page, where it is not the program's."""
PLACES = (
    NavLink("pages.home", N_("Home"), frozenset({"pages.search"})),
    NavLink(
        "pages.evening_list",
        N_("Evenings"),
        frozenset(
            f"pages.{name}"
            for name in (
                "evening",
                "league",
                "club",
                "new_evening",
                "open_evening",
                "evening_players",
                "change_players",
                "evening_entries",
                "enter_entries",
                "evening_movement",
                "choose_movement",
                "evening_round",
                "open_round",
                "take_round_back",
                "evening_results",
                "enter_results",
                "close_evening",
                "reopen_evening",
                "publish_evening",
                "evening_drive",
                "begin_form",
                "begin_drive",
                "next_hand",
                "enter_tricks",
                "draw_hidden_table",
                "say_ladies",
                "evening_table",
                "enter_result",
                "settle_difference",
                "evening_handicaps",
                "evening_guide",
                "set_handicaps",
                "club_masterpoints",
                "give_masterpoints",
            )
        ),
    ),
    NavLink(
        "pages.match_list",
        N_("Matches"),
        frozenset(
            {
                "pages.match",
                "pages.opening_form",
                "pages.amend_opening",
                "pages.hand",
                "pages.audit",
                "pages.discussion",
                "pages.say_something",
                "pages.replay",
                "pages.receipt_page",
            }
        ),
    ),
    NavLink("pages.player_list", N_("Players"), frozenset({"pages.player", "pages.head_to_head", "pages.people"})),
    NavLink(
        "pages.season",
        N_("Season"),
        frozenset({"pages.game_stats", "pages.worth_seeing", "pages.puzzle_list", "pages.same_deal", "pages.what_if"}),
    ),
    NavLink("pages.game_list", N_("Rulebooks"), frozenset({"pages.rulebook"})),
    NavLink("pages.violations", N_("Violations")),
    NavLink(
        "pages.new_match",
        N_("New match"),
        frozenset(
            {
                "pages.score",
                "pages.hand_sheet",
                "pages.record_hand_sheet",
                "pages.swap_cards",
                "pages.record_swap",
                "pages.correct_score",
                "pages.record_correction",
            }
        ),
        ROLES[1],
    ),
)


class Missing(StrictUndefined):
    """What a template asks for and nobody gave.

    A fault, not an empty place. Only a condition without `else` is empty.
    """

    def __new__(cls, hint: str | None = None, obj: Any = missing, name: str | None = None, *more: Any) -> Any:
        """Return an empty place for a condition, which has no name."""
        return Undefined(hint) if name is None else super().__new__(cls)


def undefined() -> type[Undefined]:
    """Return what stands for a value that a template asks for and nobody gave.

    Tests set `CARDLEDGER_STRICT_PAGES`, and such a page is a fault. On an evening an empty place is better than no
    page: it is logged.
    """
    if os.environ.get("CARDLEDGER_STRICT_PAGES"):
        return Missing
    return make_logging_undefined(logging.getLogger("cardledger.pages"), Undefined)


def scope_url(scope: str, **more: Any) -> str:
    """Return the address of the page where an invited scorer begins."""
    if place := TablePlace.of(scope):
        return url_for("pages.evening_table", evening=place.evening, table=place.table, **more)
    if is_evening(scope):
        return url_for("pages.evening", evening=scope, **more)
    return url_for("pages.score", match=scope, **more)


def add_frame(app: Flask, access: Access) -> None:
    """Give the templates the frame of a page, the addresses of players and moments of a match, and whether the user `scores` it."""
    app.jinja_env.globals["endpoints"] = app.view_functions
    app.jinja_env.globals["in_languages"] = (
        False  # such pages that lead to themselves in other languages (publishing/trial.py)
    )
    app.jinja_env.globals["frozen"] = False  # pages that become files say nothing that needs a server (publishing/)

    app.jinja_env.globals |= {
        "scores": sees_all,
        "scope_url": scope_url,
        "has_quiz": has_quiz,
        "in_file": in_file,
        "is_answered": is_answered,
    }

    @app.template_global()
    def player_url(player: str) -> str:
        endpoint = "pages.player" if "pages.player" in app.view_functions else "pages.match_list"
        return url_for(endpoint, player=player)

    @app.template_global()
    def event_url(match: str, seq: int) -> str:
        if "pages.replay" in app.view_functions:
            return url_for("pages.replay", match=match, seq=seq)
        return url_for("pages.match", match=match)

    @app.context_processor
    def _frame() -> dict[str, Any]:
        role = access.role()
        places = [
            place
            for place in PLACES
            if place.endpoint in app.view_functions
            and (place.role == ROLES[0] or role is not None and ROLES.index(role) >= ROLES.index(place.role))
        ]
        here = next((place for place in places if request.endpoint in {place.endpoint, *place.within}), None)
        title = app.config.get(TITLE, "cardledger")
        return {
            "site_title": title,
            "places": places,
            "here": here,
            "signed_in": access.name(),
            "role": role,
            "invited_to": access.scope(),
        }
