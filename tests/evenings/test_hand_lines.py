"""Boards of a table recorded from lines: by command, and from Python."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import cardledger
from cardledger.cli.main import main
from cardledger.errors import FormatError, RuleError
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.hand_lines import read_hands
from cardledger.record.recording.ledger import Ledger
from tests.evenings.bridge import names, open_round, pairs
from tests.evenings.night import opening, record

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def table(tmp_path: Path) -> tuple[str, str, str]:
    """A ledger with an evening of bridge: its file, the evening, and the match of table 2, which plays boards 4 to 6."""
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        session = pairs(ledger, 3, 3)
        return str(path), session, open_round(ledger, session)[2]


def said(table: tuple[str, str, str], *words: str) -> tuple[int, str]:
    path, session, _ = table
    done = CliRunner().invoke(main, ["evening", "result", session, *words, "--db", path])
    return done.exit_code, done.output


def scores(table: tuple[str, str, str]) -> list[tuple[int, int]]:
    path, _, match = table
    with Ledger(path, create=False) as ledger:
        return [(hand.board, hand.scores[0]) for hand in ledger.stream(match).table.hands]


def test_lines_become_the_boards_of_a_table(table: tuple[str, str, str]) -> None:
    code, text = said(table, "2", "4S N 10", "pass")
    assert (code, [line.partition(" for ")[0] for line in text.splitlines()]) == (
        0,
        ["board 4: 4S N 10, +620", "board 5: pass, +0"],
    )
    assert said(table, "2", "4P O =", "--language", "de", "--json")[0] == 0
    assert scores(table) == [(4, 620), (5, 0), (6, -620)]


def test_a_board_that_was_left_out_is_named(table: tuple[str, str, str]) -> None:
    code, text = said(table, "2", "3NTx W -1", "2H e =", "--board", "6", "--json")
    assert code == 0
    assert [json.loads(line)["board"] for line in text.splitlines()] == [6, 4]
    code, text = said(table, "2", "pass", "--board", "6")
    assert (code, "board 6 was played here: correct its result" in text) == (2, True)
    code, text = said(table, "2", "pass", "--board", "9")
    assert (code, "plays boards 4, 5, 6 in round 1, not 9" in text) == (2, True)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("2", "4S N 10", "4S N 5"), "5 may be tricks, or tricks over the book"),
        (("2", "4S 10"), "write the contract, who plays it, and the result"),
        (("9", "pass"), "table 9 has no match yet"),
        (("2", "pass", "--round", "3"), "table 2 has no match yet"),
        (("2", "pass", "pass", "pass", "pass"), "the match is over"),
    ],
)
def test_what_cannot_be_read_records_nothing(table: tuple[str, str, str], words: tuple[str, ...], wrong: str) -> None:
    code, text = said(table, *words)
    assert (code, scores(table)) == (2, []), text
    assert wrong in text


@pytest.fixture
def typed(tmp_path: Path) -> tuple[str, str, str]:
    """A ledger with an evening of bridge of which only results are typed: table 1 has one on board 1."""
    path = tmp_path / "typed.db"
    with Ledger(path) as ledger:
        session = pairs(ledger, 3, 3)
        record(ledger, session, {"type": "result", "round": 1, "table": 1, "board": 1, "contract": "pass"})
        return str(path), session, ""


def results(table: tuple[str, str, str]) -> list[tuple[int, int, int | None, str | None, int | None, int | None]]:
    path, session, _ = table
    with Ledger(path, create=False) as ledger:
        made = [result for _, result in ledger.evenings.stream(session).state.results.values()]  # type: ignore[union-attr]
        return [(one.round, one.table, one.board, one.contract, one.declarer, one.tricks) for one in made]


def test_where_results_are_typed_lines_become_results(typed: tuple[str, str, str]) -> None:
    code, text = said(typed, "2", "4S w +1", "pass")
    assert (code, [line.partition(" for ")[0] for line in text.splitlines()]) == (
        0, ["board 4: 4S W 11, -650", "board 5: pass, +0"],
    )  # fmt: skip
    assert said(typed, "1", "3NTx N -1", "--board", "3", "--json")[0] == 0
    assert results(typed)[1:] == [
        (1, 2, 4, "4S", 3, 11), (1, 2, 5, "pass", None, None), (1, 1, 3, "3NTX", 0, 8),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("1", "pass", "--board", "1"), "is entered already"), (("1", "pass", "--board", "9"), "has boards 1, 2, 3, not 9"),
        (("1", "pass", "pass", "pass"), "2 boards are open at table 1 in round 1"), (("9", "pass"), "there is no table 9"),
        (("1", "pass", "--round", "99"), "there is no table 1 in round 99"), (("1", "pass", "4S N 5"), "5 may be tricks"),
    ],
)  # fmt: skip
def test_where_results_are_typed_what_does_not_fit_records_nothing(
    typed: tuple[str, str, str], words: tuple[str, ...], wrong: str
) -> None:
    before = results(typed)
    code, text = said(typed, *words)
    assert (code, results(typed)) == (2, before), text
    assert wrong in text


def test_the_first_result_of_an_evening_says_its_round(tmp_path: Path) -> None:
    with Ledger(tmp_path / "new.db") as ledger:
        new = str(tmp_path / "new.db"), pairs(ledger, 3, 3), ""
    code, text = said(new, "1", "pass")
    assert (code, results(new), "open the round first, or say which round it is" in text) == (2, [], True)
    assert said(new, "1", "pass", "--round", "1")[0] == 0
    assert said(new, "1", "2H E =")[0] == 0
    assert results(new) == [(1, 1, 1, "pass", None, None), (1, 1, 2, "2H", 1, 8)]


def test_python_reads_lines_and_records_their_events(table: tuple[str, str, str]) -> None:
    path, _, match = table
    with cardledger.open(path) as club:
        hands = club.read_lines(match, "4S N 10", "pass")
        assert [(hand.board, hand.scores) for hand in hands] == [(4, (620, -620, 620, -620)), (5, (0, 0, 0, 0))]
        club.record(match, [event for hand in hands for event in hand.events], 1)
        with pytest.raises(RuleError, match="board 4 was played here"):
            club.read_lines(match, "pass", board=4)
    assert scores(table) == [(4, 620), (5, 0)]


def test_the_line_that_is_wrong_is_counted(table: tuple[str, str, str]) -> None:
    path, _, match = table
    with Ledger(path, create=False) as ledger, pytest.raises(FormatError) as wrong:
        read_hands(ledger, match, ["pass", "4S Q 10"])
    assert wrong.value.index == 1


def test_who_publishes_or_goes_on_by_command_is_told_what_is_not_finished(table: tuple[str, str, str]) -> None:
    path, session, _ = table
    said(table, "2", "pass", "pass")
    said(table, "1", "pass", "pass", "pass")
    for words in (["publish", session], ["round", session]):
        done = CliRunner().invoke(main, ["evening", *words, "--db", path])
        assert done.exit_code == 0, done.output
        assert done.stderr.splitlines() == [
            "not finished yet: table 2, round 1: boards 6",
            "not finished yet: table 3, round 1: boards 7, 8 and 9",
        ]


def test_the_beginning_of_a_name_means_an_evening_if_no_other_begins_so(table: tuple[str, str, str]) -> None:
    path, session, _ = table

    def shown(name: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["evening", "show", name, "--db", path])
        return done.exit_code, done.output

    assert shown("bridge")[0] == 0
    with Ledger(path) as ledger:
        pairs(ledger, 3, 3)
        pairs(ledger, 3, 3, name="Bridge on Friday")
    assert session not in shown("bridge on t")[1], "the newest of that name"
    code, text = shown("Bridge on")
    assert (code, "may be Bridge on Friday or Bridge on Tuesday" in text) == (2, True), text
    assert "there is no club, session or league" in shown("whist")[1]


def test_a_movement_cut_short_says_so_before_it_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        session = record(
            ledger, None, opening(game="bridge", unit="pair", scoring={"kind": "matchpoints"}), *names(range(1, 8))
        )

    def movement(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["evening", "movement", session, "--boards", "2", *words, "--db", str(path)])
        return done.exit_code, done.output

    assert "one table only" not in movement()[1]
    assert "8 boards would be played at one table only: they compare nobody" in movement("--rounds", "2")[1]
    code, text = movement("--rounds", "2", "--choose", "howell")
    assert (code, "let more rounds be played, or say --yes" in text) == (2, True)
    assert json.loads(movement("--rounds", "2", "--json")[1])["movements"][0]["cut_short"]
    assert movement("--rounds", "2", "--choose", "howell", "--yes")[0] == 0


# --- games whose hands are numbers


def at_table(tmp_path: Path, game: str) -> tuple[str, str, str]:
    """A ledger with an evening of a game at one table whose round is open: its file, the evening, the match."""
    path = tmp_path / "friends.db"
    with Ledger(path) as ledger:
        arrivals = [{"type": "arrive", "player": name} for name in ("ana", "ben", "cem", "dora")]
        session = record(ledger, None, opening() | {"game": game}, *arrivals)
        seats = {"type": "table", "round": 1, "table": 1, "seats": ["ana", "ben", "cem", "dora"]}
        record(ledger, session, seats)
        (opened,) = ledger.evenings.rounds.open(session, Recorder("tests"), round=1)
        assert opened.match
        return str(path), session, opened.match


def points(table: tuple[str, str, str]) -> list[tuple[int, ...]]:
    path, _, match = table
    with Ledger(path, create=False) as ledger:
        return [(*(hand.scores or ()),) for hand in ledger.stream(match).table.hands]


@pytest.mark.parametrize(
    ("game", "line", "scores"),
    [
        ("hearts", "3, 15, 5, -", (3, 15, 5, 3)),
        ("whist", "8 -", (2, 0, 2, 0)),
        ("spades", "3 4 2 3 4 4 2 3", (51, 70, 51, 70)),
        ("euchre", "0 2", (0, 2, 0, 2)),
    ],
)
def test_numbers_become_the_hands_of_a_table(tmp_path: Path, game: str, line: str, scores: tuple[int, ...]) -> None:
    made = at_table(tmp_path, game)
    code, text = said(made, "1", line)
    assert (code, text) == (0, "recorded: ana {}, ben {}, cem {}, dora {}\n".format(*scores))
    assert points(made) == [scores]


@pytest.mark.parametrize("line", ["3 15 5", "3 15 5 x", "4S N 10", "", "3 15 5 3 0"])
def test_other_numbers_than_the_score_sheet_has_record_nothing(tmp_path: Path, line: str) -> None:
    made = at_table(tmp_path, "hearts")
    code, text = said(made, "1", "0 13 8 5", line)
    assert (code, points(made)) == (2, [])
    assert "points of ana, points of ben, points of cem, points of dora" in text


@pytest.mark.parametrize("line", ["3 15 - -", "26 0 0 -"])
def test_a_number_that_does_not_follow_is_written(tmp_path: Path, line: str) -> None:
    made = at_table(tmp_path, "hearts")
    code, text = said(made, "1", line)
    assert (code, points(made)) == (2, [])
    assert "no number follows from the others here: write all of them" in text


def test_a_match_ends_with_its_last_hands_and_impossible_points_are_told(tmp_path: Path) -> None:
    made = at_table(tmp_path, "hearts")
    code, text = said(made, "1", "0 13 8 5", "26 0 0 0", "--end")
    assert (code, "score.sum: hand 2" in text) == (0, True)
    with Ledger(made[0], create=False) as ledger:
        assert ledger.stream(made[2]).table.status == "ended"
    assert said(made, "1", "0 13 8 5")[0] == 2


def test_an_end_needs_a_match(typed: tuple[str, str, str]) -> None:
    before = results(typed)
    code, text = said(typed, "2", "pass", "--end")
    assert (code, "has no match to end" in text, results(typed)) == (2, True, before)
