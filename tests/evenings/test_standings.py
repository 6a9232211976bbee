"""The result of the night: from results, rulings and matches to a ranking, published and corrected."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.errors import FormatError, RuleError
from cardledger.rules.evenings import publication
from cardledger.rules.evenings.awards import Artificial, certain
from cardledger.rules.evenings.drawing import remember, swiss_round, table_events, who_comes
from cardledger.rules.evenings.evening_events import Publish
from cardledger.rules.evenings.publication import PointsChange, canonical, completed, differences, digest
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.season import Count
from cardledger.rules.evenings.seating import History
from cardledger.rules.evenings.shape import event_of
from cardledger.rules.evenings.standings import as_printed, night, standings
from cardledger.rules.evenings.stream import EveningStream
from cardledger.rules.evenings.travellers import Outcome, travellers
from tests.documents import DOCUMENTS
from tests.evenings.evening import add, entries, no_match, opening, places, ranking, session, stream

SIX = [420, -50, 450, 420, 170, -100]


def one_board(kind: str = "matchpoints", scores: list[int] = SIX, **scoring: Any) -> EveningStream:
    """One board at as many tables as there are scores: north-south are 1 and on, east-west 11 and on."""
    n = len(scores)
    evening = stream(opening(kind, **scoring), *entries([*range(1, n + 1), *range(11, 11 + n)]))
    for table, score in enumerate(scores, 1):
        add(evening, type="table", round=1, table=table, seats=[table, table + 10], boards=[1])
        add(evening, type="result", round=1, table=table, board=1, score=score)
    return evening


def totals(evening: EveningStream, result_of=no_match) -> dict[int, str]:
    return {each.entry: printed(each.total) for each in ranking(evening, result_of)}


def test_the_worked_numbers_come_out_of_an_evening() -> None:
    assert [totals(one_board())[n] for n in range(1, 7)] == ["7.00", "2.00", "10.00", "7.00", "4.00", "0.00"]
    assert [totals(one_board("cross_imps"))[n] for n in (1, 2, 11)] == ["5.20", "-7.00", "-5.20"]
    assert [totals(one_board("butler"))[n] for n in (1, 6, 16)] == ["5.00", "-8.00", "8.00"]
    assert places(one_board("percentile"))[0] == (3, "1=", 91.67)


def test_equal_entries_share_their_place_unless_a_rule_tells_them_apart() -> None:
    plain = [(entry, place) for entry, place, _ in places(one_board())]
    assert plain[:4] == [(3, "1="), (16, "1="), (12, "3"), (1, "4=")]
    drawn = one_board(ties=["meeting", "lot"])
    add(drawn, type="note", text="lot: 16 3")
    assert [(entry, place) for entry, place, _ in places(drawn)][:2] == [(16, "1"), (3, "2")]


def test_a_lot_taken_back_does_not_count() -> None:
    drawn = one_board(ties=["lot"])
    add(drawn, type="note", text="lot: 16, 3")
    add(drawn, type="note", text="lot: 3, 16")
    add(drawn, type="retract", to=drawn.seq - 1)
    assert [(entry, place) for entry, place, _ in places(drawn)][:2] == [(16, "1"), (3, "2")]
    assert one_board().lot == ()


def test_two_winners_rank_apart_in_a_mitchell_without_arrow_switch() -> None:
    evening = mitchell(Random(1))
    found = ranking(evening)
    assert [each.line for each in found] == ["ns"] * 3 + ["ew"] * 3
    assert [each.place[0] for each in found].count("1") >= 2
    assert as_printed(found, session(evening).opening.scoring)[0]["line"] == "ns"
    switched = mitchell(Random(1), arrow_switch=1)
    assert {each.line for each in ranking(switched)} == {None}


def mitchell(rng: Random, **more: Any) -> EveningStream:
    evening = stream(opening(), *entries(range(1, 7)), {"type": "movement", "kind": "mitchell", "tables": 3, **more})
    play(evening, rng)
    return evening


def play(evening: EveningStream, rng: Random, **unlike: Any) -> None:
    for round in session(evening).rounds:
        for table, seated in session(evening).tables(round).items():
            for board in seated.boards if seated.plays else ():
                add(evening, type="result", round=round, table=table, board=board, score=rng.randrange(-60, 60) * 10)


@settings(max_examples=12)
@given(pairs=st.integers(4, 12), seed=st.integers(0, 99), kind=st.sampled_from(["matchpoints", "cross_imps", "butler"]))
def test_what_one_side_wins_the_other_loses_over_a_whole_howell(pairs: int, seed: int, kind: str) -> None:
    evening = stream(
        opening(kind, drop=0), *entries(range(1, pairs + 1)), {"type": "movement", "kind": "howell", "entries": pairs}
    )
    play(evening, Random(seed))
    found = ranking(evening)
    assert sum(each.played for each in found) == 2 * len(session(evening).results)
    scores = [score.points for each in found for score in each.scores]
    assert sum(points.value for points in scores) * 2 == sum(points.top for points in scores)


def test_an_individual_gives_both_partners_the_points_of_their_line() -> None:
    evening = stream(
        opening(unit="player"), *entries(range(1, 9), 1), {"type": "movement", "kind": "individual", "entries": 8}
    )
    play(evening, Random(3))
    assert {each.played for each in ranking(evening)} == {7}
    (lines, *_) = travellers(session(evening), no_match).values()
    assert (lines[0].ns, lines[0].ew) == ((8, 7), (4, 6))


def test_a_correction_in_the_match_corrects_the_evening() -> None:
    evening = stream(
        opening("total", "player"),
        {"type": "table", "round": 1, "table": 1, "seats": ["ana", "ben", "eva"]},
        {"type": "result", "round": 1, "table": 1, "match": "m"},
    )

    def as_of(points: tuple[int, ...]):
        return lambda match: Outcome(points, (1, 2, 3), 4)

    assert [each.players for each in ranking(evening, as_of((9, 5, 1)))] == [("ana",), ("ben",), ("eva",)]
    assert [each.players for each in ranking(evening, as_of((9, 5, 10)))] == [("eva",), ("ana",), ("ben",)]
    with pytest.raises(RuleError, match="has 2 players, table 1 of round 1 has 3") as caught:
        ranking(evening, as_of((9, 5)))
    assert caught.value.code == "session.seats"


def test_a_match_of_one_board_gives_its_score_or_the_difference_of_the_lines() -> None:
    evening = one_board(scores=[420, 400])
    add(evening, type="amend", about=7, event={"type": "result", "round": 1, "table": 1, "board": 1, "match": "m"})
    assert places(evening, lambda match: Outcome((), (), score=430))[0][0] == 1
    assert places(evening, lambda match: Outcome((7, 6), (1, 2)))[0][0] == 2


def test_totals_can_be_divided_by_hands_and_the_fewest_points_win_where_the_game_says_so() -> None:
    table = {"type": "table", "round": 1, "table": 1, "seats": ["ana", "ben", "eva"]}
    result = {"type": "result", "round": 1, "table": 1, "match": "m"}
    evening = stream(opening("total", "player", per_hand=True), table, result)
    assert [printed(each.total) for each in ranking(evening, lambda _: Outcome((10, 6, 4), (1, 2, 3), 4))] == [
        "2.50",
        "1.50",
        "1.00",
    ]
    hearts = stream(
        opening("total", "player") | {"game": "hearts"},
        table,
        {"type": "result", "round": 1, "table": 1, "points": [26, 0, 5]},
    )
    assert [each.players[0] for each in ranking(hearts)] == ["ben", "eva", "ana"]
    add(hearts, type="adjust", entry=2, penalty=10, reason="late")
    assert [each.players[0] for each in ranking(hearts)] == ["eva", "ben", "ana"]


def test_places_give_points_that_equal_players_share() -> None:
    def evening(points: list[int], **scoring: Any) -> dict[int, str]:
        table = {"type": "table", "round": 1, "table": 1, "seats": [*"abcd"]}
        return totals(
            stream(
                opening("places", "player", **scoring),
                table,
                {"type": "result", "round": 1, "table": 1, "points": points},
            )
        )

    assert evening([20, 15, 15, 3]) == {1: "4.00", 2: "2.50", 3: "2.50", 4: "1.00"}
    by_place = stream(
        opening("places", "player"),
        {"type": "table", "round": 1, "table": 1, "seats": [*"abcd"]},
        {"type": "result", "round": 1, "table": 1, "places": [2, 1, 2, 4]},
    )
    assert totals(by_place) == {1: "2.50", 2: "4.00", 3: "2.50", 4: "1.00"}
    assert evening([20, 15, 15, 3], scaled=True) == {1: "1.00", 2: "0.50", 3: "0.50", 4: "0.00"}
    assert evening([20, 15, 15, 3], fewest=True) == {4: "4.00", 2: "2.50", 3: "2.50", 1: "1.00"}


def test_pairs_at_a_table_of_four_score_once() -> None:
    for scoring, expected in (("total", {1: "52.00", 2: "-30.00"}), ("places", {1: "4.00", 2: "3.00"})):
        evening = stream(opening(scoring), *entries([1, 2]))
        add(evening, type="table", round=1, table=1, seats=[1, 2])
        add(evening, type="result", round=1, table=1, points=[52, -30, 52, -30])
        assert totals(evening) == expected


def test_a_tie_where_the_fewest_points_win_goes_to_who_had_less_in_the_meeting() -> None:
    evening = stream(opening("total", "player", fewest=True, ties=["meeting"]))
    for round, seats, points in ((1, "abc", [5, 3, 9]), (2, "acd", [1, 2, 2]), (3, "bcd", [3, 4, 5])):
        add(evening, type="table", round=round, table=1, seats=[*seats])
        add(evening, type="result", round=round, table=1, points=points)
    assert [(each.players[0], each.place) for each in ranking(evening)] == [
        ("b", "1"),
        ("a", "2"),
        ("d", "3"),
        ("c", "4"),
    ]


def teams(boards: int, gained: int, **scoring: Any) -> EveningStream:
    """Two teams and a third with a bye: on board 1 team 1 gains some IMPs, the other boards are flat."""
    evening = stream(opening("teams", "team", **scoring), *entries([1, 2, 3], 4))
    for event in swiss_round(session(evening), [], 1, range(1, boards + 1)):
        evening.append(event)
    steps = {0: 0, 10: 430, -10: -430}[gained]
    for board in range(1, boards + 1):
        add(evening, type="result", round=1, table=1, board=board, score=100 + (steps if board == 1 else 0))
        add(evening, type="result", round=1, table=2, board=board, score=100)
    return evening


def test_a_match_of_teams_is_compared_at_two_tables_and_turned_into_victory_points() -> None:
    assert totals(teams(16, 10)) == {1: "12.80", 3: "12.00", 2: "7.20"}
    assert totals(teams(8, -10)) == {2: "13.78", 3: "12.00", 1: "6.22"}
    assert totals(teams(4, 10, vp=False)) == {1: "10.00", 2: "-10.00", 3: "0.00"}
    evening = teams(16, 0)
    add(evening, type="adjust", round=1, table=1, board=3, ns=60, ew=40, law="12C2")
    first, second, third = ranking(evening)
    assert [first.entry, second.entry, third.entry] == [3, 1, 2]
    assert [printed(each.scores[2].points.value) for each in (second, third)] == ["3.00", "-3.00"]
    assert first.played == 1  # a bye is a match


def test_a_howell_of_teams_has_two_tables_for_each_match() -> None:
    movement = {"type": "movement", "kind": "howell", "entries": 4, "boards": 2}
    evening = stream(opening("teams", "team"), *entries([1, 2, 3, 4], 4), movement)
    assert [seated.seats for seated in session(evening).tables(1).values()] == [(4, 3), (3, 4), (1, 2), (2, 1)]
    play(evening, Random(2))
    assert sum(each.total for each in ranking(evening)) == 20 * 6
    assert {each.played for each in ranking(evening)} == {3}


def test_a_swiss_goes_on_from_the_ranking_with_the_bye_to_the_lowest_without() -> None:
    evening = teams(4, 10)
    drawn = swiss_round(session(evening), ranking(evening), 2)
    assert [event.seats for event in drawn] == [(3, 1), (1, 3), (2,)]


def test_rulings_count_instead_of_the_result() -> None:
    evening = one_board()
    add(evening, type="adjust", round=1, table=2, board=1, ns=60, ew=40, law="12C2", reason="no play possible")
    found = {each.entry: each for each in ranking(evening)}
    assert printed(found[2].total) == "6.00"
    (line,) = [line for line in travellers(session(evening), no_match)[1] if line.table == 2]
    assert len(line.events) == 2
    add(
        evening,
        type="adjust",
        round=1,
        table=2,
        board=1,
        ns=[{"weight": 60, "contract": "4S", "declarer": 0, "tricks": 10}, {"weight": 40, "score": -50}],
    )
    assert totals(evening)[2] == "4.40"
    add(evening, type="adjust", entry=2, penalty=1.5, reason="late")
    assert totals(evening)[2] == "2.90"
    add(evening, type="adjust", round=1, table=2, board=1, group=1)
    assert totals(evening)[2] == printed(Fraction(6, 1) - 1 - Fraction(3, 2))


def test_a_ruling_for_one_side_leaves_the_other_its_result_or_the_rest() -> None:
    evening = one_board()
    add(evening, type="adjust", round=1, table=2, board=1, ns=60)
    assert (totals(evening)[2], totals(evening)[12]) == ("6.00", "8.00")
    add(evening, type="adjust", round=1, table=2, board=1, ew=[{"weight": 100, "score": 500}])
    assert (totals(evening)[2], totals(evening)[12]) == ("10.00", "0.00")
    unplayed = stream(opening(), *entries(range(1, 7)), {"type": "movement", "kind": "mitchell", "tables": 3})
    add(unplayed, type="adjust", round=1, table=1, board=1, ew=60)
    assert {entry: score for entry, _, score in places(unplayed)}.keys() == {*range(1, 7)}
    (line,) = travellers(session(unplayed), no_match)[1]
    assert (line.row.ns, line.row.ew, line.events) == (Artificial(Fraction(40)), Artificial(Fraction(60)), (9,))


def test_contracts_and_averages_fill_a_traveller() -> None:
    evening = stream(
        opening(), *entries(range(1, 7)), {"type": "movement", "kind": "mitchell", "tables": 3, "boards": 2}
    )
    add(evening, type="result", round=1, table=1, board=2, contract="4S", declarer=0, tricks=10)
    add(evening, type="result", round=1, table=1, board=1, contract="pass")
    add(evening, type="absent", round=1, table=2, why="average")
    found = {board: [line.row.ns for line in lines] for board, lines in travellers(session(evening), no_match).items()}
    average = Artificial(Fraction(50))
    assert found == {1: [certain(0)], 2: [certain(620)], 3: [average], 4: [average]}


def test_sixty_percent_is_raised_to_the_average_of_the_entry() -> None:
    evening = stream(opening(), *entries([1, 2, 3, 4]))
    for table, seats in ((1, [1, 2]), (2, [3, 4])):
        add(evening, type="table", round=1, table=table, seats=seats, boards=[1, 2])
        add(evening, type="result", round=1, table=table, board=1, score=table * -100)
    for table in (1, 2):
        add(evening, type="adjust", round=1, table=table, board=2, ns=60, ew=60)
    assert {entry: value for entry, _, value in places(evening)} == {1: 100.0, 4: 100.0, 2: 30.0, 3: 30.0}


def test_who_played_less_than_half_is_listed_last_without_a_place() -> None:
    evening = mitchell(Random(5))
    add(evening, type="entry", number=7, players=["x", "y"])
    add(evening, type="table", round=4, table=1, seats=[7, 1], boards=[9])
    add(evening, type="result", round=4, table=1, board=9, score=9000)
    last = ranking(evening)[-1]
    assert (last.entry, last.place, last.played) == (7, "", 1)


def test_a_published_ranking_has_a_hash_that_is_checked() -> None:
    evening = one_board()
    rows = as_printed(ranking(evening), session(evening).opening.scoring)
    assert (
        canonical(rows[:1])
        == b'[{"entry":3,"percent":"100.00","place":"1=","played":1,"players":["a3","b3"],"total":"10.00"}]'
    )
    hash = digest(rows)
    assert len(hash) == 64
    assert digest(rows, str.upper) != hash
    assert completed(Publish(), 40, hash) == Publish(at_position=40, hash=hash)
    assert completed(Publish(at_position=40, hash=hash), 40, hash).hash == hash
    for stated in (Publish(at_position=39), Publish(hash="0" * 64)):
        with pytest.raises(RuleError, match="the ranking at position 40") as caught:
            completed(stated, 40, hash)
        assert caught.value.code == "session.position"


def test_published_and_corrected_results_differ_only_by_the_corrections() -> None:
    evening = one_board()
    then = ranking(evening)
    about = next(
        event.seq or place
        for place, event in enumerate(evening.events, 1)
        if event == event_of({"type": "result", "round": 1, "table": 1, "board": 1, "score": 420})
    )
    add(
        evening,
        type="amend",
        about=about,
        event={"type": "result", "round": 1, "table": 1, "board": 1, "score": -420},
        reason="wrong side",
    )
    found = differences(then, ranking(evening), session(evening).opening.scoring)
    (row,) = [row for row in found if row.entry == 1]
    assert (row.place_then, row.place_now, row.total_then, row.total_now) == ("4=", "11=", "7.00", "0.00")
    assert row.changes == (PointsChange(1, 1, 1, "7.00", "0.00"),)
    assert differences(then, then, session(evening).opening.scoring) == []
    assert publication.differences(then[:1], [], session(evening).opening.scoring)[0].place_now is None


def test_who_comes_plays_from_evening_to_evening() -> None:
    known = History()
    evening = stream(opening("places", "player"), *({"type": "arrive", "player": player} for player in "ABCDEFGHI"))
    for round in (1, 2, 3):
        seating = who_comes(session(evening), known)
        for event in table_events(seating.tables, round):
            evening.append(event)
        known = History()
        remember(session(evening), known)
    resting = [player for player, rounds in known.sat_out.items() for _ in rounds]
    assert len(resting) == len({*resting}) == 3
    assert sum(known.met.values()) == 3 * 2 * 6
    assert [*session(evening).entries] == [*range(1, 10)]


def test_a_league_counts_what_a_night_ranks_by_or_another_value() -> None:
    evening = one_board()
    found = ranking(evening)
    counted = night(session(evening), "s1", found, Count())
    assert (counted.values["a3"], counted.values["b2"], counted.date) == (100, 20, "2026-01-06")
    assert counted.won == {"a3", "b3", "a16", "b16"}
    place = night(session(evening), "s1", found, Count(value="place"))
    assert place.values["a3"] == Fraction(21, 22)
    assert night(session(evening), "s1", found, Count(value="points")).values["a3"] == 10
    assert night(session(evening), "s1", found, Count(value="percent")).values["a3"] == 100
    matches = teams(16, 10)
    won = night(session(matches), "s2", ranking(matches), Count(value="vp"))
    assert (printed(won.values["a1"]), printed(won.values["d3"])) == ("12.80", "12.00")
    late = one_board()
    add(late, type="entry", number=21, players=["x", "y"])
    add(late, type="entry", number=22, players=["v", "w"])
    for round in (2, 3, 4):
        add(late, type="table", round=round, table=1, seats=[1, 11], boards=[round])
        add(late, type="result", round=round, table=1, board=round, score=0)
    assert {
        night(session(late), "s", ranking(late), Count(value="place")).values[player] for player in ("a2", "a3")
    } == {0}
    with pytest.raises(FormatError, match="has no vp"):
        night(session(evening), "s1", found, Count(value="vp"))


def test_a_ranking_needs_no_result_at_all() -> None:
    evening = stream(opening(), *entries([1, 2]))
    assert places(evening) == [(1, "", 0.0), (2, "", 0.0)]
    assert standings(session(stream(opening())), no_match) == []


def test_the_evening_in_the_readme_is_one() -> None:
    block = DOCUMENTS["ledger/cardledger/rules/evenings/README.md"].split("```")[1]
    evening = stream(*map(json.loads, block.strip().splitlines()))
    assert [(each.players, each.place, printed(each.total)) for each in ranking(evening)] == [
        (("ana",), "1", "4.00"),
        (("ben",), "2=", "2.50"),
        (("cem",), "2=", "2.50"),
        (("eva",), "4", "1.00"),
    ]
