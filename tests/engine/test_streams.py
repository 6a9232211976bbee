"""A stream over a match of the next engine: editions, rulings, and a match that is void."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from cardledger.errors import FormatError, RuleError
from cardledger.record.matches.replay import result
from cardledger.rules import games
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.shown import Fact, Shown
from cardledger.rules.stream import Stream
from tests.tables import opening, step


@pytest.mark.parametrize("game", ["diversity", "ruff", "whist", "hecto-diversity"])
def test_a_restored_void_match_is_unchanged(game: str) -> None:
    stream, rng = Stream(opening(game, 4), begin=games.start), Random(1)
    for _ in range(30):
        stream.append(step(stream.table, rng))
    before = result(stream.table)
    stream.append(ev.Void(reason="wrong table"))
    assert (stream.table.status, stream.table.winners) == ("void", [])
    for event in (ev.Void(), ev.End(), ev.Pass(seat=0), ev.Score(scores=(0, 0, 0, 0))):
        with pytest.raises(RuleError, match="the match is void"):
            stream.append(event)
    stream.append(ev.Retract(to=stream.seq - 1))
    assert result(stream.table) == before


def test_a_copy_of_a_stream_stays_with_its_engine() -> None:
    stream = Stream(opening("ruff", 4), begin=games.start).copy()
    stream.append(ev.Retract(to=1))
    assert type(stream.table) is type(games.start(opening("ruff", 4)))


def test_an_amended_opening_without_an_edition_keeps_the_old_edition() -> None:
    first = msgspec.structs.replace(opening("ruff", 4), rules="ruff/1")
    stream = Stream(first, begin=games.start)
    stream.append(ev.Amend(about=1, event=opening("ruff", 4, "record")))
    assert (stream.table.game.book.edition, stream.table.strict) == ("ruff/1", False)
    stream.append(ev.Amend(about=1, event=msgspec.structs.replace(first, rules="ruff/2")))
    assert stream.table.game.book.edition == "ruff/2"
    newest = Stream(opening("ruff", 4), begin=games.start)
    newest.append(ev.Amend(about=1, event=opening("ruff", 4, "record")))
    assert newest.table.game.book.edition == "ruff/2"


def test_a_ruling_is_amended_into_a_ruling_only() -> None:
    stream = Stream(opening("whist", 4), begin=games.start)
    with pytest.raises(RuleError, match="no adjust in whist"):
        stream.append(ev.Adjust(kind="stands", law="64B"))
    deal: Any = ev.Deal(dealer=0, hands=None, upcard=None)
    stream.append(deal)
    with pytest.raises(RuleError, match="cannot be amended into"):
        stream.append(ev.Amend(about=2, event=ev.Adjust(kind="stands", law="64B")))
    with pytest.raises(FormatError, match=r"^format\.value"):
        Stream(opening("diversity", 4), begin=games.start).append(ev.Discard(seat=0, card=None))


def test_a_fact_cannot_replace_a_key_of_every_table() -> None:
    fact = Fact("turn", "Turn", "hand", "int")
    with pytest.raises(ValueError, match="'turn'"):
        Shown(facts=(fact,))
    assert Shown(facts=(replace(fact, table=False),)).facts
