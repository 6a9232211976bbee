"""A progressive drive: who sits where after each hand, who sits out, what is scored, and the prizes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from cardledger.errors import FormatError, LedgerError, RuleError
from cardledger.rules.evenings.drawing import drive_round
from cardledger.rules.evenings.drive_sheet import drive_begun, driven_hand, is_over, numbered, tricks_entered
from cardledger.rules.evenings.movement import partners
from cardledger.rules.evenings.prizes import prizes
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.standings import Standing, standings
from cardledger.rules.evenings.stream import EveningStream
from tests.evenings.evening import add, no_match, opening, session, stream

Tables = dict[int, tuple[int, ...]]


def evening(people: int, hands: int = 24, game: str = "whist", **drive: Any) -> EveningStream:
    """Return a drive of so many people before its first hand; with `ladies` of them first, ladies go up."""
    ladies = drive.pop("ladies", None)
    made = stream({**opening("total", "player", decimals=0), "game": game})
    for number in range(1, people + 1):
        add(made, type="arrive", player=f"p{number}")
    if ladies is not None:
        kinds = {f"p{n}": "lady" if n <= ladies else "gentleman" for n in range(1, people + 1)}
        drive |= {"moves": "ladies_up", "plays_as": kinds}
    for event in drive_begun(session(made), hands, **drive):
        made.append(event)
    return made


def ranked(made: EveningStream) -> list[Standing]:
    return standings(session(made), no_match)


def seat(made: EveningStream, round: int) -> None:
    for event in drive_round(session(made), ranked(made), round):
        made.append(event)


def enter(made: EveningStream, round: int, tricks: dict[int, list[int]]) -> None:
    for event in tricks_entered(session(made), round, tricks):
        made.append(event)


def play(made: EveningStream, hands: int, seed: int = 1) -> None:
    """Play some hands with tricks by chance."""
    chance = Random(seed)
    for round in range(session(made).round + 1, session(made).round + hands + 1):
        seat(made, round)
        enter(made, round, {table.number: [chance.randrange(14)] for table in driven_hand(session(made), round).tables})


def tables(state: SessionState, round: int) -> Tables:
    return {number: seated.seats for number, seated in state.tables(round).items() if seated.plays}


def test_the_first_hand_seats_people_in_the_order_of_their_numbers_partners_side_by_side() -> None:
    made = evening(9)
    seat(made, 1)
    assert tables(session(made), 1) == {1: (1, 3, 2, 4), 2: (5, 7, 6, 8)}
    assert driven_hand(session(made), 1).sitting_out == (9,)


def test_winners_go_up_a_table_losers_stay_and_partners_change() -> None:
    made = evening(12)
    seat(made, 1)
    enter(made, 1, {1: [9], 2: [3], 3: [7]})  # 1 2, 7 8 and 9 10 win
    seat(made, 2)
    found = {number: {*seats} for number, seats in tables(session(made), 2).items()}
    assert found == {1: {3, 4, 9, 10}, 2: {5, 6, 1, 2}, 3: {11, 12, 7, 8}}
    for seats in tables(session(made), 2).values():
        assert not {frozenset(pair) for pair in partners(seats)} & {
            frozenset(pair) for before in tables(session(made), 1).values() for pair in partners(before)
        }


def test_the_lady_of_the_winners_goes_up_and_the_gentleman_down() -> None:
    made = evening(16, ladies=8)
    seat(made, 1)
    first = tables(session(made), 1)
    assert all(
        [session(made).plays_as(entry) for entry in seats] == ["lady", "lady", "gentleman", "gentleman"]
        for seats in first.values()
    )
    enter(made, 1, {number: [10] for number in first})
    seat(made, 2)
    at = {entry: number for number, seats in tables(session(made), 2).items() for entry in seats}
    for number, (lady, _, gentleman, _) in first.items():
        assert at[lady] == number % 4 + 1
        assert at[gentleman] == (number - 2) % 4 + 1
    for seats in tables(session(made), 2).values():
        for pair in partners(seats):
            assert {session(made).plays_as(entry) for entry in pair} == {"lady", "gentleman"}


@pytest.mark.parametrize("ladies", [None, "half"], ids=["winners", "ladies"])
@pytest.mark.parametrize("people", [4, 5, 8, 24, 50, 52, 53, 200])
def test_everybody_plays_or_sits_out_and_nobody_keeps_a_partner(people: int, ladies: str | None) -> None:
    hands = 24 if people < 100 else 6
    made = evening(people, hands, **({"ladies": (people + 1) // 2} if ladies else {}))
    play(made, hands)
    state = session(made)
    together: Counter[frozenset[int]] = Counter()
    out: Counter[int] = Counter()
    before: set[frozenset[int]] = set()
    for round in range(1, hands + 1):
        seats = [entry for each in tables(state, round).values() for entry in each]
        resting = driven_hand(state, round).sitting_out
        assert sorted([*seats, *resting]) == [*range(1, people + 1)]
        assert len(resting) == people - 4 * len(tables(state, round)) < 4
        out.update(resting)
        now = {frozenset(pair) for each in tables(state, round).values() for pair in partners(each)}
        assert people == 5 or not now & before
        together.update(now)
        before = now
    for kind in {state.plays_as(entry) for entry in state.entries}:
        counts = [out[entry] for entry in state.entries if state.plays_as(entry) == kind]
        assert max(counts) - min(counts) <= 1
    if people >= 24:
        assert max(together.values()) <= 5
        assert people == 24 or sum(times > 2 for times in together.values()) <= 32, "as few partners again as can be"


@pytest.mark.parametrize("people", [50, 52, 53])
def test_totals_are_the_tricks_of_each_person_and_seven_for_a_hand_sat_out(people: int) -> None:
    made = evening(people)
    play(made, 24, seed=people)
    state, total = session(made), Counter[int]()
    for round in range(1, 25):
        for number, (north, east, south, west) in tables(state, round).items():
            _, result = state.results[round, number, None]
            assert result.points is not None
            total.update(
                {
                    north: result.points[0],
                    south: result.points[0],
                    east: 13 - result.points[0],
                    west: 13 - result.points[0],
                }
            )
        total.update(dict.fromkeys(driven_hand(state, round).sitting_out, 7))
    assert {each.entry: each.total for each in ranked(made)} == {n: Fraction(total[n]) for n in range(1, people + 1)}
    assert all(each.place and each.played == 24 for each in ranked(made))


def test_a_correction_of_an_earlier_hand_changes_totals_and_leaves_the_seating_that_was_played() -> None:
    made = evening(12)
    play(made, 3)
    seatings = [tables(session(made), round) for round in (1, 2, 3)]
    first = driven_hand(session(made), 1).tables[0]
    assert first.points is not None
    totals = {each.entry: each.total for each in ranked(made)}
    enter(made, 1, {1: [13 - first.points[0]]})
    assert [tables(session(made), round) for round in (1, 2, 3)] == seatings
    differs = {each.entry: each.total - totals[each.entry] for each in ranked(made)}
    swing = 13 - 2 * first.points[0]
    assert differs == {n: {1: swing, 2: swing, 3: -swing, 4: -swing}.get(n, 0) for n in range(1, 13)}
    enter(made, 1, {1: [13 - first.points[0]]})
    assert made.seq == made.corrected, "the same tricks again record nothing"


def test_tricks_that_a_hand_cannot_give_are_refused_with_their_table() -> None:
    made = evening(8)
    seat(made, 1)
    for tricks in ([14], [-1], [8, 6], [8, 5, 7, 6], [3, 3, 3]):
        with pytest.raises(RuleError, match="table 2 in hand 1") as refused:
            enter(made, 1, {2: tricks})
        assert refused.value.code == "session.tricks"
    with pytest.raises(RuleError) as refused:
        add(made, type="result", round=1, table=1, points=[8, 6, 8, 6])
    assert refused.value.code == "session.tricks"
    enter(made, 1, {1: [8, 5], 2: [8, 5, 8, 5]})
    assert [table.points for table in driven_hand(session(made)).tables] == [(8, 5, 8, 5)] * 2


def test_the_next_hand_waits_for_all_tables_and_ends_with_the_last() -> None:
    made = evening(8, hands=2)
    seat(made, 1)
    enter(made, 1, {2: [4]})
    with pytest.raises(RuleError, match="table 1 has no tricks for hand 1") as refused:
        seat(made, 2)
    assert refused.value.code == "session.phase"
    enter(made, 1, {1: [4]})
    play(made, 1)
    assert is_over(driven_hand(session(made)))
    with pytest.raises(RuleError, match="all 2 hands"):
        seat(made, 3)


def test_who_comes_late_sits_down_and_who_leaves_is_not_seated() -> None:
    made = evening(12)
    play(made, 2)
    add(made, type="leave", player="p3")
    add(made, type="leave", player="p7")
    add(made, type="arrive", player="late")
    play(made, 1)
    state = session(made)
    seats = [entry for each in tables(state, 3).values() for entry in each] + [*driven_hand(state, 3).sitting_out]
    assert sorted(seats) == [1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13]
    assert state.players(13, 3) == ("late",)
    play(made, 4)
    assert {seated.bye for round in range(3, 8) for seated in session(made).tables(round).values() if seated.bye}


def test_trumps_go_round() -> None:
    made = evening(4, trumps=("H", "C", "D", "S", "NT"))
    play(made, 7)
    assert [driven_hand(session(made), round).trump for round in range(1, 8)] == ["H", "C", "D", "S", "NT", "H", "C"]


def test_a_drive_of_euchre_has_five_tricks_and_one_of_hearts_points_by_seat() -> None:
    made = evening(5, game="euchre")
    seat(made, 1)
    enter(made, 1, {1: [4]})
    assert {each.entry: each.total for each in ranked(made)} == {1: 4, 2: 4, 3: 1, 4: 1, 5: 3}
    made = evening(8, game="hearts")
    seat(made, 1)
    with pytest.raises(RuleError) as refused:
        enter(made, 1, {1: [5, 5, 5, 5]})
    assert refused.value.code == "session.tricks"
    enter(made, 1, {1: [0, 20, 5, 1], 2: [13, 0, 13, 0]})
    before = tables(session(made), 1)
    seat(made, 2)
    now = {number: {*seats} for number, seats in tables(session(made), 2).items()}
    assert now[2] == {before[1][0], before[1][3], before[2][0], before[2][2]}


def test_prizes_name_ties_as_ties() -> None:
    made = evening(8, hands=2, ladies=4)
    seat(made, 1)
    enter(made, 1, {1: [10], 2: [3]})
    seat(made, 2)
    enter(made, 2, {1: [6], 2: [6]})
    state, rows = session(made), ranked(made)
    total = {each.entry: int(each.total) for each in rows}
    won = {prize.name: prize for prize in prizes(state, rows, hidden_table=2)}
    assert [*won] == ["best", "best_lady", "best_gentleman", "first_half", "second_half", "hidden_table", "lowest"]
    assert {*won["best"].entries} == {e for e, n in total.items() if n == max(total.values())}
    assert {*won["lowest"].entries} == {e for e, n in total.items() if n == min(total.values())}
    assert {*won["best_lady"].entries} == {e for e in (1, 2, 3, 4) if total[e] == max(total[n] for n in (1, 2, 3, 4))}
    assert len(won["first_half"].entries) == 4 and won["first_half"].points == 10
    assert won["second_half"].points == 7
    assert {*won["hidden_table"].entries} == {*tables(state, 2)[2]} and won["hidden_table"].table == 2


def test_the_hidden_table_is_noted_and_the_last_note_counts() -> None:
    made = evening(4)
    assert made.hidden_table is None
    add(made, type="note", text="hidden table: 3")
    add(made, type="note", text="hidden table: 1")
    assert made.hidden_table == 1
    add(made, type="retract", to=made.seq - 1, reason="drawn again")
    assert made.hidden_table == 3


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"unit": "pair"}, "session.movement"),
        ({"scoring": {"kind": "places"}}, "session.movement"),
    ],
    ids=["pairs", "places"],
)
def test_a_drive_is_for_single_players_whose_points_are_added_up(change: dict[str, Any], error: str) -> None:
    made = stream({**opening("total", "player"), "game": "whist", **change})
    with pytest.raises(LedgerError) as refused:
        add(made, type="movement", kind="drive", rounds=24, tricks=13)
    assert refused.value.code == error


def test_keys_of_a_drive_are_for_a_drive() -> None:
    made = stream(opening("total", "player"))
    for keys in ({"kind": "drive"}, {"kind": "drive", "rounds": 61}, {"kind": "swiss", "tricks": 13}):
        with pytest.raises(FormatError):
            add(made, type="movement", **keys)
    with pytest.raises(RuleError, match="let winners move up"):
        add(made, type="movement", kind="drive", rounds=24, moves="ladies_up")


def test_ladies_and_gentlemen_who_do_not_fit_are_refused_with_what_to_do() -> None:
    made = evening(12, ladies=9)
    with pytest.raises(RuleError, match="9 play as ladies and 3 as gentlemen") as refused:
        seat(made, 1)
    assert refused.value.code == "session.movement"
    for event in numbered(session(made), {f"p{n}": "gentleman" for n in (7, 8, 9)}):
        made.append(event)
    seat(made, 1)
    assert len(tables(session(made), 1)) == 3
    add(made, type="arrive", player="late")
    enter(made, 1, {1: [3], 2: [3], 3: [3]})
    with pytest.raises(RuleError, match="late plays as neither"):
        seat(made, 2)


def test_partners_change_after_every_hand_at_a_single_table() -> None:
    made = evening(4)
    play(made, 6)
    pairs = [{frozenset(pair) for pair in partners(tables(session(made), n)[1])} for n in range(1, 7)]
    assert all(not one & other for one, other in pairwise(pairs))
