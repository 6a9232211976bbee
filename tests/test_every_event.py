"""What holds for every type of event, of ours and of packages: it is written and read, said, hidden and stored as it declares."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from cardledger.record.matches.describe import evening_event_in_words, event_in_words
from cardledger.record.people import people
from cardledger.record.people.names import Names
from cardledger.record.people.pseudonyms import hidden
from cardledger.record.recording.secrecy import without
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import readers
from cardledger.rules.engine.keys import UNDECLARED, keys_of
from cardledger.rules.evenings import events as evenings
from tests.plugin.events import Alert, Comment, Rumour

MATCH = [*ev.OURS, Alert, Comment, Rumour]
ALL = [*MATCH, *evenings.TYPES.values(), *people.TYPES.values()]
COMMON = frozenset(ev.Event.__struct_fields__)


def filled(cls: type[ev.Event], everything: bool = True) -> ev.Event:
    """Return an event of a type; its texts say which key they are in, and unless `everything`, it has only what it needs."""
    values = {
        field.name: value(field.type, f"<{field.name}>")
        for field in msgspec.inspect.type_info(cls).fields  # type: ignore[attr-defined]
        if field.name not in COMMON and (everything or field.required)
    }
    if issubclass(cls, ev.Amend):
        values["event"] = ev.Play(seat=1, card="<event>") if cls in MATCH else evenings.Publish(text="<event>")
    return cls(**values)


def value(kind: Any, text: str) -> Any:
    """Return a value of a type, whose texts are `text`."""
    match kind:
        case msgspec.inspect.StrType() | msgspec.inspect.AnyType():
            return text
        case msgspec.inspect.IntType():
            return 1
        case msgspec.inspect.FloatType():
            return 1.5
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.LiteralType(values=values):
            return values[0]
        case msgspec.inspect.VarTupleType(item_type=item):
            return (value(item, text),)
        case msgspec.inspect.DictType():
            return {text: text}
        case msgspec.inspect.UnionType(types=types):
            return value(max(types, key=lambda one: isinstance(one, msgspec.inspect.VarTupleType)), text)
        case msgspec.inspect.StructType(cls=cls, fields=fields):
            return cls(**{field.name: value(field.type, text) for field in fields if field.required})
        case msgspec.inspect.Metadata(type=inner):
            return value(inner, text)
    raise AssertionError(kind)


@pytest.mark.parametrize("cls", ALL)
def test_it_is_written_and_read_back(cls: type[ev.Event]) -> None:
    for event in (filled(cls), filled(cls, everything=False)):
        read = people.decode if cls in people.TYPES.values() else evenings.decode
        if cls in ev.OURS:
            read = readers().one.decode
        elif cls in MATCH:
            read = msgspec.json.Decoder(cls).decode
        assert ev.encode(read(ev.encode(event))) == ev.encode(event)


@pytest.mark.parametrize("cls", [*MATCH, *evenings.TYPES.values()])
def test_it_is_said_with_all_its_keys_and_with_only_what_it_needs(cls: type[ev.Event]) -> None:
    for event in (filled(cls), filled(cls, everything=False)):
        if cls is not ev.Give or event.card is not UNSET:  # type: ignore[attr-defined]
            words = event_in_words(event, ["ana", "ben"]) if cls in MATCH else evening_event_in_words(event)
            assert words.strip()
            assert "{" not in words


@pytest.mark.parametrize("cls", ALL)
def test_what_not_all_may_see_is_taken_out_of_it(cls: type[ev.Event]) -> None:
    """A key that says nothing is taken out with those that say they are hidden, and so are a lack of any word and new keys."""
    event, keys = filled(cls), keys_of(cls)
    shown = ev.encode(without(event, keys, {"table", "seats", "recorder", "scorers"})).decode()
    secret = [field for field, key in keys.items() if key.seen != "all"]
    assert not [field for field in secret if f"<{field}>" in shown]
    if shown.startswith('{"type":"withheld"'):
        return
    for field, key in keys.items():
        assert key.seen != "all" or f"<{field}>" not in ev.encode(event).decode() or f"<{field}>" in shown


@pytest.mark.parametrize("cls", ALL)
def test_the_texts_of_people_are_stored_as_pseudonyms(cls: type[ev.Event]) -> None:
    event = filled(cls)
    lines, _ = hidden([event], Names(lambda words: []))
    for field, key in keys_of(cls).items():
        if key.stored in ("player", "name", "text"):
            assert f"<{field}>" not in lines[0]


@pytest.mark.parametrize("cls", [*ev.OURS, *evenings.TYPES.values(), *people.TYPES.values()])
def test_ours_say_what_every_key_holds(cls: type[ev.Event]) -> None:
    assert UNDECLARED not in keys_of(cls).values()
    assert cls.__doc__
