"""A contract and its result on one line, in every way that people write it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import FormatError
from cardledger.record.matches.results_only import record_line
from cardledger.rules import HandOnLine, LineWords
from cardledger.rules.engine import events as ev
from cardledger.rules.games import start
from cardledger.rules.games.bridge.contract_line import (
    STRAIN_WORDS,
    STRAIN_WORDS_IN,
    ContractMade,
    outcome_of,
    read_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = LineWords(("Nora", "Sven", "Walter", "Tom Sawyer"))
SEATS = (
    ("N", "north", "1", "Nora", "nor"),
    ("e", "East", "2", "sven", "sv"),
    ("S", "south", "3", "WALTER", "wal"),
    ("w", "West", "4", "Tom Sawyer", "t"),
)
STRAINS = {
    "C": ("c", "♣", "C"), "D": ("d", "♦"), "H": ("H", "♥\ufe0f", "♥\ufe0e"), "S": ("S", "s", "♠"), "NT": ("NT", "n", "nt"),
}  # fmt: skip


def contracts() -> Iterator[tuple[str, ContractMade]]:
    """Yield lines as people write contracts, with what each means."""
    for level, (strain, spellings), doubles, declarer in product((1, 4, 7), STRAINS.items(), ("", "X", "XX"), range(4)):
        for tricks in (0, 6, 7, 9, 13):
            over = tricks - 6 - level
            results = [f"{over:+}", f"{over:+}".replace("-", "−")] + (["="] if over == 0 else [])
            results += [str(tricks)] if tricks > 6 else []
            meant = ContractMade(f"{level}{strain}{doubles}", declarer, tricks)
            for spelling, who, result in product(spellings, SEATS[declarer], results):
                short = len(who) == 1 and not who.isdigit()
                yield f"{level}{spelling}{doubles} {who} {result}", meant
                if short and who != "t" and over > -7:
                    yield f"{level}{spelling}{doubles.lower()}{who}{result}", meant
                if not result.isdigit() and over > -7:
                    yield f" {level} {spelling} {doubles.replace('X', '*')} {who}{result} ", meant


def test_a_contract_is_what_was_written_in_every_notation() -> None:
    lines = [*contracts()]
    wrong = [(text, meant) for text, meant in lines if outcome_of(text, TABLE) != meant]
    assert len(lines) > 10_000
    assert not wrong, wrong[:5]


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (
            "",
            (
                "4S 10", "4S N", "3NT 9", "4S N 5", "3NT 3 14", "7NT N +1", "1C N -8", "4S 0 10", "4S 5 10", "8S N 8",
                "4S110", "4 N 10", "4S so 10", "4C Q =", "4S xyz +1", "", "4S1 10 10", "4P N 10", "4S O =", "4S \u0664 10",
            ),
        ),
        ("de", ("4C N 10", "4SA 10", "4P so 10")),
        ("fr", ("4C N 10", "3SA 9")),
    ],
)  # fmt: skip
def test_what_cannot_be_read_or_in_two_ways_is_asked_about(language: str, texts: tuple[str, ...]) -> None:
    table = LineWords(("Nora", "Sonja", "Walter", "Tom"), language)
    for text in texts:
        with pytest.raises(FormatError) as refused:
            outcome_of(text, table)
        assert refused.value.code == "format.value", text


def test_a_question_names_both_readings() -> None:
    named = LineWords(("S", "Ann", "Ben", "Cai"))
    with pytest.raises(FormatError, match="4H S or 4H Ben"):
        outcome_of("4H S =", named)
    assert outcome_of("4H N =", named) == ContractMade("4H", 0, 10)
    with pytest.raises(FormatError, match="4C N or 4H N"):
        outcome_of("4C N =", LineWords(language="de"))


@pytest.mark.parametrize(
    ("language", "text", "contract", "declarer"),
    [
        ("de", "3SA O 9", "3NT", 1), ("de", "4P S =", "4S", 2), ("de", "2K e +1", "2D", 1), ("de", "4Herz N 10", "4H", 0),
        ("de", "3 ohne süd 9", "3NT", 2), ("fr", "3 sans atout O 9", "3NT", 3), ("fr", "4P Est =", "4S", 1),
        ("fr", "2 cœur ouest 8", "2H", 3), ("xx", "2H W 8", "2H", 3),
    ],
)  # fmt: skip
def test_suits_and_seats_have_the_words_of_a_language(language: str, text: str, contract: str, declarer: int) -> None:
    found = outcome_of(text, LineWords(language=language))
    assert found is not None
    assert found[:2] == (contract, declarer)


@pytest.mark.parametrize("minus", ["-", "\u2212", "\u2010", "\u2011", "\u2013", "\u2014", "\ufe63", "\uff0d"])
@pytest.mark.parametrize("blank", [" ", "\xa0", "\u2009", "\t", " \u200b"])
def test_signs_that_phones_put_in_are_the_same_line(minus: str, blank: str) -> None:
    assert outcome_of(blank.join(("4\u2660\ufe0f", "N", f"{minus}1")), TABLE) == ContractMade("4S", 0, 9)
    assert outcome_of(blank.join(("\ufeff3\uff2e\uff34\xd7", "W", minus, "1")), TABLE) == ContractMade("3NTX", 3, 8)


def test_tricks_after_a_dash_are_never_tricks_down() -> None:
    for text in ("4SN-10", "4S N-10", "4S N - 10", "4S Nora \u2013 10", "7NT 1-13"):
        with pytest.raises(FormatError, match="may be tricks down, or tricks after a dash"):
            outcome_of(text, TABLE)
    assert outcome_of("4S N -10", TABLE) == ContractMade("4S", 0, 0)
    assert outcome_of("4S N - 6", TABLE) == ContractMade("4S", 0, 4)


def test_the_end_of_a_word_is_no_double_and_no_seat() -> None:
    """A word that is longer than one that is known is another word."""
    words = {**STRAIN_WORDS, **{word: suits for named in STRAIN_WORDS_IN.values() for word, suits in named.items()}}
    for word, end, language in product((one for one in words if len(one) > 2), "xsneow", ("", "de", "fr")):
        try:
            found = outcome_of(f"2 {word}{end} W 8", LineWords(language=language))
        except FormatError:
            continue
        assert found in [ContractMade(f"2{suit}", 3, 8) for suit in words.get(f"{word}{end}", ())], (word, end)


def test_a_letter_of_a_seat_in_another_language_is_asked_about() -> None:
    table = ("Olga", "Ina", "Uwe", "Estelle")
    for text in ("4S O 10", "4S Est ="):
        with pytest.raises(FormatError, match="this may be"):
            outcome_of(text, LineWords(table))
    assert outcome_of("4S O 10", LineWords(table, "de")) == ContractMade("4S", 1, 10)
    assert outcome_of("4S O 10", LineWords(table, "fr")) == ContractMade("4S", 3, 10)
    assert outcome_of("4S Ol 10", LineWords(table)) == ContractMade("4S", 0, 10)


@pytest.mark.parametrize("text", ["p", "Pass", "passed out", "ALL PASS", "Passe", "alle passen", "passé"])
def test_a_board_passed_out_is_four_passes(text: str) -> None:
    assert read_line(text, TABLE) == HandOnLine({}, calls=("pass",) * 4)


def test_a_line_becomes_the_events_of_its_hand_on_the_next_board() -> None:
    match = start(ev.Open(game="bridge", players=("Nora", "Sven", "Walter", "Tom"), options={"boards": 3}))
    boards = (14, 15, 16)
    assert record_line(match, "4S w +1", TABLE, boards=boards) == [
        ev.Deal(hands=None, board=14, contract="4S", declarer=3), ev.Claim(tricks=(2, 11, 0, 0)),
    ]  # fmt: skip
    passed = record_line(match, "pass", TABLE, boards=boards)
    assert [getattr(event, "seat", None) for event in passed[1:]] == [2, 3, 0, 1], "from the dealer of board 15 on"
    record_line(match, "3NTxx N -1", TABLE, boards=boards)
    assert [hand.scores for hand in match.hands] == [[-450, 450, -450, 450], [0] * 4, [-200, 200, -200, 200]]


def test_other_games_have_numbers_in_place_of_a_contract() -> None:
    match = start(ev.Open(game="whist", players=("a", "b", "c", "d")))
    with pytest.raises(FormatError, match="tricks of Ann and Cem, tricks of Ben and Dev"):
        record_line(match, "4S N 10", LineWords(("Ann", "Ben", "Cem", "Dev")))
    assert not match.hands
