"""What holds for every type of event, of ours and of packages: it is written and read, said, hidden and stored as it declares."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from cardledger.errors import LedgerError
from cardledger.record.matches.describe import evening_event_in_words, event_in_words
from cardledger.record.matches.withholding import without
from cardledger.record.people import people
from cardledger.record.people.names import Names
from cardledger.record.people.pseudonyms import hidden
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import readers
from cardledger.rules.engine.keys import UNDECLARED, keys_of
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.games import games
from cardledger.rules.lessons import lesson_events as lessons
from tests.plugin.events import Alert, Comment, Rumour

MATCH = [*ev.OURS, Alert, Comment, Rumour]
ALL = [*MATCH, *evenings.TYPES.values(), *lessons.TYPES.values(), *people.TYPES.values()]
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
        if cls in lessons.TYPES.values():
            read = msgspec.json.Decoder(lessons.AnyEvent).decode
        elif cls in ev.OURS:
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
    shown = ev.encode(without(event, keys, {"table", "seats", "recorder", "scorers", "admins"})).decode()
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


def free_texts(kind: Any) -> bool:
    """Tell whether a value of a type may hold any text, however deep."""
    match kind:
        case msgspec.inspect.StrType() | msgspec.inspect.AnyType():
            return True
        case msgspec.inspect.VarTupleType(item_type=item):
            return free_texts(item)
        case msgspec.inspect.DictType(key_type=key, value_type=item):
            return free_texts(key) or free_texts(item)
        case msgspec.inspect.UnionType(types=types):
            return any(map(free_texts, types))
        case msgspec.inspect.StructType(fields=fields):
            return any(free_texts(field.type) for field in fields)
        case msgspec.inspect.Metadata(type=inner):
            return free_texts(inner)
    return False


@pytest.mark.parametrize("cls", [*ev.OURS, *evenings.TYPES.values(), *people.TYPES.values()])
def test_only_what_the_rules_judge_is_stored_in_clear_although_it_may_be_any_text(cls: type[ev.Event]) -> None:
    """Cards, calls and games are refused unless the game knows them; an erasure holds pseudonyms."""
    keys = keys_of(cls)
    for field in msgspec.inspect.type_info(cls).fields:  # type: ignore[attr-defined]
        if field.name not in COMMON and keys[field.name].stored == "clear" and free_texts(field.type):
            assert keys[field.name].said in ("cards", "call", "game", "event") or cls is people.Erase, field.name


@pytest.mark.parametrize("cls", [*ev.OURS, *evenings.TYPES.values(), *people.TYPES.values()])
def test_a_word_that_is_none_of_the_program_is_stored_as_a_pseudonym(cls: type[ev.Event]) -> None:
    lines, names = hidden([filled(cls)], Names(lambda words: []))
    for field, key in keys_of(cls).items():
        assert key.stored != "word" or f"<{field}>" not in lines[0]
    assert {named.kind for named in names} <= {"player", "name", "label", "text"}


def test_the_words_of_the_program_stay_in_clear() -> None:
    opening = ev.Open(
        game="diversity", players=("ana", "ben"), options={"hands": 1}, rules="diversity/2", date="2026-01-06"
    )
    ruling = ev.Adjust(kind="assigned", law="12C1(b)", to="ns", ns=(ev.Weighted(weight=100, contract="4SX"),))
    night = "session-0b54a1a2-0000-4000-8000-000000000001"
    lines, _ = hidden([opening, ruling, evenings.Counts(session=night)], Names(lambda words: []))
    for word in ("hands", "diversity/2", "2026-01-06"):
        assert f'"{word}"' in lines[0]
    assert '"law":"12C1(b)","to":"ns","ns":[{"weight":100,"contract":"4SX"}]' in lines[1]
    assert night in lines[2]


@pytest.mark.parametrize("id", games())
def test_no_game_takes_a_name_for_a_card_or_a_call(id: str, tmp_path: Path) -> None:
    """They are stored in clear."""
    game = games()[id]
    n = game.sizes[0]
    opening = ev.Open(game=id, players=tuple("abcdefgh"[:n]), policy="record")
    with Ledger(tmp_path / "club.db") as ledger:
        for events in (
            [ev.Deal(dealer=0, hands=(("Xanthippe",),) * n)],
            [ev.Deal(dealer=0, hands=None, contract="Xanthippe", declarer=0)],
            [ev.Deal(dealer=0, hands=None, upcard="Xanthippe")],
            [ev.Deal(dealer=0, hands=None, aside=("Xanthippe",))],
            [ev.Deal(dealer=0, hands=None, stock=("Xanthippe",))],
            [ev.Deal(starter=0, hands=None), ev.Play(seat=0, card="Xanthippe")],
            *([ev.Deal(dealer=0, hands=None), event] for event in (
                ev.Play(seat=1, card="Xanthippe"), ev.Call(seat=1, call="Xanthippe"), ev.Call(seat=0, call="Xanthippe"),
                ev.Draw(seat=1, source="stock", cards=("Xanthippe",)), ev.Discard(seat=1, card="Xanthippe"),
                ev.Close(seat=1, card="Xanthippe"), ev.Layoff(seat=1, card="Xanthippe"),
                ev.Give(seat=1, to=0, card="Xanthippe"), ev.Give(seat=1, to=0, cards=("Xanthippe",)),
            )),
        ):  # fmt: skip
            with suppress(LedgerError):
                ledger.record(None, [opening, *events], 0)
        assert "Xanthippe" not in "".join(row.line for row in ledger.store.read_all())
