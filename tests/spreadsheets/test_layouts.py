"""Evenings in all the ways that clubs write them: what is stored is what was played, or nothing is stored."""

from __future__ import annotations

from collections import Counter

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.games import games
from tests.spreadsheets.layouts import LAYOUTS
from tests.spreadsheets.paper import DAY, NEW, Played, as_csv, evening, found, shown
from tests.spreadsheets.seasons import LAYOUTS as SEASONS
from tests.spreadsheets.seasons import head, season
from tests.spreadsheets.seasons import outcome as outcome_of_season

FEW = ("hearts", "whist", "oh-hell")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory):
    """A ledger into which nothing is stored."""
    with Ledger(tmp_path_factory.mktemp("empty") / "club.db") as ledger:
        yield ledger


def outcome(ledger: Ledger, layout: str, game: str, made: list[Played]) -> str:
    """`right`, `wrong`, or the codes of the problems."""
    preview = shown(ledger, as_csv(LAYOUTS[layout](game, made)))
    if not preview.ready:
        return ", ".join(sorted({problem.code for problem in preview.problems}))
    played = [(table.players, tuple(map(sum, zip(*table.hands, strict=True)))) for table in made]
    shown_now = [(table.players, table.totals) for table in preview.tables]
    hands = [table.hands for table in preview.tables if table.hands]
    return "right" if shown_now == played and hands in ([], [table.hands for table in made]) else "wrong"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_evening_in_a_layout_is_stored_right_or_not_at_all(layout: str, empty: Ledger) -> None:
    told = [outcome(empty, layout, game, evening(game, games()[game].players[0], 3, hands=3)) for game in FEW]
    assert "wrong" not in told
    assert "right" in told


WHIST = [["Date", DAY], ["Game", "whist"], ["Player", 1, 2], ["A", 1, 2], ["B", 0, 0], ["C", 1, 2], ["D", 0, 0]]


def test_two_readings_that_fit_are_asked_about_with_a_cell(empty: Ledger) -> None:
    assert found(shown(empty, WHIST)) == [("sheet.ambiguous", "C4")]
    answered = [shown(empty, WHIST, NEW._replace(columns=columns)) for columns in ("hands", "running")]
    assert [preview.tables[0].totals for preview in answered] == [(3, 0, 3, 0), (2, 0, 2, 0)]
    assert answered[1].recognised[0].why.endswith("the columns are running totals")


def test_a_total_tells_hands_from_running_totals(empty: Ledger) -> None:
    for total, hands in ((3, ((1, 0, 1, 0), (2, 0, 2, 0))), (2, ((1, 0, 1, 0), (1, 0, 1, 0)))):
        rows = [*WHIST[:2], *([*row, last] for row, last in zip(WHIST[2:], ["Total", total, 0, total, 0], strict=True))]
        preview = shown(empty, rows)
        assert preview.ready, preview.problems
        assert preview.tables[0].hands == hands


def test_the_nearest_reading_tells_which_sum_fails(empty: Ledger) -> None:
    rows = [["Date", DAY], ["Game", "hearts"], ["Player", 1, 2, 3], ["A", 13, 13, 26], ["B", 13, 13, 14], ["C", 0, 13, 19], ["D", 0, 13, 20]]  # fmt: skip
    preview = shown(empty, rows)
    assert found(preview) == [("sheet.points", "D4")]
    assert "not 27" in preview.problems[0].message


def test_an_empty_cell_is_a_0_only_where_nothing_else_fits(empty: Ledger) -> None:
    rows = [["Date", DAY], ["Game", "hearts"], ["Player", 1], ["A", 13], ["B", ""], ["C", 13], ["D", "-"]]
    assert shown(empty, rows).ready
    rows = [["Date", DAY], ["Game", "diamonds-draw"], ["Player", 1], ["A", 20], ["B", ""]]
    assert found(shown(empty, rows)) == [("sheet.empty", "B5")]


def test_a_name_without_any_number_may_be_of_somebody_who_did_not_come(empty: Ledger) -> None:
    (made,) = evening("poison-hearts", 3, 3, tables=1, hands=2)
    rows = [*LAYOUTS["down, below"]("poison-hearts", [made]), ["Zoe", "", "", 0]]
    assert ("sheet.empty", "B8") in found(shown(empty, rows))


def test_a_second_table_under_one_number_is_named(empty: Ledger) -> None:
    made = evening("oh-hell", 3, 3, hands=2)
    rows = LAYOUTS["down, below"]("oh-hell", made)
    assert ("sheet.twice", "A11") in found(shown(empty, [*rows[:2], ["Table", 1], *rows[2:]]))


LEAST = 0.9
"""The part of all evenings, and of all seasons, that comes in at the first try; the others are asked about."""


@pytest.mark.long
def test_of_all_layouts_and_games_none_is_stored_wrong_and_nine_of_ten_come_in_at_once(empty: Ledger) -> None:
    assert len(LAYOUTS) + len(SEASONS) >= 60
    evenings: Counter[str] = Counter()
    seasons: Counter[str] = Counter()
    for game in games():
        for seed in range(5):
            for number in (1, 2, 4):
                made = evening(game, games()[game].players[seed % len(games()[game].players)], seed, hands=number)
                evenings.update(outcome(empty, layout, game, made) for layout in LAYOUTS)
                of_days = season(game, seed, number)
                seasons.update(
                    outcome_of_season(shown(empty, head(of_days, lay(of_days))), of_days, each)
                    for each, lay in SEASONS.items()
                )
    for told in (evenings, seasons):
        print(told)  # noqa: T201 # how many come in at the first try
        assert told["wrong"] == 0
        assert told["right"] >= LEAST * told.total()


def test_a_last_row_of_sums_is_no_player_of_a_game_that_has_one_less(empty: Ledger) -> None:
    """Also of one hand: four play hearts, so the fifth row with the points of all four is their sum."""
    made = evening("hearts", 4, 0, hands=1)
    preview = shown(empty, LAYOUTS["a check row"]("hearts", made))
    assert preview.ready, preview.problems
    assert [table.players for table in preview.tables] == [table.players for table in made]
    assert "Check" not in preview.new_players
    for game, n in (("oh-hell", 3), ("diamonds-bid", 2)):  # one more may play these, so the last row may be a player
        assert not shown(empty, LAYOUTS["a check row"](game, evening(game, n, 0, hands=1))).ready
