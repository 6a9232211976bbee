"""The table of a league: best nights, least nights, means, and ties."""

from __future__ import annotations

from fractions import Fraction

from cardledger.rules.evenings.publication import canonical
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.season import Count, Night, as_printed, table

HALF = Fraction(1, 2)


def nights(*values: dict[str, object]) -> list[Night]:
    return [Night(f"night {number}", each, [max(each, key=each.__getitem__)]) for number, each in enumerate(values, 1)]


ANA = [Fraction(number, 10) for number in (521, 480, 613, 550)]


def test_the_best_three_of_five_nights_count() -> None:
    played = [*nights(*({"ana": value} for value in ANA)), Night("night 5", {"ben": 50})]
    (line, _) = table(played, Count(best=3))
    assert (line.player, line.place, printed(line.total, 1), line.nights, line.won) == ("ana", "1", "168.4", 4, 4)
    assert line.counted == ("night 1", "night 3", "night 4")
    assert printed(table(played, Count(best=3, per="mean"))[0].total) == "56.13"


def test_the_earlier_of_two_equal_nights_counts() -> None:
    (line,) = table(nights({"ana": 50}, {"ana": 50}, {"ana": 60}), Count(best=2))
    assert line.counted == ("night 1", "night 3")


def test_players_with_too_few_nights_are_listed_last_without_a_place() -> None:
    found = table(nights({"ana": 40, "ben": 70}, {"ana": 40}, {"ana": 40}), Count(min_nights=2))
    assert [(line.player, line.place) for line in found] == [("ana", "1"), ("ben", "")]


def test_a_mean_is_divided_by_the_least_number_of_nights() -> None:
    (line,) = table(nights({"ana": 60}), Count(min_nights=3, per="mean"))
    assert line.total == 20


def test_equal_totals_are_ordered_by_nights_won_then_by_the_best_nights() -> None:
    won = table([Night("1", {"ana": 50, "ben": 50}, ["ben"])], Count())
    assert [(line.player, line.place) for line in won] == [("ben", "1"), ("ana", "2")]
    best = table([Night("1", {"ana": 50, "ben": 45}), Night("2", {"ana": 50, "ben": 55})], Count())
    assert [(line.player, line.place) for line in best] == [("ben", "1"), ("ana", "2")]
    even = table([Night("1", {"ana": 50, "ben": 45}), Night("2", {"ana": 45, "ben": 50})], Count())
    assert [line.place for line in even] == ["1=", "1="]


def test_a_night_counts_by_its_weight() -> None:
    found = table([Night("1", {"ana": 50, "ben": 60}, weight=HALF), Night("2", {"ana": 50})], Count())
    assert [(line.player, line.total) for line in found] == [("ana", 75), ("ben", 30)]


def test_the_table_of_a_league_is_published_like_a_ranking() -> None:
    rows = as_printed(table(nights({"ana": 50}), Count()), Count(decimals=1))
    assert canonical(rows) == (
        b'[{"counted":["night 1"],"nights":1,"place":"1","players":["ana"],"total":"50.0","won":1}]'
    )
