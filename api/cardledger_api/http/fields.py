"""Fields of schemas that marshmallow does not offer: whole numbers, and events as in a match file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from marshmallow import ValidationError, fields, validate

from cardledger.errors import FormatError
from cardledger.record.matches.shape import event_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.faults import faults
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.evenings import shape
from cardledger.rules.games import game
from cardledger.sentence import Sentence, choosing
from cardledger_api.http.faults import MOST, Wrong
from cardledger_api.http.hints import as_meant


def between(least: int, most: int) -> validate.Range:
    """Return a check that a number lies between two, both included; its message says which to write."""
    return validate.Range(least, most, error=f"write a number from {least:,} to {most:,}")


class Whole(fields.Integer):
    """A whole number in a query string: only digits, so that `1_000` is refused."""

    def _deserialize(self, value: object, attr: str | None, data: Mapping[str, Any] | None, **more: object) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= 18):
            raise ValidationError("write a whole number in digits only")
        number: int = super()._deserialize(text, attr, data, **more)
        return number


class GameId(fields.String):
    """The id of a game; an unknown one is an error (`format.game`), not an empty answer."""

    def _deserialize(self, value: object, attr: str | None, data: Mapping[str, Any] | None, **more: object) -> str:
        try:
            return game(str(value)).id
        except FormatError as error:
            raise ValidationError([Wrong(error.message, error.code)]) from None


class Several(fields.String):
    """One or more of some words in a query string, with commas between, as a set."""

    def __init__(self, words: tuple[str, ...], *, metadata: Mapping[str, Any], **more: Any) -> None:
        one = f"({'|'.join(words)})"
        super().__init__(metadata={**metadata, "pattern": f"^{one}(,{one})*$"}, **more)
        self.words = words

    def _deserialize(  # type: ignore[override] # a set in place of the text
        self, value: object, attr: str | None, data: Mapping[str, Any] | None, **more: object
    ) -> frozenset[str]:
        chosen = frozenset(str(value).split(","))
        if unknown := sorted(chosen - {*self.words}):
            raise ValidationError(choosing(Sentence("there is no {name!r}", name=unknown[0]), unknown[0], self.words))
        return chosen


class Points(fields.Integer):
    """A number of points in a query string: digits, perhaps after a minus."""

    def _deserialize(self, value: object, attr: str | None, data: Mapping[str, Any] | None, **more: object) -> int:
        if not re.fullmatch("-?[0-9]{1,15}", str(value)):
            raise ValidationError("write a number of points in digits only")
        return int(str(value))


class Flag(fields.Boolean):
    """True or false, from the 1 and 0 of a database."""

    def _serialize(self, value: object, attr: str | None, obj: object, **more: object) -> bool | None:
        return None if value is None else bool(value)


class EventList(fields.Field[list[ev.Event]]):
    """A list of events, each an object as on a line of a match file; all that is wrong with any of them is named."""

    read = staticmethod(event_of)
    """Reads one from JSON data."""
    types: ClassVar[Mapping[str, type[ev.Event]]] = ev.TYPES
    component: ClassVar[str | None] = "Event"
    """The name of the schema of each in the OpenAPI document; None: the field says it."""

    def _deserialize(self, value: object, attr: str | None, data: object, **_: object) -> list[ev.Event]:
        if not isinstance(value, list):
            raise ValidationError("send a list of events")
        events, wrong = [], []
        for index, item in enumerate(value):
            try:
                events.append(self.read(as_meant(item, index)))
            except FormatError as error:
                found = faults(item, self.types, self.read, error)
                wrong += [Wrong(fault.message, fault.code, (index, *fault.at), index) for fault in found]
                if len(wrong) >= MOST:
                    break
        if wrong:
            raise ValidationError(wrong)
        return events


class EveningEvents(EventList):
    """A list of events of a club, a session or a league."""

    read = staticmethod(shape.event_of)
    types = evenings.TYPES
    component = "EveningEvent"


class EveningEvent(fields.Field[ev.Event]):
    """One event of a club, a session or a league in an answer, always of one type."""

    def __init__(self, of: type[ev.Event], **more: Any) -> None:
        super().__init__(**more)
        self.component = f"Evening{of.__name__}"

    def _serialize(self, value: ev.Event | None, attr: str | None, obj: object, **_: object) -> Any:
        return msgspec.to_builtins(value)
