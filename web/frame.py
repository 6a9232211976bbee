"""What frames every page: the way to the others, and who is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask import request, url_for

from api.operations import ROLES

if TYPE_CHECKING:
    from flask import Flask

    from api.access import Access
    from api.operations import Role


class Place(NamedTuple):
    """A link of the navigation: the page it leads to, its text, the pages it stands for, and who is to see it."""

    endpoint: str
    text: str
    within: frozenset[str] = frozenset()
    role: Role = ROLES[0]


PLACES = (
    Place("pages.home", "Home", frozenset({"pages.search"})),
    Place(
        "pages.match_list",
        "Matches",
        frozenset({"pages.match", "pages.hand", "pages.audit", "pages.replay", "pages.receipt_page"}),
    ),
    Place("pages.player_list", "Players", frozenset({"pages.player", "pages.head_to_head", "pages.people"})),
    Place("pages.season", "Season", frozenset({"pages.game_stats", "pages.worth_seeing", "pages.same_deal"})),
    Place("pages.game_list", "Rulebooks", frozenset({"pages.rulebook"})),
    Place("pages.violations", "Violations"),
    Place("pages.new_match", "New match", frozenset({"pages.score"}), ROLES[1]),
)


def add_frame(app: Flask, access: Access) -> None:
    """Tell the templates what stands around a page, and where players and moments of a match are to be seen."""
    app.jinja_env.globals["endpoints"] = app.view_functions

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
        return {"places": places, "here": here, "signed_in": access.name(), "role": role}
