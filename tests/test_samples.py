"""The samples: each replays to its expected result, and together they exercise every rule of every rulebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardledger.record.matches.matchfile import MatchInFile, read_file, write
from cardledger.record.matches.replay import audit, result
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games

SAMPLES = Path(__file__).parent.parent / "samples"
FILES = sorted(SAMPLES.glob("*.jsonl"))


def matches(path: Path) -> list[MatchInFile]:
    found = list(read_file(path))
    assert all(isinstance(match, MatchInFile) for match in found), found
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sample_replays_to_its_expected_result(path: Path) -> None:
    expected = path.with_suffix(".expected.json").read_text().splitlines()
    assert [result(match.stream.table) for match in matches(path)] == [json.loads(line) for line in expected]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sample_is_written_again_to_the_same_bytes(path: Path) -> None:
    assert b"".join(write(match.events) for match in matches(path)) == path.read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sample_says_where_it_comes_from(path: Path) -> None:
    for match in matches(path):
        last = match.events[-1]
        assert isinstance(last, ev.Note)
        assert last.text.startswith("Source: ")
    assert f"`{path.name}`" in (SAMPLES / "README.md").read_text()


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_together_the_samples_exercise_every_rule(game) -> None:
    cited = {
        ruling.rule
        for path in FILES
        for match in matches(path)
        if match.stream.table.game is game
        for entry in audit(match.events)
        for ruling in entry.rulings
    }
    assert [rule.id for rule in game.book if rule.id not in cited] == []


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_every_breakable_rule_is_broken_in_a_sample(game) -> None:
    broken = {
        found.rule
        for path in FILES
        for match in matches(path)
        if match.stream.table.game.id.startswith(game.id.removesuffix("-2"))
        for found in match.stream.table.violations
    }
    assert [rule.id for rule in game.book if rule.breakable and rule.id not in broken] == []


def test_every_game_has_at_least_two_matches() -> None:
    played = [match.stream.table.game.id for path in FILES for match in matches(path)]
    assert all(played.count(id) >= 2 for id in games())


def test_the_samples_show_every_way_a_match_is_recorded() -> None:
    all_matches = [match for path in FILES for match in matches(path)]
    kinds = {type(event) for match in all_matches for event in match.events}
    assert kinds == set(ev.TYPES.values())
    assert any(hand.hidden for match in all_matches for hand in match.stream.table.hands)
    assert {match.stream.table.opening.policy for match in all_matches} == {"strict", "record"}
