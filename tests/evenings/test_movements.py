"""Movements: who meets whom, with which boards, and what is refused of those typed by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger.errors import RuleError
from cardledger.rules.evenings.howell import STARTS, howell
from cardledger.rules.evenings.individual import STARTS as PLAYERS
from cardledger.rules.evenings.individual import individual
from cardledger.rules.evenings.mitchell import mitchell, switch
from cardledger.rules.evenings.movement import (
    PlannedTable,
    Round,
    Schedule,
    check,
    deal,
    imbalance,
    opponents,
    partners,
)
from cardledger.rules.evenings.swiss import SwissDraw, draw

IMBALANCE = {4: 0, 6: 2, 8: 0, 10: 2, 12: 0, 14: 2, 16: 0, 18: 2, 20: 0, 22: 2, 24: 4, 26: 2, 28: 4}


def meetings(rounds: tuple[Round, ...]) -> Counter[frozenset[int]]:
    return Counter(frozenset(couple) for tables in rounds for table in tables for couple in opponents(table.seats))


@given(tables=st.integers(3, 20), even=st.sampled_from(["skip", "share"]), data=st.data())
def test_a_mitchell_lets_nobody_meet_or_play_a_board_twice(tables, even, data) -> None:
    movement = mitchell(tables, even)
    n = len(movement.rounds)
    assert n == (tables - 1 if tables % 2 == 0 and even == "skip" else tables)
    rounds = data.draw(st.integers(1, n))
    shorter = mitchell(tables, even, data.draw(st.integers(0, rounds)), rounds)
    for each in (movement, shorter, deal(movement, 3)):
        check(each.rounds, shared=each.shared)
    assert all(
        sorted(entry for table in each for entry in table.seats) == [*range(1, 2 * tables + 1)]
        for each in shorter.rounds
    )


def test_north_south_stay_and_the_last_rounds_of_an_arrow_switch_turn() -> None:
    movement = mitchell(5, arrow_switch=1)
    assert [table.seats[0] for table in movement.rounds[0]] == [1, 2, 3, 4, 5]
    assert [table.seats[1] for table in movement.rounds[4]] == [1, 2, 3, 4, 5]
    assert movement.rounds[0][0] == PlannedTable((1, 6), (1,))
    assert movement.rounds[1][0] == PlannedTable((1, 10), (2,))


def test_share_and_relay_shares_at_the_first_and_the_last_table_only() -> None:
    for tables in mitchell(8, "share").rounds:
        boards = Counter(table.boards for table in tables)
        assert tables[0].boards == tables[-1].boards
        assert sorted(boards.values()) == [1, 1, 1, 1, 1, 1, 2]


@pytest.mark.parametrize("pairs", STARTS)
def test_a_howell_lets_all_meet_once_and_play_every_set_once(pairs: int) -> None:
    movement = howell(pairs)
    check(movement.rounds, shared=movement.shared)
    assert movement.shared == (pairs in (4, 6))
    assert meetings(movement.rounds) == {frozenset(couple): 1 for couple in combinations(range(1, pairs + 1), 2)}
    for entry in range(1, pairs + 1):
        sets = [table.boards for tables in movement.rounds for table in tables if entry in table.seats]
        assert sorted(sets) == [(number,) for number in range(1, pairs)]
    assert imbalance(movement.rounds) == IMBALANCE[pairs]


def test_the_howell_of_eight_pairs_is_the_one_on_paper() -> None:
    first, second, *_ = howell(8).rounds
    assert first == (
        PlannedTable((8, 7), (7,)),
        PlannedTable((2, 3), (5,)),
        PlannedTable((1, 5), (6,)),
        PlannedTable((4, 6), (3,)),
    )
    assert second == (
        PlannedTable((8, 1), (1,)),
        PlannedTable((3, 4), (6,)),
        PlannedTable((2, 6), (7,)),
        PlannedTable((5, 7), (4,)),
    )


@given(pairs=st.integers(3, 27), data=st.data())
def test_an_odd_howell_is_the_next_one_with_a_pair_missing(pairs: int, data) -> None:
    whole = howell(pairs)
    rounds = data.draw(st.integers(1, len(whole.rounds)))
    assert whole.entries == pairs + pairs % 2
    assert howell(pairs, rounds).rounds == whole.rounds[:rounds]


@pytest.mark.parametrize("players", PLAYERS)
def test_an_individual_has_every_partner_once_and_every_opponent_twice(players: int) -> None:
    movement = individual(players)
    check(movement.rounds, shared=True)
    couples = {frozenset(couple) for couple in combinations(range(1, players + 1), 2)}
    seats = [table.seats for tables in movement.rounds for table in tables]
    assert Counter(frozenset(couple) for four in seats for couple in partners(four)) == dict.fromkeys(couples, 1)
    assert meetings(movement.rounds) == dict.fromkeys(couples, 2)
    here = Counter(entry for four in seats for entry in four)
    assert {*here.values()} == {players - 1}


def test_the_tables_of_a_movement_get_the_boards_of_their_set() -> None:
    dealt = deal(howell(8), 4, first=5)
    assert dealt.rounds[0][0].boards == (29, 30, 31, 32)
    assert dealt.rounds[1][0].boards == (5, 6, 7, 8)


def refused(*rounds: Round, **allowed: object) -> str:
    with pytest.raises(RuleError) as caught:
        check(rounds, **allowed)
    assert caught.value.code == "session.movement"
    return caught.value.message


def test_a_movement_typed_by_hand_passes_the_same_checks() -> None:
    one = (PlannedTable((1, 2), (1,)), PlannedTable((3, 4), (2,)))
    assert "in round 1, entry 1 sits at 2 places" in refused((PlannedTable((1, 2)), PlannedTable((3, 1))))
    assert "entries 1 and 2 meet 2 times, the last in round 2" in refused(one, (PlannedTable((2, 1), (3,)),))
    assert "in round 2, entry 1 plays board 1 again" in refused(one, (PlannedTable((1, 3), (1,)),))
    assert "in round 1, board 7 is at 2 tables" in refused((PlannedTable((1, 2), (7,)), PlannedTable((3, 4), (7,))))
    assert "entries 1 and 3 are partners 2 times" in refused(
        (PlannedTable((1, 2, 3, 4)),), (PlannedTable((1, 5, 3, 6)),)
    )
    check([one, (PlannedTable((2, 1), (3,)),)], again=1)
    check([(PlannedTable((1, 2), (7,)), PlannedTable((3, 4), (7,)))], shared=True)


def test_a_match_of_teams_is_two_tables_with_the_same_boards() -> None:
    match = (PlannedTable((1, 2), (1, 2)), PlannedTable((2, 1), (1, 2)))
    check([match], teams=True)
    assert "meet 2 times" in refused(match, (PlannedTable((1, 2), (3,)), PlannedTable((2, 1), (3,))), teams=True)
    assert "sits at 2 places" in refused((PlannedTable((1, 2)), PlannedTable((1, 3))), teams=True)


def test_movements_that_do_not_exist_are_refused_with_those_that_do() -> None:
    for call, said in (
        (lambda: mitchell(2), "3 to 40 tables"),
        (lambda: mitchell(5, rounds=6), "1 to 5 rounds"),
        (lambda: switch(mitchell(5), 6), "last 0 to 5 rounds"),
        (lambda: howell(29), "3 to 28 pairs"),
        (lambda: individual(9), "4, 5, 8, 12, 13, 16, 17, 20"),
        (lambda: draw([1], {}), "two entries"),
    ):
        with pytest.raises(RuleError, match=said) as caught:
            call()
        assert caught.value.code == "session.movement"


def test_a_swiss_round_pairs_neighbours_that_have_not_met() -> None:
    assert draw([1, 2, 3, 4], {}) == SwissDraw(((1, 2), (3, 4)), None)
    assert draw([1, 3, 2, 4], {frozenset((1, 3)): 1}) == SwissDraw(((1, 2), (3, 4)), None)
    # 1-2 would leave 3-4, who have met: going back, 1 takes the next.
    assert draw([1, 2, 3, 4], {frozenset((3, 4)): 1}).couples == ((1, 3), (2, 4))
    # Who was north-south less often is it now.
    assert draw([1, 2], {}, ns={1: 1}).couples == ((2, 1),)


def test_the_lowest_without_a_bye_gets_it_before_pairing() -> None:
    assert draw([1, 2, 3], {}) == SwissDraw(((1, 2),), 3)
    assert draw([1, 2, 3], {}, byes={3: 1}) == SwissDraw(((1, 3),), 2)


def test_second_meetings_are_allowed_only_if_there_is_no_way_around_and_then_the_fewest() -> None:
    everyone = {frozenset(couple): 1 for couple in combinations((1, 2, 3, 4), 2)}
    assert draw([1, 2, 3, 4], everyone).couples == ((1, 2), (3, 4))
    assert draw([1, 2, 3, 4], everyone | {frozenset((1, 2)): 2}).couples == ((1, 3), (2, 4))


@given(entries=st.integers(2, 24), rounds=st.integers(1, 9), seed=st.integers(0, 99))
def test_a_swiss_of_fewer_rounds_than_half_the_entries_has_no_second_meeting(entries, rounds, seed) -> None:
    rng, met, byes, ns = Random(seed), Counter(), Counter(), Counter()
    for number in range(min(rounds, entries // 2)):
        ranked = [*range(1, entries + 1)]
        if number:
            rng.shuffle(ranked)
        drawn = draw(ranked, met, byes, ns)
        assert sorted([*(e for couple in drawn.couples for e in couple), *[drawn.bye] * (entries % 2)]) == [
            *range(1, entries + 1)
        ]
        met.update(map(frozenset, drawn.couples))
        byes.update([drawn.bye])
        ns.update(one for one, _ in drawn.couples)
    assert entries % 2 or max(met.values()) == 1
    assert max(byes[entry] for entry in range(1, entries + 1)) <= 1


def test_a_late_round_of_a_large_swiss_is_drawn_at_once() -> None:
    met = Counter(frozenset(table.seats) for tables in howell(28, 24).rounds for table in tables)
    drawn = draw([*range(1, 29)], met)
    assert max(met[frozenset(couple)] for couple in drawn.couples) == 0


def test_empty_rounds_are_no_offence() -> None:
    check([(), (PlannedTable(()),)])
    assert imbalance(Schedule(0, ()).rounds) == 0
