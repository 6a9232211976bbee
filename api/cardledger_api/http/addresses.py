"""Parts of addresses that Flask does not offer: texts of any characters, slashes included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request
from werkzeug.routing import BaseConverter

if TYPE_CHECKING:
    from flask import Blueprint


PREFIX = "/api/v1"
"""All addresses of the API begin with it."""


def here() -> str:
    """Return the path of this request on its server, with what a proxy or a house of clubs has put in front of it."""
    return request.script_root + request.path


class Text(BaseConverter):
    """Any text but an empty one, such as the id of a player."""

    regex = "(?s:.+)"
    part_isolating = False
    weight = 300


class EveningId(BaseConverter):
    """The id of a club, session or league; `import` is an address of its own."""

    regex = "(?!import$)[^/]+"


def add_converters(api: Blueprint) -> None:
    """Let the addresses of the blueprint use `<text:…>` and `<evening:…>`; call it before declaring them."""
    api.record(lambda state: state.app.url_map.converters.update(text=Text, evening=EveningId))
