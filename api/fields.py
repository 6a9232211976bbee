"""Fields of schemas that marshmallow does not bring: whole numbers, and events as they stand in a match file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from marshmallow import ValidationError, fields

from ledger import events as ev
from ledger.errors import FormatError
from ledger.games import game
from ledger.matchfile import event_of

if TYPE_CHECKING:
    from collections.abc import Mapping


class Whole(fields.Integer):
    """A whole number in a query string: digits and nothing else, so that `1_000` is refused."""

    def _deserialize(self, value: object, attr: str | None, data: Mapping[str, Any] | None, **more: object) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= 18):
            raise ValidationError("a whole number is written in digits")
        number: int = super()._deserialize(text, attr, data, **more)
        return number


class GameId(fields.String):
    """The id of a game; one that nobody knows is an error (`format.game`), not an empty answer."""

    def _deserialize(self, value: object, attr: str | None, data: Mapping[str, Any] | None, **more: object) -> str:
        return game(str(value)).id


class Points(fields.Integer):
    """A number of points in a query string: digits, perhaps after a minus."""

    def _deserialize(self, value: object, attr: str | None, data: Mapping[str, Any] | None, **more: object) -> int:
        if not re.fullmatch("-?[0-9]{1,15}", str(value)):
            raise ValidationError("a number of points is written in digits")
        return int(str(value))


class Flag(fields.Boolean):
    """True or false, from a database that has 1 and 0."""

    def _serialize(self, value: object, attr: str | None, obj: object, **more: object) -> bool | None:
        return None if value is None else bool(value)


class Events(fields.Field[list[ev.Event]]):
    """A list of events, each an object as on a line of a match file; the first wrong one is named by its index."""

    read = staticmethod(event_of)
    """Reads one from JSON data."""

    def _deserialize(self, value: object, attr: str | None, data: object, **_: object) -> list[ev.Event]:
        if not isinstance(value, list):
            raise ValidationError("a list of events is wanted")
        events = []
        for index, item in enumerate(value):
            try:
                events.append(self.read(item))
            except FormatError as error:
                error.index = index
                raise
        return events
