"""A package may bring an event, as it brings a game; it is judged, stored, hidden, said and packed like ours.

`tests/test_plugin.py` runs this file in a process that has the package.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import FormatError, RuleError, UnknownGameError
from cardledger.record.matches.describe import event_in_words
from cardledger.record.matches.shape import parse
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.codec import decode, decode_one
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.event_types import TYPES, add, readers
from cardledger.rules.stream import Stream
from cardledger.study.archive import files
from cardledger_web.app import create_app, ledger_of
from tests.api.recording import as_role
from tests.api.test_shared_deals import surfaces

if TYPE_CHECKING:
    from types import ModuleType

SECRET = "abracadabra"
FACES = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


@pytest.fixture
def talk() -> Iterator[ModuleType]:
    """The installed package with the game of talk."""
    known = dict(TYPES)
    yield importlib.import_module("tests.plugin.talk")
    add(*known.values())


def course(talk: ModuleType) -> list[ev.Event]:
    """Return the events of a match up to the first card."""
    return [
        ev.Open(game="high-card-talk", players=("ana", "ben")),
        ev.Deal(dealer=0, hands=(("9S",), ("TC",)), aside=tuple(face for face in FACES if face not in ("9S", "TC"))),
        ev.Bid(seat=1, amount=1),
        talk.Alert(seat=0, bidder=1, meaning=f"{SECRET}: strong"),
        ev.Bid(seat=0, amount=0),
        ev.Play(seat=1, card="TC"),
        talk.Comment(about=6, text=f"{SECRET}: she must hold the ace"),
        talk.Rumour(told=f"{SECRET} holds it", by_whom=(SECRET, "ben")),
    ]


def test_it_is_judged_by_its_phase_and_cites_a_rule(talk: ModuleType) -> None:
    stream = Stream.of(course(talk), audit=True)
    assert ("bid.alert", "allowed") in [(ruling.rule, ruling.verdict) for ruling in stream.table.trail]
    early = Stream.of(course(talk)[:2])
    with pytest.raises(RuleError, match="ben has not bid yet") as refused:
        early.append(talk.Alert(seat=0, bidder=1, meaning="strong"))
    assert refused.value.code == "bid.alert"
    assert early.seq == 2


def test_what_stands_beside_the_play_changes_nothing_and_points_to_an_event_that_is_there(talk: ModuleType) -> None:
    stream = Stream.of(course(talk)[:6])
    counted = stream.counted(6)
    stream.append(talk.Comment(about=6, text="well played"))
    assert stream.counted(7) == counted
    with pytest.raises(RuleError, match="about is 99"):
        stream.append(talk.Comment(about=99, text="?"))
    with pytest.raises(FormatError, match="cannot be amended into a comment"):
        parse(b'{"type":"amend","about":6,"event":{"type":"comment","about":6,"text":"x"}}')


def test_another_game_does_not_take_it(talk: ModuleType) -> None:
    other = Stream(ev.Open(game="ruff", players=("ana", "ben", "chloe")))
    with pytest.raises(RuleError, match="there is no comment in ruff"):
        other.append(talk.Comment(about=1, text="well"))
    with pytest.raises(RuleError, match="there is no alert in ruff"):
        other.append(talk.Alert(seat=0, bidder=1, meaning="strong"))


def test_it_is_said_in_its_own_words(talk: ModuleType) -> None:
    said = [event_in_words(event, ["Ana", "Ben"]) for event in course(talk)]
    assert said[3] == f"Ana explains the bid of Ben: {SECRET}: strong"
    assert said[6] == f"on event 6: {SECRET}: she must hold the ace"
    assert said[7] == "rumour"


def test_it_is_amended_like_any_event_of_play(talk: ModuleType) -> None:
    stream = Stream.of(course(talk))
    line = b'{"type":"amend","about":4,"event":{"type":"alert","seat":0,"bidder":1,"meaning":"weak"}}'
    amend = parse(line)
    assert ev.encode(amend) == line == ev.encode(decode_one(line.decode()))
    stream.append(amend)
    assert dict(_counting(stream))[4].meaning == "weak"


def _counting(stream: Stream) -> list[tuple[int, Any]]:
    chain, found = stream.heads[-1], []
    while chain is not None:
        found.append(chain[:2])
        chain = chain[2]
    return found


def test_readers_see_it_only_when_they_may(talk: ModuleType, tmp_path: Path) -> None:
    """At every address: while the hand is under way nothing of a comment, or of an event that says nothing of itself."""
    app = create_app(tmp_path / "talk.db")
    ledger = ledger_of(app)
    try:
        match = ledger.record(None, course(talk), 0, "test").match
        told = {
            role: {
                at: as_role(app, role).get(at).text.count(SECRET)
                for at in surfaces(app, match, 1)
                if "search" not in at
            }
            for role in ("reader", "scorer")
        }
        # What was said at the table is known at the table: the alert is the only one that readers see.
        assert told["reader"][f"/api/v1/matches/{match}/events"] == 1
        assert told["scorer"][f"/api/v1/matches/{match}/events"] == 4
        assert {f"/matches/{match}", f"/matches/{match}/audit", f"/matches/{match}/replay/1"} <= {
            at for at, times in told["scorer"].items() if times > told["reader"][at]
        }
        for text in ("she must hold", "holds it"):
            found = [at for at in told["reader"] if text in as_role(app, "reader").get(at).text]
            assert not found, text
        ledger.record(match, [ev.End()], len(course(talk)), "test")
        assert as_role(app, "reader").get(f"/api/v1/matches/{match}/events").text.count(SECRET) == 4
    finally:
        ledger.close()


def test_its_texts_are_stored_as_pseudonyms_and_come_back(talk: ModuleType, tmp_path: Path) -> None:
    with Ledger(tmp_path / "talk.db") as ledger:
        match = ledger.record(None, course(talk), 0, "test").match
        stored = [row.line for row in ledger.store.read(match)]
        assert not any(SECRET in line or "ana" in line for line in stored)
        assert [ev.bare(event) for event in ledger.events(match)][1:] == course(talk)[1:]


def test_it_is_packed_and_comes_back_byte_for_byte(talk: ModuleType, tmp_path: Path) -> None:
    with Ledger(tmp_path / "talk.db") as ledger:
        ledger.record(None, course(talk), 0, "test")
        path = tmp_path / "talk.parquet"
        packed = [*files.with_names(ledger.store.recordings(), ledger.store.names)]
        files.pack(packed, path, ledger.store.last_position())
        with files.Archive(path) as archive:
            assert [recording.lines for recording in archive.recordings()] == [each.lines for each in packed]


def test_without_the_package_its_game_is_unknown_and_the_line_is_no_damage(talk: ModuleType) -> None:
    lines = [ev.encode(event).decode() for event in course(talk)]
    assert decode(lines) == course(talk)
    for kind in ("alert", "comment", "rumour"):
        del TYPES[kind]
    readers.cache_clear()
    with pytest.raises(UnknownGameError, match="no event of type 'alert'"):
        decode(lines)


def test_an_event_of_a_package_takes_no_word_that_is_taken(talk: ModuleType) -> None:
    class Play(ev.Event, tag="play", frozen=True):
        seat: int

    with pytest.raises(ValueError, match="there is already an event 'play'"):
        add(Play)
