"""What people say about a match: comments and lines are events, judged, kept as a tree, taken back, erased."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.record.matches.hand_replay import HandReplay
from cardledger.record.matches.moves import event_of_move, kinds_of, move_of
from cardledger.record.matches.tried_lines import TriedLines
from cardledger.record.recording.discussions import comment, in_json, keep_line, told, withdraw
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.line_tree import tree
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.lessons import discussion
from cardledger.rules.stream import Stream
from tests.conftest import EVERYDAY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "club.db") as ledger:
        yield ledger


def played(ledger: Ledger, game: str = "whist", seed: int = 1) -> str:
    """Record a hand between bots."""
    sizes = games()[game].sizes
    events = simulate(game, 4 if 4 in sizes else sizes[0], Random(seed), ["cautious"], max_hands=1)
    return ledger.record(None, events, 0).match


def recorded(ledger: Ledger, match: str) -> list[tuple[int, str]]:
    """The moves of the record, with their numbers."""
    stream, events = ledger.stream(match), ledger.events(match)
    kinds = kinds_of(stream.table.game)
    steps = HandReplay(stream, events, 1).steps
    said = [(step.seq, msgspec.to_builtins(step.counts)) for step in steps if step.counts is not None]
    return [(seq, move_of(each, kinds)) for seq, each in said if each["type"] in kinds]


def others(ledger: Ledger, match: str, base: int, number: int = 2) -> list[list[str]]:
    """Lines of some moves after an event that leave the record at once."""
    events = ledger.events(match)
    stream = Stream.of(events[:base])
    kinds = kinds_of(stream.table.game)
    then = dict(recorded(ledger, match)).get(base + 1)
    lines = []
    for choice in stream.table.choices():
        for event in events_of(choice) if choice.seat is not None else ():
            move = move_of(msgspec.to_builtins(event), kinds) if ev.type_of(event) in kinds else then
            if move != then and TriedLines(ledger.stream(match), events).fits(base, [move]):
                lines.append([move])
    return lines[:number]


def first_choice(ledger: Ledger, match: str) -> tuple[int, list[list[str]]]:
    """The first event after which the game offers two other moves, and these."""
    for seq, _ in recorded(ledger, match):
        lines = others(ledger, match, seq)
        if len(lines) == 2:
            return seq, lines
    raise AssertionError("nothing to choose")


@pytest.mark.parametrize("game", EVERYDAY)
def test_lines_of_every_game_are_kept_and_meet_in_a_tree(ledger: Ledger, game: str) -> None:
    match = played(ledger, game)
    seq, (one, two) = first_choice(ledger, match)
    before = [(at, move) for at, move in recorded(ledger, match) if at <= seq]
    start = before[0][0] - 1
    whole = [move for _, move in before]
    keep_line(ledger, match, seq, "ana", one, "test", name="one")
    keep_line(ledger, match, start, "ben", [*whole, *one], "test", text="the same, from further back")
    keep_line(ledger, match, seq, "cem", two, "test")
    stream, events = ledger.stream(match), ledger.events(match)
    branches = tree(TriedLines(stream, events), told(ledger, match))
    assert [(branch.base, branch.moves, len(branch.lines)) for branch in branches] == [
        (seq, tuple(one), 2),
        (seq, tuple(two), 1),
    ]
    assert all(in_json(TriedLines(stream, events), each)["fits"] for each in told(ledger, match))


def test_a_line_goes_on_from_another(ledger: Ledger) -> None:
    match = played(ledger)
    seq, (one, _) = first_choice(ledger, match)
    stream = Stream.of(ledger.events(match)[:seq])
    kinds = kinds_of(stream.table.game)
    keep_line(ledger, match, seq, "ana", one, "test")
    for move in one:
        stream.append(event_of_move(move, kinds))
    event = next(event for choice in stream.table.choices() if choice.seat is not None for event in events_of(choice))
    longer = [*one, move_of(msgspec.to_builtins(event), kinds)]
    keep_line(ledger, match, seq, "ben", longer, "test")
    (branch,) = tree(TriedLines(ledger.stream(match), ledger.events(match)), told(ledger, match))
    assert [each.entry.author for each in branch.lines] == ["ana"]
    assert [(each.moves, [one.entry.author for one in each.lines]) for each in branch.then] == [
        (tuple(longer), ["ben"])
    ]


def test_a_move_that_the_rules_forbid_is_refused_with_its_place_and_nothing_is_kept(ledger: Ledger) -> None:
    match = played(ledger)
    seq, (one, _) = first_choice(ledger, match)
    with pytest.raises(RuleError) as refused:
        keep_line(ledger, match, seq, "ana", [*one, one[0]], "test")
    assert refused.value.index == 1
    for moves in (["play"], ["sing.1"], ["play.1.9X.4.4"]):
        with pytest.raises(LedgerError):
            keep_line(ledger, match, seq, "ana", moves, "test")
    with pytest.raises(RuleError, match="events 1 to"):
        comment(ledger, match, 9999, "ana", "where?", "test")
    assert told(ledger, match) == []


def test_a_line_that_a_correction_has_overtaken_says_so_and_stays(ledger: Ledger) -> None:
    match = played(ledger)
    seq, (one, _) = first_choice(ledger, match)
    keep_line(ledger, match, seq, "ana", one, "test")
    ledger.record(match, [ev.Retract(to=2)], ledger.stream(match).seq)
    stream, events = ledger.stream(match), ledger.events(match)
    (kept,) = told(ledger, match)
    assert in_json(TriedLines(stream, events), kept)["fits"] is (seq <= 2)


def test_what_is_said_is_taken_back_and_is_not_said_twice(ledger: Ledger) -> None:
    match = played(ledger)
    first = comment(ledger, match, 3, "ana", "Why not the ten?", "test")
    second = comment(ledger, match, 3, "ben", "It was gone.", "test")
    assert [(each.number, each.entry.text) for each in told(ledger, match)] == [
        (first, "Why not the ten?"),
        (second, "It was gone."),
    ]
    withdraw(ledger, match, first, "test")
    assert [each.number for each in told(ledger, match)] == [second]
    with pytest.raises(RuleError, match="no comment or line"):
        withdraw(ledger, match, first, "test")
    with pytest.raises(RuleError, match="nobody has said"):
        withdraw(ledger, played(ledger, seed=2), 1, "test")


def test_an_erased_author_is_gone_with_what_names_them(ledger: Ledger) -> None:
    match = played(ledger)
    comment(ledger, match, 3, "Zenobia Quist", "Zenobia Quist says: not the ten", "test")
    comment(ledger, match, 3, "ben", "what Zenobia Quist said", "test")
    erase(ledger, examine(ledger, "Zenobia Quist"), "test")
    assert not any("Zenobia" in row.line for row in ledger.cleared(ledger.store.read(f"discussion-{match}")))
    shown = told(ledger, match)
    assert len(shown) == 2
    assert not any("Zenobia" in f"{each.entry.author} {each.entry.text}" for each in shown)


def test_there_is_room_for_so_many(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discussion, "MOST_ENTRIES", 3)
    match = played(ledger)
    for number in range(3):
        comment(ledger, match, 2, "ana", f"{number}", "test")
    with pytest.raises(FormatError, match="at most 3"):
        comment(ledger, match, 2, "ana", "one more", "test")


def test_two_who_speak_at_once_are_both_heard(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(ledger)
    lengths = ledger.store.lengths

    def late(streams: Sequence[str]) -> object:
        found = lengths(streams)
        if not spoken:
            spoken.append(1)
            comment(ledger, match, 2, "ben", "first", "test")
        return found

    spoken: list[int] = []
    monkeypatch.setattr(ledger.store, "lengths", late)
    comment(ledger, match, 2, "ana", "second", "test")
    assert [each.entry.text for each in told(ledger, match)] == ["first", "second"]


def test_it_is_verified_and_rebuilt_like_everything(ledger: Ledger) -> None:
    match = played(ledger)
    comment(ledger, match, 3, "ana", "Why not the ten?", "test")
    assert [problem for _, problem in ledger.verify() if problem] == []
    rows = ledger.views.current.execute("SELECT * FROM lessons").fetchall()
    assert len(rows) == 1
    for _ in ledger.rebuild():
        pass
    assert ledger.views.current.execute("SELECT * FROM lessons").fetchall() == rows


def test_many_lines_of_a_hand_are_read_in_one_pass_over_the_record(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match before the lines is folded once, whatever their number; and there are so many at most."""
    monkeypatch.setattr(discussion, "MOST_LINES", 40)
    match = played(ledger)
    moves = recorded(ledger, match)
    for number in range(40):
        seq, move = moves[1 + number % 20]
        keep_line(ledger, match, seq - 1, "ana", [move], "test")
    with pytest.raises(FormatError, match="at most 40 lines"):
        keep_line(ledger, match, moves[0][0] - 1, "ana", [moves[0][1]], "test")
    stream, events = ledger.stream(match), ledger.events(match)
    folded = []
    extend = Stream.extend
    monkeypatch.setattr(Stream, "extend", lambda self, some: folded.append(len(some)) or extend(self, some))
    tried = TriedLines(stream, events)
    assert all(in_json(tried, one)["fits"] for one in told(ledger, match))
    assert len(tree(tried, told(ledger, match))) == 20
    assert sum(folded) <= len(events)
