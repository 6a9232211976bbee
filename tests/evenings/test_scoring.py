"""What results are worth: the worked numbers of each kind of scoring, and the ranking after it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger.errors import FormatError
from cardledger.rules.evenings.awards import Artificial, BoardRow, certain, plain
from cardledger.rules.evenings.imps import butler, cross_imps, datum, imps, victory_points
from cardledger.rules.evenings.matchpoints import in_field, matchpoints, percentile
from cardledger.rules.evenings.places import places, scaled, shared
from cardledger.rules.evenings.ranking import TableScore, rank, tie_breaks
from cardledger.rules.evenings.rounding import exact, printed, rounded
from cardledger.rules.evenings.scoring import BoardPoints, Scoring, board_points, with_session_average

F = Fraction
SIX = [420, -50, 450, 420, 170, -100]


def of(scores: list[int]) -> list:
    return [certain(score) for score in scores]


def values(rows: list[BoardRow], field: int, **options: object) -> tuple[list[F], list[F]]:
    points = board_points(rows, field, Scoring(**options))
    return [ns.value for ns, _ in points], [ew.value for _, ew in points]


def test_halves_are_printed_away_from_zero() -> None:
    assert [printed(F(5, 1000)), printed(F(-5, 1000)), printed(F(-4, 1000)), printed(F(1684, 10), 1)] == [
        "0.01",
        "-0.01",
        "0.00",
        "168.4",
    ]
    assert [printed(F(5, 2), 0), printed(F(-5, 2), 0), printed(12)] == ["3", "-3", "12.00"]
    assert exact(0.1) == F(1, 10)
    assert exact(12) == 12
    assert [rounded(235, 10, "zero"), rounded(-235, 10, "zero"), rounded(-35, 10), rounded(-445, 10)] == [
        230,
        -230,
        -40,
        -450,
    ]


def test_matchpoints_are_two_for_each_lower_result_and_one_for_each_equal_one() -> None:
    assert matchpoints(of(SIX)) == [7, 2, 10, 7, 4, 0]
    ns, ew = values([plain(score) for score in SIX], 6, kind="matchpoints")
    assert ns == [7, 2, 10, 7, 4, 0]
    assert [a + b for a, b in zip(ns, ew, strict=True)] == [10] * 6


def test_a_board_with_fewer_results_counts_as_in_the_whole_field() -> None:
    assert in_field(of([140, 140, -50, 110]), 5) == [F(13, 2), F(13, 2), F(1, 4), F(11, 4)]


def test_an_artificial_percentage_is_part_of_the_top_and_the_others_are_compared_without_it() -> None:
    rows = [*map(plain, [140, 140, -50, 110]), BoardRow(Artificial(F(60)), Artificial(F(40)))]
    ns, ew = values(rows, 5, kind="matchpoints")
    assert ns == [F(13, 2), F(13, 2), F(1, 4), F(11, 4), F(48, 10)]
    assert ew[4] == F(32, 10)
    assert values([BoardRow(Artificial(F(50)), Artificial(F(50)))], 5, kind="matchpoints") == ([4], [4])


def test_small_groups_of_a_fouled_board_get_percentages_if_the_scoring_says_so() -> None:
    rows = [*(plain(score) for score in (100, 90, 80, 70)), plain(50, 1), plain(40, 1)]
    ns, ew = values(rows, 6, kind="matchpoints", small_groups=True)
    assert ns[4:] == [F(65, 10), F(55, 10)]
    assert ew[4:] == [F(55, 10), F(65, 10)]
    assert ns[0] == F(7 * 6, 4) - 1
    assert values(rows, 6, kind="matchpoints")[0][4:] == [8, 2]
    three = [plain(0), *(plain(score, 1) for score in (3, 2, 1))]
    assert values(three, 4, kind="matchpoints", small_groups=True)[0] == [F(36, 10), F(42, 10), F(36, 10), 3]
    even = [plain(0), plain(0, 1), plain(0, 1)]
    assert values(even, 6, kind="matchpoints", small_groups=True)[0][1:] == [6, 6]


def test_the_session_average_raises_sixty_and_lowers_forty_percent() -> None:
    real, high, low = BoardPoints(F(7), F(10)), BoardPoints(F(6), F(10), F(60)), BoardPoints(F(4), F(10), F(40))
    assert [each.value for each in with_session_average([real, high, low])] == [7, 7, 4]
    poor = BoardPoints(F(3), F(10))
    assert [each.value for each in with_session_average([poor, high, low])] == [3, 6, 3]
    assert with_session_average([high]) == [high]


def test_percentile_compares_fields_of_different_size() -> None:
    assert [percentile(points, 6) for points in matchpoints(of(SIX))][2:] == [
        F(1100, 12),
        F(800, 12),
        F(500, 12),
        F(100, 12),
    ]
    assert values([plain(0)], 1, kind="percentile") == ([50], [50])


def test_differences_are_turned_into_imps_by_law_78b() -> None:
    assert [imps(points) for points in (10, 20, 40, 50, 430, 3990, 4000, -430)] == [0, 1, 1, 2, 10, 23, 24, -10]


def test_cross_imps_compare_with_every_other_result() -> None:
    assert cross_imps(of(SIX), "none") == [26, -35, 31, 26, -6, -42]
    assert [printed(won, 1) for won in cross_imps(of(SIX))] == ["5.2", "-7.0", "6.2", "5.2", "-1.2", "-8.4"]
    assert cross_imps(of(SIX), "results")[0] == F(26, 6)
    assert cross_imps(of([420])) == [0]
    ns, ew = values([*map(plain, SIX), BoardRow(Artificial(F(60)), Artificial(F(40)))], 7, kind="cross_imps")
    assert ns[0] == F(26, 5) == -ew[0]
    assert (ns[6], ew[6]) == (2, -2)


def test_butler_compares_with_the_mean_without_the_extremes() -> None:
    assert datum(of(SIX)) == 240
    assert butler(of(SIX)) == [5, -7, 5, 5, -2, -8]
    assert datum(of(SIX), drop=0) == 220
    assert butler(of(SIX), drop=0) == [5, -7, 6, 5, -2, -8]
    assert datum(of([-35, -35]), drop=0) == -40
    assert datum(of([-30, -40]), drop=0, halves="zero") == -30
    assert datum(of([100, 200])) == 150
    assert values([*map(plain, SIX)], 6, kind="butler")[1] == [-5, 7, -5, -5, 2, 8]


def test_a_weighted_score_is_worth_the_weighted_points_and_the_field_is_unchanged() -> None:
    ruled = ((F(60, 100), 420), (F(40, 100), -50))
    rows = [plain(420), plain(-50), BoardRow(ruled, ruled)]
    ns, ew = values(rows, 3, kind="matchpoints")
    assert ns == [2 + F(60 + 80, 100), F(40, 100), F(60 * 3 + 40 * 1, 100)]
    assert [a + b for a, b in zip(ns, ew, strict=True)] == [4, 4, 4]


def test_victory_points_follow_the_continuous_scale() -> None:
    won = [printed(victory_points(margin, 16)[0]) for margin in (0, 1, 5, 10, 20, 40, 60)]
    assert won == ["10.00", "10.31", "11.48", "12.80", "15.00", "18.09", "20.00"]
    assert [printed(victory_points(margin, 8)[0]) for margin in (1, 10, 20)] == ["10.44", "13.78", "16.46"]
    assert victory_points(-20, 16) == (5, 15)
    assert victory_points(7, 16, [10, 10.5, 11]) == (11, 9)
    assert victory_points(F(-3, 2), 16, [10, 10.5, 11]) == (9, 11)
    with pytest.raises(FormatError, match="1 board or more"):
        victory_points(1, 0)


def test_players_of_one_place_share_its_points() -> None:
    found = places([20, 15, 15, 3])
    assert shared(found, (4, 3, 2, 1)) == [4, F(5, 2), F(5, 2), 1]
    assert scaled(found) == [1, F(1, 2), F(1, 2), 0]
    assert places([20, 15, 15, 3], low=True) == (4, 2, 2, 1)
    assert shared((1, 2, 3, 4, 5), (4, 3)) == [4, 3, 0, 0, 0]
    assert scaled((1,)) == [0]


@given(st.lists(st.integers(-2000, 2000), min_size=1, max_size=14))
def test_points_of_a_board_add_up(scores: list[int]) -> None:
    n = len(scores)
    assert sum(matchpoints(of(scores))) == n * (n - 1)
    assert sum(in_field(of(scores), n + 3)) == n * (n + 2)
    assert sum(cross_imps(of(scores))) == 0
    assert sum(shared(places(scores), range(n))) == sum(range(n))


def test_equal_entries_share_a_place_and_the_next_place_counts_them() -> None:
    assert rank({1: 7, 2: 9, 3: 9, 4: F(1, 3)}) == [(2, "1="), (3, "1="), (1, "3"), (4, "4")]
    assert rank({1: 7, 2: 9, 3: 9}, unplaced=[2]) == [(3, "1"), (1, "2"), (2, "")]


def scored(*each: tuple[int, F, bool, bool]) -> list[TableScore]:
    return [
        TableScore(1, 1, board, (other,), BoardPoints(value, F(10), None, won, best))
        for board, (other, value, won, best) in enumerate(each, 1)
    ]


def test_ties_are_broken_in_the_order_of_the_scoring() -> None:
    scores = {
        1: scored((2, F(6), True, False), (3, F(4), False, False)),
        2: scored((1, F(4), False, False), (3, F(6), True, True)),
        3: scored((9, F(10), True, True)),
    }
    even = {1: 10, 2: 10, 3: 10}

    def order(*rules: str, drawn: tuple[int, ...] = ()) -> list[tuple[int, str]]:
        return rank(even, tie_breaks(rules, scores, drawn))

    assert order() == [(1, "1="), (2, "1="), (3, "1=")]
    assert order("meeting") == [(1, "1="), (2, "1="), (3, "1=")]  # each other: 6 + 4 and 4 + 6, and 3 met none of them
    assert rank({1: 10, 2: 10}, tie_breaks(["meeting"], scores)) == [(1, "1"), (2, "2")]
    assert order("tops") == [(2, "1="), (3, "1="), (1, "3")]
    assert order("best_board", "lot", drawn=(3, 1)) == [(3, "1"), (1, "2"), (2, "3")]
