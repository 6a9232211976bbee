"""Spelling: unreadable names are refused, and names that may be the same person are found."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import assume, given
from hypothesis import strategies as st

from cardledger.cli.main import main
from cardledger.errors import RuleError
from cardledger.record.people.people import Name
from cardledger.record.people.spelling import difference, expect_name, similar_names, similar_pairs, tidy_name
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev

LETTERS = "abcdeéÉ \u00f1N"
names = st.text(LETTERS, min_size=1, max_size=8)


@pytest.mark.parametrize("name", ["ana", "Ana Lima", "José", "Ø", "O'Neill", "Ана", "李小龍", "محمد", "a.", "...", "🂡"])
def test_ordinary_names_are_accepted(name: str) -> None:
    expect_name(name)
    assert tidy_name(name) == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "0 characters"),
        ("x" * 65, "65 characters"),
        (" ana", "space"),
        ("ana ", "space"),
        ("ana\u00a0", "space"),
        (".", "address"),
        ("..", "address"),
        ("a\u200bna", "U+200B (ZERO WIDTH SPACE)"),
        ("an\u00ada", "U+00AD (SOFT HYPHEN)"),
        ("\u202eana", "U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        ("ana\u2066", "U+2066 (LEFT-TO-RIGHT ISOLATE)"),
        ("ana\u3164b", "U+3164 (HANGUL FILLER)"),
        ("ana\ufe0f", "U+FE0F (VARIATION SELECTOR-16)"),
        ("a\u2800b", "U+2800 (BRAILLE PATTERN BLANK)"),
        ("ana\u00a0lima", "U+00A0 (NO-BREAK SPACE)"),
        ("a\tb", "U+0009"),
        ("a\u0000b", "U+0000"),
        ("\u0301ana", "accent that belongs to no letter"),
        ("Jose\u0301", "NFC"),
    ],
)
def test_an_unreadable_name_is_refused_with_the_reason(name: str, said: str) -> None:
    with pytest.raises(RuleError) as refused:
        expect_name(name)
    assert refused.value.code == "people.name"
    assert said in refused.value.message
    assert refused.value.message.isascii(), "what cannot be seen is written as an escape"


@given(st.text(max_size=70))
def test_a_tidy_name_stays_tidy_and_two_accepted_names_never_look_the_same_by_form_alone(text: str) -> None:
    tidy = tidy_name(text)
    assert tidy_name(tidy) == tidy
    try:
        expect_name(text)
    except RuleError:
        return
    assert unicodedata.normalize("NFC", text) == text
    assert text == text.strip() and text.isprintable()


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ("ana", "Ana", "case"),
        ("STRASSE", "straße", "case"),
        ("José", "Jose", "accents"),
        ("Søren", "soren", "accents"),
        ("Łukasz", "Lukasz", "accents"),
        ("ana", "ann", "one letter"),
        ("ana", "hana", "one letter"),
        ("chloe", "chole", "one letter"),
        ("Ana Lima", "AnaLima", "one letter"),
        ("Müller", "Muler", "one letter"),
        ("ana", "\u0430n\u0430", "looks"),  # a Cyrillic a
        ("ana", "ben", None),
        ("a", "b", None),
        ("al", "ali", None),
        ("bot 1", "bot 2", None),
        ("team 1", "team 11", None),
        ("anna", "hana", None),
        ("ana", "ana", None),
    ],
)
def test_names_that_differ_by_case_accents_or_one_letter_are_similar(one: str, other: str, differs: str | None) -> None:
    assert difference(one, other) == difference(other, one) == differs
    assert similar_names(one, [other, "zzzzzzz", one]) == ([other] if differs else [])


def test_the_most_similar_names_come_first() -> None:
    assert similar_names("ana", ["anna", "Ána", "Ana", "ben"]) == ["Ana", "Ána", "anna"]


@given(st.lists(names, max_size=12))
def test_the_pairs_of_many_names_are_those_of_comparing_each_with_each(many: list[str]) -> None:
    expected = {(one, other) for one in many for other in many if one < other and difference(one, other) is not None}
    found = similar_pairs(many)
    assert {(pair.one, pair.other) for pair in found} == expected
    assert found == sorted(found)


@given(names, st.integers(0, 7), st.sampled_from("xyz"))
def test_one_slip_of_the_hand_is_always_found(name: str, place: int, letter: str) -> None:
    assume(len(name) >= 3)
    slip = name[:place] + letter + name[place:]
    assert similar_names(name, [slip]) == [slip]
    assert similar_names(slip, [name]) == [name]


def test_new_openings_and_renames_follow_the_rule_and_old_openings_stay(tmp_path: Path) -> None:
    good, bad = ev.Open(game="ruff", players=("a", "b", "c")), ev.Open(game="ruff", players=("a", "b\u200b", "c"))
    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, [good], 0).match
        for events, at in (([bad], 0), ([ev.Amend(about=1, event=bad)], 1)):
            with pytest.raises(RuleError, match="200B") as refused:
                ledger.record(match if at else None, events, at)
            assert (refused.value.code, refused.value.index) == ("people.name", 0)
        with pytest.raises(RuleError, match="NFC"):
            ledger.record_people([Name(player="a", name="Jose\u0301")], 0, "cardledger")
        old = msgspec.structs.replace(bad, at="2020-01-01T00:00:00Z")
        assert ledger.stream(ledger.record(None, [old], 0).match).table.players == ("a", "b\u200b", "c")


def test_the_command_line_warns_of_new_names_that_look_like_known_ones_and_lists_the_suspects(tmp_path: Path) -> None:
    def run(*words: str) -> Result:
        return CliRunner().invoke(main, [*words, "--db", str(tmp_path / "club.db")])

    files = []
    for number, players in enumerate([["anna", "ben", "chloe"], ["Anna", "bem", "dev"], ["anna", "ben", "chloé"]]):
        files.append(tmp_path / f"{number}.jsonl")
        files[-1].write_text(
            json.dumps({"type": "open", "game": "ruff", "players": players, "event": str(number)}) + "\n"
        )
    assert "similar" not in run("import", str(files[0])).stderr
    told = run("import", str(files[1])).stderr
    assert "Anna is new and looks like anna" in told and "bem is new and looks like ben" in told and "dev" not in told
    run("import", str(files[2]))
    assert "similar" not in run("import", str(files[1])).stderr, "known by now"
    listed = [line.split()[:2] for line in run("people", "similar").stdout.splitlines()[1:]]
    assert listed == [["Anna", "anna"], ["bem", "ben"], ["chloe", "chloé"]]


def test_naming_a_person_by_command_warns_of_similar_names(tmp_path: Path) -> None:
    def told(*words: str) -> str:
        done = CliRunner().invoke(main, [*words, "--db", str(tmp_path / "club.db")])
        assert done.exit_code == 0, done.stderr
        return done.stderr

    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, [ev.Open(game="ruff", players=("anna", "ben", "chloe"))], 0).match
    assert "Benn is new and looks like ben;" not in told("people", "name", "ben", "Benn"), "the person's own id"
    assert told("people", "name", "ben", "Ben Oak") == "", "and the name they had"
    assert "Anna is new and looks like anna;" in told("people", "name", "chloe", "Anna")
    assert "another person is called Ben Oak too" in told("people", "name", "chloe", "Ben Oak")
    assert "another person is called anna too" in told("people", "name", "chloe", "anna")
    assert told("people", "name", "chloe", "Chloe Fir") == told("people", "name", "chloe") == ""
    assert "Bem Oak is new and looks like Ben Oak;" in told("people", "sat", match, "0", "Bem Oak")
    assert told("people", "sat", match, "0", "anna") == told("people", "sat", match, "0") == ""
    assert "chloé is new and looks like chloe;" in told("amend", match, "1", "players=anna,ben,chloé")
