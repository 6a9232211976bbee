"""Opens a club's ledger with what its federation has set for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger_web.app import create_app, ledger_of
from cardledger_web.frame import TITLE
from cardledger_web.language_choice import LANGUAGE

if TYPE_CHECKING:
    from flask import Flask

    from cardledger_api.auth.limits import Limits
    from cardledger_web.clubs.club import HouseClub
    from cardledger_web.clubs.settings import HouseSettings
    from cardledger_web.serving.server_parts import ServerParts


def open_club(club: HouseClub, shared: ServerParts, settings: HouseSettings, limits: Limits, **options: Any) -> Flask:
    """Return the application of a club.

    Args:
        club: the club.
        shared: what all clubs of the server share.
        settings: what is set for the clubs.
        limits: those of clubs for which none are set.
        options: the other options of `create_app`.
    """
    own = settings.of(club.name)
    app = create_app(club.place.at, shared=own.within(shared), limits=own.limits(limits), **options)
    ledger_of(app).store.quota = lambda: settings.of(club.name).quota  # what is set meanwhile counts at once
    for key, value in ((TITLE, own.title), (LANGUAGE, own.language)):
        if value is not None:
            app.config[key] = value
    return app
