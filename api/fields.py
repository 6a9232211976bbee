"""Fields of schemas that marshmallow does not bring: whole numbers, and events as they stand in a match file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import ValidationError, fields

from ledger import events as ev
from ledger.errors import FormatError
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


class Events(fields.Field[list[ev.Event]]):
    """A list of events, each an object as on a line of a match file; the first wrong one is named by its index."""

    def _deserialize(self, value: object, attr: str | None, data: object, **_: object) -> list[ev.Event]:
        if not isinstance(value, list):
            raise ValidationError("a list of events is wanted")
        events = []
        for index, item in enumerate(value):
            try:
                events.append(event_of(item))
            except FormatError as error:
                error.index = index
                raise
        return events
