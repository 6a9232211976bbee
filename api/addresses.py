"""Parts of addresses that Flask does not bring: texts of any characters, slashes included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from werkzeug.routing import BaseConverter

if TYPE_CHECKING:
    from flask import Blueprint


class Text(BaseConverter):
    """Any text but an empty one, such as the id of a player."""

    regex = "(?s:.+)"
    part_isolating = False
    weight = 300


def add_converters(api: Blueprint) -> None:
    """Let the addresses of the blueprint use `<text:…>`; to be called before they are declared."""
    api.record(lambda state: state.app.url_map.converters.update(text=Text))
