"""Who comes plays: seatings for any number of players, fair over a season, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import RuleError
from cardledger.rules.evenings.seating import History, Seating, propose, table_sizes


def season(players: str, rounds: int, smallest: int = 4, largest: int = 4, partners: bool = False):
    history = History()
    for _ in range(rounds):
        seating = propose(players, history, sizes=range(smallest, largest + 1), partners=partners)
        history.add(seating.tables, seating.sitting_out, partners)
        yield seating, history


def words(seating: Seating) -> str:
    return " ".join("".join(table) for table in seating.tables)


def test_eight_players_have_all_met_three_times_after_seven_rounds() -> None:
    seatings = [*season("ABCDEFGH", 7)]
    assert [words(seating) for seating, _ in seatings[:3]] == ["ABCD EFGH", "FEDC BAHG", "GHCD EFAB"]
    met = seatings[-1][1].met
    assert met == {frozenset(couple): 3 for couple in combinations("ABCDEFGH", 2)}


def test_eight_players_have_seven_different_partners_in_seven_rounds() -> None:
    *_, (_, history) = season("ABCDEFGH", 7, partners=True)
    assert max(history.joined.values()) == 1


def test_eleven_players_sit_at_tables_of_four_four_and_three() -> None:
    found = [words(seating) for seating, _ in season("ABCDEFGHIJK", 3, 3, 5)]
    assert found == ["ABCD EFGH IJK", "FKDC JAHG BEI", "GDFI ECAJ KHB"]


def test_with_nine_players_everyone_has_sat_out_once_after_nine_rounds() -> None:
    resting = [player for seating, _ in season("ABCDEFGHI", 9) for player in seating.sitting_out]
    assert sorted(resting) == [*"ABCDEFGHI"]


@given(players=st.integers(3, 40), smallest=st.integers(3, 8), more=st.integers(0, 5))
def test_as_few_as_possible_sit_out_at_as_few_tables_as_possible(players: int, smallest: int, more: int) -> None:
    largest = min(8, smallest + more)
    if players < smallest:
        with pytest.raises(RuleError, match="wait for more players"):
            table_sizes(players, range(smallest, largest + 1))
        return
    sizes = table_sizes(players, range(smallest, largest + 1))
    can = {(t, s) for t in range(1, players) for s in range(t * smallest, t * largest + 1)}
    seated = max(s for _, s in can if s <= players)
    assert (sum(sizes), len(sizes)) == (seated, min(t for t, s in can if s == seated))
    assert max(sizes) - min(sizes) <= 1
    assert sorted(sizes, reverse=True) == [*sizes]


@given(players=st.integers(2, 14), sizes=st.sets(st.integers(2, 9), min_size=1, max_size=4))
def test_any_sizes_are_divided_as_trying_all_divisions_does(players: int, sizes: set[int]) -> None:
    def divisions(left: int, most: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for size in sizes:
            if size <= min(left, most):
                yield from ((size, *more) for more in divisions(left - size, size))

    if players < min(sizes):
        return
    best = min(divisions(players, 9), key=lambda n: (-sum(n), len(n), sum(size**2 for size in n)))
    found = table_sizes(players, sizes)
    assert (sum(found), len(found), sum(n**2 for n in found)) == (sum(best), len(best), sum(n**2 for n in best))
    assert {*found} <= sizes and sorted(found, reverse=True) == [*found]


@settings(max_examples=30)
@given(
    nights=st.lists(st.lists(st.sampled_from("ABCDEFGHIJKLM"), min_size=4, max_size=13, unique=True), max_size=6),
    smallest=st.integers(3, 4),
    partners=st.booleans(),
)
def test_everybody_who_is_here_sits_once_or_rests_and_those_rest_who_rested_least(nights, smallest, partners) -> None:
    history = History()
    for here in nights:
        rested = {player: len(history.sat_out.get(player, [])) for player in here}
        seating = propose(here, history, sizes=range(smallest, 5), partners=partners)
        seated = [player for table in seating.tables for player in table]
        assert Counter([*seated, *seating.sitting_out]) == Counter(here)
        if seating.sitting_out:
            assert max(rested[player] for player in seating.sitting_out) <= min(rested[player] for player in seated)
            assert f"{seating.sitting_out[0]} sits out" in seating.reasons[0]
        assert propose(here, history, sizes=range(smallest, 5), partners=partners) == seating
        history.add(seating.tables, seating.sitting_out, partners)


def test_meetings_stay_even_over_a_season_in_which_not_everybody_comes() -> None:
    history, players = History(), "ABCDEFGHIJKL"
    together: Counter[frozenset[str]] = Counter()
    for night in range(24):
        here = [player for place, player in enumerate(players) if (night + place) % 6]
        together.update(map(frozenset, combinations(here, 2)))
        for _ in range(2):
            seating = propose(here, history, sizes=(3, 4))
            history.add(seating.tables, seating.sitting_out)
    # Couples who were here together equally often have met nearly equally often.
    for nights in {*together.values()}:
        times = [history.met[couple] for couple, both in together.items() if both == nights]
        assert max(times) - min(times) <= 3


@pytest.mark.parametrize(("players", "smallest", "largest"), [("ABCDEFGHI", 4, 4), ("ABCDEFGHIJK", 3, 5)])
def test_over_a_season_the_spread_of_meetings_is_close_to_the_best_possible(players, smallest, largest) -> None:
    *_, (_, history) = season(players, 24, smallest, largest)
    met = [history.met[frozenset(couple)] for couple in combinations(players, 2)]
    # For a given number of meetings the squares are least if no two numbers differ by more than 1.
    least, more = divmod(sum(met), len(met))
    bound = more * (least + 1) ** 2 + (len(met) - more) * least**2
    assert sum(times**2 for times in met) <= 1.05 * bound
    assert max(met) <= 1.2 * sum(met) / len(met) + 1


def test_a_seating_says_why_in_plain_english() -> None:
    history = History()
    history.add(["abcd"], "e")
    seating = propose("abcde", history, names={"a": "Ana", "b": "Ben", "c": "Cem", "d": "Dov", "e": "Eva"})
    assert seating.sitting_out == ("d",)
    assert seating.reasons[0] == "Dov sits out: has not sat out yet"
    assert "Ana and Eva have not met this season" in seating.reasons
    assert any("will have met 2 times" in reason for reason in seating.reasons)
    first = propose("ABCDEFGH")
    assert first.reasons[-1] == "7 more couples at these tables have not met"
    assert len(first.reasons) == 6


def test_a_player_is_here_once() -> None:
    with pytest.raises(RuleError, match="A is here twice") as caught:
        propose("ABCA")
    assert caught.value.code == "session.player"
    for sizes in ((), (1, 2)):
        with pytest.raises(RuleError, match="a table has 2 players or more"):
            table_sizes(9, sizes)
